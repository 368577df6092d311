//! Forms: create, read, change, delete, check.

use reqwest::Method;
use serde_json::{Value, json};

use crate::kit::{Server, invoice_schema};

#[tokio::test(flavor = "multi_thread")]
async fn a_form_is_answered_exactly_as_it_was_sent_keys_in_their_order() {
    let server = Server::start();
    let text = r#"{"title": " Ö ", "schema": {"z": {"type": "string", "order": 2, "own": {"b": 1, "a": [null]}},
        "a": {"type": "email", "order": 1, "description": ""}, "~/ä": {"type": "boolean"},
        "opt": {"enum": ["", "x"], "type": "string", "order": 3}}, "unknown": [1]}"#;
    let sent: Value = serde_json::from_str(text).unwrap();
    let call = server.request(Method::POST, "/v1/form").body("application/json", text);
    let made = call.send().await.ok();
    assert_eq!(made["schema"].to_string(), sent["schema"].to_string());
    assert_eq!(made["title"], " Ö ");
    assert_eq!(made.as_object().unwrap().len(), 3, "{made}");
    let read = server.get(&format!("/v1/form/{}", made["form_id"].as_str().unwrap())).await.ok();
    assert_eq!(read.to_string(), made.to_string());
}

#[tokio::test(flavor = "multi_thread")]
async fn an_update_changes_what_is_given_and_leaves_the_rest() {
    let server = Server::start();
    let id = server.form(invoice_schema()).await;
    let path = format!("/v1/form/{id}");
    let renamed = server.put(&path, json!({"title": "New"})).await.ok();
    assert_eq!(renamed, json!({"form_id": id, "title": "New", "schema": invoice_schema()}));
    let other = json!({"a": {"type": "string"}});
    let changed = server.put(&path, json!({"schema": other})).await.ok();
    assert_eq!(changed, json!({"form_id": id, "title": "New", "schema": other}));
    assert_eq!(server.put(&path, json!({})).await.ok(), changed);
    // A form without title or schema does not exist, so null clears neither.
    assert_eq!(server.put(&path, json!({"title": null, "schema": null})).await.ok(), changed);
    server.put(&path, json!({"title": "", "schema": {"a": {}}})).await.fails_at(
        400,
        "validation_failed",
        "/title",
    );
    server.put(&path, json!({"title": "x", "schema": []})).await.fails_at(
        400,
        "validation_failed",
        "/schema",
    );
    server.put(&path, json!({"title": 1})).await.fails_at(400, "validation_failed", "/title");
    assert_eq!(server.get(&path).await.ok(), changed, "a refused change left something behind");
    server.put("/v1/form/none", json!({"title": "x"})).await.fails(404, "form_not_found");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_form_goes_when_no_agent_has_it_and_not_before() {
    let server = Server::start();
    let id = server.agent("first", invoice_schema()).await;
    server.post("/v1/agent", json!({"namespace": "second", "form_id": id})).await.ok();
    let path = format!("/v1/form/{id}");
    let refused = server.delete(&path).await.fails(409, "form_in_use");
    let message = refused["message"].as_str().unwrap();
    assert!(message.contains("'first'") && message.contains("'second'"), "{message}");
    server.delete("/v1/agent/first").await.ok();
    server.put("/v1/agent/second", json!({"form_id": null})).await.ok();
    let gone = server.delete(&path).await.ok();
    assert_eq!(gone["status"], "success");
    server.get(&path).await.fails(404, "form_not_found");
    server.delete(&path).await.fails(404, "form_not_found");
}

#[tokio::test(flavor = "multi_thread")]
async fn every_broken_rule_of_a_schema_is_told_with_its_place() {
    let server = Server::start();
    let schema = json!({
        "no_type": {"order": 1},
        "odd": {"type": "strnig"},
        "list": {"type": "array"},
        "deep": {"type": "object", "properties": {"x/y": {"type": 5}}},
        "choice": {"type": "string", "enum": ["a", 1]},
        "text": "string"
    });
    let form = server.post("/v1/form", json!({"title": "", "schema": schema})).await;
    let told = form.fails(400, "validation_failed");
    for place in [
        "/title",
        "/schema/no_type",
        "/schema/odd/type",
        "/schema/list",
        "/schema/deep/properties/x~1y/type",
        "/schema/choice/enum/1",
        "/schema/text",
    ] {
        form.fails_at(400, "validation_failed", place);
    }
    let missing = told["errors"].as_array().unwrap().iter().find(|e| e["path"] == "/schema/no_type").unwrap();
    assert_eq!(missing["message"], "'type' is a required property");
    let alone = server.post("/v1/utilities/schema_validator", schema).await;
    assert_eq!(
        alone.fails(400, "validation_failed")["errors"].as_array().unwrap().len(),
        told["errors"].as_array().unwrap().len() - 1
    );
    assert_eq!(server.post("/v1/utilities/schema_validator", invoice_schema()).await.ok(), json!(true));
    for no_schema in [json!([]), json!("x"), json!(null), json!(1)] {
        server.post("/v1/utilities/schema_validator", no_schema).await.fails(400, "validation_failed");
    }
    assert_eq!(server.get("/v1/form").await.ok()["meta"]["total_items"], 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_condition_is_kept_as_it_was_sent_and_refused_where_it_cannot_hold() {
    let server = Server::start();
    let with = |when: Value| {
        json!({"has_pet": {"type": "boolean"}, "kind": {"type": "string", "enum": ["cat", "dog"], "when": when},
            "name": {"type": "string", "when": {"has_pet": true, "kind": ["cat"]}}})
    };
    let schema = with(json!({"has_pet": true}));
    let made = server.post("/v1/form", json!({"title": "Pets", "schema": schema})).await.ok();
    assert_eq!(made["schema"].to_string(), schema.to_string());
    let path = format!("/v1/form/{}", made["form_id"].as_str().unwrap());
    for (when, place) in [
        (json!(true), "/schema/kind/when"),
        (json!({}), "/schema/kind/when"),
        (json!({"other": true}), "/schema/kind/when/other"),
        (json!({"kind": "cat"}), "/schema/kind/when/kind"),
        (json!({"has_pet": ["yes"]}), "/schema/kind/when/has_pet/0"),
        (json!({"name": "Tom"}), "/schema/kind/when"),
    ] {
        let schema = with(when);
        let form = json!({"title": "Pets", "schema": schema});
        server.post("/v1/form", form).await.fails_at(400, "validation_failed", place);
        server.put(&path, json!({"schema": schema})).await.fails_at(400, "validation_failed", place);
        let alone = server.post("/v1/utilities/schema_validator", schema).await;
        alone.fails_at(400, "validation_failed", place.trim_start_matches("/schema"));
    }
    assert_eq!(server.get(&path).await.ok(), made);
}

#[tokio::test(flavor = "multi_thread")]
async fn values_of_wrong_types_are_refused_with_the_pointer_of_the_field() {
    let server = Server::start();
    for (body, place) in [
        (json!({"schema": {}}), ""),
        (json!({"title": "x"}), ""),
        (json!({"title": null, "schema": {"a": {"type": "string"}}}), "/title"),
        (json!({"title": ["x"], "schema": {"a": {"type": "string"}}}), "/title"),
        (json!({"title": {"a": 1}, "schema": {"a": {"type": "string"}}}), "/title"),
        (json!({"title": "x", "schema": null}), "/schema"),
        (json!({"title": "x", "schema": "{}"}), "/schema"),
        (json!({"title": "x", "schema": [[]]}), "/schema"),
        (json!({"title": "x", "schema": {"a": {"type": "string", "order": 1.5}}}), "/schema/a/order"),
        (
            json!({"title": "x", "schema": {"a": {"type": "string", "description": 1}}}),
            "/schema/a/description",
        ),
        (json!({"title": "x", "schema": {"a": {"type": "string", "pattern": "("}}}), "/schema/a/pattern"),
        (json!({"title": "x".repeat(1 << 20), "schema": {"a": {"type": "string"}}}), "/title"),
        (json!({"title": "x", "schema": {"a".repeat(1 << 20): {"type": "string"}}}), "/schema"),
        (json!(["x", {}]), ""),
        (json!("x"), ""),
        (json!(null), ""),
    ] {
        let answer = server.post("/v1/form", body).await;
        let told = answer.fails(400, "validation_failed");
        let found = told["errors"][0]["path"].as_str().unwrap();
        assert!(
            found == place || (place == "/schema" && found.starts_with("/schema")),
            "{place}: {found:.100}"
        );
        // A mistake as long as the body is not sent back whole.
        assert!(answer.body.len() < 8_192, "{}", answer.body.len());
    }
}
