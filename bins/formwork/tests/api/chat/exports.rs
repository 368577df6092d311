//! Submissions as tables, read back by other readers than those that wrote them.

use calamine::{DataType as _, Reader as _, Xlsx};
use serde_json::{Value, json};

use super::kit::Conversations;
use crate::kit::{Answer, Server};

const PATH: &str = "/v1/agent/inv/submissions";

/// The rows of comma-separated values, the names of the columns first.
fn rows(answer: &Answer) -> Vec<Vec<String>> {
    assert_eq!(answer.status, 200, "{:?}", answer.body);
    let text = answer.text().strip_prefix('\u{feff}').expect("a mark for spreadsheets");
    let mut reader = csv::ReaderBuilder::new().has_headers(false).from_reader(text.as_bytes());
    reader.records().map(|record| record.unwrap().iter().map(str::to_owned).collect()).collect()
}

fn schema() -> Value {
    let text = json!({"type": "string"});
    json!({
        "=name": text,
        "id": text,
        "amount": {"type": "number"},
        "address": {"type": "object", "properties": {"city": text}},
        "lines": {"type": "array", "items": {"type": "object", "properties": {"item": text}}}
    })
}

#[tokio::test(flavor = "multi_thread")]
async fn all_submissions_are_read_back_from_a_table_and_none_of_them_is_a_formula() {
    let server = Server::start();
    server.agent("inv", schema()).await;
    let before =
        ["_id", "session_id", "created_timestamp", "'=name", "id", "amount", "address.city", "lines"];
    assert_eq!(rows(&server.get(&format!("{PATH}?format=csv")).await), [before]);
    let conversations = Conversations::of(&server, "inv");
    for n in 0..101_i64 {
        let record = json!({
            "=name": "=1+1", "id": "two\r\nlines", "amount": n, "address": {"city": "@a, \"b\""},
            "lines": [{"item": "-1"}]
        });
        conversations.submitted_at(&format!("s{n:03}"), &format!("r{n:03}"), n, record).await;
    }
    // The page is of no weight here.
    let answer = server.get(&format!("{PATH}?format=csv&limit=2")).await;
    assert_eq!(
        (answer.header("content-type"), answer.header("content-disposition")),
        ("text/csv; charset=utf-8", "attachment; filename=\"inv-submissions.csv\"")
    );
    let found = rows(&answer);
    assert_eq!((found.len(), found[0].as_slice()), (102, before.map(str::to_owned).as_slice()));
    let values = ["'=1+1", "two\r\nlines", "100", "'@a, \"b\"", "[{\"item\":\"-1\"}]"];
    assert_eq!(found[1][..2], ["r100", "s100"]);
    assert_eq!(found[1][2..], [&["2023-11-14 22:15:00"][..], &values].concat());
    assert_eq!(found[101][..3], ["r000", "s000", "2023-11-14 22:13:20"]);

    let lines = server.get(&format!("{PATH}?format=jsonl")).await;
    let lines: Vec<Value> = lines.text().lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!((lines.len(), &lines[0]), (101, &server.get(&format!("{PATH}/r100")).await.ok()));

    let book = server.get(&format!("{PATH}?format=xlsx")).await;
    let mut book = Xlsx::new(std::io::Cursor::new(book.body.to_vec())).unwrap();
    assert_eq!(book.sheet_names(), ["submissions", "lines"]);
    let sheet = book.worksheet_range("lines").unwrap();
    let last: Vec<&str> =
        sheet.rows().next_back().unwrap().iter().map(|cell| cell.get_string().unwrap_or("1")).collect();
    assert_eq!((sheet.height(), last), (102, vec!["r000", "1", "-1"]));
}

#[tokio::test(flavor = "multi_thread")]
async fn columns_that_only_older_versions_and_former_forms_had_come_behind() {
    let server = Server::start();
    let text = json!({"type": "string"});
    let first = server.agent("inv", json!({"old": text, "kept": text})).await;
    Conversations::of(&server, "inv").submitted("s0", "r0", json!({"old": "o", "kept": "k"})).await;
    let changed = json!({"schema": {"new": text, "kept": text}});
    server.put(&format!("/v1/form/{first}"), changed).await.ok();
    let own = ["id", "session_id", "created_timestamp"];
    let names = async || rows(&server.get(&format!("{PATH}?format=csv")).await).remove(0)[3..].to_vec();
    assert_eq!(names().await, ["new", "kept", "old"]);

    let second = server.form(json!({"other_form": text})).await;
    server.put("/v1/agent/inv", json!({"form_id": second})).await.ok();
    let conversations = Conversations::of(&server, "inv");
    conversations.submitted_at("s1", "r1", 1, json!({"other_form": "f"})).await;
    assert_eq!(names().await, ["other_form", "new", "kept", "old"]);
    // What no form knows any more is not lost.
    server.delete(&format!("/v1/form/{first}")).await.ok();
    let found = rows(&server.get(&format!("{PATH}?format=csv")).await);
    assert_eq!(found[0], [&own[..], &["other_form", "other"]].concat());
    assert_eq!(found[1][3..], ["f", ""]);
    assert_eq!(found[2][3..], ["", "{\"old\":\"o\",\"kept\":\"k\"}"]);
    // Nor where the agent has no form at all.
    server.put("/v1/agent/inv", json!({"form_id": null})).await.ok();
    assert_eq!(names().await, ["other_form", "other"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn formats_that_there_are_not_and_workbooks_that_are_too_large_are_refused() {
    let server = Server::start();
    server.agent("inv", schema()).await;
    for format in ["", "CSV", "xls", "json%20"] {
        server.get(&format!("{PATH}?format={format}")).await.fails_at(400, "validation_failed", "?format");
    }
    for format in ["csv", "xlsx", "jsonl"] {
        let path = format!("/v1/agent/nobody/submissions?format={format}");
        server.get(&path).await.fails(404, "agent_not_found");
        let path = format!("{PATH}?format={format}&limit=0");
        server.get(&path).await.fails_at(400, "validation_failed", "?limit");
    }
    let conversations = Conversations::of(&server, "inv");
    conversations.submitted("s", "r", json!({"id": "x".repeat(33 << 20)})).await;
    server.get(&format!("{PATH}?format=xlsx")).await.fails(413, "export_too_large");
    assert_eq!(rows(&server.get(&format!("{PATH}?format=csv")).await)[1][4].len(), 33 << 20);
}
