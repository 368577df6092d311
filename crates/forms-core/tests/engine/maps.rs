//! Maps: values under names that only the documents know.

use crate::common::{document, form, run, says, scripted};
use forms_core::{Extraction, FormSchema};
use serde_json::{Value, json};

const TEXT: &str = "Colour: red\nSize: 42\nGross weight: 250 g\nFees: postage 3.50 EUR";

fn specs() -> FormSchema {
    form(&json!({"specs": {"type": "map", "values": {"type": "string"}, "maxItems": 3}}))
}

fn extract(schema: &FormSchema, answer: Value) -> Extraction {
    let answers = vec![says(answer.to_string()), says(answer.to_string()), says(answer.to_string())];
    run(scripted(answers), "m@openai", schema, &[document("a.txt", TEXT)]).unwrap()
}

#[test]
fn pairs_and_objects_of_an_answer_become_one_object() {
    let pairs = json!([{"key": "Colour", "value": "red"}, {"key": "Size", "value": "42"}]);
    for answer in [pairs.clone(), json!({"Colour": "red", "Size": 42}), json!({"entries": pairs})] {
        let extraction = extract(&specs(), json!({"specs": answer}));
        assert_eq!(json!(extraction.record), json!({"specs": {"Colour": "red", "Size": "42"}}), "{answer}");
        assert_eq!(extraction.evidence["/specs/Colour"].quote.as_deref(), Some("red"));
        assert_eq!(extraction.errors, []);
    }
    for nothing in [json!(null), json!([])] {
        let empty = extract(&specs(), json!({"specs": nothing}));
        assert!(empty.record["specs"].is_null() || empty.record["specs"] == json!({}), "{:?}", empty.record);
    }
}

#[test]
fn the_values_have_one_type_and_broken_ones_are_told_at_their_name() {
    let schema = form(&json!({"weights": {"type": "map", "values": {"type": "number", "unit": "kg"}}}));
    let answer = json!([{"key": "Gross weight", "value": "250 g"}, {"key": "a/b", "value": "much"}]);
    let extraction = extract(&schema, json!({"weights": answer}));
    assert_eq!(json!(extraction.record), json!({"weights": {"Gross weight": 0.25, "a/b": null}}));
    let paths: Vec<&str> = extraction.errors.iter().map(|error| error.path.as_str()).collect();
    assert_eq!(paths, ["/weights/a~1b"]);
    let money = form(&json!({"fees": {"type": "map", "values": {"type": "money"}}}));
    let fees = extract(&money, json!({"fees": [{"key": "postage", "value": "3.50 EUR"}]}));
    assert_eq!(json!(fees.record), json!({"fees": {"postage": {"amount": 3.5, "currency": "EUR"}}}));
}

#[test]
fn names_that_stand_twice_or_are_missing_are_told() {
    let twice = extract(
        &specs(),
        json!({"specs": [{"key": "Colour", "value": "red"}, {"key": "Colour", "value": "42"}]}),
    );
    assert_eq!(json!(twice.record), json!({"specs": {"Colour": "red"}}));
    assert_eq!(twice.errors[0].path, "/specs/Colour");
    let nameless =
        extract(&specs(), json!({"specs": [{"key": null, "value": "red"}, {"key": "Size", "value": "42"}]}));
    assert_eq!(json!(nameless.record), json!({"specs": {"Size": "42"}}));
    assert!(!nameless.errors.is_empty());
    let many: Vec<Value> = (0..5).map(|n| json!({"key": n.to_string(), "value": "red"})).collect();
    assert_eq!(extract(&specs(), json!({"specs": many})).errors.len(), 1);
}
