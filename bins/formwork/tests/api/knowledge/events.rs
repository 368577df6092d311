//! The work on a base, followed by server-sent events.

use reqwest::Method;
use serde_json::{Value, json};
use testkit::upstream::{ReceivedRequest, Reply, Upstream};

use super::kit::{add, added, base, base_with, keys, ready_text, text};
use crate::generate::kit::settings;
use crate::kit::Server;

/// The events of a text: their names and data.
fn events(text: &str) -> Vec<(String, Value)> {
    let blocks = text.split("\n\n").filter(|block| !block.is_empty() && !block.starts_with(':'));
    let event = |block: &str| {
        let field = |name: &str| block.lines().find_map(|line| line.strip_prefix(name)).unwrap();
        (field("event: ").to_owned(), serde_json::from_str(field("data: ")).unwrap())
    };
    blocks.map(event).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn the_work_on_a_base_is_followed_to_its_end() {
    let server = Server::with("[knowledge]\nconcurrency = 1");
    let base = base(&server).await;
    let texts: Vec<Value> = (0..60).map(|n| text("t", &format!("Words number {n}."))).collect();
    add(&server, &base, json!({"texts": texts, "urls": ["https://10.0.0.1/"]})).await.ok();
    let answer = server.get(&format!("/knowledgebase/{base}/events")).await;
    assert_eq!((answer.status, answer.header("content-type")), (200, "text/event-stream"));
    let events = events(answer.text());
    let (name, end) = events.last().unwrap();
    assert_eq!((name.as_str(), &end["knowledgeId"]), ("end", &json!(base)));
    assert_eq!(end["status"], json!({"queued": 0, "processing": 0, "ready": 60, "failed": 1}));
    assert_eq!(events.iter().filter(|(name, _)| name == "end").count(), 1);
    let ready: Vec<u64> = events.iter().filter_map(|(_, data)| data["status"]["ready"].as_u64()).collect();
    assert!(ready.is_sorted() && ready.len() > 1, "{ready:?}");
    let files = events.iter().filter(|(name, _)| name == "file");
    for (_, file) in files {
        assert_eq!(keys(file), ["id", "name", "status", "error", "progress", "index_position"]);
    }
}

/// The vendor's vectors for a request.
fn vectors(request: &ReceivedRequest) -> Reply {
    let count = request.json()["input"].as_array().map_or(0, Vec::len);
    let vector = |index| json!({"object": "embedding", "index": index, "embedding": [1.0, 0.5]});
    let data: Vec<Value> = (0..count).map(vector).collect();
    let usage = json!({"prompt_tokens": 3, "total_tokens": 3});
    Reply::json(200, &json!({"object": "list", "model": "m", "data": data, "usage": usage}))
}

#[tokio::test(flavor = "multi_thread")]
async fn each_file_is_told_of_while_it_is_worked_on() {
    let (open, gate) = tokio::sync::watch::channel(false);
    let vendor = Upstream::start(move |request| {
        // The last of the chunks are slow.
        let slow = String::from_utf8_lossy(&request.body).contains("Berth number 129");
        let first = if slow { Reply::raw().until(gate.clone()) } else { Reply::raw() };
        first.followed_by(vectors(request))
    })
    .unwrap();
    let server = Server::with(&settings(&vendor.url(), ""));
    let wanted = json!({"name": "Harbour", "embeddingModel": "text-embedding-3-small@openai"});
    let base = base_with(&server, wanted).await;
    let chunk = |n: u32| json!({"title": "Berths", "content": format!("Berth number {n} is free.")});
    let chunks: Vec<Value> = (0..130).map(chunk).collect();
    let id = added(&server, &base, json!({"chunks": chunks})).await[0]["id"].clone();
    let url = format!("{}/knowledgebase/{base}/events", server.url);
    let mut reader = server.client.get(url).header("x-service-key", &server.key).send().await.unwrap();
    let mut text = String::new();
    let worked_on = |(name, file): &(String, Value)| {
        let progress = &file["progress"];
        let under_way = progress["total"] == 130 && progress["done"].as_u64() < Some(130);
        name == "file" && file["id"] == id && file["status"] == "processing" && under_way
    };
    while !(text.ends_with("\n\n") && events(&text).iter().any(worked_on)) {
        let more = reader.chunk().await.unwrap().expect("the work is not over");
        text.push_str(std::str::from_utf8(&more).unwrap());
    }
    assert!(events(&text).iter().all(|(name, _)| name != "end"));
    open.send_replace(true);
    while let Some(more) = reader.chunk().await.unwrap() {
        text.push_str(std::str::from_utf8(&more).unwrap());
    }
    let told = events(&text);
    let [.., (before, file), (last, base)] = told.as_slice() else { panic!("{told:?}") };
    let ready = json!({
        "id": id, "name": "Berths", "status": "ready", "error": null, "progress": {"done": 130, "total": 130},
        "index_position": file["index_position"]
    });
    assert_eq!((before.as_str(), file, last.as_str()), ("file", &ready, "end"));
    assert!(file["index_position"].as_u64() > Some(0), "{file}");
    assert_eq!(base["status"]["ready"], 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_file_that_fails_is_told_of_with_its_error() {
    let vendor =
        Upstream::start_replies([Reply::json(401, &json!({"error": {"message": "no such key"}}))]).unwrap();
    let server = Server::with(&settings(&vendor.url(), ""));
    let wanted = json!({"name": "Harbour", "embeddingModel": "text-embedding-3-small@openai"});
    let base = base_with(&server, wanted).await;
    let follow = format!("/knowledgebase/{base}/events");
    let texts: Vec<Value> = (0..150).map(|n| text(&format!("t{n}"), &format!("Words number {n}."))).collect();
    add(&server, &base, json!({"texts": texts})).await.ok();
    let told = events(server.get(&follow).await.text());
    let failed: Vec<&Value> =
        told.iter().map(|(_, data)| data).filter(|file| file["status"] == "failed").collect();
    assert!(!failed.is_empty(), "{told:?}");
    for file in failed {
        assert_eq!(file["error"]["code"], "provider_auth", "{file}");
    }
    assert_eq!(told.last().unwrap().1["status"]["failed"], 150);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_base_at_rest_is_told_at_once() {
    let server = Server::start();
    let base = base(&server).await;
    ready_text(&server, &base, "t", "Words.").await;
    let path = format!("/v1/knowledgebase/{base}/events");
    let told = events(server.get(&path).await.text());
    assert_eq!((told.len(), told[0].0.as_str(), &told[0].1["files"]), (1, "end", &json!(1)));
    let head = server.request(Method::HEAD, &path).send().await;
    assert_eq!((head.status, head.body.len()), (200, 0));
    server.get("/knowledgebase/kb_none/events").await.fails(404, "knowledge_base_not_found");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_reader_of_events_does_not_keep_the_server_from_stopping_and_goes_on_with_the_next() {
    // Work that waits for its vendor.
    let vendor = Upstream::start_replies([Reply::json(503, &json!({"error": {"message": "busy"}}))]).unwrap();
    let mut server = Server::with(&settings(&vendor.url(), ""));
    let wanted = json!({"name": "Harbour", "embeddingModel": "text-embedding-3-small@openai"});
    let base = base_with(&server, wanted).await;
    add(&server, &base, json!({"texts": [text("t", "Words.")]})).await.ok();
    let path = format!("/knowledgebase/{base}/events");
    let call = server.client.get(format!("{}{path}", server.url)).header("x-service-key", &server.key);
    let mut reader = call.send().await.unwrap();
    let first = reader.chunk().await.unwrap().unwrap();
    assert!(first.starts_with(b"event: progress\n"), "{first:?}");
    server.terminate();
    let mut last = first;
    while let Some(more) = reader.chunk().await.unwrap() {
        last = more;
    }
    let told = events(std::str::from_utf8(&last).unwrap());
    assert_eq!((told[0].0.as_str(), &told[0].1["code"]), ("error", &json!("server_stopping")));
    assert_eq!(server.wait().code(), Some(0));
    let server = server.home.clone().start();
    server.put(&format!("/knowledgebase/{base}"), json!({"embeddingModel": null})).await.ok();
    let told = events(server.get(&path).await.text());
    assert_eq!(told.last().unwrap().0, "end", "{told:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_base_that_is_deleted_meanwhile_is_told_of_by_an_error() {
    let vendor = Upstream::start_replies([Reply::json(503, &json!({"error": {"message": "busy"}}))]).unwrap();
    let server = Server::with(&settings(&vendor.url(), ""));
    let wanted = json!({"name": "Harbour", "embeddingModel": "text-embedding-3-small@openai"});
    let base = base_with(&server, wanted).await;
    add(&server, &base, json!({"texts": [text("t", "Words.")]})).await.ok();
    let path = format!("/knowledgebase/{base}");
    let followed = format!("{path}/events");
    let (told, deleted) = futures_util::join!(server.get(&followed), async {
        vendor.wait_for_requests(1).await;
        server.delete(&path).await
    });
    deleted.ok();
    if told.status == 200 {
        let told = events(told.text());
        let (name, error) = told.last().unwrap();
        assert_eq!((name.as_str(), &error["code"]), ("error", &json!("knowledge_base_not_found")));
    }
}
