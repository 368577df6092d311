//! Runs of batch extraction as tools and as tasks.

use serde_json::{Value, json};

use super::kit::{Client, messages};
use crate::kit::{Server, invoice, invoice_schema, settle};

async fn files(server: &Server, count: usize) -> Value {
    let texts: Vec<(String, String)> =
        (0..count).map(|n| (format!("{n}.txt"), invoice(&format!("A-{n}"), &format!("{n}.50")))).collect();
    let named: Vec<(&str, &str)> = texts.iter().map(|(name, text)| (name.as_str(), text.as_str())).collect();
    let stored = server.files(&named).await;
    json!(stored.iter().map(|file| json!([{"url": file["id"]}])).collect::<Vec<_>>())
}

#[tokio::test(flavor = "multi_thread")]
async fn a_run_is_started_followed_and_read_by_tools() {
    let server = Server::start();
    let client = Client::new(&server);
    server.agent("reader", invoice_schema()).await;
    let groups = files(&server, 2).await;
    let started = client.done("start_run", json!({"namespace": "reader", "files": groups})).await;
    let run = json!({"namespace": "reader", "sid": started["run"]["sid"]});
    let ended = async || client.done("get_run", run.clone()).await["state"] == "succeeded";
    settle("the end of the run", ended).await;
    let mut asked = run.clone();
    asked["evidence"] = json!(true);
    let found = client.done("get_run_responses", asked).await;
    assert_eq!(found["items"][1]["total"], 1.5, "{found}");
    assert!(found["items"][1]["evidence"]["/total"]["quote"].is_string(), "{found}");
    let told = client.failed("cancel_run", run).await;
    assert!(told.starts_with("run_"), "{told}");
    let told = client.failed("get_run", json!({"namespace": "reader", "sid": 999})).await;
    assert!(told.starts_with("run_not_found"), "{told}");
    let told = client.failed("start_run", json!({"namespace": "reader", "files": []})).await;
    assert!(told.contains("/files"), "{told}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_run_that_is_waited_for_tells_its_progress() {
    let server = Server::start();
    let client = Client::new(&server);
    server.agent("reader", invoice_schema()).await;
    let arguments = json!({"namespace": "reader", "files": files(&server, 3).await, "wait": true});
    let call = json!({"name": "start_run", "arguments": arguments, "_meta": {"progressToken": 5}});
    let told = messages(&client.send("tools/call", call).await);
    let (last, steps) = told.split_last().unwrap();
    let done: Vec<u64> = steps
        .iter()
        .map(|step| {
            assert_eq!(step["method"], "notifications/progress");
            assert_eq!((&step["params"]["progressToken"], &step["params"]["total"]), (&json!(5), &json!(3)));
            step["params"]["progress"].as_u64().unwrap()
        })
        .collect();
    assert!(done.is_sorted_by(|a, b| a < b) && done.last() == Some(&3), "{done:?}");
    let outcome = &last["result"]["structuredContent"];
    assert_eq!((&outcome["run"]["state"], &outcome["run"]["open"]), (&json!("succeeded"), &json!(0)));
    assert_eq!(outcome["responses"].as_array().unwrap().len(), 3);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_run_is_a_task_of_clients_that_have_tasks() {
    let server = Server::start();
    server.agent("reader", invoice_schema()).await;
    let capabilities = json!({"extensions": {"io.modelcontextprotocol/tasks": {}}});
    let client = Client::stateless(&server, capabilities);
    let groups = files(&server, 2).await;
    let task = client.tool("start_run", json!({"namespace": "reader", "files": groups})).await;
    assert_eq!(task["resultType"], "task", "{task}");
    assert!(task["createdAt"].as_str().unwrap().ends_with('Z') && task["ttlMs"].is_null(), "{task}");
    let named = json!({"taskId": task["taskId"]});
    let ended = async || client.result("tasks/get", named.clone()).await["status"] == "completed";
    settle("the end of the task", ended).await;
    let got = client.result("tasks/get", named.clone()).await;
    assert_eq!((&got["resultType"], &got["statusMessage"]), (&json!("complete"), &json!("2 of 2 groups")));
    assert_eq!(got["result"]["structuredContent"]["responses"][0]["total"], 0.5, "{got}");
    // An end is no failure of a cancellation.
    client.result("tasks/cancel", named.clone()).await;
    client.result("tasks/update", json!({"taskId": task["taskId"], "inputResponses": {}})).await;
    assert_eq!(client.result("tasks/get", named.clone()).await["status"], "completed");
    for unknown in ["run-999-reader", "run-x-reader", "", "run-1"] {
        for method in ["tasks/get", "tasks/update", "tasks/cancel"] {
            client.error(method, json!({"taskId": unknown}), -32_602).await;
        }
    }
    // Another workspace has no such task.
    let stranger = server.stranger();
    let other = Client::stateless(&server, json!({})).with_key(&stranger);
    for method in ["tasks/get", "tasks/update", "tasks/cancel"] {
        other.error(method, named.clone(), -32_602).await;
    }
    // A client without tasks gets the run.
    let plain = Client::stateless(&server, json!({}));
    let started =
        plain.done("start_run", json!({"namespace": "reader", "files": files(&server, 1).await})).await;
    assert!(started["run"]["sid"].is_i64(), "{started}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_cancelled_run_is_a_cancelled_task() {
    let server = Server::with("[limits]\nrun_concurrency = 1");
    server.agent("reader", invoice_schema()).await;
    let capabilities = json!({"extensions": {"io.modelcontextprotocol/tasks": {}}});
    let client = Client::stateless(&server, capabilities);
    let groups = files(&server, 60).await;
    let task = client.tool("start_run", json!({"namespace": "reader", "files": groups})).await;
    let named = json!({"taskId": task["taskId"]});
    client.result("tasks/cancel", named.clone()).await;
    let ended = async || client.result("tasks/get", named.clone()).await["status"] != "working";
    settle("the end of the task", ended).await;
    let status = client.result("tasks/get", named).await["status"].clone();
    assert!(status == "cancelled" || status == "completed", "{status}");
}

/// The outcome of a task at its end.
async fn ended(client: &Client<'_>, task: &Value) -> Value {
    // The answer is written at the end of the run.
    messages(&client.send("tasks/result", json!({"taskId": task["taskId"]})).await).pop().unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_run_is_a_task_of_a_client_that_asks_for_one() {
    let server = Server::start();
    server.agent("reader", invoice_schema()).await;
    let client = Client::new(&server);
    let tools = client.tools().await;
    for (name, tool) in &tools {
        assert_eq!(tool["execution"]["taskSupport"] == "optional", name == "start_run", "{name}");
    }
    let arguments = json!({"namespace": "reader", "files": files(&server, 2).await});
    let call = json!({"name": "start_run", "arguments": arguments, "task": {"ttl": 60_000}});
    let task = client.result("tools/call", call.clone()).await["task"].clone();
    assert_eq!((&task["status"], &task["ttl"]), (&json!("working"), &Value::Null), "{task}");
    assert!(task["createdAt"].as_str().unwrap().ends_with('Z') && task["pollInterval"].is_u64(), "{task}");
    let last = ended(&client, &task).await;
    let result = &last["result"];
    assert_eq!((&last["id"], &result["isError"]), (&json!(7), &json!(false)));
    assert_eq!(result["structuredContent"]["responses"].as_array().unwrap().len(), 2);
    assert_eq!(result["_meta"]["io.modelcontextprotocol/related-task"]["taskId"], task["taskId"]);
    let named = json!({"taskId": task["taskId"]});
    let got = client.result("tasks/get", named.clone()).await;
    assert_eq!((&got["status"], &got["statusMessage"]), (&json!("completed"), &json!("2 of 2 groups")));
    assert!(got.get("result").is_none() && got.get("resultType").is_none(), "{got}");
    // It has ended, so that it cannot be cancelled.
    client.error("tasks/cancel", named.clone(), -32_602).await;
    client.error("tasks/update", named.clone(), -32_601).await;
    for unknown in ["run-999-reader", "run-x-reader", "", "run-1"] {
        for method in ["tasks/get", "tasks/cancel"] {
            client.error(method, json!({"taskId": unknown}), -32_602).await;
        }
        assert_eq!(ended(&client, &json!({"taskId": unknown})).await["error"]["code"], -32_602);
    }
    // Another workspace has no such task.
    let stranger = server.stranger();
    let other = Client::new(&server).with_key(&stranger);
    other.error("tasks/get", named.clone(), -32_602).await;
    other.error("tasks/cancel", named.clone(), -32_602).await;
    assert_eq!(ended(&other, &task).await["error"]["code"], -32_602);
    assert_eq!(other.result("tasks/list", json!({})).await, json!({"tasks": []}));
    // What is no task is refused, and so is a run that cannot start.
    let other = json!({"name": "list_forms", "task": {}});
    client.error("tools/call", other, -32_601).await;
    client.error("tools/call", json!({"name": "start_run", "arguments": {}, "task": 5}), -32_602).await;
    let empty = json!({"name": "start_run", "arguments": {"namespace": "reader", "files": []}, "task": {}});
    client.error("tools/call", empty, -32_602).await;
    // Revisions without tasks ignore the wish.
    let earlier = server.request(reqwest::Method::POST, "/mcp").header("mcp-protocol-version", "2025-06-18");
    let message = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": call});
    let answer = earlier.json(&message).send().await.ok();
    assert!(answer["result"]["structuredContent"]["run"]["sid"].is_i64(), "{answer}");
}

#[tokio::test(flavor = "multi_thread")]
async fn tasks_are_listed_page_by_page_and_cancelled() {
    let server = Server::with("[limits]\nrun_concurrency = 1");
    let client = Client::new(&server);
    for agent in ["first", "second", "third"] {
        server.agent(agent, invoice_schema()).await;
    }
    let start = async |agent: &str, count: usize| {
        let arguments = json!({"namespace": agent, "files": files(&server, count).await});
        let call = json!({"name": "start_run", "arguments": arguments, "task": {}});
        client.result("tools/call", call).await["task"].clone()
    };
    let (one, two) = (start("first", 60).await, start("third", 1).await);
    let mut found = Vec::new();
    let mut page = client.result("tasks/list", json!({})).await;
    loop {
        found.extend(page["tasks"].as_array().unwrap().iter().map(|task| task["taskId"].clone()));
        let Some(cursor) = page.get("nextCursor") else { break };
        page = client.result("tasks/list", json!({"cursor": cursor})).await;
    }
    assert_eq!(found, [two["taskId"].clone(), one["taskId"].clone()]);
    for cursor in [json!("x"), json!(5), json!("{\"agents\": \"x\", \"runs\": null}")] {
        client.error("tasks/list", json!({"cursor": cursor}), -32_602).await;
    }
    let cancelled = client.send("tasks/cancel", json!({"taskId": one["taskId"]})).await.value();
    let status = cancelled["result"]["status"].as_str();
    // It may have ended before.
    assert!(status == Some("cancelled") || cancelled["error"]["code"] == -32_602, "{cancelled}");
    if status.is_some() {
        let last = ended(&client, &one).await;
        assert_eq!(last["result"]["structuredContent"]["run"]["state"], "cancelled", "{last}");
        assert_eq!(client.result("tasks/get", json!({"taskId": one["taskId"]})).await["status"], "cancelled");
    }
    assert!(ended(&client, &two).await["result"].is_object());
}
