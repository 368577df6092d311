//! Lists: pages, neighbours, cursors, order, search.

use std::collections::HashSet;

use reqwest::Method;
use serde_json::{Value, json};

use crate::chat::kit::Conversations;
use crate::kit::Server;

async fn forms(server: &Server, titles: impl IntoIterator<Item = String>) -> Vec<String> {
    let mut ids = Vec::new();
    for title in titles {
        let body = json!({"title": title, "schema": {"a": {"type": "string"}}});
        ids.push(server.post("/v1/form", body).await.ok()["form_id"].as_str().unwrap().to_owned());
    }
    ids
}

fn ids(page: &Value) -> Vec<String> {
    let ids = page["forms"].as_array().unwrap().iter();
    ids.map(|form| form["form_id"].as_str().unwrap().to_owned()).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn pages_are_newest_first_and_name_their_neighbours() {
    let server = Server::start();
    let mut made = forms(&server, (0..5).map(|n| format!("Form {n}"))).await;
    made.reverse();
    let page = server.get("/v1/form?limit=2").await.ok();
    assert_eq!(ids(&page), made[..2]);
    let meta = &page["meta"];
    assert_eq!(
        (&meta["current_page"], &meta["limit"], &meta["next_page"], &meta["prev_page"]),
        (&json!(1), &json!(2), &json!(2), &json!(""))
    );
    assert_eq!((&meta["total_items"], &meta["total_pages"]), (&json!(5), &json!(3)));
    let second = server.get("/v1/form?limit=2&page=2").await.ok();
    assert_eq!(ids(&second), made[2..4]);
    assert_eq!((&second["meta"]["next_page"], &second["meta"]["prev_page"]), (&json!(3), &json!(1)));
    let last = server.get("/v1/form?limit=2&page=3").await.ok();
    assert_eq!(ids(&last), made[4..]);
    assert_eq!(
        (&last["meta"]["next_page"], &last["meta"]["prev_page"], &last["meta"]["next_cursor"]),
        (&json!(""), &json!(2), &json!(""))
    );
    let beyond = server.get("/v1/form?limit=2&page=9").await.ok();
    assert_eq!((ids(&beyond).len(), &beyond["meta"]["next_page"]), (0, &json!("")));
    assert_eq!(beyond["meta"]["prev_page"], "", "there is no page 8 either");
    let after = server.get("/v1/form?limit=2&page=4").await.ok();
    assert_eq!((ids(&after).len(), &after["meta"]["prev_page"]), (0, &json!(3)));
    let whole = server.get("/v1/form").await.ok();
    assert_eq!((ids(&whole), &whole["meta"]["limit"]), (made, &json!(50)));
    let item = whole["forms"][0].as_object().unwrap();
    let keys: Vec<&String> = item.keys().collect();
    assert_eq!(keys, ["form_id", "title", "created_timestamp", "updated_timestamp", "userName"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn an_empty_list_has_no_neighbours() {
    let server = Server::start();
    for (path, key) in [("/v1/form", "forms"), ("/v1/agent", "agents"), ("/v1/files", "files")] {
        let page = server.get(path).await.ok();
        assert_eq!(page[key], json!([]));
        let meta = &page["meta"];
        assert_eq!((&meta["next_page"], &meta["prev_page"]), (&json!(""), &json!("")), "{path}");
        assert_eq!(
            (&meta["total_items"], &meta["total_pages"], &meta["next_cursor"]),
            (&json!(0), &json!(0), &json!(""))
        );
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn files_name_their_neighbour_pages_as_text() {
    let server = Server::start();
    server.files(&[("a", "1"), ("b", "2"), ("c", "3")]).await;
    let page = server.get("/v1/files?limit=1&page=2").await.ok();
    assert_eq!(page["files"][0]["name"], "b");
    assert_eq!((&page["meta"]["next_page"], &page["meta"]["prev_page"]), (&json!("3"), &json!("1")));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_cursor_passes_every_row_once_whatever_is_added_or_deleted_meanwhile() {
    cursors(&Server::start()).await;
}

/// A list that changes while it is read by cursor.
pub(crate) async fn cursors(server: &Server) {
    let made: HashSet<String> =
        forms(server, (0..9).map(|n| format!("Form {n}"))).await.into_iter().collect();
    let mut seen = Vec::new();
    let mut path = "/v1/form?limit=2".to_owned();
    loop {
        let page = server.get(&path).await.ok();
        let found = ids(&page);
        seen.extend(found.clone());
        forms(server, ["late".to_owned()]).await;
        // Even the row that the cursor names may go.
        server.delete(&format!("/v1/form/{}", found.last().unwrap())).await.ok();
        let cursor = page["meta"]["next_cursor"].as_str().unwrap();
        if cursor.is_empty() {
            break;
        }
        path = format!("/v1/form?limit=2&cursor={cursor}");
    }
    assert_eq!(seen.len(), 9);
    assert_eq!(seen.into_iter().collect::<HashSet<_>>(), made);
}

#[tokio::test(flavor = "multi_thread")]
async fn pages_and_limits_out_of_range_are_refused() {
    let server = Server::start();
    server
        .post(
            "/v1/agent",
            json!({"namespace": "a", "form_id": server.form(json!({"a": {"type": "string"}})).await}),
        )
        .await
        .ok();
    for path in [
        "/v1/form",
        "/v1/agent",
        "/v1/files",
        "/v1/agent/a/workflow/delta",
        "/v1/agent/a/sessions",
        "/v1/agent/a/submissions",
    ] {
        for (query, place) in [
            ("page=0", "?page"),
            ("page=-1", "?page"),
            ("page=1.0", "?page"),
            ("page=1e0", "?page"),
            ("page=", "?page"),
            ("page=x", "?page"),
            ("page=4294967296", "?page"),
            ("page=99999999999999999999", "?page"),
            ("limit=0", "?limit"),
            ("limit=101", "?limit"),
            ("limit=-5", "?limit"),
            ("limit=%00", "?limit"),
            ("limit=9007199254740993", "?limit"),
        ] {
            server.get(&format!("{path}?{query}")).await.fails_at(400, "validation_failed", place);
        }
        for (query, rule) in [
            ("page=-1", "'page' must be 1 to 4294967295"),
            ("page=99999999999999999999", "'page' must be 1 to 4294967295"),
            ("limit=-99999999999999999999", "'limit' must be 1 to 100"),
            ("limit=1.0", "'limit' must be a whole number"),
            ("limit=-", "'limit' must be a whole number"),
        ] {
            let told = server.get(&format!("{path}?{query}")).await.fails(400, "validation_failed");
            assert_eq!(told["message"], rule, "{query}");
        }
        server.get(&format!("{path}?limit=100&page=1")).await.ok();
        server.get(&format!("{path}?limit=100&page=4294967295")).await.ok();
        server.get(&format!("{path}?unknown=%FF&limit=1")).await.ok();
    }
    for cursor in ["x", "!!", "%00", "OTk5OTk5OTk5OTk5OTk5OTk5OTk5OmE", "MTphAGI", ""] {
        for path in ["/v1/form", "/v1/agent", "/v1/files", "/v1/agent/a/sessions", "/v1/agent/a/submissions"]
        {
            server.get(&format!("{path}?cursor={cursor}")).await.fails_at(
                400,
                "validation_failed",
                "?cursor",
            );
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_cursor_is_taken_by_its_own_kind_of_list_alone() {
    let server = Server::start();
    let form = forms(&server, ["A".to_owned(), "B".to_owned()].into_iter()).await.remove(0);
    server.put(&format!("/v1/form/{form}"), json!({"schema": {"other": {"type": "string"}}})).await.ok();
    server.files(&[("a", "1"), ("b", "2")]).await;
    for namespace in ["a", "b"] {
        server.post("/v1/agent", json!({"namespace": namespace})).await.ok();
    }
    for content in ["1", "2"] {
        let note = json!({"content": content, "role": "user", "resource": "agent", "resource_id": "a"});
        server.post("/v1/notes", note).await.ok();
    }
    let conversations = Conversations::of(&server, "a");
    for id in ["1", "2"] {
        conversations.submitted(&format!("session_{id}"), &format!("submission_{id}"), json!({})).await;
    }
    let versions = format!("/v1/form/{form}/versions");
    let lists = [
        "/v1/form",
        "/v1/files",
        "/v1/agent",
        "/v1/notes/agent/a",
        "/v1/agent/a/sessions",
        "/v1/agent/a/submissions",
        &versions,
    ];
    for own in lists {
        let page = server.get(&format!("{own}?limit=1")).await.ok();
        let cursor = page["meta"]["next_cursor"].as_str().unwrap();
        for other in lists {
            let answer = server.get(&format!("{other}?limit=1&cursor={cursor}")).await;
            if other == own {
                assert_eq!(answer.ok()["meta"]["next_cursor"], "", "{own}");
            } else {
                answer.fails_at(400, "validation_failed", "?cursor");
            }
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn forms_are_found_by_a_part_of_their_title_whatever_the_case() {
    titles(&Server::start()).await;
}

/// Searches of titles.
pub(crate) async fn titles(server: &Server) {
    let titles = ["Invoice 100%", "invoice_b", "ÄRZTE Rechnung", "a\\b", "Receipt"];
    forms(server, titles.map(str::to_owned)).await;
    for (search, expected) in [
        ("INVOICE", vec!["invoice_b", "Invoice 100%"]),
        ("%25", vec!["Invoice 100%"]),
        ("_", vec!["invoice_b"]),
        ("%5C", vec!["a\\b"]),
        ("%C3%A4rzte", vec!["ÄRZTE Rechnung"]),
        ("'%20OR%201=1--", vec![]),
        ("nothing", vec![]),
    ] {
        let page = server.get(&format!("/v1/form?title={search}")).await.ok();
        let found: Vec<&str> =
            page["forms"].as_array().unwrap().iter().map(|form| form["title"].as_str().unwrap()).collect();
        assert_eq!(found, expected, "{search}");
        assert_eq!(page["meta"]["total_items"], expected.len(), "{search}");
    }
    let page = server.get("/v1/form?title=invoice&limit=1").await.ok();
    let cursor = page["meta"]["next_cursor"].as_str().unwrap();
    let next = server.get(&format!("/v1/form?title=invoice&limit=1&cursor={cursor}")).await.ok();
    assert_eq!(next["forms"][0]["title"], "Invoice 100%");
}

#[tokio::test(flavor = "multi_thread")]
async fn models_are_listed_and_cut_by_provider() {
    let server = Server::start();
    let answer = server.get("/v1/models").await;
    let models = answer.ok();
    assert_eq!(answer.header("x-total-count"), models.as_array().unwrap().len().to_string());
    assert_eq!(models[0]["modelId"], "extractive@formwork");
    assert_eq!(models[0]["type"], "text-to-text");
    let logo = models[0]["logo"].as_str().unwrap().strip_prefix(&server.url).unwrap();
    let drawn = server.request(Method::GET, logo).open().send().await;
    assert_eq!((drawn.status, drawn.header("content-type")), (200, "image/svg+xml"));
    server.request(Method::GET, "/logos/nobody.svg").open().send().await.fails(404, "not_found");
    assert_eq!(server.get("/v1/models?provider=formwork").await.ok(), models);
    assert_eq!(server.get("/v1/models?provider=openai").await.ok(), json!([]));
    server.get("/v1/models?provider=OpenAI").await.fails_at(400, "validation_failed", "?provider");
    server.get("/v1/models?provider=").await.fails_at(400, "validation_failed", "?provider");
}
