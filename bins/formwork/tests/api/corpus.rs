//! The hostile part of the open corpus, where it is at hand; the other files here have samples of
//! their own for each kind.

use std::path::{Path, PathBuf};

use futures_util::StreamExt as _;
use futures_util::stream;
use reqwest::Method;
use serde_json::json;

use crate::bodies::{WITH_BODY, round_trip, send};
use crate::kit::{Parts, Server, corpus, invoice_schema};

fn files(folder: &Path, extension: &str) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let mut found: Vec<PathBuf> =
        entries.filter(|path| path.extension().is_some_and(|e| e == extension)).collect();
    found.sort();
    assert!(!found.is_empty());
    found
}

#[tokio::test(flavor = "multi_thread")]
async fn every_hostile_json_body_is_refused_or_read_and_never_a_defect() {
    let Some(folder) = corpus("hostile/json") else { return };
    let server = Server::start();
    server.agent("inv", invoice_schema()).await;
    for path in files(&folder, "json") {
        let name = path.file_name().unwrap().to_str().unwrap().to_owned();
        let body = std::fs::read(&path).unwrap();
        for operation in &WITH_BODY {
            let answer = send(&server, operation, body.clone()).await;
            if name.starts_with("n_") {
                answer.fails(400, "malformed_json");
            }
            assert!(answer.status < 500, "{name}: {answer:?}");
            if name.starts_with("y_") && answer.status == 400 {
                assert_ne!(answer.value()["code"], "malformed_json", "{name}: {answer:?}");
            }
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn every_hostile_multipart_body_is_refused_or_read_and_leaves_nothing_half_done() {
    let Some(folder) = corpus("hostile/multipart") else { return };
    let server = Server::start();
    let mut stored = 0;
    for path in files(&folder, "http") {
        let rules = std::fs::read_to_string(path.with_extension("yaml")).unwrap();
        let boundary = rules.lines().find_map(|line| line.strip_prefix("boundary: ")).unwrap().trim();
        let body = std::fs::read(&path).unwrap();
        // The bodies call their files by other names than this interface does.
        let renamed = String::from_utf8_lossy(&body).replace("name=\"file\"", "name=\"files\"");
        for body in [body, renamed.into_bytes()] {
            let kind = format!("multipart/form-data; boundary={boundary}");
            let answer = server.request(Method::POST, "/v1/files").body(&kind, body).send().await;
            assert!(matches!(answer.status, 200 | 400), "{path:?}: {answer:?}");
            if rules.contains("error:") {
                assert_eq!(answer.status, 400, "{path:?}: {answer:?}");
            }
            if answer.status == 200 {
                stored += answer.ok().as_array().unwrap().len();
            }
        }
    }
    assert!(stored > 0);
    assert_eq!(server.get("/v1/files").await.ok()["meta"]["total_items"], stored);
}

#[tokio::test(flavor = "multi_thread")]
async fn every_naughty_string_comes_back_as_it_went() {
    let Some(path) = corpus("hostile/naughty_strings.json") else { return };
    let strings: Vec<String> = serde_json::from_slice(&std::fs::read(path).unwrap()).unwrap();
    let server = Server::start();
    let texts = stream::iter(strings.iter().enumerate());
    texts.for_each_concurrent(32, async |(n, text)| round_trip(&server, &format!("n{n}"), text).await).await;
    for strings in strings.chunks(100) {
        // No header can hold control characters.
        let named = strings.iter().map(|text| format!("n{text}"));
        let named = named.map(|text| text.chars().filter(|c| !c.is_ascii_control()).take(1_024).collect());
        let names: Vec<String> = named.collect();
        let parts = names.iter().fold(Parts::new(), |parts, name| parts.file(name, b"x"));
        let files = server.upload(parts).await.ok();
        for (file, name) in files.as_array().unwrap().iter().zip(names) {
            assert_eq!(file["name"], json!(name));
        }
    }
    let queries = stream::iter(&strings).for_each_concurrent(32, async |text| {
        let query = reqwest::Url::parse_with_params(
            &format!("{}/v1/form", server.url),
            [("title", text), ("cursor", text)],
        )
        .unwrap();
        let path = query.as_str().strip_prefix(server.url.as_str()).unwrap().to_owned();
        assert!(server.get(&path).await.status < 500);
    });
    queries.await;
}

#[tokio::test(flavor = "multi_thread")]
async fn every_denied_url_is_that_documents_error() {
    let Some(path) = corpus("hostile/denied_urls.txt") else { return };
    let text = std::fs::read_to_string(path).unwrap();
    let urls: Vec<&str> =
        text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#')).collect();
    let server = Server::start();
    server.agent("inv", invoice_schema()).await;
    let groups: Vec<_> = urls.iter().map(|url| json!([{"url": url}])).collect();
    let answer = server.post("/v1/agent/inv/workflow/delta", json!(groups)).await.ok();
    assert_eq!((&answer["results"], answer["failed"].as_array().unwrap().len()), (&json!([]), urls.len()));
    for failed in answer["failed"].as_array().unwrap() {
        assert!(
            ["fetch_denied", "invalid_url", "file_not_found"]
                .contains(&failed["error"]["code"].as_str().unwrap()),
            "{failed}"
        );
    }
}
