//! The list of the notes of a resource.

use serde_json::{Value, json};

use super::{file, keys, note, start};

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
