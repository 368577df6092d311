//! What is kept, as tables: read back by other readers than those that wrote them.

use std::io::Cursor;

use calamine::{Data, DataType as _, Reader as _, Xlsx};
use diesel::connection::SimpleConnection as _;
use diesel::{Connection as _, SqliteConnection};
use reqwest::Method;
use serde_json::{Value, json};

use crate::delta_runs::PATH;
use crate::kit::{Answer, Server, invoice, invoice_schema};

const LONG: &str = "lines [of]: a/very\\long * name?";

/// A form whose names are as hostile as its values will be.
fn hostile_schema() -> Value {
    let text = json!({"type": "string"});
    json!({
        "=name": text,
        "note": text,
        "when": {"type": "date"},
        "amount": {"type": "number"},
        "big": {"type": "integer"},
        "paid": {"type": "boolean"},
        "seller": {"type": "object", "properties": {"name": text, "a.b": text}},
        "tags": {"type": "array", "items": text},
        LONG: {"type": "array", "items": {"type": "object", "properties": {
            "item": text, "price": {"type": "number"}
        }}}
    })
}

fn hostile_record() -> Value {
    json!({
        "=name": "=HYPERLINK(\"http://x\",\"y\")",
        "note": "two\r\nlines, \"quoted\"; <b>&amp;</b>\u{1}",
        "when": "2026-03-04",
        "amount": -1234.5,
        "big": 9_007_199_254_740_993_i64,
        "paid": false,
        "seller": {"name": "+49 30 1", "a.b": "@SUM(A1)"},
        "tags": ["-1", "b"],
        LONG: [{"item": "=1+1", "price": 1.5}, {"item": "nul\u{0}", "price": null}]
    })
}

/// Changes the responses as they are stored.
fn store(server: &Server, set: &str) {
    let database = server.home.path("data/formwork.db");
    let mut database = SqliteConnection::establish(database.to_str().unwrap()).unwrap();
    database.batch_execute(&format!("PRAGMA busy_timeout = 10000; UPDATE responses SET {set}")).unwrap();
}

/// A server that keeps one response with this record; its id.
async fn keeping(schema: Value, record: &Value) -> (Server, Value) {
    let server = Server::start();
    server.agent("inv", schema).await;
    let file = server.files(&[("=a.txt", "Nothing of interest.\n")]).await.remove(0);
    server.delta("inv", "", &[&[&file["id"]]]).await;
    let patch = json!({"record": record}).to_string().replace('\'', "''");
    store(&server, &format!("content = json_patch(content, '{patch}')"));
    let gid = server.get(PATH).await.ok()[0]["gid"].clone();
    (server, gid)
}

fn disposition(answer: &Answer) -> (&str, &str) {
    (answer.header("content-type"), answer.header("content-disposition"))
}

/// The rows of comma-separated values, and the names above them.
fn rows(answer: &Answer) -> (Vec<String>, Vec<Vec<String>>) {
    let text = answer.text().strip_prefix('\u{feff}').expect("a mark for spreadsheets");
    let mut reader = csv::Reader::from_reader(text.as_bytes());
    let names = reader.headers().unwrap().iter().map(str::to_owned).collect();
    let rows = reader.records().map(|record| record.unwrap().iter().map(str::to_owned).collect());
    (names, rows.collect())
}

