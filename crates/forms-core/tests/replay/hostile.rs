//! Values and texts made to break the engine: nothing panics, and nothing takes more than its share.

use std::sync::Arc;

use forms_core::{FormSchema, UnsupportedPolicy};
use gen_core::scripted::{ScriptedModel, text_answer};
use serde_json::{Map, Value, json};

use crate::cases::{document, extract};

fn run(
    form: &Value,
    answer: &str,
    texts: &[&str],
    unsupported: UnsupportedPolicy,
) -> Option<forms_core::Extraction> {
    let schema = FormSchema::parse(form.as_object().unwrap()).unwrap();
    let documents: Vec<_> = texts.iter().map(|text| document("a.txt", text)).collect();
    let model = Arc::new(ScriptedModel::new((0..200).map(|_| Ok(text_answer(answer)))));
    extract(model, &schema, &documents, unsupported)
}

/// A form with a field of every kind.
fn every_kind() -> Value {
    json!({"s": {"type": "string"}, "n": {"type": "number"}, "i": {"type": "integer"}, "b": {"type": "boolean"},
           "d": {"type": "date"}, "m": {"type": "email"}, "u": {"type": "url"},
           "e": {"type": "string", "enum": ["a", "b"]}, "l": {"type": "array", "items": {"type": "string"}},
           "o": {"type": "object", "properties": {"s": {"type": "string"}, "n": {"type": "number"}}}})
}

#[test]
fn odd_characters_anywhere_break_nothing() {
    let odd = [
        "\0",
        "\u{0}\u{0}x",
        "e\u{301}\u{301}\u{301}",
        "\u{202e}abc\u{202c}",
        "\u{200b}\u{200d}\u{feff}",
        "שלום 12",
        "مرحبا ١٢٫٥",
        "👩\u{200d}👩\u{200d}👧",
        "ﬁ ﷺ ㍿",
        "İıẞ",
        "\u{ad}-\n",
        "１２，３４５．６７",
        "€\u{a0}1\u{202f}234,5",
        "−",
        "k",
        "3k",
        ",-",
        "5,-",
        "年月日",
        "令和",
        "民國99999年1月1日",
        "令和4294967295年1月1日",
        "99999999999年1月1日",
        "“”‘’",
        "[](",
        "](x)",
        "<>",
        "{\"a\"",
        "|",
        ":",
        "- :",
    ];
    for value in odd {
        for text in [value.to_owned(), format!("x {value} y\n{value}"), value.repeat(50)] {
            let fields = every_kind();
            let members: Map<String, Value> =
                fields.as_object().unwrap().keys().map(|name| (name.clone(), json!(value))).collect();
            for answer in [
                Value::Object(members.clone()).to_string(),
                format!("{value}{}{value}", Value::Object(members.clone())),
                json!({value: members, "s": {value: value}, "l": {value: [value]}, "o": [value]}).to_string(),
                format!("s: {value}\nn: {value}\n{value}: {value}"),
                value.to_owned(),
            ] {
                for unsupported in [UnsupportedPolicy::Keep, UnsupportedPolicy::Ask, UnsupportedPolicy::Null]
                {
                    run(&fields, &answer, &[&text], unsupported);
                }
            }
        }
    }
}

#[test]
fn huge_values_and_thousands_of_leaves_are_done_in_proportion() {
    let words = "lorem ipsum 12.50 e\u{301} ".repeat(5_000);
    let form = every_kind();
    let huge = json!({"s": words, "n": words, "d": words, "m": words, "u": words, "e": words, "l": words, "o": words});
    assert!(run(&form, &huge.to_string(), &[&words], UnsupportedPolicy::Ask).is_some());

    let table: String = (0..500).map(|n| format!("{n} | thing {} | {}.50\n", n % 97, n % 13)).collect();
    let rows: Vec<Value> = (0..500)
        .map(|n| json!({"n": n, "what": format!("thing {}", n % 97), "price": f64::from(n % 13) + 0.5, "missing": format!("no {n}")}))
        .collect();
    let form = json!({"rows": {"type": "array", "items": {"type": "object", "properties": {
        "n": {"type": "integer"}, "what": {"type": "string"}, "price": {"type": "number"}, "missing": {"type": "string"}}}}});
    let extraction =
        run(&form, &json!({"rows": rows}).to_string(), &[&table], UnsupportedPolicy::Null).unwrap();
    assert_eq!(extraction.record["rows"].as_array().map(Vec::len), Some(500));
    assert!(extraction.record["rows"][499]["missing"].is_null());
}

#[test]
fn answers_of_odd_shapes_are_read_in_proportion() {
    let form = every_kind();
    let wide: Map<String, Value> =
        (0..50_000).map(|n| (format!("key {n}"), json!({"s": n, "value": [n]}))).collect();
    let deep = format!("{}{}{}", "{\"a\": ".repeat(100), json!({"s": "x"}), "}".repeat(100));
    let quotes = format!("{{\"s\": \"{}\"}}", "a \" b ".repeat(50_000));
    let commas = format!("{{\"n\": 1{}}}", ",000".repeat(50_000));
    let starts = "{\"x\": 1} ".repeat(50_000);
    let lines = "s: x\n".repeat(100_000);
    let columns = json!({"l": {"s": vec!["x"; 20_000]}, "o": vec![json!({"s": 1}); 20_000]}).to_string();
    for answer in [Value::Object(wide).to_string(), deep, quotes, commas, starts, lines, columns] {
        run(&form, &answer, &["x"], UnsupportedPolicy::Keep);
    }
}
