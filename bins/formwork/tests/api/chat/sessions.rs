//! Stored conversations: listed, read, deleted.

use agents_core::chat::SessionRepository as _;
use reqwest::Method;
use serde_json::{Value, json};

use super::kit::{Conversations, turns};
use crate::kit::{Server, invoice_schema};

const PATH: &str = "/v1/agent/inv/sessions";

async fn with_agent() -> (Server, String, Conversations) {
    let server = Server::start();
    let form = server.agent("inv", invoice_schema()).await;
    let conversations = Conversations::of(&server, "inv");
    (server, form, conversations)
}

fn ids(page: &Value) -> Vec<&str> {
    page["sessions"].as_array().unwrap().iter().map(|row| row["id"].as_str().unwrap()).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_session_is_listed_and_read_with_its_messages_and_values() {
    let (server, form, conversations) = with_agent().await;
    let empty = server.get(PATH).await.ok();
    assert_eq!((&empty["sessions"], &empty["meta"]["total_items"]), (&json!([]), &json!(0)));
    conversations.submitted("session_1", "submission_1", json!({"total": 4, "due_date": null})).await;
    let shown = json!({
        "id": "session_1", "title": "Title of session_1", "status": "submitted", "form_id": form,
        "progress": {"filled": 1, "total": 3}, "taken_over_by": null, "turns": 4,
        "language": "en", "created_timestamp": "2023-11-14 22:13:20", "updated_timestamp": "2023-11-14 22:13:29",
        "userName": "Admin"
    });
    assert_eq!(server.get(PATH).await.ok()["sessions"], json!([shown]));
    let mut details = shown;
    let message = |role: &str, content: &str, second: u32| {
        json!({"number": second, "role": role, "content": content, "timestamp": format!("2023-11-14 22:13:2{second}"),
        "finishReason": null, "usage": null})
    };
    details["messages"] = json!([
        message("user", "hello", 1),
        message("assistant", "What is the total?", 2),
        message("user", "yes", 3),
        message("assistant", "It was sent.", 4)
    ]);
    details["form"] = json!({
        "status": "submitted", "values": {"invoice_number": null, "due_date": null, "total": 4}, "next": null,
        "missing": ["invoice_number", "due_date"], "errors": [], "complete": false,
        "progress": {"filled": 1, "total": 3}, "submission_id": null
    });
    details["sources"] = json!({});
    assert_eq!(server.get(&format!("{PATH}/session_1")).await.ok(), details);
    // An agent that has another form now, or none, leaves the values.
    server.put("/v1/agent/inv", json!({"form_id": null})).await.ok();
    let left = server.get(&format!("{PATH}/session_1")).await.ok();
    assert_eq!(left["form"]["values"], json!({"total": 4, "due_date": null}));

    server.post("/v1/agent", json!({"namespace": "talks"})).await.ok();
    let talks = Conversations::of(&server, "talks");
    let mut free = talks.session("session_2", 1, json!({}));
    free.form = None;
    talks.begin(&free).await;
    let free = server.get("/v1/agent/talks/sessions/session_2").await.ok();
    assert_eq!(
        (&free["status"], &free["form_id"], &free["form"]),
        (&Value::Null, &Value::Null, &Value::Null)
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn pages_of_sessions_are_newest_first_and_go_on_by_cursor_however_large_their_forms_are() {
    let (server, _, conversations) = with_agent().await;
    for n in 0..5_i64 {
        // Three of these are more than is read together.
        let session = conversations.session(&format!("s{n}"), n / 2, json!({"a": "x".repeat(400_000)}));
        conversations.begin(&session).await;
    }
    let first = server.get(&format!("{PATH}?limit=3")).await.ok();
    assert_eq!(ids(&first), ["s4", "s3", "s2"]);
    let meta = &first["meta"];
    assert_eq!(
        (&meta["current_page"], &meta["limit"], &meta["next_page"], &meta["prev_page"]),
        (&json!(1), &json!(3), &json!(2), &json!(""))
    );
    assert_eq!((&meta["total_items"], &meta["total_pages"]), (&json!(5), &json!(2)));
    conversations.begin(&conversations.session("later", 9, json!({}))).await;
    let cursor = meta["next_cursor"].as_str().unwrap();
    let rest = server.get(&format!("{PATH}?limit=3&cursor={cursor}")).await.ok();
    assert_eq!((ids(&rest), &rest["meta"]["next_cursor"]), (vec!["s1", "s0"], &json!("")));
    assert_eq!(ids(&server.get(&format!("{PATH}?limit=4&page=2")).await.ok()), ["s1", "s0"]);
    let whole = server.get(PATH).await.ok();
    assert_eq!((ids(&whole).len(), &whole["meta"]["limit"]), (6, &json!(50)));
}

#[tokio::test(flavor = "multi_thread")]
async fn of_a_long_conversation_the_last_messages_are_shown() {
    let (server, _, conversations) = with_agent().await;
    let session = conversations.session("session_1", 1, json!({}));
    let texts: Vec<String> = (1..=1_003).map(|n| n.to_string()).collect();
    let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
    conversations.stored.insert(&conversations.scope, &session, &turns(1, &texts), None).await.unwrap();
    let shown = server.get(&format!("{PATH}/session_1")).await.ok();
    let messages = shown["messages"].as_array().unwrap();
    let ends = (&messages[0]["content"], &messages[999]["content"]);
    assert_eq!((messages.len(), ends), (1_000, (&json!("4"), &json!("1003"))));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_session_goes_alone_or_with_all_others_and_what_was_submitted_stays() {
    let (server, _, conversations) = with_agent().await;
    server.agent("other", invoice_schema()).await;
    for n in 0..4 {
        conversations.submitted_at(&format!("s{n}"), &format!("r{n}"), n, json!({"total": n})).await;
    }
    let others = Conversations::of(&server, "other");
    others.begin(&others.session("theirs", 1, json!({}))).await;
    let one = format!("{PATH}/s1");
    assert_eq!(server.delete(&one).await.ok()["message"], "The session was deleted.");
    server.get(&one).await.fails(404, "session_not_found");
    server.delete(&one).await.fails(404, "session_not_found");
    assert_eq!(ids(&server.get(PATH).await.ok()), ["s3", "s2", "s0"]);
    assert_eq!(server.delete(PATH).await.ok()["message"], "3 sessions were deleted.");
    assert_eq!(server.delete(PATH).await.ok()["message"], "0 sessions were deleted.");
    assert_eq!(server.get(PATH).await.ok()["meta"]["total_items"], 0);
    assert_eq!(server.get("/v1/agent/inv/submissions").await.ok()["meta"]["total_items"], 4);
    assert_eq!(server.get("/v1/agent/other/sessions").await.ok()["meta"]["total_items"], 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn more_sessions_than_are_deleted_together_go_at_one_request() {
    let (server, _, conversations) = with_agent().await;
    for n in 0..101 {
        conversations.begin(&conversations.session(&format!("s{n}"), n, json!({}))).await;
    }
    assert_eq!(server.delete(PATH).await.ok()["message"], "101 sessions were deleted.");
    assert_eq!(server.get(PATH).await.ok()["meta"]["total_items"], 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn sessions_of_no_agent_of_another_one_and_of_odd_names_are_not_found() {
    let (server, _, conversations) = with_agent().await;
    server.agent("other", invoice_schema()).await;
    conversations.submitted("session_1", "submission_1", json!({})).await;
    for below in ["sessions", "sessions/session_1", "submissions", "submissions/submission_1"] {
        server.get(&format!("/v1/agent/nobody/{below}")).await.fails(404, "agent_not_found");
    }
    for below in ["sessions", "sessions/session_1", "submissions/submission_1"] {
        server.delete(&format!("/v1/agent/nobody/{below}")).await.fails(404, "agent_not_found");
    }
    for id in ["session_1", "none", "%00", "%FF", "..%2F", "'%20OR%201=1--"] {
        for method in [Method::GET, Method::DELETE] {
            let one =
                |of: &str, id: &str| server.request(method.clone(), &format!("/v1/agent/other/{of}/{id}"));
            one("sessions", id).send().await.fails(404, "session_not_found");
            let id = id.replace("session", "submission");
            one("submissions", &id).send().await.fails(404, "submission_not_found");
        }
    }
    server.get(&format!("{PATH}/session_1")).await.ok();
}

#[tokio::test(flavor = "multi_thread")]
async fn everything_goes_with_the_agent_and_outlasts_a_restart_and_a_new_name() {
    let (mut server, _, conversations) = with_agent().await;
    conversations.submitted("session_1", "submission_1", json!({"total": 4})).await;
    drop(conversations);
    let before = server.get(&format!("{PATH}/session_1")).await.ok();
    let home = server.kill();
    drop(server);
    let server = home.start();
    assert_eq!(server.get(&format!("{PATH}/session_1")).await.ok(), before);
    server.put("/v1/agent/inv", json!({"namespace": "renamed"})).await.ok();
    assert_eq!(server.get("/v1/agent/renamed/sessions/session_1").await.ok(), before);
    server.delete("/v1/agent/renamed").await.ok();
    server.agent("renamed", invoice_schema()).await;
    for list in ["sessions", "submissions"] {
        let rows = server.get(&format!("/v1/agent/renamed/{list}")).await.ok();
        assert_eq!(rows["meta"]["total_items"], 0, "{list}");
    }
}
