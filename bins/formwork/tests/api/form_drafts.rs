//! Drafts of forms, publication with and without an evaluation, and agents that stay with a version, over HTTP.

use reqwest::Method;
use serde_json::{Value, json};

use crate::evaluations::{evaluated, set_of};
use crate::kit::{Server, invoice, invoice_schema};

/// A form whose version 2 is a draft, and its path.
async fn with_draft(server: &Server, namespace: &str, draft: Value) -> (String, String) {
    let form = server.agent(namespace, invoice_schema()).await;
    let path = format!("/v1/form/{form}");
    let answer = server.put(&path, json!({"schema": draft, "draft": true})).await.ok();
    assert_eq!(answer["schema"].to_string(), invoice_schema().to_string());
    assert_eq!((&answer["version"], &answer["draft_version"]), (&json!(1), &json!(2)));
    (form, path)
}

fn renamed() -> Value {
    json!({"reference": {"type": "string", "aliases": ["Invoice No"]}, "total": {"type": "number"}})
}

/// A schema whose rule no bill of the samples fulfils.
fn worse() -> Value {
    json!({"invoice_number": {"type": "string", "pattern": "^Z"}, "total": {"type": "number"}})
}

#[tokio::test(flavor = "multi_thread")]
async fn a_draft_is_not_in_force_until_it_is_published_and_an_older_version_can_be_again() {
    let server = Server::start();
    let (_, path) = with_draft(&server, "inv", renamed()).await;
    assert_eq!(server.get(&path).await.ok()["draft_version"], 2);
    let versions = async || {
        let list = server.get(&format!("{path}/versions")).await.ok();
        let told = list["versions"]
            .as_array()
            .unwrap()
            .iter()
            .map(|one| format!("{} {}", one["version"], one["state"]));
        (told.collect::<Vec<_>>().join(", ").replace('"', ""), list["published_version"].clone())
    };
    assert_eq!(versions().await, ("2 draft, 1 published".to_owned(), json!(1)));
    let read = server.get(&format!("{path}/versions/2")).await.ok();
    assert_eq!((read["schema"].to_string(), &read["state"]), (renamed().to_string(), &json!("draft")));
    let file = server.files(&[("a.txt", &invoice("A-1", "5.00"))]).await.swap_remove(0);
    let run = server.delta("inv", "", &[&[&file["id"]]]).await;
    assert_eq!(run["results"][0]["invoice_number"], "A-1");
    let drafted = server.delta("inv", "?form_version=2", &[&[&file["id"]]]).await;
    assert_eq!(drafted["results"][0]["reference"], "A-1");

    let publish =
        async |version: u32| server.post(&format!("{path}/versions/{version}/publish"), json!({})).await;
    let form = publish(2).await.ok();
    assert_eq!(form, server.get(&path).await.ok());
    assert_eq!(form["schema"].to_string(), renamed().to_string());
    assert_eq!((&form["version"], &form["draft_version"]), (&Value::Null, &Value::Null));
    assert_eq!(publish(2).await.ok(), form, "it is in force");
    let run = server.delta("inv", "", &[&[&file["id"]]]).await;
    assert_eq!(run["results"][0]["reference"], "A-1");
    // An older version comes into force again, and the next change gets a number of its own.
    let back = publish(1).await.ok();
    assert_eq!((&back["version"], back["schema"].to_string()), (&json!(1), invoice_schema().to_string()));
    server.put(&path, json!({"schema": {"x": {"type": "date"}}})).await.ok();
    let all = "3 published, 2 published, 1 published".to_owned();
    assert_eq!(versions().await, (all, json!(3)));
    for version in ["0", "9", "x"] {
        let unknown = format!("{path}/versions/{version}/publish");
        server.post(&unknown, json!({})).await.fails(404, "form_version_not_found");
    }
    server.post("/v1/form/none/versions/1/publish", json!({})).await.fails(404, "form_not_found");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_draft_that_breaks_a_rule_is_not_stored_and_a_good_one_tells_its_slips() {
    let server = Server::start();
    let path = format!("/v1/form/{}", server.form(invoice_schema()).await);
    let before = server.get(&path).await.ok();
    for (body, place) in [
        (json!({"schema": {"a": {}}, "draft": true}), "/schema/a"),
        (json!({"title": "N", "schema": renamed(), "draft": true}), "/title"),
        (json!({"examples": [{"text": "t", "record": {"x": 1}}], "draft": true}), "/examples/0/record/x"),
        (json!({"schema": renamed(), "draft": "yes"}), "/draft"),
    ] {
        server.put(&path, body).await.fails_at(400, "validation_failed", place);
    }
    assert_eq!(server.get(&path).await.ok(), before);
    let slip = json!({"schema": {"a": {"type": "string", "requird": true}}, "draft": true});
    let answer = server.put(&path, slip).await.ok();
    assert_eq!(answer["warnings"][0]["path"], "/schema/a/requird", "{answer}");
    // A publication without a body, under a key that is used again.
    let publish = format!("{path}/versions/2/publish");
    let send = || server.request(Method::POST, &publish).header("idempotency-key", "once").send();
    let first = send().await.ok();
    server.put(&path, json!({"schema": renamed()})).await.ok();
    assert_eq!(send().await.ok(), first, "it is not done again");
    assert_eq!(server.get(&path).await.ok()["schema"].to_string(), renamed().to_string());
    let log = server.home.told(&["keys", "create", "--scope", "admin"]);
    let audit = server.request(Method::GET, "/v1/audit?limit=100").key(&log).send().await.ok();
    assert!(audit.to_string().contains("publish_form_version"), "{audit}");
}

#[tokio::test(flavor = "multi_thread")]
async fn an_agent_stays_with_its_version_in_batches_estimates_and_conversations() {
    let server = Server::start();
    let (form, path) = with_draft(&server, "inv", renamed()).await;
    let pinned = server.put("/v1/agent/inv", json!({"form_version": 2})).await.ok();
    assert_eq!(pinned["form_version"], 2);
    let file = server.files(&[("a.txt", &invoice("A-1", "5.00"))]).await.swap_remove(0);
    let run = server.delta("inv", "", &[&[&file["id"]]]).await;
    assert_eq!(run["results"][0]["reference"], "A-1", "{run}");
    let csv = server.get("/v1/agent/inv/workflow/delta?format=csv").await;
    assert!(csv.text().contains("sid,reference,total,"), "{}", csv.text());
    let groups = json!([[{"url": file["id"]}]]);
    let estimate = server.post("/v1/agent/inv/workflow/delta/estimate", groups).await.ok();
    assert_eq!(estimate["form_version"], 2);
    let overridden = server.delta("inv", "?form_version=1", &[&[&file["id"]]]).await;
    assert_eq!(overridden["results"][0]["invoice_number"], "A-1");
    let ask = json!({"message": "Invoice No: B-2", "response_format": "json"});
    let chat = server.post("/v1/agent/inv/chat", ask).await.ok();
    assert!(chat["record"].get("reference").is_some(), "{chat}");
    let guided = server.post("/v1/agent/inv/chat", json!({"message": "hello"})).await.ok();
    assert_eq!(guided["form"]["next"]["field"], "reference", "{guided}");
    let hello = json!({"threadId": "t", "runId": "r", "messages": [{"role": "user", "content": "hello"}]});
    let events = server.post("/v1/agent/inv/ag-ui", hello).await;
    assert!(events.text().to_lowercase().contains("reference"), "{}", events.text());
    // A conversation goes on when another version comes into force, and keeps what the new version has, too.
    let talk = |message: &str| json!({"message": message, "session_id": guided["session_id"]});
    server.post("/v1/agent/inv/chat", talk("B-7")).await.ok();
    let other = json!({"reference": {"type": "string"}, "day": {"type": "date"}});
    server.put(&path, json!({"schema": other})).await.ok();
    let still = server.post("/v1/agent/inv/chat", talk("what is next?")).await.ok();
    assert_eq!(
        (&still["form"]["values"]["reference"], &still["form"]["next"]["field"]),
        (&json!("B-7"), &json!("total"))
    );
    let following = server.put("/v1/agent/inv", json!({"form_version": null})).await.ok();
    assert_eq!(following["form_version"], Value::Null);
    let moved = server.post("/v1/agent/inv/chat", talk("what is next?")).await.ok();
    assert_eq!(
        (&moved["form"]["values"]["reference"], &moved["form"]["next"]["field"]),
        (&json!("B-7"), &json!("day"))
    );
    assert_eq!(following["form_id"], form);
}

#[tokio::test(flavor = "multi_thread")]
async fn an_unknown_version_is_refused_and_another_form_ends_the_stay() {
    let server = Server::start();
    let (form, _) = with_draft(&server, "inv", renamed()).await;
    let other = server.form(invoice_schema()).await;
    for (body, place) in [
        (json!({"form_version": 3}), "/form_version"),
        (json!({"form_version": 0}), "/form_version"),
        (json!({"form_version": "2"}), "/form_version"),
        (json!({"form_id": null, "form_version": 1}), "/form_version"),
        (json!({"form_id": other, "form_version": 2}), "/form_version"),
    ] {
        server.put("/v1/agent/inv", body).await.fails_at(400, "validation_failed", place);
    }
    let new = json!({"namespace": "b", "form_id": "none", "form_version": 1});
    server.post("/v1/agent", new).await.fails_at(400, "unknown_form", "/form_id");
    let alone = json!({"namespace": "b", "form_version": 1});
    server.post("/v1/agent", alone).await.fails_at(400, "validation_failed", "/form_version");
    let made = json!({"namespace": "b", "form_id": form, "form_version": 2});
    assert_eq!(server.post("/v1/agent", made).await.ok()["form_version"], 2);
    let renamed = server.put("/v1/agent/b", json!({"name": "N"})).await.ok();
    assert_eq!(renamed["form_version"], 2, "what is absent stays");
    let moved = server.put("/v1/agent/b", json!({"form_id": other})).await.ok();
    assert_eq!((&moved["form_id"], &moved["form_version"]), (&json!(other), &Value::Null));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_version_whose_evaluation_is_worse_is_not_published_and_the_fields_are_named() {
    let server = Server::start();
    let (form, path) = with_draft(&server, "inv", worse()).await;
    server.put(&path, json!({"schema": invoice_schema(), "draft": true})).await.ok();
    let texts: Vec<(String, String)> =
        (0..6).map(|n| (format!("{n}.txt"), invoice(&format!("A-{n}"), &format!("{n}5.00")))).collect();
    let named: Vec<(&str, &str)> = texts.iter().map(|(name, text)| (name.as_str(), text.as_str())).collect();
    let files = server.files(&named).await;
    let groups: Vec<(&Value, Value)> = files
        .iter()
        .enumerate()
        .map(|(n, file)| (&file["id"], json!({"invoice_number": format!("A-{n}")})))
        .collect();
    let set = set_of(&server, &form, &groups).await;
    let sid = async |version: u32| {
        let one = evaluated(&server, &set, json!({"namespace": "inv", "form_version": version})).await;
        one.rsplit('/').next().unwrap().parse::<i64>().unwrap()
    };
    let (bad, good) = (sid(2).await, sid(3).await);
    let publish = async |version: u32, body: Value| {
        server.post(&format!("{path}/versions/{version}/publish"), body).await
    };
    for (version, body, place) in [
        (2, json!({"evaluation": good}), "/evaluation"),
        (2, json!({"evaluation": 999}), "/evaluation"),
        (2, json!({"evaluation": bad}), "/base"),
        (2, json!({"evaluation": bad, "base": 999}), "/base"),
        (2, json!({"evaluation": bad, "minimum": 1.5}), "/minimum"),
        (2, json!({"minimum": 0.5}), "/evaluation"),
        (2, json!({"evaluation": "x"}), "/evaluation"),
    ] {
        publish(version, body).await.fails_at(400, "validation_failed", place);
    }
    publish(9, json!({"evaluation": bad})).await.fails(404, "form_version_not_found");
    // The version in force has an evaluation now.
    let first = sid(1).await;
    let refused = publish(2, json!({"evaluation": bad})).await.fails(409, "evaluation_gate_failed");
    let told = refused["errors"][0]["message"].as_str().unwrap();
    assert!(told.contains("'/invoice_number'") && told.contains("6 values became wrong"), "{refused}");
    let low = publish(2, json!({"evaluation": bad, "base": bad, "minimum": 0.5})).await;
    let low = low.fails(409, "evaluation_gate_failed");
    assert_eq!(low["errors"][0]["path"], "/minimum");
    assert_eq!(server.get(&path).await.ok()["version"], 1, "nothing was published");
    let passed = publish(3, json!({"evaluation": good, "base": first, "minimum": 1.0})).await.ok();
    assert_eq!(passed["version"], Value::Null);
    // An evaluation over another set is no base.
    let other = set_of(&server, &form, &groups[..1]).await;
    let one = evaluated(&server, &other, json!({"namespace": "inv"})).await;
    let elsewhere = one.rsplit('/').next().unwrap().parse::<i64>().unwrap();
    let body = json!({"evaluation": good, "base": elsewhere});
    publish(3, body).await.fails_at(400, "validation_failed", "/base");
}
