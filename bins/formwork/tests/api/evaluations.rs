//! Evaluation: sets with true records, scores of runs, and what changed between them.

use reqwest::Method;
use serde_json::{Value, json};

use crate::kit::{Home, Parts, Server, invoice, invoice_schema, settle};

/// A set of the form of `inv` with a group for each file and its record.
pub(crate) async fn set_of(server: &Server, form: &str, groups: &[(&Value, Value)]) -> String {
    let set = server.post("/v1/evaluation_sets", json!({"name": "Bills", "form_id": form})).await.ok();
    let id = set["id"].as_str().unwrap().to_owned();
    let group = |(file, record): &(&Value, Value)| json!({"documents": [{"url": file}], "record": record});
    let groups: Vec<Value> = groups.iter().map(group).collect();
    let added =
        server.post(&format!("/v1/evaluation_sets/{id}/groups"), json!({"groups": groups})).await.ok();
    assert_eq!(added["groups"], groups.len());
    id
}

/// Starts an evaluation, waits for its end, and returns its path.
pub(crate) async fn evaluated(server: &Server, set: &str, body: Value) -> String {
    let path = format!("/v1/evaluation_sets/{set}/evaluations");
    let begun = server.post(&path, body).await.ok();
    let one = format!("{path}/{}", begun["sid"]);
    settle("the evaluation", async || server.get(&one).await.ok()["state"] != "running").await;
    one
}

fn field<'a>(scores: &'a Value, name: &str) -> &'a Value {
    scores["fields"].as_array().unwrap().iter().find(|field| field["field"] == name).unwrap()
}

