//! Responses of several versions of a form, in one table and in many.

use forms_core::table::{Cell, ListLayout};
use forms_core::{Evidence, FormSchema, Support};
use serde_json::{Value, json};
use shared_core::{Author, Timestamp, UserId};

use super::{ExportExtras, ExportLayout};
use crate::review::{ReviewEntry, ReviewState, ReviewedValue};
use crate::{Response, RunId, SourceDocument, StoredResponse};

fn form(schema: Value) -> FormSchema {
    FormSchema::parse(schema.as_object().unwrap()).unwrap()
}

fn response(record: Value) -> StoredResponse {
    let source = |name: &str| SourceDocument {
        name: name.to_owned(),
        sha256: String::new(),
        parser_version: 1,
        named: None,
        unread: Vec::new(),
        unseen: Vec::new(),
        pages: None,
        unit: None,
    };
    let evidence = Evidence {
        document: Some("a.pdf".to_owned()),
        page: Some(2),
        quote: Some("nine".to_owned()),
        start: Some(4),
        end: Some(8),
        ..Evidence::without_place(Support::Fuzzy, 0.9)
    };
    let response = Response {
        gid: "resp_1".to_owned(),
        record: record.as_object().unwrap().clone(),
        evidence: [("/lines/1/amount".to_owned(), evidence)].into_iter().collect(),
        conflicts: Vec::new(),
        errors: Vec::new(),
        sources: vec![source("a.pdf"), source("b.pdf")],
        generation_duration: 0.5,
        scraping_duration: 0.25,
        total_duration: 1.0,
        created: Timestamp::from_micros(0).unwrap(),
        reused_from: None,
        class: None,
        reviews: indexmap::IndexMap::new(),
    };
    StoredResponse { sid: RunId(7), index: 0, form_version: 3, response }
}

/// The tables with their rows, as readable text.
fn shown(layout: &ExportLayout, responses: &[StoredResponse]) -> Vec<String> {
    let mut shown: Vec<String> = layout
        .tables()
        .iter()
        .map(|table| format!("{}: {}", table.name, table.columns.join(" | ")))
        .collect();
    for row in responses.iter().flat_map(|response| layout.rows(response, Some("text".to_owned()))) {
        assert_eq!(row.cells.len(), layout.tables()[row.table].columns.len());
        let cell = |cell: &Cell| match cell {
            Cell::Empty => String::new(),
            Cell::Text(text) => text.clone(),
            Cell::Number(number) => format!("{number}n"),
            Cell::Boolean(yes) => format!("{yes}?"),
            Cell::Date(day) => format!("{day}d"),
        };
        let cells: Vec<String> = row.cells.iter().map(cell).collect();
        shown[row.table].push_str(&format!("\n{}", cells.join(" | ")));
    }
    shown
}

fn invoice() -> Value {
    let amount = json!({"type": "number"});
    json!({
        "day": {"type": "date"},
        "paid": {"type": "boolean"},
        "seller": {"type": "object", "properties": {"name": {"type": "string"}, "vat": {"type": "string"}}},
        "tags": {"type": "array", "items": {"type": "string"}},
        "lines": {"type": "array", "items": {"type": "object", "properties": {
            "amount": amount,
            "taxes": {"type": "array", "items": {"type": "object", "properties": {"rate": amount}}}
        }}}
    })
}

fn filled() -> StoredResponse {
    response(json!({
        "day": "2026-03-04", "paid": true, "seller": {"name": "Ada", "vat": null}, "tags": ["a", "b", 3],
        "lines": [{"amount": 1.5, "taxes": [{"rate": 7}, {"rate": 19}]}, {"amount": 9, "taxes": []}]
    }))
}

#[test]
fn one_table_has_dotted_columns_joined_lists_and_lists_of_objects_as_json() {
    let layout = ExportLayout::new(&[form(invoice())], true, ListLayout::Flat, ExportExtras::default());
    let empty = response(json!({"day": "soon", "paid": null, "seller": null, "tags": [], "lines": []}));
    assert_eq!(
        shown(&layout, &[filled(), empty]),
        ["responses: gid | sid | day | paid | seller.name | seller.vat | tags | lines | form_version\n\
          resp_1 | 7n | 2026-03-04d | true? | Ada |  | a; b; 3 | \
          [{\"amount\":1.5,\"taxes\":[{\"rate\":7},{\"rate\":19}]},{\"amount\":9,\"taxes\":[]}] | 3n\n\
          resp_1 | 7n | soon |  |  |  |  |  | 3n"]
    );
}

