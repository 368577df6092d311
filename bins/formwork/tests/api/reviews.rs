//! The queue of values that people review.

use reqwest::Method;
use serde_json::{Value, json};

use crate::kit::{Home, Server, invoice, invoice_schema, settle};

const DECISIONS: &str = "/v1/reviews/decisions";

/// A server whose agent `inv` queues everything, with a run of a good document and one that does not exist.
async fn reviewed(home: &Home) -> (Server, Value) {
    let server = home.start();
    server.agent("inv", invoice_schema()).await;
    let policy = json!({"threshold": 1.0, "fields": {"/invoice_number": 0.0}});
    server.put("/v1/agent/inv", json!({"review": policy})).await.ok();
    let file = server.files(&[("a.txt", &invoice("A-1", "1,234.50"))]).await.swap_remove(0);
    let run = server.delta("inv", "", &[&[&file["id"]], &[&json!("999")]]).await;
    (server, run["sid"].clone())
}

async fn listed(server: &Server, query: &str) -> Vec<Value> {
    let list = server.get(&format!("/v1/reviews{query}")).await.ok();
    let rows = list["reviews"].as_array().unwrap().clone();
    assert_eq!(list["meta"]["total_items"], rows.len());
    rows
}

fn one(review: &Value, action: &str) -> Value {
    json!({"review_id": review["id"], "action": action})
}