async fn scores_and_changes(home: Home) {
    let server = home.start();
    let form = server.agent("inv", invoice_schema()).await;
    let texts = [("a.txt", invoice("A-1", "5.00")), ("b.txt", invoice("B-2", "7.50"))];
    let files = server.files(&texts.each_ref().map(|(name, text)| (*name, text.as_str()))).await;
    let ids: Vec<&Value> = files.iter().map(|file| &file["id"]).collect();
    let truth = [
        (ids[0], json!({"invoice_number": "a-1", "total": 5, "due_date": null})),
        (ids[1], json!({"invoice_number": "B-2", "total": 8})),
        (&json!("999"), json!({"total": 1})),
    ];
    let set = set_of(&server, &form, &truth).await;
    let groups = server.get(&format!("/v1/evaluation_sets/{set}/groups?limit=2&page=2")).await.ok();
    assert_eq!((&groups["total"], &groups["groups"][0]["group"]), (&json!(3), &json!(2)));
    assert_eq!(groups["groups"][0]["record"], json!({"total": 1}));
    let one = evaluated(&server, &set, json!({"namespace": "inv"})).await;
    let scores = server.get(&one).await.ok();
    assert_eq!((&scores["groups"], &scores["failed"], &scores["whole"]), (&json!(3), &json!(1), &json!(1)));
    let total = field(&scores, "/total");
    let counts =
        ["values", "right", "wrong", "missing", "invented"].map(|name| total[name].as_u64().unwrap());
    assert_eq!(counts, [3, 1, 1, 1, 0]);
    assert_eq!(
        (&field(&scores, "/invoice_number")["right"], &field(&scores, "/due_date")["empty"]),
        (&json!(2), &json!(1))
    );
    let accuracy = scores["accuracy"]["value"].as_f64().unwrap();
    assert!((accuracy - 4.0 / 6.0).abs() < 1e-9 && scores["accuracy"]["low"].as_f64().unwrap() < accuracy);
    let values = server.get(&format!("{one}/values")).await.ok();
    let told: Vec<(&Value, &Value)> = values["values"]
        .as_array()
        .unwrap()
        .iter()
        .map(|value| (&value["group"], &value["outcome"]))
        .collect();
    assert_eq!(told, [(&json!(1), &json!("wrong")), (&json!(2), &json!("missing"))]);
    assert_eq!((&values["values"][0]["truth"], &values["values"][0]["value"]), (&json!(8), &json!(7.5)));
    // A second run that says the same has changed nothing, and neither is among the agent's responses.
    let two = evaluated(&server, &set, json!({"namespace": "inv"})).await;
    let base = one.rsplit('/').next().unwrap();
    let compared = server.get(&format!("{two}?base={base}")).await.ok();
    let same = json!({"better": 0, "worse": 0, "other": 0, "chance": 1.0, "is_worse": false});
    assert_eq!(compared["comparison"], same);
    assert_eq!(server.get(&format!("{two}/values?base={base}")).await.ok()["values"], json!([]));
    assert_eq!(server.get("/v1/agent/inv/workflow/delta").await.ok(), json!([]));
    let list = server.get(&format!("/v1/evaluation_sets/{set}/evaluations")).await.ok();
    assert_eq!(
        (&list["meta"]["total_items"], &list["evaluations"][1]["sid"].to_string()),
        (&json!(2), &base.to_owned())
    );
    server.delete(&format!("/v1/evaluation_sets/{set}")).await.ok();
    server.get(&one).await.fails(404, "evaluation_set_not_found");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_set_is_scored_by_field_and_two_runs_are_compared() {
    scores_and_changes(Home::new("")).await;
    if let Some(home) = Home::on_postgres() {
        scores_and_changes(home).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn groups_come_from_a_table_and_from_reviewed_runs() {
    let server = Server::start();
    let form = server.agent("inv", invoice_schema()).await;
    let file = server.files(&[("a.txt", &invoice("A-1", "5.00"))]).await.swap_remove(0);
    let new = json!({"name": "Bills", "form_id": form, "weights": {"/due_date": 0}});
    let set = server.post("/v1/evaluation_sets", new).await.ok()["id"].as_str().unwrap().to_owned();
    let path = format!("/v1/evaluation_sets/{set}/groups");
    let table = format!("documents,invoice_number,total\n{0},A-1,\"1,005.00\"\n{0},,\n", file["id"]);
    let upload = server.upload(Parts::new().file("truth.csv", table.as_bytes())).await.ok();
    let added = server.post(&path, json!({"file": upload[0]["id"]})).await.ok();
    assert_eq!(added["groups"], 2);
    let groups = server.get(&path).await.ok();
    assert_eq!(groups["groups"][0]["record"], json!({"invoice_number": "A-1", "total": 1005}));
    assert_eq!(groups["groups"][1]["record"], json!({"invoice_number": null, "total": null}));
    // A reviewed group is truth once everything queued is decided.
    let sid = server.delta("inv", "", &[&[&file["id"]]]).await["sid"].clone();
    let all = json!({"namespace": "inv", "sid": sid, "review": {"threshold": 1.0}});
    server.post("/v1/reviews", all).await.ok();
    let reviewed = json!({"namespace": "inv", "sid": sid});
    server.post(&path, reviewed.clone()).await.fails_at(400, "validation_failed", "/sid");
    let queue = server.get("/v1/reviews").await.ok();
    let decide = |review: &Value| match review["path"].as_str() {
        Some("/total") => json!({"review_id": review["id"], "action": "correct", "value": 6}),
        _ => json!({"review_id": review["id"], "action": "accept"}),
    };
    let decisions: Vec<Value> = queue["reviews"].as_array().unwrap().iter().map(decide).collect();
    server.post("/v1/reviews/decisions", json!({"decisions": decisions})).await.ok();
    assert_eq!(server.post(&path, reviewed).await.ok()["groups"], 3);
    let groups = server.get(&path).await.ok();
    assert_eq!(groups["groups"][2]["record"]["total"], 6);
    assert_eq!(groups["groups"][2]["documents"][0]["url"], file["id"].to_string());
}

#[tokio::test(flavor = "multi_thread")]
async fn groups_come_from_json_lines_and_broken_lines_are_named() {
    let server = Server::start();
    let form = server.agent("inv", invoice_schema()).await;
    let file = server.files(&[("a.txt", &invoice("A-1", "5.00"))]).await.swap_remove(0);
    let new = json!({"name": "Bills", "form_id": form});
    let set = server.post("/v1/evaluation_sets", new).await.ok()["id"].as_str().unwrap().to_owned();
    let path = format!("/v1/evaluation_sets/{set}/groups");
    let add = async |name: &str, content: &str| {
        let upload = server.upload(Parts::new().file(name, content.as_bytes())).await.ok();
        server.post(&path, json!({"file": upload[0]["id"]})).await
    };
    let group = |record: Value| json!({"documents": [{"url": file["id"]}], "record": record});
    let good = group(json!({"total": 5, "due_date": null}));
    let broken = [
        (format!("{good}\n\nnot JSON\n{good}"), "line 3: "),
        (format!("{good}\n{}", group(json!({"totl": 1}))), "line 2: the form has no field 'totl'"),
        (format!("{good}\n{}", json!({"documents": [], "record": {}})), "line 2: a group must have"),
        ("[]\n".to_owned(), "line 1: a line must be a JSON object"),
        (" \n".to_owned(), "the file has no groups"),
    ];
    for (content, told) in broken {
        let refused = add("truth.jsonl", &content).await.fails_at(400, "validation_failed", "/file");
        assert!(refused["errors"][0]["message"].as_str().unwrap().starts_with(told), "{refused}");
    }
    assert_eq!(server.get(&path).await.ok()["total"], 0, "nothing was stored");
    let added = add("truth.NDJSON", &format!("\u{feff}{good}\r\n{good}\n")).await.ok();
    assert_eq!(added["groups"], 2);
    let groups = server.get(&path).await.ok();
    assert_eq!(groups["groups"][1]["record"], json!({"total": 5, "due_date": null}));
    assert_eq!(groups["groups"][0]["documents"][0]["url"], file["id"].to_string());
    let one = evaluated(&server, &set, json!({"namespace": "inv"})).await;
    assert_eq!(server.get(&one).await.ok()["whole"], 2);
}

#[tokio::test(flavor = "multi_thread")]
async fn another_model_and_version_of_the_form_are_evaluated_beside_the_agents() {
    let server = Server::start();
    let form = server.agent("inv", invoice_schema()).await;
    let file = server.files(&[("a.txt", &invoice("A-1", "5.00"))]).await.swap_remove(0);
    let mut next = invoice_schema();
    next["total"] = json!({"type": "string"});
    server.put(&format!("/v1/form/{form}"), json!({"schema": next})).await.ok();
    let set = set_of(&server, &form, &[(&file["id"], json!({"total": 5}))]).await;
    let old = json!({"namespace": "inv", "form_version": 1});
    let scores = server.get(&evaluated(&server, &set, old).await).await.ok();
    assert_eq!((&scores["form_version"], &scores["accuracy"]["value"]), (&json!(1), &json!(1.0)));
    let path = format!("/v1/evaluation_sets/{set}/evaluations");
    server
        .post(&path, json!({"namespace": "inv", "form_version": 9}))
        .await
        .fails(404, "form_version_not_found");
    let unknown = json!({"namespace": "inv", "modelId": "m@nowhere"});
    server.post(&path, unknown).await.fails_at(400, "unknown_model", "/modelId");
}

#[tokio::test(flavor = "multi_thread")]
async fn what_breaks_a_rule_is_named_and_nothing_is_stored() {
    let server = Server::start();
    let form = server.agent("inv", invoice_schema()).await;
    let make = async |body: Value| server.post("/v1/evaluation_sets", body).await;
    make(json!({"name": " ", "form_id": form})).await.fails_at(400, "validation_failed", "/name");
    make(json!({"name": "n", "form_id": "form_x"})).await.fails(404, "form_not_found");
    let weights = json!({"name": "n", "form_id": form, "weights": {"/totl": 1}});
    make(weights).await.fails_at(400, "validation_failed", "/weights");
    let set = make(json!({"name": "n", "form_id": form})).await.ok()["id"].as_str().unwrap().to_owned();
    let groups = format!("/v1/evaluation_sets/{set}/groups");
    let add = async |body: Value| server.post(&groups, body).await;
    add(json!({})).await.fails(400, "validation_failed");
    add(json!({"groups": [{"documents": [], "record": {}}]})).await.fails_at(
        400,
        "validation_failed",
        "/groups/0/documents",
    );
    add(json!({"groups": [{"documents": [{"url": "1"}], "record": {"totl": 1}}]})).await.fails_at(
        400,
        "validation_failed",
        "/groups/0/record",
    );
    add(json!({"groups": [{"documents": [{"url": "1"}, {"url": "u".repeat(9_000)}], "record": {}}]}))
        .await
        .fails_at(400, "validation_failed", "/groups/0/documents/1/url");
    add(json!({"file": "999"})).await.fails_at(400, "validation_failed", "/file");
    add(json!({"namespace": "inv", "sid": 9})).await.fails(404, "run_not_found");
    let evaluations = format!("/v1/evaluation_sets/{set}/evaluations");
    server.post(&evaluations, json!({"namespace": "inv"})).await.fails(409, "evaluation_set_empty");
    server.get(&format!("{evaluations}/1")).await.fails(404, "evaluation_not_found");
    add(json!({"groups": [{"documents": [{"url": "1"}], "record": {"total": 1}}]})).await.ok();
    server.agent("other", json!({"a": {"type": "string"}})).await;
    server.post(&evaluations, json!({"namespace": "other"})).await.fails(400, "agent_has_another_form");
    server.delete("/v1/agent/inv").await.ok();
    let used = server.delete(&format!("/v1/form/{form}")).await.fails(409, "form_in_use");
    assert!(used["message"].as_str().unwrap().contains(&set), "{used}");
    server.get("/v1/evaluation_sets/set_x").await.fails(404, "evaluation_set_not_found");
    server.delete("/v1/evaluation_sets/set_x").await.fails(404, "evaluation_set_not_found");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_set_holds_ten_thousand_groups_and_a_repeated_request_adds_nothing() {
    let server = Server::start();
    let form = server.agent("inv", invoice_schema()).await;
    let file = server.files(&[("a.txt", &invoice("A-1", "5.00"))]).await.swap_remove(0);
    let sid = server.delta("inv", "", &[&[&file["id"]]]).await["sid"].clone();
    let send = async |path: &str, body: Value| {
        let call = server.request(Method::POST, path).header("idempotency-key", path.replace('/', "-"));
        call.json(&body).send().await
    };
    let set = send("/v1/evaluation_sets", json!({"name": "n", "form_id": form})).await.ok();
    let other = json!({"name": "other", "form_id": form});
    send("/v1/evaluation_sets", other).await.fails(409, "idempotency_key_reused");
    let path = format!("/v1/evaluation_sets/{}/groups", set["id"].as_str().unwrap());
    let group = json!({"documents": [{"url": "1"}], "record": {}});
    let all = json!({"groups": vec![&group; 10_000]});
    for _ in 0..2 {
        assert_eq!(send(&path, all.clone()).await.ok()["groups"], 10_000);
    }
    server.post(&path, json!({"groups": [group]})).await.fails(409, "evaluation_set_full");
    assert_eq!(server.get(&path).await.ok()["total"], 10_000);
    let queue = json!({"namespace": "inv", "sid": sid, "review": {"threshold": 1.0}});
    let queued = send("/v1/reviews", queue.clone()).await.ok();
    assert_eq!(send("/v1/reviews", queue).await.ok(), queued, "the repetition has the same answer");
    let none = json!({"namespace": "inv", "sid": sid});
    send("/v1/reviews", none).await.fails(409, "idempotency_key_reused");
}
