//! Numbers with units: converted as printed, and refused where the print does not fit.

use crate::built_in::read;
use crate::common::{document, form, run, says, scripted};
use forms_core::{Extraction, FormSchema, Support};
use serde_json::{Value, json};

fn weight() -> FormSchema {
    form(&json!({"weight": {"type": "number", "unit": "kg", "maximum": 5000}}))
}

fn extract(schema: &FormSchema, text: &str, answer: Value) -> Extraction {
    let answers = vec![says(answer.to_string()), says(answer.to_string()), says(answer.to_string())];
    run(scripted(answers), "m@openai", schema, &[document("a.txt", text)]).unwrap()
}

#[test]
fn a_value_is_converted_by_the_unit_that_is_printed() {
    for (text, answer, value, quote) in [
        ("Weight: 250 g", json!("250 g"), json!(0.25), "250 g"),
        ("Weight: 250 g", json!(250), json!(0.25), "250 g"),
        ("Weight: 250g net", json!("250g"), json!(0.25), "250g"),
        ("Weight: 2 lb", json!("2 lb"), json!(0.90718474), "2 lb"),
        ("Weight: 1.2 t", json!("1.2 t"), json!(1200), "1.2 t"),
        ("Weight: 3 kg", json!("3 kg"), json!(3), "3 kg"),
        ("Weight: 3", json!("3"), json!(3), "3"),
        ("Weight: 3", json!("3 kg"), json!(3), "3"),
        ("Weight (g): 250", json!(250), json!(0.25), "250"),
        ("| Part | Weight (g) |\n| --- | --- |\n| Bolt | 250 |", json!(250), json!(0.25), "250"),
    ] {
        let extraction = extract(&weight(), text, json!({"weight": answer}));
        assert_eq!(extraction.record["weight"], value, "{text} {answer}: {:?}", extraction.errors);
        let evidence = &extraction.evidence["/weight"];
        assert_eq!(evidence.quote.as_deref(), Some(quote), "{text} {answer}");
        if quote.contains('g') || quote.contains('l') {
            assert_eq!(evidence.support, Support::Normalised, "{text}");
        }
    }
}

#[test]
fn another_quantity_an_unknown_unit_and_an_invented_one_are_violations() {
    for (text, answer) in [
        ("Weight: 250 cm", json!(250)),
        ("Weight: 250 stones", json!(250)),
        ("Weight: 250 tons", json!(250)),
        ("Weight: 250 €", json!(250)),
        ("Weight: 250 g", json!("250 kg")),
        ("Weight: 250", json!("250 g")),
        ("Weight (cm): 250", json!(250)),
        ("Weight: 9 t", json!("9 t")),
        ("Weight: 250 g", json!("250 bananas")),
    ] {
        let extraction = extract(&weight(), text, json!({"weight": answer}));
        assert_eq!(extraction.record["weight"], Value::Null, "{text} {answer}");
        assert!(
            extraction.errors.len() == 1 && extraction.errors[0].path == "/weight",
            "{text}: {:?}",
            extraction.errors
        );
    }
    // A converted number that is not printed, and a number that is printed nowhere.
    let own = extract(&weight(), "Weight: 250 g", json!({"weight": 0.25}));
    assert_eq!(own.evidence["/weight"].support, Support::Unsupported);
    let invented = extract(&weight(), "Weight: 250 g", json!({"weight": "77 kg"}));
    assert_eq!(invented.evidence["/weight"].support, Support::Unsupported);
}

#[test]
fn whole_numbers_stay_whole_and_smaller_units_are_added() {
    let minutes = form(&json!({"duration": {"type": "integer", "unit": "min"}}));
    let both = extract(&minutes, "Duration: 1 h 30 min", json!({"duration": "1 h 30 min"}));
    assert_eq!((&both.record["duration"], both.errors.len()), (&json!(90), 0));
    let seconds = extract(&minutes, "Duration: 45 s", json!({"duration": "45 s"}));
    assert_eq!((&seconds.record["duration"], seconds.errors.len()), (&Value::Null, 1));
}

#[test]
fn the_built_in_model_converts_beside_labels_and_in_tables() {
    let schema = form(&json!({
        "net_weight": {"type": "number", "unit": "kg"}, "temperature": {"type": "number", "unit": "°C"},
        "height": {"type": "number", "unit": "cm"},
        "parts": {"type": "array", "items": {"type": "object", "properties": {
            "part": {"type": "string"}, "length": {"type": "number", "unit": "m"}}}}
    }));
    let text = "Net weight: 250 g\nTemperature: 98.6 °F\nHeight: 12 barrels\n\n\
                | Part | Length (mm) |\n| --- | --- |\n| Bolt | 40 |\n| Rod | 1200 |";
    let extraction = read(&schema, &[document("a.txt", text)]);
    assert_eq!(
        json!(extraction.record),
        json!({"net_weight": 0.25, "temperature": 37, "height": null,
               "parts": [{"part": "Bolt", "length": 0.04}, {"part": "Rod", "length": 1.2}]})
    );
    let paths: Vec<&str> = extraction.errors.iter().map(|error| error.path.as_str()).collect();
    assert_eq!(paths, ["/height"]);
}
