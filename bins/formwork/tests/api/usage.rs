//! What calls of models used, and the limits of keys.

use std::collections::HashMap;

use reqwest::Method;
use serde_json::{Value, json};
use testkit::upstream::{Reply, Upstream};

use crate::generate::kit::{ask_plainly, said};
use crate::kit::{Home, Server, invoice, invoice_schema, settle};

/// An agent and a paper that it reads.
async fn prepared(server: &Server) -> Value {
    server.agent("inv", invoice_schema()).await;
    server.files(&[("a.txt", &invoice("N-1", "5.00"))]).await.remove(0)["id"].clone()
}

/// Calls the built-in model so many times, in groups of a batch that are worked on at the same time.
async fn call(server: &Server, key: &str, file: &Value, times: usize) -> Value {
    let groups = json!(vec![json!([{"url": file}]); times]);
    let path = "/v1/agent/inv/workflow/delta?fresh=true";
    server.request(Method::POST, path).key(key).json(&groups).send().await.ok()
}

async fn usage(server: &Server, query: &str) -> Value {
    server.get(&format!("/v1/usage{query}")).await.ok()
}

/// Waits for so many calls.
async fn booked(server: &Server, requests: u64) {
    settle("the booking", async || usage(server, "").await["total"]["requests"] == requests).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_models_used_is_told_by_model_key_and_day() {
    let server = Server::start();
    told(&server).await;
}

/// Books calls of two keys and asks for them in every way.
pub(crate) async fn told(server: &Server) {
    let second = server.home.told(&["keys", "create", "--name", "second", "--requests-per-day", "1000"]);
    let empty = usage(server, "").await;
    assert_eq!((&empty["usage"], &empty["total"]["cost"]), (&json!([]), &json!(0.0)));
    let file = prepared(server).await;
    for (key, times) in [(&server.key, 2), (&second, 1)] {
        assert_eq!(call(server, key, &file, times).await["meta"]["successful"], times);
    }
    booked(server, 3).await;
    let by_model = usage(server, "").await;
    let row = &by_model["usage"][0];
    assert_eq!((&row["model"], &row["requests"]), (&json!("extractive@formwork"), &json!(3)));
    assert!(row["inputTokens"].as_u64().unwrap() > 0 && row.get("key").is_none(), "{row}");
    assert_eq!(row["cost"], by_model["total"]["cost"]);
    let by_key = usage(server, "?by=key").await;
    let counts: HashMap<(&str, &str), &Value> = by_key["usage"]
        .as_array()
        .unwrap()
        .iter()
        .map(|row| ((row["key"].as_str().unwrap(), row["name"].as_str().unwrap()), &row["requests"]))
        .collect();
    let expected = [(&server.key[..11], "first key", json!(2)), (&second[..11], "second", json!(1))];
    for (key, name, count) in &expected {
        assert_eq!(counts[&(*key, *name)], count);
    }
    let by_day = usage(server, "?by=day").await;
    assert_eq!((&by_day["usage"][0]["day"], by_day["usage"].as_array().unwrap().len()), (&by_day["to"], 1));
    let one = usage(server, &format!("?key={}&model=extractive@formwork", &second[..11])).await;
    assert_eq!(one["total"]["requests"], 1);
    assert_eq!(usage(server, "?model=none@openai").await["usage"], json!([]));
    let past = usage(server, "?from=2020-01-01&to=2020-12-31&by=day").await;
    assert_eq!(
        (&past["usage"], &past["from"], &past["to"]),
        (&json!([]), &json!("2020-01-01"), &json!("2020-12-31"))
    );
    // A key that only reads may look; a stranger sees nothing of it.
    let read = server.home.told(&["keys", "create", "--scope", "read"]);
    let seen = server.request(Method::GET, "/v1/usage").key(&read).send().await.ok();
    assert_eq!(seen["total"]["requests"], 3);
    let stranger = server.stranger();
    for query in ["", "?by=key", "?by=day"] {
        let path = format!("/v1/usage{query}");
        let theirs = server.request(Method::GET, &path).key(&stranger).send().await.ok();
        assert_eq!((&theirs["usage"], &theirs["total"]["requests"]), (&json!([]), &json!(0)));
    }
    let named = format!("/v1/usage?key={}", &second[..11]);
    server.request(Method::GET, &named).key(&stranger).send().await.fails_at(
        400,
        "validation_failed",
        "?key",
    );
    let list = server.home.told(&["keys", "list"]);
    let line = list.lines().find(|line| line.starts_with(&second[..11])).unwrap();
    assert!(line.contains("1000 requests per day\ttoday 1 requests"), "{line}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_report_over_days_that_make_no_sense_is_refused_with_the_parameter() {
    let server = Server::start();
    for (query, parameter) in [
        ("from=yesterday", "?from"),
        ("from=2026-02-30", "?from"),
        ("from=2026-01-02&to=2026-01-01", "?from"),
        ("from=2025-01-01&to=2026-01-02", "?from"),
        ("to=2026-1-1", "?to"),
        ("to=", "?to"),
        ("by=user", "?by"),
        ("by=", "?by"),
        ("key=fw_", "?key"),
    ] {
        server.get(&format!("/v1/usage?{query}")).await.fails_at(400, "validation_failed", parameter);
    }
    let longest = usage(&server, "?from=2024-01-01&to=2024-12-31").await;
    assert_eq!(longest["total"]["requests"], 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_key_tells_its_limits_and_senseless_ones_are_refused() {
    let server = Server::start();
    let flags = ["--requests-per-day", "5", "--tokens-per-minute", "6", "--tokens-per-day", "7"];
    let money = ["--cost-per-minute", "0.25", "--cost-per-day", "12.5"];
    let key = server.home.told(&[&["keys", "create"][..], &flags, &money].concat());
    let me = server.request(Method::GET, "/v1/me").key(&key).send().await.ok();
    let limits = json!({
        "requests_per_day": 5, "tokens_per_minute": 6, "tokens_per_day": 7, "cost_per_minute": 0.25,
        "cost_per_day": 12.5
    });
    assert_eq!(me["key"]["limits"], limits);
    for (flag, value, told) in [
        ("--tokens-per-day", "0", "'tokens_per_day' must be at least 1"),
        ("--cost-per-day", "0", "'cost_per_day' must be more than 0"),
        ("--cost-per-day", "much", "must be an amount in US dollars"),
        ("--cost-per-day", "-1", "cost-per-day"),
        ("--requests-per-day", "9999999999999999", "'requests_per_day' must be at most 1000000000000000"),
    ] {
        let refused = server.home.run(&["keys", "create", &format!("{flag}={value}")]);
        let error = String::from_utf8(refused.stderr).unwrap();
        assert!(!refused.status.success() && error.contains(told), "{error}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn of_sixty_four_calls_at_the_same_time_on_a_budget_for_ten_exactly_ten_are_made() {
    exactly_ten(&Home::new("limits.run_concurrency = 64")).await;
}

/// Calls at the same time.
pub(crate) async fn exactly_ten(home: &Home) {
    let server = home.start();
    let key = home.told(&["keys", "create", "--requests-per-day", "10"]);
    let file = prepared(&server).await;
    let run = call(&server, &key, &file, 64).await;
    assert_eq!((&run["meta"]["successful"], &run["meta"]["failed"]), (&json!(10), &json!(54)));
    for failed in run["failed"].as_array().unwrap() {
        let message = "the key's limit of 10 requests per day is reached";
        assert_eq!(failed["error"], json!({"class": "budget", "code": "limit_reached", "message": message}));
    }
    booked(&server, 10).await;
    assert_eq!(usage(&server, &format!("?key={}", &key[..11])).await["total"]["requests"], 10);
    // Others are not held up, and what needs no model is not counted.
    assert_eq!(call(&server, &server.key, &file, 1).await["meta"]["successful"], 1);
    server.request(Method::GET, "/v1/me").key(&key).send().await.ok();
}

#[tokio::test(flavor = "multi_thread")]
async fn a_call_that_is_larger_than_the_limit_is_told_that_it_never_fits() {
    let server = Server::start();
    let key = server.home.told(&["keys", "create", "--tokens-per-minute", "3"]);
    let file = prepared(&server).await;
    let run = call(&server, &key, &file, 1).await;
    let error = &run["failed"][0]["error"];
    assert_eq!(error["code"], "limit_never_fits");
    let message = error["message"].as_str().unwrap();
    assert!(
        message.ends_with("the key may use 3 tokens per minute: it never fits; ask for less"),
        "{message}"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn usage_is_stored_when_the_server_is_stopped_and_limits_outlive_a_kill() {
    outlives(&Home::new("")).await;
}

/// Stops a server right after a call, and kills the next one.
pub(crate) async fn outlives(home: &Home) {
    let mut server = home.start();
    let key = home.told(&["keys", "create", "--requests-per-day", "2"]);
    let file = prepared(&server).await;
    call(&server, &server.key, &file, 1).await;
    server.terminate();
    assert!(server.wait().success());
    let mut server = home.start();
    assert_eq!(usage(&server, "").await["total"]["requests"], 1);
    call(&server, &key, &file, 1).await;
    server.kill();
    let server = home.start();
    assert_eq!(usage(&server, "").await["total"]["requests"], 2, "settled before the answer");
    let run = call(&server, &key, &file, 2).await;
    assert_eq!((&run["meta"]["successful"], &run["meta"]["failed"]), (&json!(1), &json!(1)), "{run}");
}

/// A vendor that always says the same.
pub(crate) fn twelve() -> Upstream {
    Upstream::start_replies([said("Twelve.")]).unwrap()
}

/// Settings of a server before a vendor whose model has a price.
pub(crate) fn priced(vendor: &Upstream) -> String {
    let prices = "[models.prices.\"m@openai\"]\ninput = 1.0\noutput = 2.0\n";
    crate::generate::kit::settings(&vendor.url(), "") + prices
}

#[tokio::test(flavor = "multi_thread")]
async fn every_answer_that_was_given_is_booked_though_the_server_is_killed_right_after_it() {
    let vendor = twelve();
    booked_though_killed(&Home::new(&priced(&vendor)), &vendor).await;
}

/// Kills a server with the last of its answers, and then one whose calls are under way.
pub(crate) async fn booked_though_killed(home: &Home, vendor: &Upstream) {
    for (model, price) in [("m@openai", 25.0e-6), ("extractive@formwork", 0.0)] {
        let mut server = home.start();
        let before = usage(&server, "").await["total"].clone();
        let ask = || ask_plainly(&server, model);
        let answers = futures_util::future::join_all((0..30).map(|_| ask())).await;
        server.kill();
        for answer in answers {
            assert_eq!(answer.ok()["usage"]["cost"], price);
        }
        server = home.start();
        let after = usage(&server, "").await["total"].clone();
        let requests = |total: &Value| total["requests"].as_u64().unwrap();
        assert_eq!(requests(&after) - requests(&before), 30, "{model}");
        let paid = after["cost"].as_f64().unwrap() - before["cost"].as_f64().unwrap();
        assert!((paid - 30.0 * price).abs() < 1e-9, "{model}: {paid}");
        server.terminate();
        assert!(server.wait().success());
    }
    assert_eq!(vendor.count(), 30);
}

#[tokio::test(flavor = "multi_thread")]
async fn calls_that_were_under_way_at_a_kill_are_booked_at_their_estimates() {
    let vendor = Upstream::start_replies([Reply::raw().hold()]).unwrap();
    let home = Home::new(&priced(&vendor));
    let mut server = home.start();
    let (client, url, key) = (server.client.clone(), server.url.clone(), server.key.clone());
    for _ in 0..5 {
        let body = json!({"modelId": "m@openai", "prompt": "How many?", "maxTokens": 100}).to_string();
        let call = client.post(format!("{url}/v2/generate")).header("x-service-key", &key);
        tokio::spawn(call.header("content-type", "application/json").body(body).send());
    }
    vendor.wait_for_requests(5).await;
    server.kill();
    let server = home.start();
    let total = usage(&server, "").await["total"].clone();
    assert_eq!((&total["requests"], &total["unpricedRequests"]), (&json!(5), &json!(0)));
    assert!(
        total["inputTokens"].as_u64().unwrap() >= 500 && total["cost"].as_f64().unwrap() > 0.0,
        "{total}"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn what_was_paid_is_told_in_chat_in_stored_messages_in_batches_and_in_runs() {
    let vendor = twelve();
    let server = Server::with(&priced(&vendor));
    server.post("/v1/agent", json!({"namespace": "talker", "modelId": "m@openai"})).await.ok();
    let said = server.post("/v1/agent/talker/chat", json!({"message": "How many?"})).await.ok();
    let found = (&said["finishReason"], &said["usage"]["cost"], &said["usage"]["inputTokens"]);
    assert_eq!(found, (&json!("stop"), &json!(25.0e-6), &json!(11)));
    let id = said["session_id"].as_str().unwrap();
    let session = server.get(&format!("/v1/agent/talker/sessions/{id}")).await.ok();
    let messages = &session["messages"];
    assert_eq!((&messages[0]["usage"], &messages[0]["finishReason"]), (&json!(null), &json!(null)));
    assert_eq!((&messages[1]["usage"], &messages[1]["finishReason"]), (&said["usage"], &json!("stop")));
    // The built-in model costs nothing.
    let file = prepared(&server).await;
    let run = call(&server, &server.key, &file, 2).await;
    assert_eq!(run["meta"]["usage"]["cost"], 0.0);
    let sid = &run["sid"];
    let stored = server.get(&format!("/v1/agent/inv/workflow/delta/runs/{sid}")).await.ok();
    assert_eq!((&stored["usage"]["cost"], &stored["groups"][0]["usage"]["cost"]), (&json!(0.0), &json!(0.0)));
    let guided = server.post("/v1/agent/inv/chat", json!({"message": "Hello"})).await.ok();
    assert_eq!((&guided["usage"]["cost"], &guided["finishReason"]), (&json!(0.0), &json!("stop")));
    // What has no price has none in the sum.
    server.post("/v1/agent", json!({"namespace": "unpriced", "modelId": "x@openai"})).await.ok();
    let said = server.post("/v1/agent/unpriced/chat", json!({"message": "How many?"})).await.ok();
    assert_eq!(said["usage"]["cost"], json!(null));
    assert_eq!(usage(&server, "").await["total"]["cost"], json!(null));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_form_saved_unchanged_or_with_another_title_is_no_new_work() {
    let server = Server::start();
    let file = prepared(&server).await;
    call_once(&server, &file).await;
    let before = usage(&server, "").await["total"]["requests"].clone();
    let form = server.get("/v1/agent/inv").await.ok()["form_id"].as_str().unwrap().to_owned();
    let path = format!("/v1/form/{form}");
    let same = server.get(&path).await.ok();
    server.put(&path, json!({"title": same["title"], "schema": same["schema"]})).await.ok();
    server.put(&path, json!({"title": "Another name"})).await.ok();
    let again = call_once(&server, &file).await;
    assert_eq!(again["meta"]["usage"]["inputTokens"], 0, "{again}");
    assert_eq!(usage(&server, "").await["total"]["requests"], before);
    let versions = server.get(&format!("{path}/versions")).await.ok();
    assert_eq!(versions["meta"]["total_items"], 1);
}

/// A batch of one group, which may be answered from the store.
async fn call_once(server: &Server, file: &Value) -> Value {
    server.post("/v1/agent/inv/workflow/delta", json!([[{"url": file}]])).await.ok()
}
