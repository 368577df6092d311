//! Agents as A2A 1.0 agents.

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use reqwest::Method;
use serde_json::{Value, json};

use crate::generate::kit::{playing, said};
use crate::kit::{Answer, Server, settle};

const PATH: &str = "/v1/agent/order/a2a";

/// A server whose agent `order` fills a form with two fields.
pub(crate) async fn ordering() -> Server {
    let server = Server::start();
    let fields = json!({
        "crates": {"type": "integer", "order": 1, "required": true, "description": "Number of crates"},
        "port": {"type": "string", "order": 2, "required": true, "description": "Port of delivery"}
    });
    server.agent("order", fields).await;
    server
}

async fn call(server: &Server, method: &str, params: Value) -> Answer {
    let body = json!({"jsonrpc": "2.0", "id": "7", "method": method, "params": params});
    server.request(Method::POST, PATH).header("A2A-Version", "1.0").json(&body).send().await
}

async fn result(server: &Server, method: &str, params: Value) -> Value {
    let mut answer = call(server, method, params).await.ok();
    assert_eq!(answer["id"], "7");
    assert!(answer.get("error").is_none(), "{answer}");
    answer["result"].take()
}

/// The code of an error, and its reason.
async fn refused(server: &Server, method: &str, params: Value) -> (i64, String) {
    let answer = call(server, method, params).await.ok();
    let reason = answer["error"]["data"][0]["reason"].as_str().unwrap_or_default();
    (answer["error"]["code"].as_i64().unwrap_or_else(|| panic!("{answer}")), reason.to_owned())
}

fn message(text: &str, place: Value) -> Value {
    let mut message = json!({"messageId": "m", "role": "ROLE_USER", "parts": [{"text": text}]});
    for (name, value) in place.as_object().unwrap() {
        message[name] = value.clone();
    }
    json!({"message": message})
}

