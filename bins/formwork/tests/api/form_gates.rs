//! The gate that a form demands, and fields that a version drops.

use reqwest::Method;
use serde_json::{Value, json};

use crate::evaluations::{evaluated, set_of};
use crate::kit::{Server, invoice, invoice_schema};

/// A server with the agent `inv`, its form, a set over it, and a key of the owner.
async fn prepared() -> (Server, String, String, String) {
    let server = Server::start();
    let form = server.agent("inv", invoice_schema()).await;
    let texts: Vec<(String, String)> =
        (0..6).map(|n| (format!("{n}.txt"), invoice(&format!("A-{n}"), &format!("{n}5.00")))).collect();
    let named: Vec<(&str, &str)> = texts.iter().map(|(name, text)| (name.as_str(), text.as_str())).collect();
    let files = server.files(&named).await;
    let truth = |n: usize| json!({"invoice_number": format!("A-{n}"), "total": n * 10 + 5});
    let groups: Vec<(&Value, Value)> =
        files.iter().enumerate().map(|(n, file)| (&file["id"], truth(n))).collect();
    let set = set_of(&server, &form, &groups).await;
    let owner = server.home.told(&["keys", "create", "--scope", "admin"]);
    (server, form, set, owner)
}

async fn empty_set(server: &Server, form: &str) -> String {
    let set = json!({"name": "Empty", "form_id": form});
    server.post("/v1/evaluation_sets", set).await.ok()["id"].as_str().unwrap().to_owned()
}

async fn sid(server: &Server, set: &str, version: u32) -> i64 {
    let one = evaluated(server, set, json!({"namespace": "inv", "form_version": version})).await;
    one.rsplit('/').next().unwrap().parse().unwrap()
}

/// As the invoices' form, with another field.
fn with_note() -> Value {
    let mut schema = invoice_schema();
    schema["note"] = json!({"type": "string"});
    schema
}

