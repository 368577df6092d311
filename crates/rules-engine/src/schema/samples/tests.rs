use document::{KeyValue, KeyValueKind, TableCell, TableContent};
use forms_core::validate_schema;
use serde_json::{Value, json};

use super::of_parts;

fn pairs(told: &[(&str, &str)]) -> Vec<KeyValue> {
    let pair = |(key, value): &(&str, &str)| KeyValue {
        key: (*key).to_owned(),
        value: (*value).to_owned(),
        page: None,
        rect: None,
        kind: KeyValueKind::Label,
    };
    told.iter().map(pair).collect()
}

fn table(title: Option<&str>, rows: &[&[&str]]) -> TableContent {
    let rows: Vec<Vec<String>> =
        rows.iter().map(|row| row.iter().map(|cell| (*cell).to_owned()).collect()).collect();
    let head = rows[0].iter().zip(0..).map(|(text, column)| TableCell {
        row: 0,
        column,
        row_span: 1,
        column_span: 1,
        text: text.clone(),
        header: true,
    });
    TableContent { page: None, rect: None, title: title.map(str::to_owned), cells: head.collect(), rows }
}

#[test]
fn labels_that_recur_become_fields_and_tables_become_lists() {
    let documents = [
        pairs(&[("Invoice No.", "A-1"), ("Date", "02.05.2024"), ("Total", "12,50 €"), ("Remark", "thanks")]),
        pairs(&[("Invoice number", "A-2"), ("Date", "3 May 2024"), ("Total", "8,00 €")]),
        pairs(&[("Date", "04.05.2024"), ("Invoice number", "B-7"), ("Total", "100,00 €"), ("Gate", "4")]),
    ];
    let items: Vec<Vec<TableContent>> = vec![
        vec![table(Some("Items"), &[&["Article", "Pieces", "Unit price"], &["Pen", "3", "2,50"]])],
        vec![table(
            Some("Items"),
            &[&["Article", "Pieces", "Unit price", "Note"], &["Ink", "1", "8,00", ""]],
        )],
        vec![],
    ];
    let proposed = of_parts(&documents, &items);
    assert_eq!(
        Value::Object(proposed.schema.clone()),
        json!({
            "invoice_number": {"type": "string", "order": 1, "description": "Invoice number"},
            "date": {"type": "date", "order": 2, "description": "Date"},
            "total": {"type": "money", "order": 3, "description": "Total"},
            "items": {"type": "array", "order": 4, "description": "Items", "items": {"type": "object", "properties": {
                "article": {"type": "string", "order": 1, "description": "Article"},
                "pieces": {"type": "integer", "order": 2, "description": "Pieces"},
                "unit_price": {"type": "number", "order": 3, "description": "Unit price"},
                "note": {"type": "string", "order": 4, "description": "Note"}}}}
        })
    );
    assert_eq!(validate_schema(&Value::Object(proposed.schema)), []);
    let told: Vec<(&str, &str, usize)> = proposed
        .fields
        .iter()
        .map(|field| (field.path.as_str(), field.label.as_str(), field.documents))
        .collect();
    assert_eq!(
        told[..5],
        [
            ("/invoice_number", "Invoice number", 3),
            ("/date", "Date", 3),
            ("/total", "Total", 3),
            ("/items", "Items", 2),
            ("/items/items/properties/article", "Article", 2)
        ]
    );
    assert_eq!(proposed.fields[0].examples, ["A-1", "A-2", "B-7"]);
}

#[test]
fn the_schema_is_valid_whatever_the_labels_are() {
    let odd = "x".repeat(5_000);
    for documents in [
        vec![],
        vec![pairs(&[])],
        vec![pairs(&[("🎉!?", "1"), (odd.as_str(), "2"), ("12345", "3")])],
        vec![pairs(&[("when", "a"), ("When", "b"), ("Größe (cm)", "1")]); 2],
        vec![
            (0..3_000)
                .flat_map(|n| pairs(&[(format!("label {}", "abcdefghij".repeat(n % 5 + 1)).as_str(), "1")]))
                .collect(),
        ],
    ] {
        let proposed = of_parts(&documents, &vec![Vec::new(); documents.len()]);
        assert_eq!(validate_schema(&Value::Object(proposed.schema.clone())), [], "{:?}", proposed.schema);
    }
    let nothing = of_parts(&[pairs(&[])], &[vec![]]);
    assert!(nothing.warnings[0].contains("no label"), "{:?}", nothing.warnings);
}