#[test]
fn lists_of_objects_have_tables_of_their_own_whose_rows_say_whose_they_are() {
    let extras = ExportExtras { context: true, meta: true, evidence: true, reviews: true, form_id: false };
    let layout = ExportLayout::new(&[form(invoice())], true, ListLayout::Split, extras);
    let mut reviewed = filled();
    let author = Author { id: UserId("u".to_owned()), name: "Ada".to_owned(), email: "a@b.c".to_owned() };
    let time = Timestamp::from_micros(0).unwrap();
    let (before, after, note) = (json!(7), json!(9), "smudged".to_owned());
    let step = ReviewEntry {
        action: "correct".to_owned(),
        before,
        after,
        evidence: None,
        member_evidence: indexmap::IndexMap::new(),
        note,
        author,
        time,
    };
    let value = ReviewedValue { state: ReviewState::Corrected, extracted: json!(7), history: vec![step] };
    reviewed.response.reviews.insert("/lines/1/amount".to_owned(), value);
    let flat = ExportExtras { reviews: true, ..ExportExtras::default() };
    let flat =
        shown(&ExportLayout::new(&[form(invoice())], true, ListLayout::Flat, flat), &[reviewed.clone()]);
    assert!(flat[0].contains("| reviews | form_version"), "{flat:?}");
    assert!(flat[0].contains("\"state\":\"corrected\"") && !flat[0].contains("a@b.c"), "{flat:?}");
    assert_eq!(
        shown(&layout, &[reviewed]),
        [
            "responses: gid | sid | day | paid | seller.name | seller.vat | tags | meta.files | \
             meta.generation_duration | meta.scraping_duration | meta.total_duration | meta.reused_from | \
             context | form_version\n\
             resp_1 | 7n | 2026-03-04d | true? | Ada |  | a; b; 3 | a.pdf; b.pdf | 0.5n | 0.25n | 1.0n |  | \
             text | 3n",
            "lines: gid | lines# | amount\nresp_1 | 1n | 1.5n\nresp_1 | 2n | 9n",
            "lines.taxes: gid | lines# | lines.taxes# | rate\n\
             resp_1 | 1n | 1n | 7n\nresp_1 | 1n | 2n | 19n",
            "evidence: gid | path | value | document | page | quote | start | end | support | confidence\n\
             resp_1 | /lines/1/amount | 9n | a.pdf | 2n | nine | 4n | 8n | fuzzy | 0.9n",
            "reviews: gid | path | state | extracted | value | user | time | note\n\
             resp_1 | /lines/1/amount | corrected | 7n | 9n | Ada | 1970-01-01 00:00:00 | smudged",
        ]
    );
}

#[test]
fn columns_that_only_older_versions_had_come_behind_and_no_value_is_lost_where_types_changed() {
    let now =
        json!({"b": {"type": "string"}, "a": {"type": "object", "properties": {"x": {"type": "string"}}}});
    let old = json!({"c": {"type": "date"}, "a": {"type": "string"}, "b": {"type": "number"}});
    let layout = ExportLayout::new(&[form(now), form(old)], false, ListLayout::Flat, ExportExtras::default());
    let rows = [
        response(json!({"b": "new", "a": {"x": "X"}})),
        response(json!({"c": "2026-01-01", "a": "plain", "b": 4})),
        response(json!({"lost": {"k": [1]}, "none": null, "a": {"x": "X", "gone": 1}})),
    ];
    assert_eq!(
        shown(&layout, &rows),
        ["responses: gid | sid | b | a | a.x | c | other | form_version\n\
          resp_1 | 7n | new |  | X |  |  | 3n\n\
          resp_1 | 7n | 4n | plain |  | 2026-01-01d |  | 3n\n\
          resp_1 | 7n |  |  | X |  | {\"lost\":{\"k\":[1]},\"a\":{\"x\":\"X\",\"gone\":1}} | 3n"]
    );
}

#[test]
fn no_two_columns_have_the_same_name_and_fields_keep_theirs() {
    let text = json!({"type": "string"});
    let schema = json!({
        "gid": text, "_sid": text, "sid": text, "a.b": text,
        "a": {"type": "object", "properties": {"b": text}},
        "context": text, "meta": {"type": "object", "properties": {"files": text}}
    });
    let extras = ExportExtras { context: true, meta: true, ..ExportExtras::default() };
    let layout = ExportLayout::new(&[form(schema)], true, ListLayout::Flat, extras);
    let of_fields = ["gid", "_sid", "sid", "a.b", "a.b (2)", "context", "meta.files"];
    // The service's columns have the names of its keys in a record.
    let own = ["_meta.files", "_meta.generation_duration", "_meta.scraping_duration", "_meta.total_duration"];
    let expected = ["_gid", "__sid"].into_iter().chain(of_fields).chain(own);
    let expected: Vec<&str> = expected.chain(["_meta.reused_from", "_context", "form_version"]).collect();
    assert_eq!(layout.tables()[0].columns, expected);
}
