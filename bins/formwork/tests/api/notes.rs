//! Notes over HTTP, on the real binary.
use reqwest::Method;
use serde_json::{Value, json};

use crate::kit::{Answer, Server, corpus};

/// A fresh server with an agent called `a`.
async fn start() -> Server {
    let server = Server::start();
    server.post("/v1/agent", json!({"namespace": "a"})).await.ok();
    server
}

async fn send(server: &Server, method: Method, path: &str, key: &str, body: Option<&Value>) -> Answer {
    let call = server.request(method, path).key(key);
    if let Some(body) = body { call.json(body).send().await } else { call.send().await }
}

async fn delete(server: &Server, path: &str, body: Value) -> Answer {
    send(server, Method::DELETE, path, &server.key, Some(&body)).await
}

/// Uploads a file and gives its id as text.
async fn file(server: &Server) -> String {
    server.files(&[("a.txt", "x")]).await[0]["id"].to_string()
}

/// Adds a note and gives its id.
async fn note(server: &Server, resource: &str, id: &str, content: &str) -> String {
    let body = json!({"content": content, "role": "user", "resource": resource, "resource_id": id});
    server.post("/v1/notes", body).await.ok()["noteId"].as_str().unwrap().to_owned()
}

async fn count(server: &Server, resource: &str, id: &str) -> u64 {
    let list = server.get(&format!("/v1/notes/{resource}/{id}")).await.ok();
    list["meta"]["total_items"].as_u64().unwrap()
}

