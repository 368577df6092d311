//! Lists of many layouts, read by a model that tells the truth about what it is shown: no row too many, none too
//! few. Rules of the engine were written with the layouts of `tuned` in sight; those of `held_out` were chosen before
//! and are reported apart.

#![allow(clippy::print_stdout, reason = "the figures are printed")]

mod cases;
mod held_out;
mod tuned;
mod vendor;

use std::sync::Arc;

use forms_core::{ExtractRequest, ExtractionEngine, NoKeptAnswers};
use futures_executor::block_on;
use gen_core::{GenService, Provider};
use serde_json::Value;

use crate::common::{check, document, payer};
use cases::Case;
use vendor::{Manner, Truthful};

/// How the model reads a list of so many rows. It stops after a quarter of a long list, and not before seven rows.
fn manners(size: usize) -> [Manner; 4] {
    [Manner::Relists, Manner::Once, Manner::Heeds, Manner::Stops((size / 4).max(7))]
}

/// Rows that are missing, and rows that are too many.
fn score(case: &Case, manner: Manner) -> (usize, usize, usize) {
    let model = Arc::new(Truthful::new(case, manner));
    let generation = GenService::builder().with_chat(Provider::OpenAi, model.clone()).build();
    let id = "gpt-6-luna@openai".parse().unwrap();
    let documents: Vec<_> =
        case.documents.iter().map(|(name, lines)| document(name, &lines.join("\n"))).collect();
    let request = ExtractRequest {
        payer: &payer(),
        schema: &case.form,
        instructions: "",
        model: &id,
        documents: &documents,
        answers: &NoKeptAnswers,
    };
    let extraction = block_on(ExtractionEngine::new(generation).extract(request)).unwrap();
    check(&extraction, &documents);
    let mut missing: Vec<Value> = case.truth.clone();
    let mut extra = 0;
    for row in extraction.record["rows"].as_array().into_iter().flatten() {
        match missing.iter().position(|wanted| is_same(wanted, row)) {
            Some(at) => drop(missing.swap_remove(at)),
            None => extra += 1,
        }
    }
    (missing.len(), extra, model.calls())
}

fn is_same(a: &Value, b: &Value) -> bool {
    let (Some(a), Some(b)) = (a.as_object(), b.as_object()) else { return false };
    a.iter().all(|(name, value)| match (value, &b[name]) {
        (Value::Number(a), Value::Number(b)) => a.as_f64() == b.as_f64(),
        (a, b) => a == b,
    })
}

fn report(half: &str, layouts: &[(&str, cases::Layout)]) -> usize {
    let (mut documents, mut runs, mut wrong, mut missing, mut extra, mut calls) = (0, 0, 0, 0, 0, 0);
    for (name, layout) in layouts {
        for seed in 0..2 {
            for size in [6, 400] {
                let case = layout(seed, size);
                documents += case.documents.len();
                for manner in manners(size) {
                    let (lost, more, asked) = score(&case, manner);
                    runs += 1;
                    calls += asked;
                    if lost + more > 0 {
                        wrong += 1;
                        println!(
                            "{half} {name} seed {seed}, {size} rows, {manner:?}: {lost} lost, {more} too many of {}, {asked} calls",
                            case.truth.len()
                        );
                    }
                    missing += lost;
                    extra += more;
                }
            }
        }
    }
    println!(
        "{half}: {documents} documents in {} groups, {runs} runs: {wrong} wrong, {missing} rows lost, {extra} too many, {calls} calls",
        layouts.len() * 4
    );
    wrong
}

#[test]
fn lists_of_the_tuned_layouts_have_no_row_too_many_and_none_too_few() {
    assert_eq!(report("tuned", tuned::LAYOUTS), 0);
}

#[test]
fn lists_of_the_held_out_layouts_have_no_row_too_many_and_none_too_few() {
    assert_eq!(report("held out", held_out::LAYOUTS), 0);
}
