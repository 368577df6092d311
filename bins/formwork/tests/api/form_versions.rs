//! Versions of forms over HTTP, on the real binary.
use reqwest::Method;
use serde_json::{Value, json};

use crate::kit::Server;

#[tokio::test(flavor = "multi_thread")]
async fn another_schema_makes_a_version_that_can_be_read_and_another_title_alone_does_not() {
    let server = Server::start();
    let schemas = [json!({"b": {"type": "string"}, "a": {"type": "number"}}), json!({"c": {"type": "date"}})];
    let made = server.post("/v1/form", json!({"title": "One", "schema": schemas[0]})).await.ok();
    let id = made["form_id"].as_str().unwrap();
    let path = format!("/v1/form/{id}");
    server.put(&path, json!({"title": "Two"})).await.ok();
    assert_eq!(server.get(&path).await.ok()["title"], "Two");
    // The same keys in another order are asked for in another order.
    server.put(&path, json!({"schema": schemas[1]})).await.ok();
    let before = server.get(&path).await.ok();
    server.put(&path, json!({"title": "Two", "schema": schemas[1]})).await.ok();
    assert_eq!(server.get(&path).await.ok(), before, "what changes nothing is not stored");
    server.put(&path, json!({"schema": {"x": {}}})).await.fails(400, "validation_failed");

    let list = server.get(&format!("{path}/versions")).await.ok();
    let titles: Vec<(u64, &str)> = list["versions"].as_array().unwrap().iter().map(title).collect();
    assert_eq!(titles, [(2, "Two"), (1, "One")]);
    assert_eq!((&list["meta"]["total_items"], &list["meta"]["limit"]), (&json!(2), &json!(50)));
    let page = server.get(&format!("{path}/versions?limit=1")).await.ok();
    let cursor = page["meta"]["next_cursor"].as_str().unwrap();
    let rest = server.get(&format!("{path}/versions?cursor={cursor}")).await.ok();
    assert_eq!(title(&rest["versions"][0]), (1, "One"));

    for (version, name, schema) in [(1, "One", &schemas[0]), (2, "Two", &schemas[1])] {
        let read = server.get(&format!("{path}/versions/{version}")).await.ok();
        assert_eq!(
            (&read["form_id"], &read["version"], &read["title"]),
            (&json!(id), &json!(version), &json!(name))
        );
        assert_eq!(read["schema"].to_string(), schema.to_string(), "keys keep their order");
    }
    for odd in ["0", "3", "-1", "+1", "01", "x", "1.0", "%00", "4294967296", "99999999999999999999"] {
        server.get(&format!("{path}/versions/{odd}")).await.fails(404, "form_version_not_found");
    }
    server.get("/v1/form/none/versions").await.fails(404, "form_not_found");
    server.get("/v1/form/none/versions/1").await.fails(404, "form_version_not_found");
    server.get(&format!("{path}/versions?limit=0")).await.fails_at(400, "validation_failed", "?limit");
}

fn title(version: &Value) -> (u64, &str) {
    (version["version"].as_u64().unwrap(), version["title"].as_str().unwrap())
}

#[tokio::test(flavor = "multi_thread")]
async fn versions_go_with_their_form_and_no_other_workspace_has_them() {
    let server = Server::start();
    let made = server.post("/v1/form", json!({"title": "T", "schema": {"a": {"type": "string"}}})).await.ok();
    let path = format!("/v1/form/{}", made["form_id"].as_str().unwrap());
    let (list, one) = (format!("{path}/versions"), format!("{path}/versions/1"));
    let stranger = server.stranger();
    server.request(Method::GET, &list).key(&stranger).send().await.fails(404, "form_not_found");
    server.request(Method::GET, &one).key(&stranger).send().await.fails(404, "form_version_not_found");
    server.get(&one).await.ok();
    server.delete(&path).await.ok();
    server.get(&list).await.fails(404, "form_not_found");
    server.get(&one).await.fails(404, "form_version_not_found");
}