fn keys(value: &Value) -> Vec<&str> {
    value.as_object().unwrap().keys().map(String::as_str).collect()
}

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
        ("resource_id", json!(1)),
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
async fn a_list_is_cut_by_page_and_by_cursor_newest_first() {
    let server = start().await;
    let mut ids = Vec::new();
    for n in 0..23 {
        ids.insert(0, note(&server, "agent", "a", &n.to_string()).await);
    }
    note(&server, "file", &file(&server).await, "elsewhere").await;
    let of = |page: &Value| -> Vec<String> {
        let notes = page["notes"].as_array().unwrap().iter();
        notes.map(|note| note["noteId"].as_str().unwrap().to_owned()).collect()
    };
    let first = server.get("/v1/notes/agent/a").await.ok();
    assert_eq!(of(&first), ids[..10]);
    let meta = &first["meta"];
    assert_eq!(
        (&meta["total_items"], &meta["total_pages"], &meta["next_page"]),
        (&json!(23), &json!(3), &json!(2))
    );
    assert_eq!((&meta["prev_page"], &meta["page"]), (&json!(""), &json!(1)));
    let last = server.get("/v1/notes/agent/a?page=3").await.ok();
    assert_eq!((of(&last), &last["meta"]["next_cursor"]), (ids[20..].to_vec(), &json!("")));
    let mut seen = of(&first);
    let mut cursor = meta["next_cursor"].as_str().unwrap().to_owned();
    while !cursor.is_empty() {
        note(&server, "agent", "a", "late").await;
        let page = server.get(&format!("/v1/notes/agent/a?limit=4&cursor={cursor}")).await.ok();
        seen.extend(of(&page));
        cursor = page["meta"]["next_cursor"].as_str().unwrap().to_owned();
    }
    assert_eq!(seen, ids);
    for (query, place) in
        [("page=0", "?page"), ("limit=101", "?limit"), ("limit=x", "?limit"), ("cursor=x", "?cursor")]
    {
        server.get(&format!("/v1/notes/agent/a?{query}")).await.fails_at(400, "validation_failed", place);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_page_of_large_notes_is_whole_and_has_the_same_shape() {
    let server = start().await;
    let mut sent = Vec::new();
    for n in 0..7 {
        let content = format!("{n} \"{}", "ö\n".repeat(200_000));
        note(&server, "agent", "a", &content).await;
        sent.insert(0, content);
    }
    let of = |page: &Value| -> Vec<String> {
        let notes = page["notes"].as_array().unwrap().iter();
        notes.map(|note| note["content"].as_str().unwrap().to_owned()).collect()
    };
    let whole = server.get("/v1/notes/agent/a").await.ok();
    assert!(of(&whole) == sent, "contents differ");
    assert_eq!((&whole["meta"]["total_items"], &whole["meta"]["next_cursor"]), (&json!(7), &json!("")));
    let small = server.get("/v1/notes/agent/a?limit=1&page=7").await.ok();
    assert_eq!(keys(&whole["meta"]), keys(&small["meta"]));
    assert_eq!(keys(&whole["notes"][0]), keys(&small["notes"][0]));
    let first = server.get("/v1/notes/agent/a?limit=5").await.ok();
    let cursor = first["meta"]["next_cursor"].as_str().unwrap();
    let rest = server.get(&format!("/v1/notes/agent/a?limit=5&cursor={cursor}")).await.ok();
    assert!([of(&first), of(&rest)].concat() == sent, "contents differ");
    assert!(of(&server.get("/v1/notes/agent/a?limit=3&page=2").await.ok()) == sent[3..6], "contents differ");
}

#[tokio::test(flavor = "multi_thread")]
async fn notes_are_deleted_by_values_or_all_of_them() {
    let server = start().await;
    let file = file(&server).await;
    let path = "/v1/notes/agent/a";
    let mut ids = Vec::new();
    for _ in 0..4 {
        ids.push(note(&server, "agent", "a", "n").await);
    }
    let elsewhere = note(&server, "file", &file, "n").await;
    for (body, place) in [
        (json!({}), ""),
        (json!({"delete_all": false}), ""),
        (json!({"values": null, "delete_all": null}), ""),
        (json!({"values": []}), "/values"),
        (json!({"values": "1"}), "/values"),
        (json!({"values": [1, null]}), "/values/1"),
        (json!({"values": [1.5]}), "/values/0"),
        (json!({"values": [["1"]]}), "/values/0"),
        (json!({"delete_all": "true"}), "/delete_all"),
        (json!({"delete_all": 1}), "/delete_all"),
        (json!([true]), ""),
    ] {
        delete(&server, path, body).await.fails_at(400, "validation_failed", place);
    }
    assert_eq!(count(&server, "agent", "a").await, 4, "a refused deletion deleted something");

    let number: i64 = ids[0].parse().unwrap();
    let values = json!([number, ids[1], elsewhere, -1, "x", 1e30, "99999999999999999999", ids[1]]);
    let done = delete(&server, path, json!({"values": values})).await.ok();
    assert_eq!(keys(&done), ["status", "message"]);
    assert_eq!(
        done["message"],
        format!(
            "2 notes were deleted; not notes of this resource, and left alone: \
             {elsewhere}, -1, x, 1e+30, 99999999999999999999."
        )
    );
    server.get(&format!("/v1/notes/{}", ids[0])).await.fails(404, "note_not_found");
    assert_eq!(count(&server, "file", &file).await, 1);

    let done = delete(&server, path, json!({"values": [ids[2]], "delete_all": true})).await.ok();
    assert_eq!((&done["status"], &done["message"]), (&json!("success"), &json!("2 notes were deleted.")));
    assert_eq!(count(&server, "agent", "a").await, 0);
    let done = delete(&server, &format!("/v1/notes/file/{file}"), json!({"values": [elsewhere]})).await.ok();
    assert_eq!(done["message"], "1 note was deleted.");
    let done = delete(&server, path, json!({"delete_all": true})).await.ok();
    assert_eq!(done["message"], "0 notes were deleted.");
}

#[tokio::test(flavor = "multi_thread")]
async fn notes_follow_their_resource_and_go_with_it_for_good() {
    let mut server = start().await;
    let file = file(&server).await;
    let (on_agent, on_file) =
        (note(&server, "agent", "a", "n").await, note(&server, "file", &file, "n").await);
    server.put("/v1/agent/a", json!({"namespace": "b"})).await.ok();
    assert_eq!(server.get(&format!("/v1/notes/{on_agent}")).await.ok()["resource_id"], "b");
    assert_eq!(count(&server, "agent", "b").await, 1);
    server.post("/v1/agent", json!({"namespace": "a"})).await.ok();
    assert_eq!(count(&server, "agent", "a").await, 0);

    delete(&server, "/v1/agent/b", json!({})).await.ok();
    delete(&server, &format!("/v1/files/{file}"), json!({})).await.ok();
    // What was acknowledged holds although the server is killed.
    let server = server.kill().start();
    for id in [on_agent, on_file] {
        server.get(&format!("/v1/notes/{id}")).await.fails(404, "note_not_found");
    }
    server.get("/v1/notes/agent/b").await.fails(404, "agent_not_found");
    server.post("/v1/agent", json!({"namespace": "b"})).await.ok();
    assert_eq!(count(&server, "agent", "b").await, 0);
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

#[tokio::test(flavor = "multi_thread")]
async fn every_odd_text_comes_back_from_content_and_meta_as_it_was() {
    let Some(path) = corpus("hostile/naughty_strings.json") else { return };
    let server = start().await;
    let texts: Vec<String> = serde_json::from_slice(&std::fs::read(path).unwrap()).unwrap();
    assert!(texts.len() > 100);
    for text in &texts {
        let meta = json!({"text": text, text.as_str(): [text]});
        for sent in [meta.clone(), json!(meta.to_string())] {
            let body = json!({"content": text, "role": "user", "resource": "agent", "resource_id": "a", "meta": sent});
            let made = server.post("/v1/notes", body).await.ok();
            let note = server.get(&format!("/v1/notes/{}", made["noteId"].as_str().unwrap())).await.ok();
            assert_eq!((&note["content"], &note["meta"]), (&json!(text), &meta));
        }
        for (field, status) in [("resource_id", 404), ("resource", 400), ("role", 400)] {
            let mut body = json!({"content": "", "role": "user", "resource": "agent", "resource_id": "a"});
            body[field] = json!(text);
            assert_eq!(server.post("/v1/notes", body).await.status, status, "{field}: {text}");
        }
        delete(&server, "/v1/notes/agent/a", json!({"values": [format!("{text} ")]})).await.ok();
    }
    assert_eq!(count(&server, "agent", "a").await, 2 * texts.len() as u64);
    let listed = server.get("/v1/notes/agent/a?limit=1").await.ok();
    assert_eq!(listed["notes"][0]["content"], json!(texts.last().unwrap()));
}

#[tokio::test(flavor = "multi_thread")]
async fn no_json_however_odd_is_a_defect_as_a_body_or_as_a_meta() {
    let Some(folder) = corpus("hostile/json") else { return };
    let server = start().await;
    let id = note(&server, "agent", "a", "n").await;
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_str().unwrap().to_owned();
        let bytes = std::fs::read(&path).unwrap();
        for (method, path) in [
            (Method::POST, "/v1/notes".to_owned()),
            (Method::PUT, format!("/v1/notes/{id}")),
            (Method::DELETE, "/v1/notes/agent/a".to_owned()),
        ] {
            let answer = server.request(method, &path).body("application/json", bytes.clone()).send().await;
            assert_eq!(answer.status, 400, "{name}");
        }
        let Ok(text) = String::from_utf8(bytes) else { continue };
        let body =
            json!({"content": "", "role": "user", "resource": "agent", "resource_id": "a", "meta": text});
        let made = server.post("/v1/notes", body).await;
        match made.status {
            200 => {
                let path = format!("/v1/notes/{}", made.value()["noteId"].as_str().unwrap());
                assert!(server.get(&path).await.ok()["meta"].is_object(), "{name}");
                assert!(!name.starts_with("n_"), "{name}");
            }
            status => {
                assert_eq!((status, &made.value()["errors"][0]["path"]), (400, &json!("/meta")), "{name}");
                assert!(!name.starts_with("y_"), "{name}: {}", made.value());
            }
        }
        server.get("/v1/notes/agent/a?limit=100").await.ok();
    }
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