fn events(answer: &Answer) -> Vec<Value> {
    assert_eq!(answer.header("content-type"), "text/event-stream");
    let data = answer.text().split("\n\n").filter_map(|event| event.strip_prefix("event: message\ndata: "));
    data.map(|text| serde_json::from_str::<Value>(text).unwrap()["result"].take()).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_card_names_the_address_that_takes_messages() {
    let server = ordering().await;
    let card = server.get(&format!("{PATH}/.well-known/agent-card.json")).await.ok();
    let interface = &card["supportedInterfaces"][0];
    assert!(interface["url"].as_str().unwrap().ends_with(PATH), "{card}");
    assert_eq!(
        (&interface["protocolBinding"], &interface["protocolVersion"]),
        (&json!("JSONRPC"), &json!("1.0"))
    );
    assert_eq!(card["skills"].as_array().unwrap().len(), 2);
    assert_eq!(card["capabilities"]["streaming"], true);
    server.post("/v1/agent", json!({"namespace": "desk"})).await.ok();
    let card = server.get("/v1/agent/desk/a2a/.well-known/agent-card.json").await.ok();
    assert_eq!(card["skills"][0]["id"], "answer");
    server.get("/v1/agent/none/a2a/.well-known/agent-card.json").await.fails(404, "agent_not_found");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_task_is_a_form_that_is_filled_and_ends_with_its_record() {
    let server = ordering().await;
    let task = result(&server, "SendMessage", message("12 crates, please", json!({}))).await["task"].take();
    assert_eq!(task["status"]["state"], "TASK_STATE_INPUT_REQUIRED");
    assert!(task["status"]["message"]["parts"][0]["text"].as_str().unwrap().contains("port"), "{task}");
    assert_eq!(task["metadata"]["form"]["values"], json!({"crates": 12, "port": null}));
    let id = task["id"].clone();
    assert_eq!((&task["contextId"], task.get("history")), (&id, None));
    let mut params = message("Hull", json!({"taskId": id, "contextId": id}));
    params["configuration"] = json!({"historyLength": 2});
    let task = result(&server, "SendMessage", params).await["task"].take();
    assert_eq!((&task["id"], task["history"].as_array().unwrap().len()), (&id, 2));
    assert_eq!(task["history"][0]["parts"], json!([{"text": "Hull"}]));
    let told = call(&server, "SendStreamingMessage", message("yes", json!({"taskId": id}))).await;
    let told = events(&told);
    assert_eq!(told[0]["task"]["status"]["state"], "TASK_STATE_WORKING");
    let record = json!({"crates": 12, "port": "Hull"});
    assert_eq!(told[1]["artifactUpdate"]["artifact"]["parts"][0]["data"], record);
    assert_eq!(told[2]["statusUpdate"]["status"]["state"], "TASK_STATE_COMPLETED");
    let submissions = server.get("/v1/agent/order/submissions").await.ok();
    assert_eq!(submissions["submissions"][0]["record"], record);
    let read = result(&server, "GetTask", json!({"id": id, "historyLength": 1})).await;
    assert_eq!(
        (&read["status"]["state"], &read["artifacts"]),
        (&json!("TASK_STATE_COMPLETED"), &json!([told[1]["artifactUpdate"]["artifact"]]))
    );
    assert_eq!(read["history"].as_array().unwrap().len(), 1);
    // A task that has ended takes no message; its context takes another one.
    let late = refused(&server, "SendMessage", message("Oslo", json!({"taskId": id}))).await;
    assert_eq!(late, (-32_004, "UNSUPPORTED_OPERATION".to_owned()));
    let next =
        result(&server, "SendMessage", message("3 crates", json!({"contextId": id}))).await["task"].take();
    assert_eq!((&next["contextId"], next["id"] == id), (&id, false));
    let again = json!({"taskId": next["id"], "contextId": id});
    let again = result(&server, "SendMessage", message("Oslo", again)).await["task"].take();
    assert_eq!((&again["id"], &again["metadata"]["form"]["values"]["port"]), (&next["id"], &json!("Oslo")));
}

#[tokio::test(flavor = "multi_thread")]
async fn documents_come_by_value_and_a_client_that_takes_json_gets_the_record_at_once() {
    let server = ordering().await;
    let text = "Number of crates: 40\nPort of delivery: Bergen\n";
    let document =
        json!({"raw": BASE64_STANDARD.encode(text), "filename": "order.txt", "mediaType": "text/plain"});
    let mut params = message("The order", json!({}));
    params["message"]["parts"].as_array_mut().unwrap().push(document);
    params["configuration"] = json!({"acceptedOutputModes": ["application/json"]});
    let reply = result(&server, "SendMessage", params.clone()).await["message"].take();
    assert_eq!(reply["role"], "ROLE_AGENT");
    assert_eq!(reply["parts"][0]["data"], json!({"crates": 40, "port": "Bergen"}));
    assert!(reply["metadata"]["evidence"]["/crates"].is_object(), "{reply}");
    assert_eq!(server.get("/v1/files").await.ok()["files"][0]["name"], "order.txt");
    params["configuration"] = json!({});
    let task = result(&server, "SendMessage", params.clone()).await["task"].take();
    assert_eq!(task["metadata"]["form"]["values"], json!({"crates": 40, "port": "Bergen"}));
    // Without a text nothing is stored.
    params["message"]["parts"].as_array_mut().unwrap().remove(0);
    assert_eq!(refused(&server, "SendMessage", params.clone()).await.0, -32_602);
    params["message"]["parts"][0]["raw"] = json!("?");
    assert_eq!(refused(&server, "SendMessage", params).await.0, -32_602);
    assert_eq!(server.get("/v1/files").await.ok()["meta"]["total_items"], 2);
}

#[tokio::test(flavor = "multi_thread")]
async fn an_agent_without_a_form_answers_with_a_message() {
    let (server, _vendor) = playing([said("Hello Ada."), said("You are Ada.")]);
    server.post("/v1/agent", json!({"namespace": "order", "modelId": "m@openai"})).await.ok();
    let first = result(&server, "SendMessage", message("I am Ada", json!({}))).await["message"].take();
    assert_eq!(first["parts"], json!([{"text": "Hello Ada."}]));
    let context = first["contextId"].clone();
    let told =
        call(&server, "SendStreamingMessage", message("Who am I?", json!({"contextId": context}))).await;
    let told = events(&told);
    assert_eq!((told.len(), &told[0]["message"]["parts"]), (1, &json!([{"text": "You are Ada."}])));
    assert_eq!(refused(&server, "GetTask", json!({"id": context})).await.1, "TASK_NOT_FOUND");
}

#[tokio::test(flavor = "multi_thread")]
async fn tasks_are_listed_and_cancelled() {
    let server = ordering().await;
    let mut ids = Vec::new();
    for text in ["1 crate", "2 crates", "3 crates"] {
        ids.push(result(&server, "SendMessage", message(text, json!({}))).await["task"]["id"].clone());
    }
    let page = result(&server, "ListTasks", json!({"pageSize": 2})).await;
    assert_eq!((&page["tasks"][0]["id"], &page["totalSize"]), (&ids[2], &json!(3)));
    let rest = result(&server, "ListTasks", json!({"pageToken": page["nextPageToken"]})).await;
    assert_eq!((&rest["tasks"][0]["id"], &rest["nextPageToken"]), (&ids[0], &json!("")));
    let one = result(&server, "ListTasks", json!({"contextId": ids[1], "includeArtifacts": true})).await;
    assert_eq!(one["tasks"].as_array().unwrap().len(), 1);
    assert_eq!(
        events(&call(&server, "SubscribeToTask", json!({"id": ids[1]})).await)[0]["task"]["id"],
        ids[1]
    );
    let cancelled = result(&server, "CancelTask", json!({"id": ids[1]})).await;
    assert_eq!(cancelled["status"]["state"], "TASK_STATE_CANCELED");
    let session = format!("/v1/agent/order/sessions/{}", ids[1].as_str().unwrap());
    assert_eq!(server.get(&session).await.ok()["status"], "cancelled");
    for (method, params, code) in [
        ("CancelTask", json!({"id": ids[1]}), -32_002),
        ("CancelTask", json!({"id": "session_none"}), -32_001),
        ("SubscribeToTask", json!({"id": ids[1]}), -32_004),
        ("GetTask", json!({"id": "session_none"}), -32_001),
        ("GetTask", json!({}), -32_602),
        ("ListTasks", json!({"status": "TASK_STATE_COMPLETED"}), -32_004),
        ("ListTasks", json!({"pageToken": "x"}), -32_602),
        ("ListTasks", json!({"pageSize": 101}), -32_602),
        ("CreateTaskPushNotificationConfig", json!({}), -32_003),
        ("GetExtendedAgentCard", json!({}), -32_007),
        ("message/send", json!({}), -32_601),
        ("SendMessage", message("a", json!({"role": "ROLE_AGENT"})), -32_602),
        ("SendMessage", message("a", json!({"parts": [{"text": "a", "url": "b"}]})), -32_602),
        ("SendMessage", message("a", json!({"contextId": "session_none"})), -32_602),
        ("SendMessage", message("a", json!({"taskId": ids[0], "contextId": ids[2]})), -32_602),
        ("SendMessage", message("a", json!({"taskId": "session_none"})), -32_001),
    ] {
        assert_eq!(refused(&server, method, params.clone()).await.0, code, "{method} {params}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_no_request_of_this_version_is_refused() {
    let server = ordering().await;
    let body = json!({"jsonrpc": "2.0", "id": 1, "method": "ListTasks", "params": {}});
    for version in ["", "0.3", "2.0", "1.01"] {
        let sent =
            server.request(Method::POST, PATH).header("A2A-Version", version).json(&body).send().await.ok();
        assert_eq!(sent["error"]["code"], -32_009, "{version}");
    }
    let sent =
        server.request(Method::POST, PATH).header("A2A-Version", "1.0.2").json(&body).send().await.ok();
    assert!(sent["result"].is_object(), "{sent}");
    let notification = json!({"jsonrpc": "2.0", "method": "GetTask"});
    assert_eq!(server.post(PATH, notification).await.status, 202);
    for body in ["{", "[]", r#"{"jsonrpc": "1.0"}"#] {
        let sent = server.request(Method::POST, PATH).body("application/json", body).send().await;
        assert_eq!(sent.status, 400, "{sent:?}");
        assert!(sent.value()["error"]["code"].is_i64(), "{sent:?}");
    }
    server.post("/v1/agent/none/a2a", body).await.fails(404, "agent_not_found");
    // Two messages at once to one context: both are kept, one after the other.
    let first = result(&server, "SendMessage", message("4 crates", json!({}))).await["task"]["id"].clone();
    let send = |text| call(&server, "SendMessage", message(text, json!({"taskId": first})));
    let (one, other) = tokio::join!(send("Hull"), send("5 crates"));
    one.ok();
    other.ok();
    let read = async || result(&server, "GetTask", json!({"id": first})).await;
    settle("both messages", async || read().await["history"].as_array().unwrap().len() == 6).await;
}
