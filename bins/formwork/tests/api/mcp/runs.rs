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
