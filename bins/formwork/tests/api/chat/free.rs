//! Talk without a form.

use serde_json::{Value, json};
use testkit::upstream::Reply;

use crate::generate::kit::{playing, said};
use crate::kit::{Server, settle};

const PATH: &str = "/v1/agent/desk/chat";

#[tokio::test(flavor = "multi_thread")]
async fn an_agent_answers_from_its_knowledge_base_with_citations() {
    let server = Server::start();
    let base = server.post("/knowledgebase", json!({"name": "House"})).await.ok()["knowledgeId"].clone();
    let text =
        json!({"texts": [{"title": "Rules", "content": "The library closes at 21:00 every evening."}]});
    let path = format!("/knowledgebase/{}/files", base.as_str().unwrap());
    let item = server.post(&path, text).await.ok()["files"][0]["id"].clone();
    let item = format!("/knowledgebase/files/{}", item.as_str().unwrap());
    settle("the item", async || server.get(&item).await.ok()["status"] == "ready").await;
    server.post("/v1/agent", json!({"namespace": "desk", "knowledge": [base]})).await.ok();
    let answer = server.post(PATH, json!({"message": "When does the library close?"})).await.ok();
    assert!(answer["text"].as_str().unwrap().contains("21:00"), "{answer}");
    assert!(answer["text"].as_str().unwrap().contains("[1]"), "{answer}");
    assert_eq!(answer["context"][0]["knowledgeId"], base);
    assert!(answer.get("form").is_none() && answer.get("record").is_none());
    // A base that has gone since takes nothing with it.
    server.delete(&format!("/knowledgebase/{}", base.as_str().unwrap())).await.ok();
    let again = json!({"message": "When does the library close?", "session_id": answer["session_id"]});
    assert_eq!(server.post(PATH, again).await.ok()["context"], json!([]));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_model_is_shown_the_conversation_and_the_instructions() {
    let (server, vendor) = playing([said("Hello Ada."), said("You are Ada.")]);
    let agent = json!({"namespace": "desk", "modelId": "gpt-4.1@openai", "instructions": "Be brief."});
    server.post("/v1/agent", agent).await.ok();
    let first = server.post(PATH, json!({"message": "I am Ada"})).await.ok();
    assert_eq!(first["text"], "Hello Ada.");
    let body = json!({"message": "Who am I?", "session_id": first["session_id"]});
    let second = server.post(PATH, body).await.ok();
    assert_eq!(second["text"], "You are Ada.");
    let shown = vendor.requests()[1].json()["messages"].clone();
    let texts: Vec<&str> =
        shown.as_array().unwrap().iter().filter_map(|one| one["content"].as_str()).collect();
    assert_eq!(texts, ["Be brief.", "I am Ada", "Hello Ada.", "Who am I?"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_failed_answer_leaves_no_trace() {
    let (server, _vendor) = playing([Reply::json(400, &json!({"error": {"message": "no"}}))]);
    server.post("/v1/agent", json!({"namespace": "desk", "modelId": "gpt-4.1@openai"})).await.ok();
    let answer = server.post(PATH, json!({"message": "I am Ada"})).await;
    assert_eq!(answer.status, 502, "{answer:?}");
    assert_eq!(server.get("/v1/agent/desk/sessions").await.ok()["sessions"], json!([]));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_streamed_answer_is_stored_when_it_is_whole() {
    let server = Server::start();
    server.post("/v1/agent", json!({"namespace": "desk"})).await.ok();
    let file =
        server.files(&[("a.txt", "The library closes at 21:00 every evening.")]).await[0]["id"].clone();
    let body = json!({"message": "When does the library close?", "stream": true, "urls": [file]});
    let answer = server.post(PATH, body).await;
    assert_eq!(answer.header("content-type"), "text/event-stream");
    let text = answer.text();
    let last = text.rsplit("event: done\ndata: ").next().unwrap();
    let done: Value = serde_json::from_str(last.trim()).unwrap();
    let pieces: String = text
        .split("event: delta\ndata: ")
        .skip(1)
        .map(|rest| serde_json::from_str::<Value>(rest.lines().next().unwrap()).unwrap()["text"].clone())
        .map(|piece| piece.as_str().unwrap().to_owned())
        .collect();
    assert_eq!(done["text"], pieces);
    let session = format!("/v1/agent/desk/sessions/{}", done["session_id"].as_str().unwrap());
    assert_eq!(server.get(&session).await.ok()["messages"][1]["content"], done["text"]);
    // The guided conversation streams too.
    server.agent("form", json!({"name": {"type": "string"}})).await;
    let guided = server.post("/v1/agent/form/chat", json!({"message": "hello", "stream": true})).await;
    assert!(guided.text().contains("event: delta") && guided.text().contains("\"status\":\"filling\""));
}

#[tokio::test(flavor = "multi_thread")]
async fn an_agent_is_asked_about_what_it_has_extracted() {
    let server = Server::start();
    server
        .agent(
            "desk",
            json!({
                "supplier": {"type": "string", "order": 1, "description": "Supplier"},
                "total": {"type": "number", "order": 2, "description": "Total amount"}
            }),
        )
        .await;
    let text = "Supplier: Grimsby Ice Works\nTotal amount: 88.40\n";
    let file = server.files(&[("ice.txt", text)]).await[0]["id"].clone();
    server.post("/v1/agent/desk/workflow/delta", json!([[{"url": file}]])).await.ok();
    let answer =
        server.post(PATH, json!({"message": "What is the total amount of Grimsby Ice Works?"})).await.ok();
    assert!(answer["text"].as_str().unwrap().contains("88.4"), "{answer}");
    assert_eq!(answer["form"]["values"], json!({"supplier": null, "total": null}));
    assert_eq!(answer["context"][0]["title"], "ice.txt");
}