#[tokio::test(flavor = "multi_thread")]
async fn a_form_with_a_gate_takes_no_version_without_a_passing_evaluation() {
    let (server, form, set, owner) = prepared().await;
    let path = format!("/v1/form/{form}");
    let gate = format!("{path}/gate");
    let by_owner = |method, body: Value| server.request(method, &gate).key(&owner).json(&body).send();
    let demanded = json!({"evaluation_set": set, "minimum": 0.9});
    server.put(&gate, demanded.clone()).await.fails(403, "admin_key_needed");
    for (body, place) in [
        (json!({"evaluation_set": "none", "minimum": 0.9}), "/evaluation_set"),
        (json!({"evaluation_set": set, "minimum": 1.5}), "/minimum"),
        (json!({"evaluation_set": set}), ""),
    ] {
        by_owner(Method::PUT, body).await.fails_at(400, "validation_failed", place);
    }
    let foreign = server.form(invoice_schema()).await;
    let other = empty_set(&server, &foreign).await;
    let of_other = json!({"evaluation_set": other, "minimum": 0.9});
    by_owner(Method::PUT, of_other).await.fails_at(400, "validation_failed", "/evaluation_set");
    assert_eq!(server.get(&path).await.ok().get("gate"), None);
    assert_eq!(by_owner(Method::PUT, demanded.clone()).await.ok()["gate"], demanded);
    assert_eq!(server.get(&path).await.ok()["gate"], demanded);

    // Nothing comes into force past the gate.
    server.put(&path, json!({"schema": with_note()})).await.fails(409, "form_gated");
    assert_eq!(server.put(&path, json!({"title": "T"})).await.ok()["title"], "T");
    server.put(&path, json!({"schema": with_note(), "draft": true})).await.ok();
    let publish = async |body: Value| server.post(&format!("{path}/versions/2/publish"), body).await;
    let refused = publish(json!({})).await.fails(409, "evaluation_gate_failed");
    assert!(refused["message"].as_str().unwrap().contains("no finished evaluation"), "{refused}");
    let elsewhere = empty_set(&server, &form).await;
    server
        .request(Method::PUT, &gate)
        .key(&owner)
        .json(&json!({"evaluation_set": elsewhere, "minimum": 0.9}))
        .send()
        .await
        .ok();
    let good = sid(&server, &set, 2).await;
    publish(json!({"evaluation": good})).await.fails(409, "evaluation_gate_failed");
    by_owner(Method::PUT, json!({"evaluation_set": set, "minimum": 1.0})).await.ok();
    assert_eq!(publish(json!({})).await.ok()["schema"].to_string(), with_note().to_string());
    // A version whose evaluation is too low, until the gate is gone.
    let low = json!({"invoice_number": {"type": "string", "pattern": "^Z"}, "total": {"type": "number"}, "due_date": {"type": "date"}, "note": {"type": "string"}});
    server.put(&path, json!({"schema": low, "draft": true})).await.ok();
    sid(&server, &set, 3).await;
    let publish = async || server.post(&format!("{path}/versions/3/publish"), json!({})).await;
    let refused = publish().await.fails(409, "evaluation_gate_failed");
    assert!(refused.to_string().contains("/minimum"), "{refused}");
    assert_eq!(server.request(Method::DELETE, &gate).key(&owner).send().await.ok().get("gate"), None);
    publish().await.ok();
    server
        .request(Method::DELETE, "/v1/form/none/gate")
        .key(&owner)
        .send()
        .await
        .fails(404, "form_not_found");
    let log = server.request(Method::GET, "/v1/audit?limit=100").key(&owner).send().await.ok().to_string();
    assert!(log.contains("set_form_gate") && log.contains("remove_form_gate"), "{log}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_field_that_a_version_drops_is_worse_unless_it_may_go() {
    let (server, form, set, _) = prepared().await;
    let path = format!("/v1/form/{form}");
    let renamed = json!({
        "reference": {"type": "string", "aliases": ["Invoice No", "Invoice number"]}, "due_date": {"type": "date"},
        "iban": {"type": "string"}
    });
    server.put(&path, json!({"schema": renamed, "draft": true})).await.ok();
    let (base, later) = (sid(&server, &set, 1).await, sid(&server, &set, 2).await);
    let one = format!("/v1/evaluation_sets/{set}/evaluations/{later}");
    let compared = server.get(&format!("{one}?base={base}")).await.ok()["comparison"].clone();
    assert_eq!(
        (&compared["dropped"], &compared["added"]),
        (&json!(["/total"]), &json!(["/iban"])),
        "{compared}"
    );
    assert_eq!(compared["renamed"], json!([{"from": "/invoice_number", "to": "/reference"}]));
    assert_eq!((&compared["worse"], &compared["is_worse"]), (&json!(6), &json!(true)), "{compared}");
    let values = server.get(&format!("{one}/values?base={base}")).await.ok();
    let told: Vec<String> = values["values"]
        .as_array()
        .unwrap()
        .iter()
        .map(|one| format!("{} {}", one["path"], one["outcome"]))
        .collect();
    assert_eq!(told, vec!["\"/total\" \"dropped\""; 6], "{values}");
    let publish = async |body: Value| server.post(&format!("{path}/versions/2/publish"), body).await;
    let refused = publish(json!({"evaluation": later})).await.fails(409, "evaluation_gate_failed");
    let paths: Vec<&Value> = refused["errors"].as_array().unwrap().iter().map(|one| &one["path"]).collect();
    assert!(paths.contains(&&json!("/may_drop")), "{refused}");
    let many = vec!["/x"; 1_001];
    publish(json!({"evaluation": later, "may_drop": many})).await.fails_at(
        400,
        "validation_failed",
        "/may_drop",
    );
    publish(json!({"evaluation": later, "may_drop": ["/note"]})).await.fails(409, "evaluation_gate_failed");
    publish(json!({"evaluation": later, "may_drop": ["/total"]})).await.ok();
}
