//! Notes that are refused, and ids that name none.

use reqwest::Method;
use serde_json::json;

use super::{count, delete, note, send, start};

#[tokio::test(flavor = "multi_thread")]
async fn what_is_wrong_with_a_note_is_told_with_its_place_and_nothing_is_stored() {
    let server = start().await;
    let id = note(&server, "agent", "a", "kept").await;
    let valid = json!({"content": "c", "role": "user", "resource": "agent", "resource_id": "a"});
    let deep = format!("{}{}", "[".repeat(127), "]".repeat(127));
    for (field, value) in [
        ("content", json!(1)),
        ("content", json!(null)),
        ("content", json!("x".repeat((1 << 20) + 1))),
        ("role", json!("robot")),
        ("role", json!("")),
        ("role", json!("User")),
        ("role", json!(["user"])),
        ("resource", json!("form")),
        ("resource", json!({})),
        ("resource_id", json!(1.5)),
        ("resource_id", json!([])),
        ("meta", json!("")),
        ("meta", json!("{")),
        ("meta", json!("{\"a\": \"\\ud800\"}")),
        ("meta", json!(1)),
        ("meta", json!([])),
        ("meta", json!(deep)),
    ] {
        let mut body = valid.clone();
        body[field] = value.clone();
        server.post("/v1/notes", body.clone()).await.fails_at(400, "validation_failed", &format!("/{field}"));
        if !field.starts_with("resource") {
            server.put(&format!("/v1/notes/{id}"), body).await.fails_at(
                400,
                "validation_failed",
                &format!("/{field}"),
            );
        }
    }
    for field in ["content", "role", "resource", "resource_id"] {
        let mut body = valid.clone();
        body.as_object_mut().unwrap().remove(field);
        let told = server.post("/v1/notes", body).await.fails(400, "validation_failed");
        assert_eq!(told["message"], format!("'{field}' is a required property"));
    }
    let all = json!({"content": "c", "role": "x", "resource": "y", "resource_id": "z", "meta": "-"});
    let told = server.post("/v1/notes", all).await.fails(400, "validation_failed");
    assert_eq!(told["errors"].as_array().unwrap().len(), 3, "{told}");
    for (resource, name, code) in [
        ("agent", "b", "agent_not_found"),
        ("agent", "\u{0}", "agent_not_found"),
        ("file", "1", "file_not_found"),
        ("file", "x", "file_not_found"),
        ("file", "99999999999999999999", "file_not_found"),
        ("knowledgebase", "k", "knowledge_base_not_found"),
    ] {
        let mut body = valid.clone();
        (body["resource"], body["resource_id"]) = (json!(resource), json!(name));
        server.post("/v1/notes", body).await.fails(404, code);
    }
    assert_eq!(count(&server, "agent", "a").await, 1);
    assert_eq!(server.get(&format!("/v1/notes/{id}")).await.ok()["content"], "kept");
    let longest = "x".repeat(1 << 20);
    let long = note(&server, "agent", "a", &longest).await;
    assert_eq!(server.get(&format!("/v1/notes/{long}")).await.ok()["content"], longest);
}

#[tokio::test(flavor = "multi_thread")]
async fn an_id_that_no_note_has_is_not_found() {
    let server = start().await;
    let id = note(&server, "agent", "a", "n").await;
    let change = json!({"content": "c", "role": "user"});
    for odd in ["0", "-1", "x", "1.0", "1e0", "%00", "9007199254740993", "99999999999999999999999", "%2B1"] {
        server.get(&format!("/v1/notes/{odd}")).await.fails(404, "note_not_found");
        server.put(&format!("/v1/notes/{odd}"), change.clone()).await.fails(404, "note_not_found");
    }
    server.get(&format!("/v1/notes/0{id}")).await.fails(404, "note_not_found");
    for (path, code) in
        [("agent/b", "agent_not_found"), ("file/0", "file_not_found"), ("file/%00", "file_not_found")]
    {
        server.get(&format!("/v1/notes/{path}")).await.fails(404, code);
        delete(&server, &format!("/v1/notes/{path}"), json!({"delete_all": true})).await.fails(404, code);
    }
    server.get("/v1/notes/form/a").await.fails_at(400, "validation_failed", "{resource}");
    delete(&server, "/v1/notes/form/a", json!({"delete_all": true})).await.fails_at(
        400,
        "validation_failed",
        "{resource}",
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn another_workspace_has_none_of_it_and_a_read_key_changes_nothing() {
    let server = start().await;
    let id = note(&server, "agent", "a", "mine").await;
    let path = format!("/v1/notes/{id}");
    let stranger = server.stranger();
    let read = server.home.told(&["keys", "create", "--scope", "read"]);
    let change = json!({"content": "stolen", "role": "user"});
    let all = json!({"delete_all": true});
    let new = json!({"content": "c", "role": "user", "resource": "agent", "resource_id": "a"});
    for (method, path, body, code) in [
        (Method::GET, path.as_str(), None, "note_not_found"),
        (Method::PUT, &path, Some(&change), "note_not_found"),
        (Method::GET, "/v1/notes/agent/a", None, "agent_not_found"),
        (Method::DELETE, "/v1/notes/agent/a", Some(&all), "agent_not_found"),
        (Method::POST, "/v1/notes", Some(&new), "agent_not_found"),
    ] {
        send(&server, method.clone(), path, &stranger, body).await.fails(404, code);
        let reading = send(&server, method.clone(), path, &read, body).await;
        if method == Method::GET {
            reading.ok();
        } else {
            reading.fails(403, "read_only_key");
        }
    }
    // Even where the other workspace has an agent of that name.
    send(&server, Method::POST, "/v1/agent", &stranger, Some(&json!({"namespace": "a"}))).await.ok();
    let values = json!({"values": [id]});
    let done = send(&server, Method::DELETE, "/v1/notes/agent/a", &stranger, Some(&values)).await.ok();
    assert!(done["message"].as_str().unwrap().starts_with("0 notes were deleted;"), "{done}");
    assert_eq!(server.get(&path).await.ok()["content"], "mine");
    assert_eq!(count(&server, "agent", "a").await, 1);
}
