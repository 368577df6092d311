//! Tables: of keys and values, of rows, in Markdown and in columns of text.

use serde_json::{Value, json};

use crate::{ask, check, date, text, typed};

fn lines() -> Value {
    json!({ "type": "array", "items": { "type": "object", "properties": {
        "description": typed("string"), "quantity": typed("integer"), "unit_price": typed("number"), "amount": typed("number")
    }}})
}

#[test]
fn line_items_of_a_markdown_table_become_rows() {
    check(
        "# Invoice 17\n\n| Pos | Description | Qty | Unit price | Amount |\n|---|---|---:|---:|---:|\n| 1 | Oak board | 4 | 12.50 | 50.00 |\n\
         | 2 | Screws, 100 pcs | 1 | 7.90 | 7.90 |\n\nTotal: 57.90\n",
        &json!({ "items": lines(), "total": typed("number") }),
        &json!({
            "items": [
                {"description": "Oak board", "quantity": 4, "unit_price": 12.5, "amount": 50.0},
                {"description": "Screws, 100 pcs", "quantity": 1, "unit_price": 7.9, "amount": 7.9}
            ],
            "total": 57.9
        }),
    );
}

#[test]
fn line_items_in_columns_of_text_become_rows() {
    check(
        "Artikel              Menge    Einzelpreis    Betrag\nSchraube M4          10       0,20           2,00\n\
         Winkel               2        3,50           7,00\n\nGesamtbetrag 9,00\n",
        &json!({ "items": lines(), "total": typed("number") }),
        &json!({
            "items": [
                {"description": "Schraube M4", "quantity": 10, "unit_price": 0.2, "amount": 2.0},
                {"description": "Winkel", "quantity": 2, "unit_price": 3.5, "amount": 7.0}
            ],
            "total": 9.0
        }),
    );
}

#[test]
fn a_table_of_keys_and_values_is_a_form() {
    check(
        "| Field | Value |\n|---|---|\n| Order number | A-12 |\n| Order date | 2024-02-29 |\n| Customer | Jane Roe |\n| Amount paid | 45.00 |\n",
        &json!({ "order_number": text(""), "order_date": date(), "customer": text("Name"), "delivery_date": date() }),
        &json!({ "order_number": "A-12", "order_date": "2024-02-29", "customer": "Jane Roe", "delivery_date": null }),
    );
}

#[test]
fn a_table_of_one_row_is_read_by_its_header() {
    check(
        "| Employee | Start date | Salary | Department |\n|---|---|---|---|\n| Ada Byron | 01.02.2023 | 5,100.00 | Research |\n",
        &json!({ "employee": text("Name of the employee"), "start_date": date(), "salary": typed("number"), "department": text(""), "end_date": date() }),
        &json!({ "employee": "Ada Byron", "start_date": "2023-02-01", "salary": 5100.0, "department": "Research", "end_date": null }),
    );
}

#[test]
fn no_table_means_no_rows() {
    check(
        "Total: 5.00\n",
        &json!({ "items": lines(), "total": typed("number") }),
        &json!({ "items": null, "total": 5.0 }),
    );
}

#[test]
fn labelled_lists_become_items() {
    check(
        "Skills: welding, painting\nLanguages:\n- German\n- Polish\n",
        &json!({
            "skills": {"type": "array", "items": {"type": "string"}}, "languages": {"type": "array", "items": {"type": "string"}},
            "hobbies": {"type": "array", "items": {"type": "string"}}
        }),
        &json!({ "skills": ["welding", "painting"], "languages": ["German", "Polish"], "hobbies": null }),
    );
}

#[test]
fn a_value_is_cited_in_the_document_that_holds_it() {
    let answer = ask(
        &["Nothing here", "Größe: groß\nInvoice number: 77-1"],
        &json!({ "invoice_number": typed("string") }),
    );
    assert_eq!(answer.citations.len(), 1);
    let citation = &answer.citations[0];
    assert_eq!((citation.document, citation.start, citation.end), (1, 28, 32));
    assert_eq!(citation.pointer, "/invoice_number");
}

#[test]
fn items_are_read_from_marks_lists_and_words_with_one_space_between() {
    let items = |rows: Value| json!({ "items": rows });
    let rows = || {
        json!([
            {"description": "Oak board", "quantity": 4, "unit_price": 12.5, "amount": 50.0},
            {"description": "Brass screw", "quantity": 10, "unit_price": 0.2, "amount": 2.0}
        ])
    };
    for text in [
        "Description;Quantity;Unit price;Amount\n\"Oak board\";4;12,50;50,00\nBrass screw;10;0,20;2,00\n",
        "ITEM QTY PRICE AMOUNT\nOak board 4 12.50 50.00\nBrass screw 10 0.20 2.00\nTOTAL 52.00\n",
        "Your order:\n- Oak board 4 x 12.50 = 50.00\n- Brass screw 10 x 0.20 = 2.00\nTotal 52.00\n",
        "| No. | Item | Qty | Unit price | VAT | Amount |\n|---|---|---|---|---|---|\n| 1 | Oak board | 4 | € 12.50 | 19 % | € 50.00 |\n\
         | 2 | Brass screw | 10 | € 0.20 | 19 % | € 2.00 |\n| | Total | | | | € 52.00 |\n",
        "Pos   Description     Qty    Unit price    Amount\n1     Oak board       4      12.50         50.00\n\n\
         2     Brass screw     10     0.20          2.00\n\n                      Total                52.00\n",
    ] {
        check(text, &json!({ "items": lines() }), &items(rows()));
    }
}

#[test]
fn an_empty_cell_leaves_its_field_null() {
    check(
        "Description          Qty      Unit price     Amount\nDelivery                                     15.00\n\
         Oak board            4        12.50          50.00\nTotal                                        65.00\n",
        &json!({ "items": lines() }),
        &json!({ "items": [
            {"description": "Delivery", "quantity": null, "unit_price": null, "amount": 15.0},
            {"description": "Oak board", "quantity": 4, "unit_price": 12.5, "amount": 50.0}
        ]}),
    );
}

#[test]
fn the_head_of_a_table_and_words_in_small_letters_are_no_organisation() {
    let none = json!({ "vendor": null });
    let vendor = json!({ "vendor": text("Company that issued it") });
    for table in [
        "| Article | Price |\n| --- | --- |\n| Oak board | 2.50 |\n| Brass screw | 3.50 |\nTotal: 6.00\n",
        "order list\n\n| article | price |\n| --- | --- |\n| Oak board | 2.50 |\n",
    ] {
        check(table, &vendor, &none);
    }
    let named = "Alder Joinery        Invoice\n12 Forge Lane        17 May 2024\n\nArticle   Price\nOak board   2.50\n";
    check(named, &vendor, &json!({ "vendor": "Alder Joinery" }));
}