#[tokio::test(flavor = "multi_thread")]
async fn comma_separated_values_are_read_back_whole_and_none_of_them_is_a_formula() {
    let (server, gid) = keeping(hostile_schema(), &hostile_record()).await;
    let answer = server.get(&format!("{PATH}?format=csv&meta=true&context=true")).await;
    assert_eq!(
        disposition(&answer),
        ("text/csv; charset=utf-8", "attachment; filename=\"inv-responses.csv\"")
    );
    let (names, rows) = rows(&answer);
    let own = ["meta.files", "meta.generation_duration", "meta.scraping_duration", "meta.total_duration"];
    let before = ["gid", "sid", "'=name", "note", "when", "amount", "big", "paid"];
    let nested = ["seller.name", "seller.a.b", "tags", LONG];
    let expected: Vec<&str> = before
        .into_iter()
        .chain(nested)
        .chain(own)
        .chain(["meta.reused_from", "context", "form_version"])
        .collect();
    assert_eq!(names, expected);
    let row = &rows[0];
    assert_eq!((rows.len(), row[0].as_str()), (1, gid.as_str().unwrap()));
    assert_eq!(row[2], "'=HYPERLINK(\"http://x\",\"y\")");
    assert_eq!(row[3], "two\r\nlines, \"quoted\"; <b>&amp;</b>\u{1}");
    assert_eq!(row[4..8], ["2026-03-04", "-1234.5", "9007199254740993", "false"]);
    assert_eq!(row[8..11], ["+49 30 1", "'@SUM(A1)", "'-1; b"]);
    let lines: Value = serde_json::from_str(&row[11]).unwrap();
    assert_eq!(lines, hostile_record()[LONG]);
    assert_eq!(row[12], "'=a.txt");
    assert_eq!(row[row.len() - 2..], ["Nothing of interest.", "1"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn lines_of_json_are_the_objects_of_the_list() {
    let (server, _) = keeping(hostile_schema(), &hostile_record()).await;
    server.delta("inv", "", &[&[&json!("1")]]).await;
    let query = "meta=true&context=true&evidence=true";
    let listed = server.get(&format!("{PATH}?{query}")).await.ok();
    let answer = server.get(&format!("{PATH}?{query}&format=jsonl")).await;
    assert_eq!(disposition(&answer), ("application/jsonl", "attachment; filename=\"inv-responses.jsonl\""));
    assert!(answer.text().ends_with('\n'));
    for (format, coding) in [("jsonl", "gzip"), ("csv", "gzip"), ("xlsx", "")] {
        let call = server.request(Method::GET, &format!("{PATH}?format={format}"));
        let small = call.header("accept-encoding", "gzip").send().await;
        assert_eq!((small.status, small.header("content-encoding")), (200, coding), "{format}");
    }
    let lines: Vec<Value> = answer.text().lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!((lines.len(), json!(lines)), (2, listed));
}

fn book(answer: &Answer) -> Xlsx<Cursor<Vec<u8>>> {
    assert_eq!(answer.status, 200);
    Xlsx::new(Cursor::new(answer.body.to_vec())).unwrap()
}

fn sheet(book: &mut Xlsx<Cursor<Vec<u8>>>, name: &str) -> Vec<Vec<Data>> {
    let formulas = book.worksheet_formula(name).unwrap();
    assert!(formulas.cells().all(|(_, _, formula)| formula.is_empty()), "{name} has formulas");
    book.worksheet_range(name).unwrap().rows().map(<[Data]>::to_vec).collect()
}

fn texts(row: &[Data]) -> Vec<String> {
    row.iter().map(|cell| cell.as_string().unwrap_or_default()).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_workbook_has_typed_cells_and_a_sheet_for_each_list_of_objects() {
    let (server, gid) = keeping(hostile_schema(), &hostile_record()).await;
    let sid = server.get(PATH).await.ok()[0]["sid"].clone();
    let answer = server.get(&format!("{PATH}?format=xlsx&sid={sid}&evidence=true")).await;
    let media = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet";
    assert_eq!(disposition(&answer), (media, "attachment; filename=\"inv-1.xlsx\""));
    let mut book = book(&answer);
    let lines = "lines _of__ a_very_long _ name_";
    assert_eq!(book.sheet_names(), ["responses", lines, "evidence"]);

    let main = sheet(&mut book, "responses");
    let names = ["gid", "sid", "=name", "note", "when", "amount", "big", "paid"];
    assert_eq!(texts(&main[0])[..8], names);
    assert_eq!(texts(&main[0])[8..], ["seller.name", "seller.a.b", "tags", "form_version"]);
    let row = &main[1];
    assert_eq!((main.len(), row[0].get_string()), (2, gid.as_str()));
    assert_eq!(row[2], Data::String("=HYPERLINK(\"http://x\",\"y\")".to_owned()));
    let note = row[3].get_string().unwrap();
    assert!(note.contains("lines, \"quoted\"; <b>&amp;</b>"), "{note:?}");
    let day = row[4].get_datetime().expect("a date").to_ymd_hms_milli();
    assert_eq!((day.0, day.1, day.2), (2026, 3, 4));
    assert_eq!((row[5].get_float(), row[7].get_bool()), (Some(-1234.5), Some(false)));
    assert_eq!(row[6], Data::String("9007199254740993".to_owned()), "a double would not hold it");
    assert_eq!(texts(&row[8..11]), ["+49 30 1", "@SUM(A1)", "-1; b"]);

    let rows = sheet(&mut book, lines);
    assert_eq!(texts(&rows[0]), ["gid", &format!("{LONG}#"), "item", "price"]);
    assert_eq!((rows.len(), rows[1][0].get_string()), (3, gid.as_str()));
    assert_eq!(rows[1][2], Data::String("=1+1".to_owned()));
    assert_eq!((rows[1][3].get_float(), rows[2][1].get_float()), (Some(1.5), Some(2.0)));
    assert!(rows[2][2].get_string().unwrap().starts_with("nul"));
}

#[tokio::test(flavor = "multi_thread")]
async fn the_evidence_of_a_workbook_has_a_row_for_each_value() {
    let server = Server::start();
    server.agent("inv", invoice_schema()).await;
    let files = server.files(&[("a.txt", &invoice("A-1", "5.00")), ("b.txt", &invoice("B-1", "6.00"))]).await;
    server.delta("inv", "", &[&[&files[0]["id"]], &[&files[1]["id"]]]).await;
    let answer = server.get(&format!("{PATH}?format=xlsx&evidence=true&limit=1&page=2")).await;
    assert_eq!(answer.header("x-total-count"), "2");
    let mut book = book(&answer);
    let main = sheet(&mut book, "responses");
    assert_eq!((main.len(), main[1][2].get_string()), (2, Some("B-1")));
    let evidence = sheet(&mut book, "evidence");
    assert_eq!(evidence.len(), 3);
    let total = evidence.iter().find(|row| row[1].get_string() == Some("/total")).unwrap();
    assert_eq!((total[2].get_float(), total[3].get_string()), (Some(6.0), Some("b.txt")));
    assert_eq!((&main[1][0], total[4].get_string()), (&total[0], None), "a text has no pages");
    assert!(total[5].get_string().unwrap().contains("6.00") && total[9].get_float().unwrap() > 0.0);
}

#[tokio::test(flavor = "multi_thread")]
async fn columns_of_older_versions_and_former_forms_stay() {
    let server = Server::start();
    let form = server.agent("inv", invoice_schema()).await;
    let file = server.files(&[("a.txt", &invoice("A-1", "5.00"))]).await.remove(0);
    server.delta("inv", "", &[&[&file["id"]]]).await;
    let schema = json!({"total": {"type": "number"}, "seller": {"type": "string"}});
    server.put(&format!("/v1/form/{form}"), json!({"schema": schema})).await.ok();
    let second = server.delta("inv", "", &[&[&file["id"]]]).await;
    let (names, found) = rows(&server.get(&format!("{PATH}?format=csv")).await);
    assert_eq!(names, ["gid", "sid", "total", "seller", "invoice_number", "due_date", "form_version"]);
    let of_fields: Vec<&[String]> = found.iter().map(|row| &row[2..]).collect();
    assert_eq!(of_fields, [["5.0", "", "", "", "2"], ["5.0", "", "A-1", "", "1"]]);
    // One run has the columns of its version.
    let (names, _) = rows(&server.get(&format!("{PATH}?format=csv&sid={}", second["sid"])).await);
    assert_eq!(names, ["gid", "sid", "total", "seller", "form_version"]);

    // The form that the agent had is gone; what was filled in by it is not.
    let other = server.form(json!({"else": {"type": "string"}})).await;
    server.put("/v1/agent/inv", json!({"form_id": other})).await.ok();
    server.delete(&format!("/v1/form/{form}")).await.ok();
    let (names, found) = rows(&server.get(&format!("{PATH}?format=csv")).await);
    assert_eq!(names, ["gid", "sid", "else", "other", "form_version"]);
    let rest: Value = serde_json::from_str(&found[1][3]).unwrap();
    assert_eq!(rest, json!({"invoice_number": "A-1", "total": 5.0}));
}

#[tokio::test(flavor = "multi_thread")]
async fn an_agent_without_responses_gives_tables_with_names_alone() {
    let server = Server::start();
    server.agent("inv", invoice_schema()).await;
    let (names, found) = rows(&server.get(&format!("{PATH}?format=csv")).await);
    assert_eq!((names.len(), found.len()), (6, 0));
    assert_eq!(server.get(&format!("{PATH}?format=jsonl")).await.text(), "");
    let mut book = book(&server.get(&format!("{PATH}?format=xlsx")).await);
    assert_eq!(sheet(&mut book, "responses").len(), 1);
    for format in ["", "CSV", "xls", "json "] {
        let answer = server.get(&format!("{PATH}?format={}", format.replace(' ', "%20"))).await;
        answer.fails_at(400, "validation_failed", "?format");
    }
    server.get(&format!("{PATH}?format=xlsx&sid=9")).await.fails(404, "run_not_found");
    server.get(&format!("{PATH}?format=csv&page=2")).await.fails_at(400, "validation_failed", "?limit");
}

#[tokio::test(flavor = "multi_thread")]
async fn what_no_workbook_holds_is_refused_and_given_as_comma_separated_values() {
    let (server, _) = keeping(json!({"note": {"type": "string"}}), &json!({"note": "x"})).await;
    let megabytes = 33 << 20;
    store(
        &server,
        &format!("content = json_set(content, '$.record.note', printf('%.*c', {megabytes}, 'x'))"),
    );
    let told = server.get(&format!("{PATH}?format=xlsx")).await.fails(413, "export_too_large");
    assert!(told["message"].as_str().unwrap().contains("csv"), "{told}");
    let (_, found) = rows(&server.get(&format!("{PATH}?format=csv")).await);
    assert_eq!(found[0][2].len(), megabytes);
    // A text that fits into no cell is cut, and says so.
    store(&server, "content = json_set(content, '$.record.note', printf('%.*c', 40000, 'x'))");
    let mut book = book(&server.get(&format!("{PATH}?format=xlsx")).await);
    let note = sheet(&mut book, "responses")[1][2].as_string().unwrap();
    assert!(note.ends_with("x… [cut: 40000 characters]") && note.chars().count() == 32_767, "{}", note.len());
}
