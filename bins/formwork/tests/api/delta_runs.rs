//! Runs that nobody waits for: started, looked at, called off, and done again.

use reqwest::Method;
use serde_json::{Value, json};
use testkit::vendor::{Behaviour, Vendor, delivery_note};

use crate::kit::{Answer, Server, invoice, invoice_schema, settle};

/// Where the runs of the agent `inv` are started and told of.
pub(crate) const PATH: &str = "/v1/agent/inv/workflow/delta";

fn one(sid: &Value) -> String {
    format!("{PATH}/runs/{sid}")
}

/// The run, once it is over.
pub(crate) async fn over(server: &Server, sid: &Value) -> Value {
    let mut run = Value::Null;
    settle("the end of the run", async || {
        run = server.get(&one(sid)).await.ok();
        run["state"] != "running"
    })
    .await;
    run
}

/// A server with the agent `inv` and files with these totals; the groups that read one each.
async fn with_files(totals: &[&str]) -> (Server, Value) {
    let server = Server::start();
    server.agent("inv", invoice_schema()).await;
    let texts: Vec<String> = totals.iter().map(|total| invoice(&format!("N-{total}"), total)).collect();
    let named: Vec<(&str, &str)> = texts.iter().map(|text| ("a.txt", text.as_str())).collect();
    let files = server.files(&named).await;
    let groups = files.iter().map(|file| json!([{"url": file["id"]}])).collect();
    (server, groups)
}

#[tokio::test(flavor = "multi_thread")]
async fn a_run_that_nobody_waits_for_is_accepted_and_told_of_until_its_end() {
    let (server, groups) = with_files(&["1.00", "2.00", "3.00"]).await;
    let started = server.post(&format!("{PATH}?async=true&partial=true"), groups).await;
    let accepted = started.accepted();
    assert_eq!(started.header("location"), one(&accepted["sid"]));
    assert_eq!(started.header("preference-applied"), "");
    assert_eq!(
        json!([accepted["state"], accepted["total"], accepted["open"], accepted["progress"]]),
        json!(["running", 3, 3, 0.0])
    );
    let run = over(&server, &accepted["sid"]).await;
    assert_eq!(
        json!([run["state"], run["successful"], run["failed"], run["open"], run["progress"], run["error"]]),
        json!(["succeeded", 3, 0, 0, 1.0, null])
    );
    assert_eq!(
        json!([run["partial"], run["fresh"], run["model"]]),
        json!([true, false, "extractive@formwork"])
    );
    assert!(run["duration"].as_f64().unwrap() >= 0.0 && run["finished_timestamp"].is_string());
    assert!(run["usage"]["inputTokens"].as_u64().unwrap() > 0);
    let groups = run["groups"].as_array().unwrap();
    for (index, group) in groups.iter().enumerate() {
        assert_eq!(
            json!([group["group"], group["state"], group["attempts"], group["error"]]),
            json!([index, "succeeded", 1, null])
        );
        assert_eq!(group["documents"][0]["url"], (index + 1).to_string());
    }
    let kept = server.get(&format!("{PATH}?sid={}", accepted["sid"])).await.ok();
    let totals: Vec<&Value> = kept.as_array().unwrap().iter().map(|response| &response["total"]).collect();
    assert_eq!(totals, [1.0, 2.0, 3.0]);
}

