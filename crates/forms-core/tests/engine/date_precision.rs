//! Dates of less precision than a day, and dates with a time.

use crate::built_in::read;
use crate::common::{document, form, run, says, scripted};
use forms_core::{Extraction, FormSchema, Support};
use serde_json::{Value, json};

fn extract(schema: &FormSchema, text: &str, answer: Value) -> Extraction {
    let answers = vec![says(answer.to_string()), says(answer.to_string()), says(answer.to_string())];
    run(scripted(answers), "m@openai", schema, &[document("a.txt", text)]).unwrap()
}

fn date(precision: &str) -> FormSchema {
    form(&json!({"when": {"type": "date", "precision": precision}}))
}

#[test]
fn a_more_precise_date_is_reduced_and_a_less_precise_one_is_not_completed() {
    for (precision, text, answer, value) in [
        ("month", "Period: July 2026", "2026-07", json!("2026-07")),
        ("month", "Period: 07/2026", "07/2026", json!("2026-07")),
        ("month", "Issued: 14.07.2026", "2026-07", json!("2026-07")),
        ("month", "Issued: 14.07.2026", "14.07.2026", json!("2026-07")),
        ("quarter", "Report Q3 2026", "2026-Q3", json!("2026-Q3")),
        ("quarter", "Report of August 2026", "Q3 2026", json!("2026-Q3")),
        ("year", "Model year 2026", "2026", json!("2026")),
        ("year", "Issued: 14.07.2026", "2026", json!("2026")),
        ("day", "Issued: 14.07.2026", "14.07.2026", json!("2026-07-14")),
        ("month", "Year: 2026", "2026", Value::Null),
        ("day", "Period: July 2026", "July 2026", Value::Null),
        ("quarter", "Year: 2026", "2026", Value::Null),
    ] {
        let extraction = extract(&date(precision), text, json!({"when": answer}));
        assert_eq!(extraction.record["when"], value, "{precision} {text}: {:?}", extraction.errors);
        match value {
            Value::Null => assert_eq!(extraction.errors.len(), 1, "{text}"),
            _ => {
                let support = extraction.evidence["/when"].support;
                assert!(
                    matches!(support, Support::Exact | Support::Normalised),
                    "{precision} {text}: {support:?}"
                );
            }
        }
    }
    // A month that the document does not print.
    for (text, answer) in [("Year: 2026", "2026-07"), ("Issued: 14.07.2026", "2026-08")] {
        let invented = extract(&date("month"), text, json!({"when": answer}));
        assert_eq!(invented.evidence["/when"].support, Support::Unsupported, "{text}");
    }
}

#[test]
fn a_date_with_a_time_has_the_offset_that_is_printed_and_no_other() {
    let schema = form(&json!({"at": {"type": "string", "format": "date-time"}}));
    for (text, answer, value) in [
        ("Departure: 14.07.2026 09:30", "2026-07-14T09:30:00", "2026-07-14T09:30:00"),
        ("Departure: 14.07.2026 09:30", "2026-07-14T09:30:00Z", "2026-07-14T09:30:00"),
        ("Departure: 14.07.2026 09:30", "14.07.2026 09:30", "2026-07-14T09:30:00"),
        ("Departure: 2026-07-14 09:30 UTC", "2026-07-14T09:30:00Z", "2026-07-14T09:30:00Z"),
        ("Departure: 2026-07-14T09:30:00+02:00", "2026-07-14T09:30:00+02:00", "2026-07-14T09:30:00+02:00"),
        ("Date: 14 July 2026\nTime: 9:30", "2026-07-14T09:30:00+01:00", "2026-07-14T09:30:00"),
    ] {
        let extraction = extract(&schema, text, json!({"at": answer}));
        assert_eq!(extraction.record["at"], value, "{text}: {:?}", extraction.errors);
        assert_ne!(extraction.evidence["/at"].support, Support::Unsupported, "{text}");
    }
    let invented = extract(&schema, "Departure: 14.07.2026", json!({"at": "2026-07-14T09:30:00"}));
    assert_eq!(invented.evidence["/at"].support, Support::Unsupported);
    let dateless = extract(&schema, "Departure: 14.07.2026", json!({"at": "14.07.2026"}));
    assert_eq!((&dateless.record["at"], dateless.errors.len()), (&Value::Null, 1));
}

#[test]
fn the_built_in_model_reads_months_quarters_years_and_times() {
    let schema = form(&json!({
        "period": {"type": "date", "precision": "month"}, "quarter": {"type": "date", "precision": "quarter"},
        "model_year": {"type": "date", "precision": "year"}, "departure": {"type": "string", "format": "date-time"}
    }));
    let text = "Period: July 2026\nQuarter: Q3 2026\nModel year: 2024\nDeparture: 14.07.2026 09:30\n";
    let extraction = read(&schema, &[document("a.txt", text)]);
    assert_eq!(
        json!(extraction.record),
        json!({"period": "2026-07", "quarter": "2026-Q3", "model_year": "2024", "departure": "2026-07-14T09:30:00"})
    );
}
