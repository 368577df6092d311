//! Forms that were filled and confirmed: listed, read, deleted.

use serde_json::{Value, json};

use super::kit::Conversations;
use crate::kit::{Server, invoice_schema};

const PATH: &str = "/v1/agent/inv/submissions";

#[tokio::test(flavor = "multi_thread")]
async fn a_submission_is_listed_read_and_deleted_and_its_session_stays() {
    let server = Server::start();
    let form = server.agent("inv", invoice_schema()).await;
    let conversations = Conversations::of(&server, "inv");
    let record = json!({"total": 4.5, "invoice_number": null, "due_date": "2026-03-04"});
    conversations.submitted("session_1", "submission_1", record.clone()).await;
    conversations.submitted_at("session_2", "submission_2", 1, json!({"total": 5})).await;
    let shown = json!({
        "id": "submission_1", "session_id": "session_1", "form_id": form, "record": record,
        "created_timestamp": "2023-11-14 22:13:20", "userName": "Admin"
    });
    let one = format!("{PATH}/submission_1");
    let read = server.get(&one).await;
    assert_eq!(read.ok(), shown);
    let names: Vec<&str> = record.as_object().unwrap().keys().map(String::as_str).collect();
    let places: Vec<_> = names.iter().map(|name| read.text().find(*name).unwrap()).collect();
    assert!(places.is_sorted(), "values keep the order of the form");
    let list = server.get(PATH).await.ok();
    assert_eq!((&list["submissions"][1], &list["meta"]["total_items"]), (&shown, &json!(2)));
    assert_eq!(server.delete(&one).await.ok()["message"], "The submission was deleted.");
    server.get(&one).await.fails(404, "submission_not_found");
    server.delete(&one).await.fails(404, "submission_not_found");
    assert_eq!(server.get(PATH).await.ok()["meta"]["total_items"], 1);
    server.get("/v1/agent/inv/sessions/session_1").await.ok();
}

#[tokio::test(flavor = "multi_thread")]
async fn pages_of_submissions_are_whole_and_in_order_however_large_the_records_are() {
    let server = Server::start();
    server.agent("inv", invoice_schema()).await;
    let conversations = Conversations::of(&server, "inv");
    for n in 0..7_i64 {
        let bytes = if n == 3 { 3 << 20 } else { 300_000 };
        let record = json!({"invoice_number": "x".repeat(bytes), "total": n});
        conversations.submitted_at(&format!("s{n}"), &format!("r{n}"), n / 2, record).await;
    }
    let totals = |page: &Value| -> Vec<i64> {
        let rows = page["submissions"].as_array().unwrap();
        rows.iter().map(|row| row["record"]["total"].as_i64().unwrap()).collect()
    };
    let mut seen = Vec::new();
    let mut path = format!("{PATH}?limit=5");
    for expected in [vec![6, 5, 4, 3, 2], vec![1, 0]] {
        let page = server.get(&path).await.ok();
        assert_eq!((totals(&page), &page["meta"]["total_items"]), (expected.clone(), &json!(7)));
        seen.extend(expected);
        let cursor = page["meta"]["next_cursor"].as_str().unwrap();
        assert_eq!(cursor.is_empty(), seen.len() == 7);
        path = format!("{PATH}?limit=5&cursor={cursor}");
    }
    assert_eq!(totals(&server.get(&format!("{PATH}?limit=5&page=2")).await.ok()), [1, 0]);
    assert_eq!(totals(&server.get(PATH).await.ok()), [6, 5, 4, 3, 2, 1, 0]);
}
