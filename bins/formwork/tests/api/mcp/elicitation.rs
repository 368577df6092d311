//! Questions to the client's user within a call, in revisions with a handshake.

use reqwest::Method;
use serde_json::{Value, json};

use super::kit::{Client, LiveMessages, WITH_HANDSHAKE};
use crate::kit::{Answer, Server, settle};

fn schema() -> Value {
    json!({
        "vendor": {"type": "string", "order": 1, "required": true},
        "size": {"type": "string", "order": 2, "enum": ["small", "large"], "required": true}
    })
}

/// The session id of a client with these capabilities.
async fn session(server: &Server, capabilities: Value) -> Option<String> {
    let asked = json!({"protocolVersion": WITH_HANDSHAKE, "capabilities": capabilities,
        "clientInfo": {"name": "c", "version": "1"}});
    let answer = Client::new(server).send("initialize", asked).await;
    answer.ok();
    Some(answer.header("mcp-session-id").to_owned()).filter(|session| !session.is_empty())
}

fn call(message: &str) -> Value {
    let arguments = json!({"namespace": "orders", "message": message});
    json!({"jsonrpc": "2.0", "id": 7, "method": "tools/call",
        "params": {"name": "fill_form", "arguments": arguments}})
}

/// Sends the response to a question with a key.
async fn respond(server: &Server, key: &str, id: &Value, result: Value) -> Answer {
    let message = json!({"jsonrpc": "2.0", "id": id, "result": result});
    server.request(Method::POST, "/mcp").key(key).json(&message).send().await
}

#[tokio::test(flavor = "multi_thread")]
async fn only_a_client_that_asks_its_user_gets_a_session_that_says_so() {
    let server = Server::start();
    for capabilities in [json!({"elicitation": {}}), json!({"elicitation": {"form": {}, "url": {}}})] {
        assert!(session(&server, capabilities).await.is_some());
    }
    for capabilities in [json!({}), json!({"elicitation": {"url": {}}}), json!({"elicitation": 1})] {
        assert_eq!(session(&server, capabilities).await, None);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn each_question_is_put_to_the_user_within_the_call_until_the_form_is_submitted() {
    let server = Server::start();
    server.agent("orders", schema()).await;
    let stranger = server.stranger();
    let session = session(&server, json!({"elicitation": {"form": {}}})).await.unwrap();
    let mut messages = LiveMessages::open(&server, &session, &call("hello")).await;
    let mut answers = vec!["yes", "large", "Harbour Works"];
    let last = loop {
        let message = messages.next().await.unwrap();
        if message["id"] == 7 {
            break message;
        }
        assert_eq!((&message["jsonrpc"], &message["method"]), (&json!("2.0"), &json!("elicitation/create")));
        let asked = &message["params"];
        assert_eq!(
            (&asked["mode"], &asked["requestedSchema"]["required"]),
            (&json!("form"), &json!(["answer"]))
        );
        let answer = answers.pop().expect("no more questions than fields and the confirmation");
        if answer == "large" {
            let field = &asked["requestedSchema"]["properties"]["answer"];
            assert_eq!(field["enum"], json!(["small", "large"]), "{message}");
            // A response of another workspace is none, and neither is one to another request.
            let forged = json!({"action": "accept", "content": {"answer": "small"}});
            respond(&server, &stranger, &message["id"], forged.clone()).await;
            respond(&server, &server.key, &json!("elicitation_0.attempt_0"), forged).await;
        }
        let result = json!({"action": "accept", "content": {"answer": answer}});
        let taken = respond(&server, &server.key, &message["id"], result.clone()).await;
        assert_eq!((taken.status, taken.body.len()), (202, 0));
        // A second response changes nothing.
        assert_eq!(
            respond(&server, &server.key, &message["id"], json!({"action": "cancel"})).await.status,
            202
        );
    };
    assert_eq!(messages.next().await, None);
    let form = &last["result"]["structuredContent"]["form"];
    assert_eq!(form["status"], "submitted", "{last}");
    assert_eq!(form["values"], json!({"vendor": "Harbour Works", "size": "large"}));
    assert!(answers.is_empty(), "{answers:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_user_or_a_client_that_refuses_leaves_the_form_as_it_is() {
    let server = Server::start();
    server.agent("orders", schema()).await;
    let session = session(&server, json!({"elicitation": {}})).await.unwrap();
    let declined = json!({"result": {"action": "decline"}});
    let empty = json!({"result": {"action": "accept", "content": {"answer": " "}}});
    let long = json!({"result": {"action": "accept", "content": {"answer": "x".repeat(70_000)}}});
    let failed = json!({"error": {"code": -32_603, "message": "no user"}});
    for mut response in [declined, empty, long, failed] {
        let mut messages = LiveMessages::open(&server, &session, &call("vendor: Harbour Works")).await;
        let question = messages.next().await.unwrap();
        response["jsonrpc"] = json!("2.0");
        response["id"] = question["id"].clone();
        let taken = server.request(Method::POST, "/mcp").json(&response).send().await;
        assert_eq!(taken.status, 202);
        let last = messages.next().await.unwrap();
        assert_eq!((&last["id"], &last["result"]["isError"]), (&json!(7), &json!(false)), "{last}");
        let form = &last["result"]["structuredContent"]["form"];
        assert_eq!(
            (&form["status"], &form["values"]["vendor"]),
            (&json!("filling"), &json!("Harbour Works"))
        );
        assert_eq!(messages.next().await, None);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_question_ends_with_the_server() {
    let server = Server::start();
    server.agent("orders", schema()).await;
    let session = session(&server, json!({"elicitation": {}})).await.unwrap();
    let mut messages = LiveMessages::open(&server, &session, &call("hello")).await;
    let question = messages.next().await.unwrap();
    server.terminate();
    let cancelled = messages.next().await.unwrap();
    assert_eq!(cancelled["method"], "notifications/cancelled");
    assert_eq!(cancelled["params"]["requestId"], question["id"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_client_that_takes_no_events_is_asked_by_text() {
    let server = Server::start();
    server.agent("orders", schema()).await;
    let session = session(&server, json!({"elicitation": {}})).await.unwrap();
    let request = server.request(Method::POST, "/mcp").header("mcp-session-id", &session);
    let answer = request.header("accept", "application/json").json(&call("hello")).send().await.ok();
    assert_eq!(answer["result"]["structuredContent"]["form"]["next"]["field"], "vendor");
    // The operation of each question is audited, as a message is.
    let admin = server.home.told(&["keys", "create", "--scope", "admin"]);
    let audited = async || {
        let log = server.request(Method::GET, "/v1/audit").key(&admin).send().await.ok();
        log["events"].as_array().unwrap().iter().any(|event| event["operation"] == "chat")
    };
    settle("the audit", audited).await;
}