#[tokio::test(flavor = "multi_thread")]
async fn the_preference_of_the_header_counts_unless_the_query_says_otherwise() {
    let (server, groups) = with_files(&["1.00"]).await;
    let start = async |query: &str, prefer: &str| {
        let call = server.request(Method::POST, &format!("{PATH}{query}")).header("prefer", prefer);
        call.json(&groups).send().await
    };
    let preferred = start("", "wait=5, Respond-Async").await;
    assert_eq!((preferred.status, preferred.header("preference-applied")), (202, "respond-async"));
    for (query, prefer, status) in
        [("?async=false", "respond-async", 200), ("", "return=minimal", 200), ("?async=1", "x", 202)]
    {
        let answer = start(query, prefer).await;
        assert_eq!((answer.status, answer.header("preference-applied")), (status, ""), "{query} {prefer}");
    }
    for flag in ["async", "fresh"] {
        let answer = server.post(&format!("{PATH}?{flag}=maybe"), groups.clone()).await;
        answer.fails_at(400, "validation_failed", &format!("?{flag}"));
    }
    // What cannot be started is refused at once, however it is wanted.
    server.post(&format!("{PATH}?async=true"), json!([])).await.fails(400, "validation_failed");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_named_start_is_accepted_again_with_the_same_answer_and_done_once() {
    let (server, groups) = with_files(&["1.00"]).await;
    let start = async || -> Answer {
        let call = server.request(Method::POST, &format!("{PATH}?async=true")).header("idempotency-key", "k");
        call.json(&groups).send().await
    };
    let first = start().await;
    over(&server, &first.accepted()["sid"]).await;
    let again = start().await;
    assert_eq!(again.accepted(), first.accepted());
    assert_eq!(again.header("location"), first.header("location"));
    assert_eq!((first.header("idempotency-replayed"), again.header("idempotency-replayed")), ("", "true"));
    assert_eq!(server.get(&format!("{PATH}/runs")).await.ok()["meta"]["total_items"], 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn runs_are_listed_newest_first_and_their_groups_in_pages() {
    let (server, groups) = with_files(&["1.00", "2.00", "3.00"]).await;
    let mut sids = Vec::new();
    for _ in 0..3 {
        sids.insert(0, server.post(PATH, groups.clone()).await.ok()["sid"].clone());
    }
    let page = async |query: &str| {
        let list = server.get(&format!("{PATH}/runs{query}")).await.ok();
        let sids: Vec<Value> =
            list["runs"].as_array().unwrap().iter().map(|run| run["sid"].clone()).collect();
        (sids, list["meta"].clone())
    };
    assert_eq!(page("").await.0, sids);
    let (first, meta) = page("?limit=2").await;
    assert_eq!(
        (first, &meta["total_items"], &meta["total_pages"]),
        (sids[..2].to_vec(), &json!(3), &json!(2))
    );
    let cursor = meta["next_cursor"].as_str().unwrap();
    assert_eq!(page(&format!("?limit=2&cursor={cursor}")).await.0, sids[2..]);
    assert_eq!(page("?limit=2&page=2").await.0, sids[2..]);
    for (query, place) in [("limit=0", "?limit"), ("page=0", "?page"), ("cursor=x", "?cursor")] {
        let answer = server.get(&format!("{PATH}/runs?{query}")).await;
        answer.fails_at(400, "validation_failed", place);
    }

    let run = format!("{}?limit=2&page=2", one(&sids[0]));
    let run = server.get(&run).await.ok();
    assert_eq!(json!([run["groups"].as_array().unwrap().len(), run["groups"][0]["group"]]), json!([1, 2]));
    assert_eq!(
        json!([run["meta"]["total_items"], run["meta"]["prev_page"], run["meta"]["next_page"]]),
        json!([3, 1, ""])
    );
    let beyond = server.get(&format!("{}?page=4294967295&limit=100", one(&sids[0]))).await.ok();
    assert_eq!(beyond["groups"], json!([]));
    server.get(&format!("{}?limit=101", one(&sids[0]))).await.fails_at(400, "validation_failed", "?limit");
}

#[tokio::test(flavor = "multi_thread")]
async fn runs_that_there_are_not_are_unknown_to_each_operation() {
    let (server, _) = with_files(&["1.00"]).await;
    let known = server.post(PATH, json!([[{"url": "1"}]])).await.ok()["sid"].to_string();
    server.agent("other", invoice_schema()).await;
    let foreign = format!("/v1/agent/other/workflow/delta/runs/{known}");
    let unknown = ["0", "-1", "01", "1.0", "x", "%00", "9007199254740992", "99999999999999999999"];
    let unknown = unknown.map(|sid| format!("{PATH}/runs/{sid}"));
    for path in unknown.iter().chain([&foreign]) {
        server.get(path).await.fails(404, "run_not_found");
        server.get(&format!("{path}/events")).await.fails(404, "run_not_found");
        server.delete(path).await.fails(404, "run_not_found");
        server.request(Method::POST, &format!("{path}/retry")).send().await.fails(404, "run_not_found");
    }
    server.get("/v1/agent/none/workflow/delta/runs").await.fails(404, "agent_not_found");
}

/// Settings of a server whose agents ask this vendor.
pub(crate) fn before(vendor: &Vendor) -> String {
    format!(
        "[limits]\nrun_concurrency = 2\n[models]\ndefault = \"m@openai\"\n[models.openai]\nkey = \"none\"\n\
         base_url = \"{}/v1\"\n",
        vendor.url()
    )
}

/// A server before a vendor of its own, and a run's groups.
async fn with_vendor(groups: usize) -> (Server, Vendor, Value) {
    let vendor = Vendor::start(Behaviour::default()).unwrap();
    let server = Server::with(&before(&vendor));
    let groups = papers(&server, groups).await;
    (server, vendor, groups)
}

/// Makes the agent `inv` and so many papers that the vendor knows, and gives the body that reads them in a
/// group each.
async fn papers(server: &Server, groups: usize) -> Value {
    server.agent("inv", delivery_note::schema()).await;
    let papers: Vec<String> = (0..groups).map(delivery_note::text).collect();
    let named: Vec<(&str, &str)> = papers.iter().map(|text| ("note.txt", text.as_str())).collect();
    let files = server.files(&named).await;
    files.iter().map(|file| json!([{"url": file["id"]}])).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_run_is_called_off_in_the_middle_and_done_to_its_end_later() {
    let vendor = Vendor::start(Behaviour::default()).unwrap();
    called_off(&Server::with(&before(&vendor)), &vendor).await;
}

/// A run that is called off and done again, on a fresh server before this vendor.
pub(crate) async fn called_off(server: &Server, vendor: &Vendor) {
    let groups = papers(server, 6).await;
    vendor.pause();
    let sid = server.post(&format!("{PATH}?async=true"), groups).await.accepted()["sid"].clone();
    vendor.until_called(2).await;
    let running = server.get(&one(&sid)).await.ok();
    let states: Vec<&Value> = running["groups"].as_array().unwrap().iter().map(|g| &g["state"]).collect();
    assert_eq!(states.iter().filter(|state| **state == "running").count(), 2, "{states:?}");
    server.request(Method::POST, &format!("{}/retry", one(&sid))).send().await.fails(409, "nothing_failed");

    let told = server.delete(&one(&sid)).await.ok();
    assert_eq!(told, json!({"status": "success", "message": format!("Run {sid} was cancelled.")}));
    let run = server.get(&one(&sid)).await.ok();
    assert_eq!(
        json!([run["state"], run["successful"], run["failed"], run["open"], run["error"]["class"]]),
        json!(["cancelled", 0, 6, 0, "cancelled"])
    );
    for group in run["groups"].as_array().unwrap() {
        assert_eq!(json!([group["state"], group["error"]["code"]]), json!(["failed", "run_cancelled"]));
    }
    server.delete(&one(&sid)).await.fails(409, "run_over");

    vendor.resume();
    let retried = server.request(Method::POST, &format!("{}/retry", one(&sid))).send().await;
    assert_eq!(retried.header("location"), one(&sid));
    assert_eq!(json!([retried.accepted()["state"], retried.accepted()["open"]]), json!(["running", 6]));
    let run = over(server, &sid).await;
    assert_eq!(json!([run["state"], run["successful"], run["error"]]), json!(["succeeded", 6, null]));
    let kept = server.get(&format!("{PATH}?sid={sid}")).await.ok();
    for (group, record) in kept.as_array().unwrap().iter().enumerate() {
        assert!(delivery_note::is_right(group, record), "{record}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn who_waits_for_a_run_that_is_called_off_is_told_so() {
    let (server, vendor, groups) = with_vendor(4).await;
    vendor.pause();
    let waiting = tokio::spawn(server.request(Method::POST, PATH).json(&groups).send());
    vendor.until_called(2).await;
    let sid = server.get(&format!("{PATH}/runs")).await.ok()["runs"][0]["sid"].clone();
    server.delete(&one(&sid)).await.ok();
    let answer = waiting.await.unwrap().ok();
    assert_eq!(json!([answer["results"], answer["meta"]["state"]]), json!([[], "cancelled"]));
    let failed = answer["failed"].as_array().unwrap();
    assert_eq!(failed.len(), 4);
    for (group, failure) in failed.iter().enumerate() {
        let error = &failure["error"];
        assert_eq!(
            json!([failure["group"], error["class"], error["code"]]),
            json!([group, "cancelled", "run_cancelled"])
        );
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_named_run_that_is_sent_again_while_it_is_worked_on_is_followed_to_its_end() {
    let (server, vendor, groups) = with_vendor(3).await;
    vendor.pause();
    let send = || server.request(Method::POST, PATH).header("idempotency-key", "k").json(&groups).send();
    let first = tokio::spawn(send());
    vendor.until_called(2).await;
    // Its head is there before the groups are done.
    let call = server.client.post(format!("{}{PATH}", server.url)).header("x-service-key", &server.key);
    let again = call.header("idempotency-key", "k").json(&groups).send().await.unwrap();
    assert_eq!(
        (again.status().as_u16(), &again.headers()["idempotency-replayed"]),
        (200, &"true".parse().unwrap())
    );
    vendor.resume();
    let first = first.await.unwrap().ok();
    assert_eq!(again.json::<Value>().await.unwrap(), first);
    assert_eq!((first["results"].as_array().unwrap().len(), vendor.calls()), (3, 3));
}

#[tokio::test(flavor = "multi_thread")]
async fn only_what_failed_is_done_again_once_its_document_is_there() {
    let (server, _) = with_files(&["1.00"]).await;
    // The second file is still to be uploaded.
    let answer = server.post(PATH, json!([[{"url": "1"}], [{"url": "2"}]])).await.ok();
    let (sid, failure) = (&answer["sid"], &answer["failed"][0]);
    assert_eq!(
        json!([failure["error"]["class"], failure["error"]["code"]]),
        json!(["fetch", "file_not_found"])
    );
    assert_eq!(answer["meta"]["state"], "partly_failed");
    let before = server.get(&format!("{PATH}?sid={sid}")).await.ok();
    assert_eq!(server.files(&[("b.txt", &invoice("N-2", "2.00"))]).await[0]["id"], 2);

    let retry = format!("{}/retry", one(sid));
    let retried = server.request(Method::POST, &retry).send().await.accepted();
    assert_eq!(json!([retried["state"], retried["successful"], retried["open"]]), json!(["running", 1, 1]));
    let run = over(&server, sid).await;
    assert_eq!(json!([run["state"], run["successful"], run["failed"]]), json!(["succeeded", 2, 0]));
    let kept = server.get(&format!("{PATH}?sid={sid}")).await.ok();
    assert_eq!(kept[0], before[0], "what was done stays as it was");
    assert_eq!(json!([kept[1]["total"], kept.as_array().unwrap().len()]), json!([2.0, 2]));
    server.request(Method::POST, &retry).send().await.fails(409, "nothing_failed");
    // As every request that spends, it can be named.
    let named = server.request(Method::POST, &retry).header("idempotency-key", "two words");
    named.send().await.fails(400, "invalid_idempotency_key");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_named_retry_with_a_body_over_the_limit_is_refused_and_one_sent_twice_is_done_once() {
    let server = Server::with("[limits]\njson_body_bytes = 2000");
    server.agent("inv", invoice_schema()).await;
    let sid = server.post(PATH, json!([[{"url": "1"}]])).await.ok()["sid"].clone();
    let retry = |name: &'static str| {
        server.request(Method::POST, &format!("{}/retry", one(&sid))).header("idempotency-key", name)
    };
    retry("large").body("application/json", "x".repeat(2_001)).send().await.fails(413, "body_too_large");
    let first = retry("k").send().await.accepted();
    assert_eq!(over(&server, &sid).await["state"], "failed");
    let again = retry("k").send().await;
    assert_eq!((again.accepted(), again.header("idempotency-replayed")), (first, "true"));
    assert_eq!(server.get(&one(&sid)).await.ok()["groups"][0]["attempts"], 1, "it was put back once");
}

#[tokio::test(flavor = "multi_thread")]
async fn identical_work_is_answered_from_the_store_under_new_ids_unless_it_is_to_be_fresh() {
    let (server, vendor, groups) = with_vendor(3).await;
    let run = async |query: &str| server.post(&format!("{PATH}{query}"), groups.clone()).await.ok();
    let kept = async |sid: &Value| server.get(&format!("{PATH}?meta=true&sid={sid}")).await.ok();
    let first = run("").await;
    let calls = vendor.calls();
    let again = run("").await;
    assert_eq!(vendor.calls(), calls, "nothing was asked again");
    assert_eq!(again["results"], first["results"]);
    assert_eq!(again["meta"]["usage"]["inputTokens"], 0);
    assert!(first["meta"]["usage"]["inputTokens"].as_u64().unwrap() > 0);
    let (originals, copies) = (kept(&first["sid"]).await, kept(&again["sid"]).await);
    for (original, copy) in originals.as_array().unwrap().iter().zip(copies.as_array().unwrap()) {
        assert_eq!(original["meta"]["reused_from"], Value::Null);
        assert_eq!(copy["meta"]["reused_from"], original["gid"]);
        assert_ne!(copy["gid"], original["gid"]);
    }
    let fresh = run("?fresh=true").await;
    assert_eq!((vendor.calls(), &fresh["results"]), (calls * 2, &first["results"]));
    assert_eq!(kept(&fresh["sid"]).await[0]["meta"]["reused_from"], Value::Null);
    assert_eq!(server.get(&one(&fresh["sid"])).await.ok()["fresh"], true);
}
