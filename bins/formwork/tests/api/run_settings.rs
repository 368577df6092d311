//! Settings of runs: effort, time, budget, labels, and the estimate before a run.

use reqwest::Method;
use serde_json::{Value, json};
use testkit::upstream::{Reply, Upstream};

use crate::generate::kit::{said, settings};
use crate::kit::{Home, Server, invoice, invoice_schema};

fn record() -> String {
    json!({"invoice_number": "A-1", "total": 5, "due_date": null}).to_string()
}

/// A server before a vendor whose model `m@openai` costs a dollar for a million tokens in, two out.
async fn before(vendor: &Upstream, model: &str) -> (Server, Value) {
    let server = Server::with(&crate::usage::priced(vendor));
    let form = server.form(invoice_schema()).await;
    server.post("/v1/agent", json!({"namespace": "inv", "form_id": form, "modelId": model})).await.ok();
    let files =
        server.files(&[("a.txt", &invoice("A-1", "5.00")), ("b.txt", &invoice("A-1", "5.00 "))]).await;
    (server, json!([files[0]["id"], files[1]["id"]]))
}

#[tokio::test(flavor = "multi_thread")]
async fn an_estimate_reads_documents_and_calls_no_model() {
    let vendor = Upstream::start_replies([said(&record())]).unwrap();
    let (server, files) = before(&vendor, "m@openai").await;
    let path = "/v1/agent/inv/workflow/delta/estimate";
    let groups = json!([[{"url": files[0]}], [{"url": files[1]}], [{"url": "999"}]]);
    let found = server.post(path, groups).await.ok();
    let counts = ["groups", "estimated_groups", "unreadable_groups", "calls"]
        .map(|name| found[name].as_u64().unwrap());
    assert_eq!(counts, [3, 3, 1, 2], "{found}");
    let (input, output) = (found["input_tokens"].as_u64().unwrap(), found["output_tokens"].as_u64().unwrap());
    let cost = (input as f64 + 2.0 * output as f64) / 1e6;
    assert!(input > 100 && output > 0 && (found["cost"].as_f64().unwrap() - cost).abs() < 1e-9, "{found}");
    assert_eq!(
        (vendor.count(), &server.get("/v1/agent/inv/workflow/delta/runs").await.ok()["runs"]),
        (0, &json!([]))
    );
    // What the call really took is near.
    let run = server.delta("inv", "", &[&[&files[0]]]).await;
    let sent = vendor.requests()[0].body.len() as u64 / 4;
    assert!(input / 2 > sent / 2 && input / 2 < sent * 2, "{input} {sent} {run}");
    let free =
        server.post(&format!("{path}?modelId=extractive@formwork"), json!([[{"url": files[0]}]])).await.ok();
    assert_eq!((&free["cost"], &free["input_tokens"]), (&json!(0.0), &json!(0)));
    server.post(path, json!([])).await.fails(400, "validation_failed");
    server
        .post("/v1/agent/nobody/workflow/delta/estimate", json!([[{"url": "1"}]]))
        .await
        .fails(404, "agent_not_found");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_run_stops_when_its_budget_is_used_up() {
    let vendor = Upstream::start(|_| said(&record())).unwrap();
    let settings = crate::usage::priced(&vendor) + "[limits]\nrun_concurrency = 1\n";
    let server = Home::new(&settings).start();
    let form = server.form(invoice_schema()).await;
    server.post("/v1/agent", json!({"namespace": "inv", "form_id": form, "modelId": "m@openai"})).await.ok();
    let texts: Vec<(String, String)> =
        (0..6).map(|n| (format!("{n}.txt"), invoice("A-1", &format!("5.00{}", " ".repeat(n))))).collect();
    let texts: Vec<(&str, &str)> = texts.iter().map(|(name, text)| (name.as_str(), text.as_str())).collect();
    let files = server.files(&texts).await;
    let groups: Vec<Value> = files.iter().map(|file| json!([{"url": file["id"]}])).collect();
    let path = "/v1/agent/inv/workflow/delta?fresh=true&budget=0.00003";
    let run = server.post(path, json!(groups)).await.ok();
    assert_eq!(run["meta"]["state"], "stopped", "{run}");
    let (paid, failed) = (run["results"].as_array().unwrap().len(), run["failed"].as_array().unwrap());
    assert!((1..6).contains(&paid) && vendor.count() < 6, "{run}");
    assert_eq!(failed.last().unwrap()["error"]["code"], "budget_used_up", "{run}");
    let shown = server.get("/v1/agent/inv/workflow/delta/runs/1").await.ok();
    assert_eq!((&shown["budget"], &shown["error"]["class"]), (&json!(0.00003), &json!("budget")));
}

#[tokio::test(flavor = "multi_thread")]
async fn effort_reaches_the_vendor_and_labels_find_the_run() {
    let vendor = Upstream::start(|_| said(&record())).unwrap();
    let server = Server::with(&settings(&vendor.url(), ""));
    let form = server.form(invoice_schema()).await;
    server
        .post("/v1/agent", json!({"namespace": "inv", "form_id": form, "modelId": "gpt-6-luna@openai"}))
        .await
        .ok();
    let file = server.files(&[("a.txt", &invoice("A-1", "5.00"))]).await[0]["id"].clone();
    server.delta("inv", "?effort=low&timeout=30&labels=march,acme", &[&[&file]]).await;
    assert_eq!(vendor.requests()[0].json()["reasoning_effort"], "low");
    // Another effort is other work, and the same is answered from the store.
    server.delta("inv", "?effort=high&labels=april", &[&[&file]]).await;
    server.delta("inv", "?effort=high", &[&[&file]]).await;
    assert_eq!(vendor.count(), 2);
    let runs = async |label: &str| {
        let found = server.get(&format!("/v1/agent/inv/workflow/delta/runs?label={label}")).await.ok();
        let sids: Vec<Value> =
            found["runs"].as_array().unwrap().iter().map(|run| run["sid"].clone()).collect();
        assert_eq!(found["meta"]["total_items"], sids.len());
        sids
    };
    assert_eq!(
        (runs("march").await, runs("acme").await, runs("mar").await),
        (vec![json!(1)], vec![json!(1)], vec![])
    );
    let shown = server.get("/v1/agent/inv/workflow/delta/runs/1").await.ok();
    assert_eq!(
        (&shown["effort"], &shown["timeout"], &shown["labels"]),
        (&json!("low"), &json!(30), &json!(["march", "acme"]))
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_run_of_high_priority_overtakes_a_long_one_that_came_before_it() {
    let vendor = Upstream::start(|_| said(&record())).unwrap();
    let settings = crate::usage::priced(&vendor) + "[limits]\nrun_concurrency = 1\n";
    let server = Home::new(&settings).start();
    let form = server.form(invoice_schema()).await;
    server.post("/v1/agent", json!({"namespace": "inv", "form_id": form, "modelId": "m@openai"})).await.ok();
    let file = server.files(&[("a.txt", &invoice("A-1", "5.00"))]).await[0]["id"].clone();
    let groups = |count: usize| Value::from(vec![json!([{"url": file}]); count]);
    let path = "/v1/agent/inv/workflow/delta";
    let low = server.post(&format!("{path}?fresh=true&async=true&priority=low"), groups(60)).await.accepted();
    let high = server.post(&format!("{path}?fresh=true&priority=high"), groups(4)).await.ok();
    assert_eq!(high["meta"]["state"], "succeeded", "{high}");
    let shown = async |sid: u32| server.get(&format!("{path}/runs/{sid}")).await.ok();
    let (long, short) = (shown(1).await, shown(2).await);
    assert_eq!(
        (&low["priority"], &long["priority"], &short["priority"]),
        (&json!("low"), &json!("low"), &json!("high"))
    );
    assert_eq!(
        long["state"], "running",
        "60 groups of low priority are not over before 4 of a high one: {long}"
    );
    server.delete(&format!("{path}/runs/1")).await.ok();
    // A retry keeps the priority.
    server.request(Method::POST, &format!("{path}/runs/1/retry")).send().await.accepted();
    assert_eq!(shown(1).await["priority"], "low");
    server.delete(&format!("{path}/runs/1")).await.ok();
    let plain = server.delta("inv", "", &[&[&file]]).await;
    assert_eq!(
        (&plain["meta"]["state"], &shown(3).await["priority"]),
        (&json!("succeeded"), &json!("normal"))
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_call_that_never_answers_ends_at_the_limit_of_the_run() {
    let vendor = Upstream::start(|_| Reply::raw().hold()).unwrap();
    let (server, files) = before(&vendor, "m@openai").await;
    let path = "/v1/agent/inv/workflow/delta?timeout=1&async=true";
    server.post(path, json!([[{"url": files[0]}]])).await.accepted();
    let one = "/v1/agent/inv/workflow/delta/runs/1";
    let is_told = async || server.get(one).await.ok().to_string().contains("provider_timeout");
    crate::kit::settle("the first attempt to fail", is_told).await;
    server.delete(one).await.ok();
}

#[tokio::test(flavor = "multi_thread")]
async fn wrong_settings_are_refused_and_no_run_is_stored() {
    let vendor = Upstream::start_replies([said(&record())]).unwrap();
    let server = Server::with(&settings(&vendor.url(), ""));
    let form = server.form(invoice_schema()).await;
    server.post("/v1/agent", json!({"namespace": "inv", "form_id": form, "modelId": "m@openai"})).await.ok();
    for (query, place) in [
        ("effort=huge", "?effort"),
        ("timeout=0", "?timeout"),
        ("timeout=601", "?timeout"),
        ("budget=0", "?budget"),
        ("budget=-1", "?budget"),
        ("budget=NaN", "?budget"),
        // The model has no price.
        ("budget=1", "?budget"),
        ("priority=urgent", "?priority"),
        ("priority=", "?priority"),
        ("labels=two%20words", "?labels"),
        ("labels=Upper", "?labels"),
        ("labels=", "?labels"),
        ("labels=a,,b", "?labels"),
        ("labels=a,b,c,d,e,f,g,h,i,j,k", "?labels"),
    ] {
        let path = format!("/v1/agent/inv/workflow/delta?{query}");
        server.post(&path, json!([[{"url": "1"}]])).await.fails_at(400, "validation_failed", place);
    }
    assert_eq!(server.get("/v1/agent/inv/workflow/delta/runs").await.ok()["runs"], json!([]));
    assert_eq!(vendor.count(), 0);
}
