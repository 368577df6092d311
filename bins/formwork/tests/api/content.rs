//! The content of files by capability URL.

use reqwest::Method;
use serde_json::Value;

use crate::kit::{Answer, Parts, Server, encrypted_pdf};

/// Reads by the URL of a file's record, without a key.
async fn read(server: &Server, file: &Value, headers: &[(&str, &str)]) -> Answer {
    let path = file["url"].as_str().unwrap().strip_prefix(server.url.as_str()).unwrap();
    let call = server.request(Method::GET, path).open();
    headers.iter().fold(call, |call, (name, value)| call.header(name, value)).send().await
}

#[tokio::test(flavor = "multi_thread")]
async fn whoever_holds_the_url_reads_the_file_until_it_is_deleted() {
    let server = Server::start();
    let file = server.files(&[("a.txt", "hello")]).await.remove(0);
    let answer = read(&server, &file, &[]).await;
    assert_eq!((answer.status, answer.text()), (200, "hello"));
    let token = file["url"].as_str().unwrap().rsplit('/').nth(1).unwrap().to_owned();
    assert!(token.len() >= 32);
    let path = format!("/files/{token}");
    assert_eq!(server.request(Method::GET, &path).open().send().await.text(), "hello");
    assert_eq!(
        server.request(Method::GET, &format!("{path}/other%20name")).open().send().await.text(),
        "hello"
    );
    for wrong in [
        &path[..path.len() - 1],
        &format!("{path}x"),
        &path.to_uppercase().replace("/FILES", "/files"),
        "/files/%00",
        "/files/..%2Fformwork.db",
    ] {
        server.request(Method::GET, wrong).open().send().await.fails(404, "file_not_found");
    }
    server.delete(&format!("/v1/files/{}", file["id"])).await.ok();
    read(&server, &file, &[]).await.fails(404, "file_not_found");
}

#[tokio::test(flavor = "multi_thread")]
async fn ranges_are_given_and_those_outside_refused() {
    let server = Server::start();
    let file = server.files(&[("a.txt", "0123456789")]).await.remove(0);
    for (range, status, text, told) in [
        ("bytes=2-4", 206, "234", "bytes 2-4/10"),
        ("bytes=7-", 206, "789", "bytes 7-9/10"),
        ("bytes=-3", 206, "789", "bytes 7-9/10"),
        ("bytes=-99", 206, "0123456789", "bytes 0-9/10"),
        ("bytes=9-99", 206, "9", "bytes 9-9/10"),
        ("BYTES=0-0", 206, "0", "bytes 0-0/10"),
        ("bytes=0-1,5-6", 200, "0123456789", ""),
        ("bytes=5-2", 200, "0123456789", ""),
        ("lines=1-2", 200, "0123456789", ""),
        ("nonsense", 200, "0123456789", ""),
    ] {
        let answer = read(&server, &file, &[("range", range)]).await;
        assert_eq!(
            (answer.status, answer.text(), answer.header("content-range")),
            (status, text, told),
            "{range}"
        );
        assert_eq!(answer.header("content-length"), text.len().to_string());
        assert_eq!(answer.header("accept-ranges"), "bytes");
    }
    for range in ["bytes=10-", "bytes=-0", "bytes=99-100"] {
        let answer = read(&server, &file, &[("range", range)]).await;
        answer.fails(416, "range_not_satisfiable");
        assert_eq!(answer.header("content-range"), "bytes */10");
    }
    let empty = server.files(&[("e", "")]).await.remove(0);
    assert_eq!(read(&server, &empty, &[]).await.text(), "");
    read(&server, &empty, &[("range", "bytes=0-")]).await.fails(416, "range_not_satisfiable");
}

#[tokio::test(flavor = "multi_thread")]
async fn an_unchanged_content_is_not_sent_again() {
    let server = Server::start();
    let file = server.files(&[("a.txt", "0123456789")]).await.remove(0);
    let etag = read(&server, &file, &[]).await.header("etag").to_owned();
    assert_eq!(etag, format!("\"{}\"", file["meta"]["sha256"].as_str().unwrap()));
    for tag in [etag.clone(), format!("W/{etag}"), format!("\"x\", {etag}"), "*".into()] {
        let answer = read(&server, &file, &[("if-none-match", &tag)]).await;
        assert_eq!(
            (answer.status, answer.body.len(), answer.header("etag")),
            (304, 0, etag.as_str()),
            "{tag}"
        );
    }
    assert_eq!(read(&server, &file, &[("if-none-match", "\"x\"")]).await.status, 200);
    let part = read(&server, &file, &[("range", "bytes=0-1"), ("if-range", &etag)]).await;
    assert_eq!((part.status, part.text()), (206, "01"));
    let stale = read(&server, &file, &[("range", "bytes=0-1"), ("if-range", "\"x\"")]).await;
    assert_eq!((stale.status, stale.text()), (200, "0123456789"));
}

