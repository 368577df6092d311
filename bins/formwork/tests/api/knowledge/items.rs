//! What is in bases: looked at, listed, changed, tried again.

use reqwest::Method;
use serde_json::{Value, json};

use super::kit::{added, base, count, done, found, ready_text, settled, text, titles};
use crate::kit::Server;

#[tokio::test(flavor = "multi_thread")]
async fn an_item_is_shown_with_its_text_and_with_its_chunks_when_asked() {
    let server = Server::start();
    let base = base(&server).await;
    let id =
        ready_text(&server, &base, "Rules", "# Rules\n\nNo anchoring.\n\n## Speed\n\nFive knots.\n").await;
    let item = server.get(&format!("/knowledgebase/files/{id}")).await.ok();
    let content = item["content"].as_str().unwrap();
    assert!(content.contains("No anchoring.") && content.contains("Five knots."), "{content}");
    assert!(item["chunks"].is_u64(), "{item}");
    let with = server.get(&format!("/v1/knowledgebase/files/{id}?chunks=true")).await.ok();
    let chunks = with["chunks"].as_array().unwrap();
    assert_eq!((with["content"].as_str(), json!(chunks.len())), (Some(content), item["chunks"].clone()));
    let characters: Vec<char> = content.chars().collect();
    for (place, chunk) in chunks.iter().enumerate() {
        let [start, end] = ["start", "end"].map(|key| chunk[key].as_u64().unwrap() as usize);
        let text: String = characters[start..end].iter().collect();
        assert_eq!((&chunk["text"], &chunk["position"]), (&json!(text), &json!(place)));
    }
    let odd = server.get(&format!("/knowledgebase/files/{id}?chunks=odd")).await;
    odd.fails_at(400, "validation_failed", "?chunks");
}

#[tokio::test(flavor = "multi_thread")]
async fn ready_made_chunks_are_shown_as_they_were_given() {
    let server = Server::start();
    let base = base(&server).await;
    let chunks = json!([
        {"title": "T", "content": "Erste Seite: äöü.", "page": 3},
        {"title": "T", "content": "Zweite Seite.", "page": 4}
    ]);
    let item = added(&server, &base, json!({"chunks": chunks})).await.remove(0);
    let id = item["id"].as_str().unwrap();
    done(&server, id).await;
    let item = server.get(&format!("/knowledgebase/files/{id}?chunks=true")).await.ok();
    assert_eq!(item["content"], "Erste Seite: äöü.\n\nZweite Seite.");
    let places: Vec<Value> =
        item["chunks"].as_array().unwrap().iter().map(|c| json!([c["page"], c["start"], c["end"]])).collect();
    assert_eq!(places, [json!([3, 0, 17]), json!([4, 19, 32])]);
    assert_eq!(found(&server, &base, "zweite").await[0]["page"], 4);
}

#[tokio::test(flavor = "multi_thread")]
async fn items_are_listed_by_base_and_state_newest_first() {
    listed(&Server::start()).await;
}

