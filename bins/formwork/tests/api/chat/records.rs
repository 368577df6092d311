//! Records at once.

use serde_json::json;

use crate::generate::kit::{playing, said};
use crate::kit::Server;

const PATH: &str = "/v1/agent/desk/chat";

fn schema() -> serde_json::Value {
    json!({
        "name": {"type": "string", "order": 1, "description": "Your full name", "required": true},
        "email": {"type": "email", "order": 2, "description": "Your e-mail address"},
        "total": {"type": "number", "order": 3, "description": "Total", "required": true}
    })
}

#[tokio::test(flavor = "multi_thread")]
async fn a_record_comes_of_message_documents_and_what_was_said_before() {
    let server = Server::start();
    server.agent("desk", schema()).await;
    let file = server.files(&[("bill.txt", "Invoice\nTotal: 12.50\n")]).await[0]["id"].clone();
    let body = json!({"message": "My name is Ada Lovelace", "response_format": "json"});
    let first = server.post(PATH, body).await.ok();
    assert_eq!(first["record"], json!({"name": "Ada Lovelace", "email": null, "total": null}));
    assert_eq!(first["errors"][0]["path"], "/total");
    assert!(first.get("evidence").is_none() && first.get("form").is_none() && first.get("text").is_none());
    let body = json!({
        "message": "write to ada@example.org", "response_format": "json", "urls": [file],
        "session_id": first["session_id"]
    });
    let second = server.post(&format!("{PATH}?evidence=true"), body).await.ok();
    assert_eq!(second["record"], json!({"name": "Ada Lovelace", "email": "ada@example.org", "total": 12.5}));
    assert_eq!(second["errors"], json!([]));
    assert_eq!(second["session_id"], first["session_id"]);
    let evidence = &second["evidence"];
    assert_eq!(
        (&evidence["/total"]["document"], &evidence["/name"]["document"]),
        (&json!("bill.txt"), &json!("message"))
    );
    assert_eq!(evidence["/email"]["quote"], "ada@example.org");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_record_of_an_agent_without_a_form_is_refused() {
    let server = Server::start();
    server.post("/v1/agent", json!({"namespace": "desk"})).await.ok();
    let body = json!({"message": "x", "response_format": "json"});
    server.post(PATH, body).await.fails(400, "agent_without_form");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_failing_model_is_told_and_a_model_without_a_key_is_not_configured() {
    let (server, _vendor) = playing([said("not JSON at all"), said("nor this"), said("nor this")]);
    let form = server.post("/v1/form", json!({"title": "t", "schema": schema()})).await.ok();
    for (name, model) in [("desk", "gpt-4.1@openai"), ("other", "mistral-large-latest@mistral")] {
        let agent = json!({"namespace": name, "form_id": form["form_id"], "modelId": model});
        server.post("/v1/agent", agent).await.ok();
    }
    let body = json!({"message": "x", "response_format": "json"});
    let failed = server.post(PATH, body).await;
    assert_eq!(failed.status, 502, "{failed:?}");
    assert_eq!(server.get("/v1/agent/desk/sessions").await.ok()["sessions"], json!([]));
}
