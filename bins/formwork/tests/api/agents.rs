//! Agents: create, read, change, delete.

use serde_json::json;

use crate::kit::{Server, invoice_schema};

#[tokio::test(flavor = "multi_thread")]
async fn an_agent_is_answered_with_everything_it_was_given() {
    let server = Server::start();
    let form_id = server.form(invoice_schema()).await;
    let given = json!({
        "namespace": "inv-1", "name": "Invoices", "description": "reads", "instructions": "be exact",
        "modelId": "extractive@formwork", "form_id": form_id, "knowledge": [], "unknown": true
    });
    let made = server.post("/v1/agent", given.clone()).await.ok();
    for key in ["namespace", "name", "description", "instructions", "modelId", "form_id", "knowledge"] {
        assert_eq!(made[key], given[key], "{key}");
    }
    assert_eq!(made["userName"], "Admin");
    let stamp = made["created_timestamp"].as_str().unwrap();
    assert!(stamp.len() == 19 && &stamp[4..5] == "-" && &stamp[10..11] == " ", "{stamp}");
    assert_eq!(server.get("/v1/agent/inv-1").await.ok(), made);
    let bare =
        server.post("/v1/agent", json!({"namespace": "bare", "name": null, "form_id": null})).await.ok();
    assert_eq!(
        (&bare["form_id"], &bare["modelId"], &bare["knowledge"]),
        (&json!(null), &json!(null), &json!([]))
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn an_update_leaves_absent_fields_and_null_clears_what_can_be_empty() {
    let server = Server::start();
    let form_id = server.agent("a", invoice_schema()).await;
    let path = "/v1/agent/a";
    let set = json!({"name": "N", "description": "D", "instructions": "I", "modelId": "extractive@formwork"});
    let full = server.put(path, set.clone()).await.ok();
    assert_eq!((&full["name"], &full["form_id"]), (&json!("N"), &json!(form_id)));
    let same = server.put(path, json!({})).await.ok();
    for key in ["namespace", "name", "description", "instructions", "modelId", "form_id"] {
        assert_eq!(same[key], full[key], "{key}");
    }
    let cleared = server.put(path, json!({"modelId": null, "form_id": null})).await.ok();
    assert_eq!(
        (&cleared["modelId"], &cleared["form_id"], &cleared["name"]),
        (&json!(null), &json!(null), &json!("N"))
    );
    let moved = server.put(path, json!({"namespace": "b", "form_id": form_id})).await.ok();
    assert_eq!((&moved["namespace"], &moved["form_id"]), (&json!("b"), &json!(form_id)));
    server.get(path).await.fails(404, "agent_not_found");
    assert_eq!(server.get("/v1/agent/b").await.ok(), moved);
    server.put(path, json!({"name": "x"})).await.fails(404, "agent_not_found");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_namespace_is_taken_once_by_creation_and_by_renaming() {
    let server = Server::start();
    server.post("/v1/agent", json!({"namespace": "one"})).await.ok();
    server.post("/v1/agent", json!({"namespace": "two"})).await.ok();
    let answer = server.post("/v1/agent", json!({"namespace": "one"})).await.fails(409, "namespace_taken");
    assert!(answer["message"].as_str().unwrap().contains("'one'"), "{answer}");
    server.put("/v1/agent/two", json!({"namespace": "one"})).await.fails(409, "namespace_taken");
    server.put("/v1/agent/one", json!({"namespace": "one"})).await.ok();
    server.delete("/v1/agent/one").await.ok();
    server.put("/v1/agent/two", json!({"namespace": "one"})).await.ok();
}

#[tokio::test(flavor = "multi_thread")]
async fn what_an_agent_cannot_be_is_refused_with_its_place() {
    let server = Server::start();
    server.post("/v1/agent", json!({"namespace": "a"})).await.ok();
    let long = "x".repeat(1 << 20);
    for (body, code, place) in [
        (json!({}), "validation_failed", ""),
        (json!({"namespace": ""}), "validation_failed", "/namespace"),
        (json!({"namespace": "Upper"}), "validation_failed", "/namespace"),
        (json!({"namespace": "a/b"}), "validation_failed", "/namespace"),
        (json!({"namespace": "../x"}), "validation_failed", "/namespace"),
        (json!({"namespace": "a b"}), "validation_failed", "/namespace"),
        (json!({"namespace": "é"}), "validation_failed", "/namespace"),
        (json!({"namespace": "a\u{0}"}), "validation_failed", "/namespace"),
        (json!({"namespace": long}), "validation_failed", "/namespace"),
        (json!({"namespace": 1}), "validation_failed", "/namespace"),
        (json!({"namespace": "b", "name": {}}), "validation_failed", "/name"),
        (json!({"namespace": "b", "name": long}), "validation_failed", "/name"),
        (json!({"namespace": "b", "form_id": "nope"}), "unknown_form", "/form_id"),
        (json!({"namespace": "b", "form_id": 7}), "validation_failed", "/form_id"),
        (json!({"namespace": "b", "modelId": "x@y"}), "unknown_model", "/modelId"),
        (json!({"namespace": "b", "modelId": "extractive"}), "unknown_model", "/modelId"),
        (json!({"namespace": "b", "modelId": ""}), "unknown_model", "/modelId"),
        (json!({"namespace": "b", "modelId": "nope@formwork"}), "unknown_model", "/modelId"),
        (json!({"namespace": "b", "knowledge": ["kb"]}), "unknown_knowledge_base", "/knowledge/0"),
        (json!({"namespace": "b", "knowledge": "kb"}), "validation_failed", "/knowledge"),
        (json!({"namespace": "b", "knowledge": [1]}), "validation_failed", "/knowledge/0"),
    ] {
        let answer = server.post("/v1/agent", body.clone()).await;
        answer.fails_at(400, code, place);
        assert!(answer.body.len() < 4_096);
        if !place.is_empty() {
            server.put("/v1/agent/a", body).await.fails_at(400, code, place);
        }
    }
    assert_eq!(server.get("/v1/agent").await.ok()["meta"]["total_items"], 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn of_many_that_want_a_namespace_at_once_one_gets_it() {
    one_namespace(&Server::start()).await;
}

/// Creations of one namespace at the same time.
pub(crate) async fn one_namespace(server: &Server) {
    let body = json!({"namespace": "wanted"});
    let attempts = (0..24).map(|_| server.post("/v1/agent", body.clone()));
    let answers = futures_util::future::join_all(attempts).await;
    assert_eq!(answers.iter().filter(|answer| answer.status == 200).count(), 1);
    for answer in answers.iter().filter(|answer| answer.status != 200) {
        answer.fails(409, "namespace_taken");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn changes_at_the_same_time_all_take_effect() {
    changes(&Server::start()).await;
}

/// Changes of one agent at the same time.
pub(crate) async fn changes(server: &Server) {
    server.post("/v1/agent", json!({"namespace": "a"})).await.ok();
    let changes =
        ["name", "description", "instructions"].map(|field| server.put("/v1/agent/a", json!({field: "new"})));
    for answer in futures_util::future::join_all(changes).await {
        answer.ok();
    }
    let agent = server.get("/v1/agent/a").await.ok();
    for field in ["name", "description", "instructions"] {
        assert_eq!(agent[field], "new", "one change undid another: {agent}");
    }
}
