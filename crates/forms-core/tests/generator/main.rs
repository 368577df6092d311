//! The schema generator over phrases of many trades, and over hostile input.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::print_stdout,
    reason = "tests assert"
)]

mod development;
mod held_out;
mod score;
mod second;

use forms_core::{generate_schema, validate_schema};
use score::{Case, Score};
use serde_json::Value;

/// Generates every phrase's schema and prints what differs (`--nocapture` shows it).
fn score(set: &str, cases: &[Case]) -> Score {
    let mut score = Score::default();
    for case in cases {
        let schema = Value::Object(generate_schema(case.phrase).unwrap());
        assert_eq!(validate_schema(&schema), [], "{}", case.phrase);
        let wrong = score.add(case, &schema);
        if !wrong.is_empty() {
            println!("{}\n    {}", case.phrase, wrong.join("\n    "));
        }
    }
    println!("{}", score.report(set, cases.len()));
    score
}

#[test]
fn phrases_that_the_rules_were_made_on_give_their_fields() {
    let score = score("development", development::CASES);
    assert!(score.name_f1() >= 0.9);
}

#[test]
fn phrases_that_rules_were_mended_on_give_their_fields() {
    let score = score("second", second::CASES);
    assert!(score.name_f1() >= 0.9);
}

#[test]
fn phrases_that_no_rule_was_made_on_give_their_fields() {
    let score = score("held out", held_out::CASES);
    assert!(score.name_f1() >= 0.5);
}
