//! What a note holds, and how it is changed.

use serde_json::{Value, json};

use super::{file, keys, note, start};

#[tokio::test(flavor = "multi_thread")]
async fn a_note_is_added_read_listed_and_changed_in_the_shapes_of_the_interface() {
    let server = start().await;
    let file = file(&server).await;
    let body = json!({
        "content": "Looks good \u{0}\u{1f600}", "role": "assistant", "resource": "file", "resource_id": file,
        "meta": "{\"z\": 1, \"a\": [null]}"
    });
    let made = server.post("/v1/notes", body.clone()).await.ok();
    assert_eq!((keys(&made), &made["status"]), (vec!["status", "noteId"], &json!("success")));
    let id = made["noteId"].as_str().unwrap();
    assert!(id.parse::<i64>().unwrap() > 0);

    let path = format!("/v1/notes/{id}");
    let note = server.get(&path).await.ok();
    let fields = [
        "noteId",
        "content",
        "created_timestamp",
        "updated_timestamp",
        "resource",
        "resource_id",
        "role",
        "userEmail",
        "userName",
        "meta",
    ];
    assert_eq!(keys(&note), fields);
    for (field, value) in [
        ("noteId", json!(id)),
        ("content", body["content"].clone()),
        ("resource", json!("file")),
        ("resource_id", json!(file)),
        ("role", json!("assistant")),
        ("userEmail", json!("admin@localhost")),
        ("userName", json!("Admin")),
    ] {
        assert_eq!(note[field], value);
    }
    assert_eq!(note["meta"].to_string(), "{\"z\":1,\"a\":[null]}");
    let time = note["created_timestamp"].as_str().unwrap();
    assert!(time.len() == 19 && time.as_bytes()[10] == b' ', "{time}");

    let list = server.get(&format!("/v1/notes/file/{file}")).await.ok();
    assert_eq!(keys(&list["notes"][0]), ["noteId", "content", "created_timestamp", "meta", "role"]);
    assert_eq!((&list["meta"]["page"], &list["meta"]["limit"]), (&json!(1), &json!(10)));
    assert_eq!((&list["meta"]["total_items"], &list["meta"]["next_page"]), (&json!(1), &json!("")));

    let changed = server.put(&path, json!({"content": "Checked", "role": "system"})).await.ok();
    assert_eq!(keys(&changed), ["status", "message", "meta"]);
    assert_eq!((&changed["status"], &changed["meta"]), (&json!("success"), &note["meta"]));
    let changed = server.put(&path, json!({"content": "2", "role": "user", "meta": {"k": true}})).await.ok();
    assert_eq!(changed["meta"], json!({"k": true}));
    let read = server.get(&path).await.ok();
    assert_eq!(
        (&read["content"], &read["role"], &read["meta"]),
        (&json!("2"), &json!("user"), &json!({"k": true}))
    );
    assert_eq!(read["created_timestamp"], note["created_timestamp"]);
}

#[test]
fn the_description_says_what_must_be_given_and_what_may() {
    let document = formwork::http::openapi::document();
    for (body, required) in [
        ("CreateNote", json!(["content", "role", "resource", "resource_id"])),
        ("UpdateNote", json!(["content", "role"])),
        ("DeleteNotes", Value::Null),
        ("UpdateForm", Value::Null),
    ] {
        assert_eq!(document["components"]["schemas"][body]["required"], required, "{body}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_meta_comes_back_as_an_object_however_it_was_sent() {
    let server = start().await;
    for (sent, wanted) in [
        (json!(null), json!({})),
        (json!({"a": {"b": 1}}), json!({"a": {"b": 1}})),
        (json!("{}"), json!({})),
        (json!("[1]"), json!({"value": [1]})),
        (json!("\"x\""), json!({"value": "x"})),
        (json!("null"), json!({"value": null})),
        (json!("{\"\\u0000\": \"\\ud83d\\ude00\"}"), json!({"\u{0}": "\u{1f600}"})),
    ] {
        let body =
            json!({"content": "", "role": "user", "resource": "agent", "resource_id": "a", "meta": sent});
        let made = server.post("/v1/notes", body).await.ok();
        let path = format!("/v1/notes/{}", made["noteId"].as_str().unwrap());
        assert_eq!(server.get(&path).await.ok()["meta"], wanted, "{sent}");
    }
    let bare = note(&server, "agent", "a", "bare").await;
    assert_eq!(server.get(&format!("/v1/notes/{bare}")).await.ok()["meta"], json!({}));
}

#[tokio::test(flavor = "multi_thread")]
async fn whoever_changes_a_note_last_wins_and_nobody_is_turned_away() {
    let server = start().await;
    let path = format!("/v1/notes/{}", note(&server, "agent", "a", "first").await);
    let change = async |n: u32| {
        let body = json!({"content": n.to_string(), "role": "user", "meta": {"n": n}});
        server.put(&path, body).await.ok()
    };
    for (n, changed) in futures_util::future::join_all((0..64).map(change)).await.iter().enumerate() {
        assert_eq!(changed["meta"], json!({"n": n}), "each is answered with what it stored");
    }
    let note = server.get(&path).await.ok();
    assert_eq!(note["content"], note["meta"]["n"].to_string(), "content and meta are of one change");
}
