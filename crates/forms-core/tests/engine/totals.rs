//! Sums and heads that a model gives as entries, and entries that only look like them.

use forms_core::Extraction;
use serde_json::{Value, json};

use crate::common::{document, form, run, says, scripted};

/// What becomes of rows of a name and an amount, which stand on these lines.
fn read(lines: &[(&str, f64)], below: &str) -> Extraction {
    let schema = form(&json!({"rows": {"type": "array", "items": {"type": "object", "properties": {
        "what": {"type": "string"}, "sum": {"type": "number"}}}}}));
    let rows: Vec<Value> = lines.iter().map(|(what, sum)| json!({"what": what, "sum": sum})).collect();
    let text: Vec<String> = lines.iter().map(|(what, sum)| format!("{what} {sum:.2}")).collect();
    let documents = [document("a.pdf", &format!("{}\n{below}", text.join("\n")))];
    let answers = vec![says(json!({"rows": rows}).to_string()), says(r#"{"rows": []}"#)];
    run(scripted(answers), "gpt-6-luna@openai", &schema, &documents).unwrap()
}

fn names(extraction: &Extraction) -> Vec<&str> {
    let rows = extraction.record["rows"].as_array().into_iter().flatten();
    rows.filter_map(|row| row["what"].as_str()).collect()
}

#[test]
fn sums_that_the_entries_make_are_left_out_and_told() {
    let lines = [("Tea", 4.5), ("Cake", 5.5), ("Subtotal", 10.0), ("VAT 20%", 2.0), ("Total", 12.0)];
    let extraction = read(&lines, "Thank you");
    assert_eq!(names(&extraction), ["Tea", "Cake"]);
    let told = &extraction.errors[0];
    assert_eq!(told.path, "/rows");
    assert!(told.message.contains("'Subtotal', 'VAT 20%', 'Total'"), "{told:?}");
}

#[test]
fn entries_that_only_begin_like_sums_stay() {
    for lines in [
        // An article, and one that costs what stands above it.
        vec![("Curtain rod", 20.0), ("Net curtains", 20.0), ("Total care cleaner", 40.5)],
        vec![("Rod", 20.0), ("Total care cleaner", 20.0)],
        // Taxes, deductions and sums that are asked for.
        vec![("VAT 19%", 190.0), ("VAT 7%", 70.0)],
        vec![("Basic pay", 3000.0), ("Bonus", 200.0), ("Tax", 500.0), ("Pension", 100.0)],
        vec![("Net total", 1000.0), ("VAT", 190.0), ("Grand total", 1190.0)],
        vec![("Design", 500.0), ("Tax consulting", 500.0)],
    ] {
        let extraction = read(&lines, "");
        let all: Vec<&str> = lines.iter().map(|(what, _)| *what).collect();
        assert_eq!((names(&extraction), extraction.errors.len()), (all, 0));
    }
}

#[test]
fn an_article_that_begins_like_a_sum_is_asked_for() {
    let schema = form(&json!({"rows": {"type": "array", "items": {"type": "object", "properties": {
        "what": {"type": "string"}, "count": {"type": "integer"}, "sum": {"type": "number"}}}}}));
    let row = |what: &str, count: i32, sum: f64| json!({"what": what, "count": count, "sum": sum});
    let first = json!({"rows": [row("Rod", 2, 8.5), row("Hook", 12, 6.0)]});
    let second = json!({"rows": [row("Net curtains", 3, 60.0)]});
    let documents = [document("a.pdf", "Rod 2 8.50\nHook 12 6.00\nNet curtains 3 60.00\nTotal 74.50\n")];
    let model = scripted(vec![says(first.to_string()), says(second.to_string())]);
    let extraction = run(model, "gpt-6-luna@openai", &schema, &documents).unwrap();
    assert_eq!(names(&extraction), ["Rod", "Hook", "Net curtains"]);
}