#[tokio::test(flavor = "multi_thread")]
async fn head_tells_what_get_would_without_the_content() {
    let server = Server::start();
    let file = server.files(&[("a.txt", "0123456789")]).await.remove(0);
    let path = file["url"].as_str().unwrap().strip_prefix(server.url.as_str()).unwrap();
    let head = server.request(Method::HEAD, path).open().send().await;
    let get = read(&server, &file, &[]).await;
    assert_eq!((head.status, head.body.len()), (200, 0));
    for name in ["content-length", "content-type", "etag", "content-disposition", "accept-ranges"] {
        assert!(!get.header(name).is_empty(), "{name}");
        assert_eq!(head.header(name), get.header(name), "{name}");
    }
    assert_eq!(server.request(Method::HEAD, "/files/none").open().send().await.status, 404);
    assert_eq!(server.request(Method::HEAD, "/v1/form").send().await.status, 200);
    assert_eq!(server.request(Method::HEAD, "/v1/form").open().send().await.status, 401);
}

#[tokio::test(flavor = "multi_thread")]
async fn no_content_can_act_in_a_browser_under_this_address() {
    let server = Server::start();
    let parts = Parts::new()
        .file("a.html", b"<script>alert(1)</script>")
        .file("a.svg", b"<svg xmlns='http://www.w3.org/2000/svg' onload='alert(1)'/>")
        .file("a\r\nSet-Cookie: a=b\".html", b"<p>x</p>")
        .file("a.pdf", &encrypted_pdf());
    for file in server.upload(parts).await.ok().as_array().unwrap() {
        let answer = read(&server, file, &[]).await;
        assert!(answer.header("content-disposition").starts_with("attachment; filename=\""));
        assert_eq!(answer.header("x-content-type-options"), "nosniff");
        assert!(answer.header("content-security-policy").contains("sandbox"));
        assert_eq!(answer.header("referrer-policy"), "no-referrer");
        assert!(answer.headers.get("set-cookie").is_none());
        let bare = answer.header("content-type").split(';').next();
        assert_eq!(bare, file["meta"]["content_type"].as_str());
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn equal_contents_share_one_blob_that_goes_with_its_last_file() {
    let server = Server::start();
    let files = server.files(&[("a.txt", "same"), ("b.txt", "same"), ("c.txt", "other")]).await;
    let later = server.files(&[("d.txt", "same")]).await.remove(0);
    assert_eq!(server.stored("blobs").len(), 2);
    assert_ne!(files[0]["url"], files[1]["url"]);
    for file in [&files[0], &later] {
        server.delete(&format!("/v1/files/{}", file["id"])).await.ok();
        assert_eq!(read(&server, &files[1], &[]).await.text(), "same");
        assert_eq!(server.stored("blobs").len(), 2);
    }
    server.delete(&format!("/v1/files/{}", files[1]["id"])).await.ok();
    assert_eq!(server.stored("blobs").len(), 1);
    assert_eq!(read(&server, &files[2], &[]).await.text(), "other");
    // Another workspace's equal content is its own.
    let stranger = server.stranger();
    let parts = Parts::new().file("x.txt", b"other");
    server.request(Method::POST, "/v1/files").key(&stranger).multipart(parts).send().await.ok();
    assert_eq!(server.stored("blobs").len(), 2);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_large_content_comes_back_byte_by_byte() {
    let server = Server::start();
    let bytes: Vec<u8> = (0..3_500_000_u32)
        .flat_map(|n| (n.wrapping_mul(2_654_435_761)).to_le_bytes()[..1].to_vec())
        .collect();
    let file = server.upload(Parts::new().file("big.bin", &bytes).file("big too", &bytes)).await.ok();
    for n in 0..2 {
        assert!(read(&server, &file[n], &[]).await.body == bytes);
    }
    let part = read(&server, &file[0], &[("range", "bytes=1048570-2097160")]).await;
    assert!(part.body == bytes[1_048_570..=2_097_160]);
    assert_eq!(server.stored("blobs").len(), 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn equal_contents_that_come_and_go_at_once_are_never_lost_and_never_left() {
    equal_contents(&Server::start()).await;
}

/// Uploads and deletions of one content at the same time.
pub(crate) async fn equal_contents(server: &Server) {
    let comings = (0..12).map(async |_| {
        for _ in 0..4 {
            let file = server.files(&[("a.txt", "the same")]).await.remove(0);
            assert_eq!(read(server, &file, &[]).await.text(), "the same");
            server.delete(&format!("/v1/files/{}", file["id"])).await.ok();
        }
    });
    futures_util::future::join_all(comings).await;
    assert_eq!(server.stored("blobs").len(), 0);
}
