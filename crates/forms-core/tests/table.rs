//! Records of several versions of a form, in one table and in many.
#![allow(clippy::unwrap_used, clippy::panic, reason = "tests assert")]

use forms_core::FormSchema;
use forms_core::table::{Cell, ExtraColumns, ListLayout, Table, TableLayout};
use serde_json::{Value, json};

const OWN: ExtraColumns<'_> = ExtraColumns { name: "orders", before: &["id", "day"], after: &["note"] };

fn form(schema: Value) -> FormSchema {
    FormSchema::parse(schema.as_object().unwrap()).unwrap()
}

/// Rows for people: the index of the table, and its cells.
fn shown(layout: &TableLayout, record: Value) -> Vec<String> {
    let own = |text: &str| Cell::Text(text.to_owned());
    let rows = layout.rows(record.as_object().unwrap(), vec![own("o1"), own("today")], vec![own("n")]);
    let cell = |cell: &Cell| match cell {
        Cell::Empty => "-".to_owned(),
        Cell::Text(text) => text.clone(),
        other => format!("{other:?}"),
    };
    rows.iter()
        .map(|row| {
            assert_eq!(row.cells.len(), layout.tables()[row.table].columns.len());
            format!("{}: {}", row.table, row.cells.iter().map(cell).collect::<Vec<_>>().join(" | "))
        })
        .collect()
}

#[test]
fn a_record_has_a_row_between_the_callers_own_cells_and_lists_say_whose_they_are_by_the_first_of_them() {
    let text = json!({"type": "string"});
    let schema = json!({
        "who": text, "lines": {"type": "array", "items": {"type": "object", "properties": {"item": text}}}
    });
    let mut layout = TableLayout::new(&[form(schema)], true, ListLayout::Split, OWN);
    assert_eq!(layout.tables()[0].name, "orders");
    assert_eq!(layout.tables()[0].columns, ["id", "day", "who", "note"]);
    assert_eq!(layout.tables()[1].columns, ["id", "lines#", "item"]);
    let record = json!({"who": "Ada", "lines": [{"item": "crate"}, {"item": null}]});
    let one = "1: o1 | Number(Number(1)) | crate";
    assert_eq!(shown(&layout, record), ["0: o1 | today | Ada | n", one, "1: o1 | Number(Number(2)) | -"]);
    assert_eq!(layout.push(Table { name: "more".to_owned(), columns: Vec::new() }), 2);
}

#[test]
fn what_no_form_has_stands_before_the_cells_behind_and_names_are_given_once() {
    let text = json!({"type": "string"});
    let schema = form(json!({"id": text, "note": text, "day": text, "_day": text}));
    let layout = TableLayout::new(&[schema], false, ListLayout::Flat, OWN);
    assert_eq!(layout.tables()[0].columns, ["_id", "__day", "id", "note", "day", "_day", "other", "_note"]);
    let record = json!({"note": "a", "lost": [1], "none": null});
    assert_eq!(shown(&layout, record), ["0: o1 | today | - | a | - | - | {\"lost\":[1]} | n"]);
    let nothing = TableLayout::new(&[], true, ListLayout::Flat, ExtraColumns::default());
    assert!(nothing.tables()[0].columns.is_empty());
}