/// Lists of items by page, cursor, base and state.
pub(crate) async fn listed(server: &Server) {
    let (one, two) = (base(server).await, base(server).await);
    let texts: Vec<Value> = (0..5).map(|n| text(&format!("t{n}"), &format!("content {n}"))).collect();
    added(server, &one, json!({"texts": texts})).await;
    added(server, &two, json!({"urls": ["https://10.0.0.1/"], "texts": [text("other", "x y")]})).await;
    settled(server, &one).await;
    settled(server, &two).await;
    let names = async |query: &str| -> Vec<String> {
        let list = server.get(&format!("/knowledgebase/files{query}")).await.ok();
        list["files"]
            .as_array()
            .unwrap()
            .iter()
            .map(|item| item["name"].as_str().unwrap().to_owned())
            .collect()
    };
    assert_eq!(names(&format!("?knowledgeId={one}")).await, ["t4", "t3", "t2", "t1", "t0"]);
    assert_eq!(names("").await.len(), 7);
    assert_eq!(names("?status=failed").await, ["https://10.0.0.1/"]);
    assert_eq!(names(&format!("?knowledgeId={one}&status=failed")).await, Vec::<String>::new());
    assert_eq!(names(&format!("?knowledgeId={one}&limit=2&page=3")).await, ["t0"]);
    let list = server.get(&format!("/v1/knowledgebase/files?knowledgeId={one}&limit=2")).await.ok();
    let cursor = list["meta"]["next_cursor"].as_str().unwrap();
    // What is added meanwhile does not shift what follows.
    ready_text(server, &one, "late", "late content").await;
    assert_eq!(names(&format!("?knowledgeId={one}&limit=9&cursor={cursor}")).await, ["t2", "t1", "t0"]);
    for (query, place) in
        [("status=done", "?status"), ("status=", "?status"), ("limit=0", "?limit"), ("cursor=x", "?cursor")]
    {
        let answer = server.get(&format!("/knowledgebase/files?{query}")).await;
        answer.fails_at(400, "validation_failed", place);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn another_title_and_meta_are_found_at_once() {
    let server = Server::start();
    let base = base(&server).await;
    let id = ready_text(&server, &base, "Old name", "The same words.").await;
    let path = format!("/knowledgebase/files/{id}");
    let changed = server.put(&path, json!({"name": "New name", "meta": {"year": 2026}})).await.ok();
    assert_eq!((&changed["name"], &changed["meta"]), (&json!("New name"), &json!({"year": 2026})));
    let hit = found(&server, &base, "same words").await.remove(0);
    assert_eq!((&hit["title"], &hit["meta"]), (&json!("New name"), &json!({"year": 2026})));
    let kept = server.put(&path, json!({"name": "Third"})).await.ok();
    assert_eq!(kept["meta"], json!({"year": 2026}));
    assert_eq!(server.put(&path, json!({"meta": {}})).await.ok()["meta"], json!({}));
}

#[tokio::test(flavor = "multi_thread")]
async fn new_content_takes_the_place_of_the_old_and_only_of_that() {
    let server = Server::start();
    let base = base(&server).await;
    let other = ready_text(&server, &base, "Other", "The pilot boards at buoy seven.").await;
    let id = ready_text(&server, &base, "Berths", "The draught is nine metres.").await;
    let path = format!("/knowledgebase/files/{id}");
    let untouched = server.get(&format!("/knowledgebase/files/{other}?chunks=true")).await.ok();
    server.put(&path, json!({"content": "The draught is eleven metres."})).await.ok();
    let item = done(&server, &id).await;
    assert_eq!((&item["status"], &item["bytes"]), (&json!("ready"), &json!(29)));
    let texts: Vec<Value> =
        found(&server, &base, "draught").await.iter().map(|hit| hit["text"].clone()).collect();
    assert_eq!(texts.len(), 1);
    assert!(texts[0].as_str().unwrap().contains("eleven"), "{texts:?}");
    assert!(titles(&server, &base, "nine").await.is_empty());
    let file = server.files(&[("new.txt", "The draught is twelve metres.")]).await.remove(0);
    let replaced = server.put(&path, json!({"file_id": file["id"]})).await.ok();
    assert_eq!((&replaced["file_id"], &replaced["name"]), (&file["id"], &json!("Berths")));
    done(&server, &id).await;
    assert_eq!(titles(&server, &base, "twelve").await, ["Berths"]);
    assert_eq!(server.get(&format!("/knowledgebase/files/{other}?chunks=true")).await.ok(), untouched);
    assert_eq!(count(&server, &base).await, 2);
    let taken = json!({"name": "Other", "content": "The pilot boards at buoy seven."});
    let taken = server.put(&path, taken).await;
    taken.fails(409, "content_taken");
    for (body, code, place) in [
        (json!({"content": "a", "file_id": 1}), "validation_failed", "/content"),
        (json!({"file_id": 999}), "file_not_found", "/file_id"),
        (json!({"file_id": "x"}), "validation_failed", "/file_id"),
        (json!({"file_id": "9".repeat(100_000)}), "validation_failed", "/file_id"),
        (json!({"name": ""}), "validation_failed", "/name"),
        (json!({"meta": []}), "validation_failed", "/meta"),
        (json!({"meta": {"a": "x".repeat(17_000)}}), "validation_failed", "/meta"),
    ] {
        server.put(&path, body).await.fails_at(400, code, place);
    }
    let blobs = server.stored("blobs").len();
    assert_eq!(blobs, 2, "two contents are in use, one of them also as a file");
}

#[tokio::test(flavor = "multi_thread")]
async fn only_what_failed_is_tried_again() {
    let server = Server::start();
    let base = base(&server).await;
    let ready = ready_text(&server, &base, "a", "Words.").await;
    let retry = async |id: &str| {
        server.request(Method::POST, &format!("/knowledgebase/files/{id}/retry")).send().await
    };
    retry(&ready).await.fails(409, "file_not_failed");
    retry("item_none").await.fails(404, "knowledge_file_not_found");
    let named = server.request(Method::POST, &format!("/knowledgebase/files/{ready}/retry"));
    named.header("idempotency-key", "two words").send().await.fails(400, "invalid_idempotency_key");
    let web = added(&server, &base, json!({"urls": ["https://10.0.0.1/"]})).await.remove(0);
    let id = web["id"].as_str().unwrap();
    assert_eq!(done(&server, id).await["status"], "failed");
    let again = retry(id).await.ok();
    assert!(["queued", "processing", "failed"].contains(&again["status"].as_str().unwrap()), "{again}");
    let item = done(&server, id).await;
    assert_eq!((&item["status"], &item["error"]["code"]), (&json!("failed"), &json!("fetch_denied")));
}

#[tokio::test(flavor = "multi_thread")]
async fn an_unknown_item_is_not_found() {
    let server = Server::start();
    for id in ["item_none", "1", "%00", "files"] {
        let path = format!("/knowledgebase/files/{id}");
        server.get(&path).await.fails(404, "knowledge_file_not_found");
        server.put(&path, json!({"name": "a"})).await.fails(404, "knowledge_file_not_found");
        server.delete(&path).await.fails(404, "knowledge_file_not_found");
    }
}
