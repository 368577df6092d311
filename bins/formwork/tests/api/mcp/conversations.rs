//! Forms that are filled in a conversation.

use serde_json::{Value, json};

use super::kit::Client;
use crate::kit::Server;

fn schema() -> Value {
    json!({
        "vendor": {"type": "string", "order": 1, "required": true},
        "size": {"type": "string", "order": 2, "enum": ["small", "large"], "required": true}
    })
}

#[tokio::test(flavor = "multi_thread")]
async fn a_client_that_asks_its_user_fills_the_form_by_round_trips() {
    let server = Server::start();
    server.agent("orders", schema()).await;
    let client = Client::stateless(&server, json!({"elicitation": {}}));
    let arguments = json!({"namespace": "orders", "message": "hello"});
    let mut params = json!({"name": "fill_form", "arguments": arguments});
    let mut answers = vec!["yes", "large", "Harbour Works"];
    let last = loop {
        let result = client.result("tools/call", params.clone()).await;
        if result["resultType"] == "complete" {
            break result;
        }
        assert_eq!(result["resultType"], "input_required", "{result}");
        let asked = &result["inputRequests"]["answer"];
        assert_eq!(asked["method"], "elicitation/create");
        assert!(asked["params"]["message"].as_str().is_some_and(|text| !text.is_empty()), "{result}");
        let field = &asked["params"]["requestedSchema"]["properties"]["answer"];
        assert_eq!(field["type"], "string");
        let answer = answers.pop().expect("no more questions than fields and the confirmation");
        if answer == "large" {
            assert_eq!(field["enum"], json!(["small", "large"]), "{result}");
        }
        params["inputResponses"] = json!({"answer": {"action": "accept", "content": {"answer": answer}}});
        params["requestState"] = result["requestState"].clone();
    };
    let form = &last["structuredContent"]["form"];
    assert_eq!(form["status"], "submitted", "{last}");
    assert_eq!(form["values"], json!({"vendor": "Harbour Works", "size": "large"}));
    assert!(answers.is_empty(), "{answers:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_user_who_declines_leaves_the_form_as_it_is() {
    let server = Server::start();
    server.agent("orders", schema()).await;
    server.agent("others", schema()).await;
    let client = Client::stateless(&server, json!({"elicitation": {"form": {}}}));
    let mut params = json!({"name": "fill_form", "arguments": {"namespace": "orders", "message": "vendor: Harbour Works"}});
    let asked = client.result("tools/call", params.clone()).await;
    params["requestState"] = asked["requestState"].clone();
    params["inputResponses"] = json!({"answer": {"action": "decline"}});
    let left = client.result("tools/call", params.clone()).await;
    assert_eq!((&left["resultType"], &left["isError"]), (&json!("complete"), &json!(false)), "{left}");
    let form = &left["structuredContent"]["form"];
    assert_eq!((&form["status"], &form["values"]["vendor"]), (&json!("filling"), &json!("Harbour Works")));
    // State of another call, of another workspace, and none at all.
    params["arguments"]["namespace"] = json!("others");
    assert_eq!(client.result("tools/call", params.clone()).await["isError"], true);
    params["arguments"]["namespace"] = json!("orders");
    let stranger = server.stranger();
    let other = Client::stateless(&server, json!({"elicitation": {}})).with_key(&stranger);
    assert_eq!(other.result("tools/call", params.clone()).await["isError"], true);
    params["requestState"] = json!("%%%");
    assert_eq!(client.result("tools/call", params).await["isError"], true);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_client_that_asks_nobody_sends_each_answer_as_a_message() {
    let server = Server::start();
    server.agent("orders", schema()).await;
    for client in [Client::new(&server), Client::stateless(&server, json!({"elicitation": {"url": {}}}))] {
        let first = client.done("fill_form", json!({"namespace": "orders", "message": "hello"})).await;
        assert_eq!(first["form"]["next"]["field"], "vendor", "{first}");
        let session = first["session_id"].clone();
        let said = |message: &str| json!({"namespace": "orders", "session_id": session, "message": message});
        client.done("fill_form", said("Harbour Works")).await;
        client.done("chat", said("large")).await;
        let last = client.done("fill_form", said("yes")).await;
        assert_eq!(last["form"]["status"], "submitted", "{last}");
    }
}
