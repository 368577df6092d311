//! Fields with conditions: what does not apply by the record itself is not in it.

use forms_core::Extraction;
use serde_json::{Value, json};

use crate::common::{document, form, run, says, scripted};

const TEXT: &str = "Pet: yes\nKind: fish\nCollar: red\nName: Wanda\nRows: goods 2 kg, service 3 kg";

fn extract(schema: &Value, answer: &Value) -> Extraction {
    let model = scripted(vec![says(answer.to_string())]);
    run(model, "m@openai", &form(schema), &[document("a.txt", TEXT)]).unwrap()
}

fn pets() -> Value {
    json!({
        "collar": {"type": "string", "required": true, "when": {"kind": ["cat", "dog"]}},
        "name": {"type": "string", "required": true, "when": {"pet": true}},
        "pet": {"type": "boolean"},
        "kind": {"type": "string", "enum": ["cat", "dog", "fish"], "when": {"pet": true}}
    })
}

#[test]
fn a_field_that_does_not_apply_is_null_without_evidence_and_without_an_error() {
    let answer = json!({"pet": true, "kind": "fish", "collar": "red", "name": "Wanda"});
    let extraction = extract(&pets(), &answer);
    let expected = json!({"collar": null, "name": "Wanda", "pet": true, "kind": "fish"});
    assert_eq!(Value::Object(extraction.record), expected);
    assert_eq!(extraction.errors, []);
    assert!(extraction.evidence.contains_key("/name") && !extraction.evidence.contains_key("/collar"));
}

#[test]
fn what_depends_on_a_field_that_does_not_apply_does_not_apply_either() {
    let answer = json!({"pet": false, "kind": "dog", "collar": "red", "name": "Wanda"});
    let extraction = extract(&pets(), &answer);
    let expected = json!({"collar": null, "name": null, "pet": false, "kind": null});
    assert_eq!(Value::Object(extraction.record), expected);
    assert_eq!(extraction.errors, []);
    assert_eq!(extraction.evidence.keys().collect::<Vec<_>>(), ["/pet"]);
}

#[test]
fn a_required_field_that_applies_and_is_not_stated_is_an_error() {
    let extraction = extract(&pets(), &json!({"pet": true, "kind": "dog", "collar": null, "name": "Wanda"}));
    let errors: Vec<&str> = extraction.errors.iter().map(|error| error.path.as_str()).collect();
    assert_eq!(errors, ["/collar"]);
    let unstated = extract(&pets(), &json!({"pet": null, "kind": null, "collar": "red", "name": null}));
    assert_eq!((&unstated.record["collar"], unstated.errors.len()), (&json!(null), 0));
}

#[test]
fn a_value_that_breaks_a_rule_of_a_field_that_does_not_apply_is_no_error() {
    let schema = json!({"paid": {"type": "boolean"}, "sum": {"type": "number", "when": {"paid": true}}});
    let model = scripted((0..3).map(|_| says(r#"{"paid": false, "sum": "much"}"#)).collect());
    let extraction =
        run(model, "m@openai", &form(&schema), &[document("a.txt", "Paid: no\nSum: much")]).unwrap();
    assert_eq!(
        (Value::Object(extraction.record), extraction.errors),
        (json!({"paid": false, "sum": null}), vec![])
    );
}

#[test]
fn rows_are_decided_by_what_stands_beside_and_then_by_the_top_of_the_record() {
    let schema = json!({
        "pet": {"type": "boolean"},
        "rows": {"type": "array", "items": {"type": "object", "properties": {
            "kind": {"type": "string"},
            "kilos": {"type": "number", "required": true, "when": {"kind": "goods"}},
            "colour": {"type": "string", "required": true, "when": {"pet": false}}
        }}}
    });
    let rows = json!([
        {"kind": "goods", "kilos": 2, "colour": "red"}, {"kind": "service", "kilos": 3, "colour": null}
    ]);
    let extraction = extract(&schema, &json!({"pet": true, "rows": rows}));
    let expected = json!([
        {"kind": "goods", "kilos": 2, "colour": null}, {"kind": "service", "kilos": null, "colour": null}
    ]);
    assert_eq!(extraction.record["rows"], expected);
    assert_eq!(extraction.errors, []);
    let mut evidence: Vec<_> = extraction.evidence.keys().map(String::as_str).collect();
    evidence.sort_unstable();
    assert_eq!(evidence, ["/pet", "/rows/0/kilos", "/rows/0/kind", "/rows/1/kind"]);
}

#[test]
fn documents_that_disagree_on_what_does_not_apply_are_no_conflict() {
    let schema = json!({"paid": {"type": "boolean"}, "sum": {"type": "number", "when": {"paid": true}},
        "vendor": {"type": "string"}});
    // The built-in model reads each document by itself.
    let answer =
        |sum: u32, vendor: &str| says(json!({"paid": false, "sum": sum, "vendor": vendor}).to_string());
    let told = |sum: u32, vendor: &str| {
        document(&format!("{vendor}.txt"), &format!("Vendor: {vendor}\nPaid: no\nSum: {sum}"))
    };
    let model = scripted(vec![answer(11, "Abel"), answer(22, "Cain")]);
    let documents = [told(11, "Abel"), told(22, "Cain")];
    let extraction = run(model, "extractive@formwork", &form(&schema), &documents).unwrap();
    assert_eq!(extraction.record["sum"], json!(null));
    let conflicts: Vec<&str> = extraction.conflicts.iter().map(|conflict| conflict.path.as_str()).collect();
    assert_eq!(conflicts, ["/vendor"]);
}
