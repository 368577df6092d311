//! Sites that mean no good: each call ends, and the server is no larger afterwards.

use std::io::Write as _;
use std::time::Duration;

use flate2::Compression;
use flate2::write::GzEncoder;
use serde_json::json;
use testkit::upstream::{Reply, Upstream};

use super::allowed;
use crate::kit::{Home, Server};

/// A gigabyte of zeros, compressed to a megabyte.
fn bomb() -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
    for _ in 0..1_024 {
        encoder.write_all(&[0; 1 << 20]).unwrap();
    }
    encoder.finish().unwrap()
}

/// The server's resident memory in MB, its parsers not counted.
fn resident(server: &Server) -> u64 {
    let status = std::fs::read_to_string(format!("/proc/{}/status", server.process.id())).unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).unwrap();
    line.trim().trim_end_matches(" kB").parse::<u64>().unwrap() / 1_024
}

#[tokio::test(flavor = "multi_thread")]
async fn hostile_sites_end_and_leave_nothing_behind() {
    let bomb = bomb();
    let site = Upstream::start(move |request| {
        let (kind, html) = (("content-type", "text/html"), "text/html");
        match request.path.rsplit('/').next().unwrap() {
            "bomb" => Reply::whole_with(200, &[kind, ("content-encoding", "gzip")], bomb.clone()),
            "endless" => Reply::raw().write("HTTP/1.1 200 OK\r\n\r\n").endless(vec![b'x'; 60_000]),
            "chunks" => Reply::chunked(200, &[kind]).endless("5\r\nabcde\r\n"),
            "headers" => Reply::raw().write("HTTP/1.1 200 OK\r\n").endless("X-More: and more and more\r\n"),
            "nested" => Reply::whole(200, html, "<div>".repeat(100_000)),
            "attributes" => Reply::whole(200, html, format!("<p {}>", "a=b ".repeat(200_000))),
            "drip" => (0..10_000).fold(Reply::chunked(200, &[kind]), |reply, _| {
                reply.wait(Duration::from_millis(20)).chunk("x")
            }),
            _ => Reply::whole(404, "text/plain", ""),
        }
    });
    let site = site.unwrap();
    let home = Home::new(
        "[fetch]\ndocument_bytes = 3000000\npage_bytes = 3000000\ncache_seconds = 0\ntotal_seconds = 2\nidle_seconds = 1",
    );
    let server = allowed(&home);
    let kinds = ["bomb", "endless", "chunks", "headers", "nested", "attributes", "drip"];
    let call = async |round: usize| {
        let urls: Vec<String> =
            (0..70).map(|n| format!("{}/{round}/{n}/{}", site.url(), kinds[n % 7])).collect();
        let answer = server.post("/v1/utilities/docparser", json!({"urls": urls})).await.ok();
        for (item, url) in answer.as_array().unwrap().iter().zip(&urls) {
            let told = item["error"]["code"].as_str().is_some_and(|code| {
                ["fetch_too_large", "fetch_unusable", "fetch_timeout", "document_without_text"]
                    .contains(&code)
            });
            assert!(told, "{url}: {:.300}", item.to_string());
        }
    };
    call(0).await;
    let before = resident(&server);
    for round in 1..4 {
        call(round).await;
    }
    let after = resident(&server);
    assert!(after < before + 64, "{before} MB before, {after} MB after");
    assert_eq!(server.stored("fetched"), [""; 0]);
}
