//! Bodies: every broken rule in one answer, deletions by query, large bodies of batch runs.

use reqwest::Method;
use serde_json::{Value, json};

use crate::kit::Server;

fn places(told: &Value) -> Vec<String> {
    let mut places: Vec<String> = told["errors"]
        .as_array()
        .unwrap()
        .iter()
        .map(|error| error["path"].as_str().unwrap().to_owned())
        .collect();
    places.sort();
    places
}

#[tokio::test(flavor = "multi_thread")]
async fn every_rule_that_a_body_breaks_is_told_in_one_answer_by_json_pointer() {
    let server = Server::start();
    server.agent("a", json!({"total": {"type": "number"}})).await;
    let base = server.post("/knowledgebase", json!({"name": "k"})).await.ok()["knowledgeId"].clone();
    let files = format!("/knowledgebase/{}/files", base.as_str().unwrap());
    let search = format!("/knowledgebase/{}/search", base.as_str().unwrap());
    for (path, body, expected) in [
        ("/v1/notes", json!({"content": 1, "role": "robot"}), vec!["", "", "/content", "/role"]),
        (
            "/v1/agent",
            json!({"namespace": 1, "name": 2, "knowledge": "x"}),
            vec!["/knowledge", "/name", "/namespace"],
        ),
        ("/v2/generate", json!({"modelId": 1, "prompt": 2, "urls": 3}), vec!["/modelId", "/prompt", "/urls"]),
        ("/v2/generate", json!({}), vec!["", ""]),
        ("/knowledgebase", json!({"name": 1, "description": 2}), vec!["/description", "/name"]),
        ("/v1/form", json!({"title": 1, "schema": 2}), vec!["/schema", "/title"]),
        ("/v1/webhooks", json!({"url": 1, "events": "x"}), vec!["/events", "/url"]),
        (
            "/v1/utilities/websearch",
            json!({"search_terms": [1], "limit": 1_000}),
            vec!["/limit", "/search_terms/0"],
        ),
        (
            "/v1/utilities/thumbnail",
            json!({"urls": [], "width": 1, "format": "x"}),
            vec!["/format", "/urls", "/width"],
        ),
        ("/v1/utilities/docparser", json!({"urls": [true, {}]}), vec!["/urls/0", "/urls/1"]),
        (
            "/v1/agent/a/chat",
            json!({"message": 1, "session_id": 2, "urls": "x"}),
            vec!["/message", "/session_id", "/urls"],
        ),
        (
            "/v1/agent/a/workflow/delta",
            json!([[{"url": true}, {"description": 1}], [], [1]]),
            vec!["/0/0/url", "/0/1", "/0/1/description", "/1", "/2/0"],
        ),
        (
            files.as_str(),
            json!({"file_ids": ["x", true], "texts": [{"title": 1}]}),
            vec!["/file_ids/0", "/file_ids/1", "/texts/0", "/texts/0/title"],
        ),
        (
            search.as_str(),
            json!({"query": 1, "limit": -1, "minScore": 9}),
            vec!["/limit", "/minScore", "/query"],
        ),
    ] {
        let told = server.post(path, body.clone()).await.fails(400, "validation_failed");
        assert_eq!(places(&told), expected, "{path} {body}: {told}");
        assert!(!told.to_string().contains("robot"), "a value is not repeated: {told}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_deletion_takes_its_values_in_the_query_too() {
    let server = Server::start();
    server.post("/v1/agent", json!({"namespace": "a"})).await.ok();
    let mut notes = Vec::new();
    for _ in 0..4 {
        let note = json!({"content": "n", "role": "user", "resource": "agent", "resource_id": "a"});
        notes.push(server.post("/v1/notes", note).await.ok()["noteId"].as_str().unwrap().to_owned());
    }
    let path = "/v1/notes/agent/a";
    server.delete(path).await.fails(400, "validation_failed");
    server.delete(&format!("{path}?delete_all=odd")).await.fails_at(400, "validation_failed", "?delete_all");
    let done = server.delete(&format!("{path}?values={}&values={}", notes[0], notes[1])).await.ok();
    assert_eq!(done["message"], "2 notes were deleted.");
    let call = server.request(Method::DELETE, &format!("{path}?values={}", notes[2]));
    assert_eq!(
        call.json(&json!({"values": [notes[3]]})).send().await.ok()["message"],
        "2 notes were deleted."
    );
    assert_eq!(
        server.delete(&format!("{path}?delete_all=true")).await.ok()["message"],
        "0 notes were deleted."
    );

    let base = server.post("/knowledgebase", json!({"name": "k"})).await.ok()["knowledgeId"].clone();
    let base = format!("/knowledgebase/{}", base.as_str().unwrap());
    let texts: Vec<Value> = (0..4).map(|n| json!({"title": "t", "content": format!("Words {n}.")})).collect();
    let added = server.post(&format!("{base}/files"), json!({"texts": texts})).await.ok();
    let id = |n: usize| added["files"][n]["id"].as_str().unwrap().to_owned();
    let done = server.delete(&format!("{base}/sources?ids={}&values={}", id(0), id(1))).await.ok();
    assert_eq!(done["message"], "2 files were deleted.");
    assert_eq!(
        server.delete(&format!("/v1{base}/sources?delete_all=true")).await.ok()["message"],
        "2 files were deleted."
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_run_of_ten_thousand_groups_is_no_body_too_large() {
    let server = Server::start();
    server.agent("a", json!({"total": {"type": "number"}})).await;
    let path = "/v1/agent/a/workflow/delta?async=true";
    let url = format!("{}/files/{}/a-file-with-a-usual-name.pdf", server.url, "x".repeat(32));
    let document = json!({"description": "One of several documents of this group.", "url": url});
    let groups = |count: usize| vec![vec![document.clone(), document.clone(), document.clone()]; count];
    let body = json!(groups(10_000)).to_string();
    assert!(body.len() > 4 << 20);
    let run = server.request(Method::POST, path).body("application/json", body).send().await.accepted();
    assert_eq!(run["total"], 10_000);
    server.delete(&format!("/v1/agent/a/workflow/delta/runs/{}", run["sid"])).await.ok();
    let told = server.post(path, json!(groups(10_001))).await.fails(400, "validation_failed");
    assert!(told["message"].as_str().unwrap().contains("10000 groups"), "{told}");
    let many = vec![json!({"url": 1}); 1_001];
    server.post(path, json!({"files": [many]})).await.fails_at(400, "validation_failed", "/files/0");

    let small = Server::with("[limits]\ngroups_body_bytes = 3000");
    small.agent("a", json!({"total": {"type": "number"}})).await;
    small.post(path, json!(groups(20))).await.fails(413, "body_too_large");
    for (body, message) in
        [("", "it is empty"), ("[[{\"url\": 1}]", "EOF"), ("[[{\"url\": 1}]] x", "trailing")]
    {
        let answer = small.request(Method::POST, path).body("application/json", body).send().await;
        let told = answer.fails(400, "malformed_json");
        assert!(told["message"].as_str().unwrap().contains(message), "{body}: {told}");
    }
    for (body, place) in [(json!(7), ""), (json!({"groups": []}), ""), (json!([[["1", "2"]]]), "/0/0")] {
        small.post(path, body).await.fails_at(400, "validation_failed", place);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn paths_without_a_version_are_described_under_v1_as_well() {
    let description = crate::kit::description();
    let paths = description["paths"].as_object().unwrap();
    let mut found = 0;
    for (path, item) in paths.iter().filter(|(path, _)| path.starts_with("/knowledgebase")) {
        let twin = &paths[&format!("/v1{path}")];
        for (method, operation) in item.as_object().unwrap() {
            found += 1;
            assert_eq!(twin[method]["responses"], operation["responses"], "{method} {path}");
            assert_ne!(twin[method]["operationId"], operation["operationId"], "{method} {path}");
        }
    }
    assert!(found > 10);
    assert!(paths.contains_key("/v1/utilities/news") && paths.contains_key("/utilities/news"));
}