async fn queue_and_correction(home: Home) {
    let (server, sid) = reviewed(&home).await;
    let queue = listed(&server, &format!("?namespace=inv&sid={sid}&state=open")).await;
    let paths: Vec<&Value> = queue.iter().map(|review| &review["path"]).collect();
    assert!(paths.contains(&&json!("/total")) && paths.contains(&&json!("")), "{paths:?}");
    assert!(!paths.contains(&&json!("/invoice_number")), "{paths:?}");
    let total = listed(&server, "?field=/total&reason=low_confidence").await.swap_remove(0);
    assert_eq!((&total["value"], &total["group"], &total["sid"]), (&json!(1234.5), &json!(0), &sid));
    let details = server.get(&format!("/v1/reviews/{}", total["id"].as_str().unwrap())).await.ok();
    assert_eq!((&details["evidence"]["quote"], &details["failure"]), (&json!("1,234.50"), &Value::Null));
    // The correction is read as the field has it; who, when and what before stay.
    let mut correct = one(&total, "correct");
    (correct["value"], correct["note"], correct["revision"]) =
        (json!("1.334,50 €"), json!("smudged"), json!(1));
    let failed = listed(&server, "?reason=failed").await.swap_remove(0);
    let decisions = json!({"decisions": [correct, one(&failed, "accept")]});
    let answer = server
        .request(Method::POST, DECISIONS)
        .header("idempotency-key", "once")
        .json(&decisions)
        .send()
        .await
        .ok();
    let decided = &answer["reviews"][0];
    assert_eq!((&decided["state"], &decided["value"]), (&json!("corrected"), &json!(1334.5)));
    let step = &decided["history"][0];
    assert_eq!(
        (&step["before"], &step["after"], &step["note"]),
        (&json!(1234.5), &json!(1334.5), &json!("smudged"))
    );
    assert!(step["userName"].is_string() && step["created_timestamp"].is_string());
    assert_eq!(answer["reviews"][1]["failure"]["code"], "file_not_found");
    // The same request with its key changes nothing more.
    let again = server.request(Method::POST, DECISIONS).header("idempotency-key", "once").json(&decisions);
    assert_eq!(again.send().await.ok(), answer);
    let path = "/v1/agent/inv/workflow/delta?evidence=true&reviews=true";
    let stored = server.get(path).await.ok();
    assert_eq!((&stored[0]["total"], &stored[0]["evidence"]["/total"]), (&json!(1334.5), &Value::Null));
    let reviews = &stored[0]["reviews"]["/total"];
    assert_eq!((&reviews["extracted"], &reviews["state"]), (&json!(1234.5), &json!("corrected")));
    let csv = server.get(&format!("{path}&format=csv")).await;
    assert!(csv.text().contains("1334.5") && csv.text().contains("smudged"), "{}", csv.text());
    // It is still there after the server has gone.
    let server = {
        drop(server);
        home.start()
    };
    let found = listed(&server, "?state=corrected").await.swap_remove(0);
    assert_eq!((&found["id"], &found["revision"]), (&total["id"], &json!(2)));
    let opened = server.post(DECISIONS, json!({"decisions": [one(&total, "reopen")]})).await.ok();
    assert_eq!(opened["reviews"][0]["state"], "open");
    assert_eq!(server.get(path).await.ok()[0]["total"], 1234.5);
    server.delete("/v1/agent/inv").await.ok();
    assert!(listed(&server, "").await.is_empty());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_doubtful_value_is_queued_corrected_and_exported_with_its_history() {
    queue_and_correction(Home::new("")).await;
    if let Some(home) = Home::on_postgres() {
        queue_and_correction(home).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_decision_that_breaks_a_rule_names_it_and_decides_nothing() {
    let (server, _) = reviewed(&Home::new("")).await;
    let total = listed(&server, "?field=/total").await.swap_remove(0);
    let failed = listed(&server, "?reason=failed").await.swap_remove(0);
    let send = async |decisions: Value| server.post(DECISIONS, json!({"decisions": decisions})).await;
    send(json!([])).await.fails_at(400, "validation_failed", "/decisions");
    send(json!([one(&total, "correct")])).await.fails_at(400, "validation_failed", "/decisions/0/value");
    send(json!([one(&total, "assign")])).await.fails_at(400, "validation_failed", "/decisions/0/assignee");
    let mut wrong = one(&total, "correct");
    wrong["value"] = json!("a lot");
    let told = send(json!([one(&failed, "accept"), wrong])).await.fails_at(
        400,
        "validation_failed",
        "/decisions/1/value",
    );
    assert!(told["message"].as_str().unwrap().contains("number"), "{told}");
    send(json!([one(&failed, "not_stated")])).await.fails_at(400, "validation_failed", "/decisions/0/action");
    send(json!([{"review_id": "review_x", "action": "accept"}])).await.fails(404, "review_not_found");
    let mut late = one(&total, "accept");
    late["revision"] = json!(7);
    send(json!([late])).await.fails(409, "review_changed");
    server.get("/v1/reviews/review_x").await.fails(404, "review_not_found");
    server.get("/v1/reviews?namespace=none").await.fails(404, "agent_not_found");
    for query in ["state=gone", "order=none"] {
        let refused = server.get(&format!("/v1/reviews?{query}")).await.fails(400, "validation_failed");
        let name = query.split('=').next().unwrap();
        let told = refused["message"].as_str().unwrap();
        let options = if name == "order" { "newest or confidence" } else { "one of open, " };
        assert!(told.starts_with(&format!("'{name}' must be {options}")), "{told}");
    }
    assert!(listed(&server, "?state=open").await.len() >= 2);
    let wrong = json!({"review": {"threshold": 1.5}});
    server.put("/v1/agent/inv", wrong).await.fails_at(400, "validation_failed", "/review/threshold");
}

#[tokio::test(flavor = "multi_thread")]
async fn an_earlier_run_is_queued_on_request_and_webhooks_hear_of_decisions() {
    let heard =
        testkit::upstream::Upstream::start(|_| testkit::upstream::Reply::whole(204, "text/plain", ""))
            .unwrap();
    let server = Server::with("[fetch]\nallow = \"127.0.0.1\"");
    server.agent("inv", invoice_schema()).await;
    let hook = json!({"url": heard.url(), "events": ["run.finished", "review.decided"]});
    let hook = server.post("/v1/webhooks", hook).await.ok();
    let file = server.files(&[("a.txt", &invoice("A-1", "5.00"))]).await.swap_remove(0);
    let sid = server.delta("inv", "", &[&[&file["id"]]]).await["sid"].clone();
    assert!(listed(&server, "").await.is_empty());
    let all = json!({"namespace": "inv", "sid": sid, "review": {"threshold": 1.0}});
    let queued = server.post("/v1/reviews", all.clone()).await.ok()["queued"].as_u64().unwrap();
    assert!(queued >= 2, "{queued}");
    assert_eq!(server.post("/v1/reviews", all).await.ok(), json!({"queued": 0}));
    let unknown = json!({"namespace": "inv", "sid": 999});
    server.post("/v1/reviews", unknown).await.fails(404, "run_not_found");
    let review = listed(&server, "?field=/total").await.swap_remove(0);
    let mut assign = one(&review, "assign");
    assign["assignee"] = json!("ada@example.com");
    server.post(DECISIONS, json!({"decisions": [assign]})).await.ok();
    assert_eq!(listed(&server, "?assignee=ada%40example.com").await.len(), 1);
    let deliveries = format!("/v1/webhooks/{}/deliveries", hook["id"].as_str().unwrap());
    let sent = async || server.get(&deliveries).await.ok()["deliveries"].clone();
    settle("both deliveries", async || sent().await.as_array().unwrap().len() == 2).await;
    let sent = sent().await;
    let data = |kind: &str| {
        let found = sent.as_array().unwrap().iter().find(|one| one["event"] == kind).unwrap();
        found["payload"]["data"].clone()
    };
    let wanted = json!([{"id": review["id"], "group": 0, "state": "open"}]);
    assert_eq!((&data("review.decided")["reviews"], &data("review.decided")["sid"]), (&wanted, &sid));
    assert_eq!(data("run.finished")["reviews"], 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn decisions_change_the_confidence_of_later_values_where_the_agent_says_so() {
    let server = Server::start();
    server.agent("inv", invoice_schema()).await;
    let policy = json!({"threshold": 1.0, "calibrate": true});
    let agent = server.put("/v1/agent/inv", json!({"review": policy})).await.ok();
    assert_eq!(agent["review"]["calibrate"], true);
    let total = async |number: usize| {
        let text = invoice(&format!("A-{number}"), &format!("{number}.50"));
        let file = server.files(&[("a.txt", &text)]).await.swap_remove(0);
        let run = server.delta("inv", "?evidence=true", &[&[&file["id"]]]).await;
        run["evidence"][0]["/total"].clone()
    };
    let before = total(1).await;
    assert_eq!(before["base_confidence"], Value::Null);
    for number in 2..=20 {
        total(number).await;
    }
    let queue = server.get("/v1/reviews?field=/total&limit=100").await.ok();
    let decisions: Vec<Value> = queue["reviews"]
        .as_array()
        .unwrap()
        .iter()
        .map(|review| json!({"review_id": review["id"], "action": "not_stated"}))
        .collect();
    assert_eq!(decisions.len(), 20);
    server.post(DECISIONS, json!({"decisions": decisions})).await.ok();
    let after = total(21).await;
    assert_eq!(after["base_confidence"], before["confidence"]);
    assert!(after["confidence"].as_f64() < before["confidence"].as_f64(), "{after}");
    assert_eq!(after["accepted"], false);
    server.put("/v1/agent/inv", json!({"review": {"threshold": 1.0}})).await.ok();
    assert_eq!(total(22).await["base_confidence"], Value::Null);
    let wrong = json!({"review": {"calibrate": "yes"}});
    server.put("/v1/agent/inv", wrong).await.fails(400, "validation_failed");
}
