//! Unions: a value has the type as which it is printed, with its evidence.

use crate::built_in::read;
use crate::common::{document, form, run, says, scripted};
use forms_core::{Extraction, FormSchema, Support};
use serde_json::{Value, json};

const ORDER: &str = "Order form\nDelivery: 12 March 2024\nSize: 1.234,50\nInsured: yes\nUnit: 0042\n";

fn schema() -> FormSchema {
    form(&json!({
        "delivery": {"type": "union", "types": ["string", "date"]},
        "size": {"type": "union", "types": ["number", "string"]},
        "insured": {"type": "union", "types": ["boolean", "number"]},
        "unit": {"type": "union", "types": ["number", "string"]}
    }))
}

fn extract(text: &str, answer: &Value) -> Extraction {
    let answers = vec![says(answer.to_string()), says(answer.to_string())];
    run(scripted(answers), "m@openai", &schema(), &[document("a.txt", text)]).unwrap()
}

#[test]
fn values_have_the_types_that_the_document_prints_and_their_evidence() {
    let answer = json!({"delivery": "12 March 2024", "size": "1.234,50", "insured": "yes", "unit": "0042"});
    let extraction = extract(ORDER, &answer);
    assert_eq!(
        json!(extraction.record),
        json!({"delivery": "2024-03-12", "size": 1234.5, "insured": true, "unit": "0042"})
    );
    assert_eq!(extraction.errors, []);
    for (path, quote) in [("/delivery", "12 March 2024"), ("/size", "1.234,50"), ("/unit", "0042")] {
        let evidence = &extraction.evidence[path];
        assert_eq!(evidence.quote.as_deref(), Some(quote), "{path}");
        assert_ne!(evidence.support, Support::Unsupported, "{path}");
    }
    // What a model formats itself is found, too.
    let formatted =
        extract(ORDER, &json!({"delivery": "2024-03-12", "size": 1234.5, "insured": true, "unit": "0042"}));
    assert_eq!(formatted.record, extraction.record);
    assert_eq!(formatted.evidence["/delivery"].quote.as_deref(), Some("12 March 2024"));
    assert_eq!(formatted.evidence["/size"].quote.as_deref(), Some("1.234,50"));
}

#[test]
fn a_value_of_another_type_is_text_where_text_is_allowed_and_else_an_error() {
    let answer = json!({"delivery": "on request", "size": "large", "insured": "perhaps", "unit": null});
    let extraction = extract("Delivery: on request\nSize: large\nInsured: perhaps\n", &answer);
    assert_eq!(
        json!(extraction.record),
        json!({"delivery": "on request", "size": "large", "insured": null, "unit": null})
    );
    let message = "'insured' must be true or false or a number, not 'perhaps'";
    assert_eq!(extraction.errors.len(), 1);
    assert!(extraction.errors[0].message.starts_with(message), "{:?}", extraction.errors);
}

#[test]
fn an_invented_value_has_no_evidence_whatever_its_type() {
    let extraction =
        extract(ORDER, &json!({"delivery": "2031-01-01", "size": 77.25, "insured": null, "unit": null}));
    for path in ["/delivery", "/size"] {
        assert_eq!(extraction.evidence[path].support, Support::Unsupported, "{path}");
    }
}

#[test]
fn the_built_in_model_reads_them_beside_their_labels() {
    let extraction = read(&schema(), &[document("a.txt", ORDER)]);
    assert_eq!(
        json!(extraction.record),
        json!({"delivery": "2024-03-12", "size": 1234.5, "insured": true, "unit": "0042"})
    );
}
