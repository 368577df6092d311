//! Bodies that no friend would send.

use reqwest::Method;
use serde_json::{Value, json};

use super::kit::{add, added, base, count, done, found, search, settled, text};
use crate::kit::Server;

#[tokio::test(flavor = "multi_thread")]
async fn odd_texts_come_back_as_they_were_sent() {
    odd_texts(&Server::start()).await;
}

/// Characters that databases and indexes stumble over.
pub(crate) async fn odd_texts(server: &Server) {
    let base = base(server).await;
    let odd = "nul \u{0} bidi \u{202e} emoji 🍐 combining e\u{301} noncharacter \u{10ffff} 'quote' \"double\" %_ \\";
    let meta = json!({"k\u{0}": odd, "": [null, true, 1e300, {"deep": [[]]}]});
    let chunk = json!({"title": format!("T {odd}"), "content": format!("haystack {odd}"), "meta": meta});
    let item = added(server, &base, json!({"chunks": [chunk]})).await.remove(0);
    assert_eq!((&item["name"], &item["meta"]), (&json!(format!("T {odd}")), &meta));
    let id = item["id"].as_str().unwrap();
    assert_eq!(done(server, id).await["content"], format!("haystack {odd}"));
    let hit = found(server, &base, "haystack").await.remove(0);
    assert_eq!((&hit["text"], &hit["meta"]), (&json!(format!("haystack {odd}")), &meta));
    found(server, &base, odd).await;
    search(server, &base, json!({"query": "haystack", "filter": {"k\u{0}": odd}})).await.ok();
}

#[tokio::test(flavor = "multi_thread")]
async fn a_body_at_its_limit_is_taken_and_one_over_it_is_not() {
    let server = Server::start();
    let base = base(&server).await;
    let limit = 2 << 20;
    let body = |size: usize| {
        let empty = json!({"texts": [text("t", "")]}).to_string();
        let words = "harbour ".repeat(size / 8 + 1);
        json!({"texts": [text("t", &words[..size - empty.len()])]}).to_string()
    };
    let path = format!("/knowledgebase/{base}/files");
    let send =
        async |text: String| server.request(Method::POST, &path).body("application/json", text).send().await;
    send(body(limit + 1)).await.fails(413, "body_too_large");
    let item = send(body(limit)).await.ok()["files"][0].clone();
    assert_eq!(done(&server, item["id"].as_str().unwrap()).await["status"], "ready");
    assert_eq!(count(&server, &base).await, 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn bodies_that_are_no_json_or_of_another_kind_are_refused() {
    let server = Server::start();
    let base = base(&server).await;
    let path = format!("/knowledgebase/{base}/files");
    for (kind, body, status, code) in [
        ("application/json", "", 400, "malformed_json"),
        ("application/json", "{", 400, "malformed_json"),
        ("application/json", "null", 400, "validation_failed"),
        ("application/json", "\"x\"", 400, "validation_failed"),
        ("text/plain", "{}", 415, "unsupported_content_type"),
        ("multipart/mixed", "{}", 415, "unsupported_content_type"),
        ("multipart/form-data", "x", 400, "malformed_multipart"),
    ] {
        server.request(Method::POST, &path).body(kind, body).send().await.fails(status, code);
    }
    let deep = format!("{{\"texts\":{}{}}}", "[".repeat(500), "]".repeat(500));
    server
        .request(Method::POST, &path)
        .body("application/json", deep)
        .send()
        .await
        .fails(400, "malformed_json");
    let nested: Value = (0..40).fold(json!(1), |inner, _| json!([inner]));
    let body = json!({"texts": [{"title": "t", "content": "c", "meta": {"a": nested}}]});
    add(&server, &base, body).await.fails_at(400, "validation_failed", "/texts/0/meta");
    let filter = (0..100).fold(json!({"a": 1}), |inner, _| json!({"and": [inner]}));
    assert_eq!(search(&server, &base, json!({"query": "x", "filter": filter})).await.status, 400);
    assert_eq!(count(&server, &base).await, 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn many_pieces_in_one_request_are_all_there() {
    let server = Server::start();
    let base = base(&server).await;
    let chunks: Vec<Value> = (0..5_000)
        .map(|n| json!({"title": format!("d{}", n / 5), "content": format!("Entry {n} of the log.")}))
        .collect();
    let items = added(&server, &base, json!({"chunks": chunks})).await;
    assert_eq!(items.len(), 1_000);
    let record = settled(&server, &base).await;
    assert_eq!((&record["files"], &record["chunks"]), (&json!(1_000), &json!(5_000)));
    assert_eq!(found(&server, &base, "4711").await[0]["title"], "d942");
}

#[tokio::test(flavor = "multi_thread")]
async fn odd_attributes_come_back_as_they_were_sent_and_large_ones_are_bounded() {
    let server = Server::start();
    let base = base(&server).await;
    let keys = (0..1_000).map(|n| (format!("k{n}"), json!(n % 10)));
    let many = Value::Object(keys.collect());
    let ids = [
        "nul \u{0}",
        "bidi \u{202e}🍐",
        "e\u{301}",
        "\u{e9}",
        "noncharacter \u{10ffff}0",
        "'%_\\\"",
        " padded ",
    ];
    let texts = ids.map(|id| json!({"title": "t", "content": "haystack", "meta": many, "externalId": id}));
    let items = added(&server, &base, json!({"texts": texts})).await;
    for (item, id) in items.iter().zip(ids) {
        assert_eq!((&item["externalId"], &item["meta"]), (&json!(id), &many));
    }
    let again = added(&server, &base, json!({"texts": texts})).await;
    assert_eq!(count(&server, &base).await, ids.len() as u64, "no two of them are one");
    assert!(again.iter().zip(&items).all(|(one, other)| one["id"] == other["id"]));
    settled(&server, &base).await;
    // A small body must not become a large one.
    let file = server.files(&[("a.txt", "A")]).await.remove(0)["id"].clone();
    let body = json!({"meta": {"a": "x".repeat(2_000)}, "file_ids": vec![file; 9_000]});
    add(&server, &base, body).await.fails_at(400, "validation_failed", "/meta");
    assert_eq!(count(&server, &base).await, ids.len() as u64);
}
