//! Lists of many layouts, read by a model that tells the truth about what it is shown: no row too many, none too
//! few. Rules of the engine were written with the layouts of `tuned` and `probes` in sight; those of `held_out` and
//! `unseen` were chosen before and are reported apart.

#![allow(clippy::print_stdout, reason = "the figures are printed")]

mod cases;
mod held_out;
mod probes;
mod tuned;
mod unseen;
mod vendor;

use std::sync::Arc;

use forms_core::{ExtractRequest, ExtractionEngine, NoopAnswerStore};
use futures_executor::block_on;
use gen_core::{GenService, Provider};
use serde_json::Value;

use crate::common::{check, document, payer};
use cases::Case;
use vendor::{Manner, Truthful};

/// How the model reads a list of so many rows. It stops after a quarter of a long list, and not before seven rows.
fn manners(size: usize) -> Vec<Manner> {
    vec![Manner::Relists, Manner::Once, Manner::Heeds, Manner::Stops((size / 4).max(7))]
}

/// What came of one run.
#[derive(Debug, Default)]
struct Outcome {
    missing: usize,
    extra: usize,
    calls: usize,
    /// Whether the record says that its list may be wrong.
    is_told: bool,
}

fn score(case: &Case, manner: Manner) -> Outcome {
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
        answers: &NoopAnswerStore,
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
    let is_told = extraction.errors.iter().any(|error| error.path.starts_with("/rows"));
    Outcome { missing: missing.len(), extra, calls: model.calls(), is_told }
}

fn is_same(a: &Value, b: &Value) -> bool {
    let (Some(a), Some(b)) = (a.as_object(), b.as_object()) else { return false };
    a.iter().all(|(name, value)| match (value, &b[name]) {
        (Value::Number(a), Value::Number(b)) => a.as_f64() == b.as_f64(),
        (a, b) => a == b,
    })
}

/// Runs that are wrong, and those of them that do not say so.
fn report(
    half: &str,
    layouts: &[(&str, cases::Layout)],
    sizes: &[usize],
    manners: fn(usize) -> Vec<Manner>,
) -> (usize, usize) {
    let (mut documents, mut runs, mut wrong, mut silent, mut all) = (0, 0, 0, 0, Outcome::default());
    for (name, layout) in layouts {
        for (seed, size) in (0..2).flat_map(|seed| sizes.iter().map(move |size| (seed, *size))) {
            let case = layout(seed, size);
            documents += case.documents.len();
            for manner in manners(size) {
                let own = score(&case, manner);
                runs += 1;
                if own.missing + own.extra > 0 {
                    wrong += 1;
                    silent += usize::from(!own.is_told);
                    println!(
                        "{half} {name} seed {seed}, {size} rows, {manner:?}: {own:?} of {}",
                        case.truth.len()
                    );
                }
                all.missing += own.missing;
                all.extra += own.extra;
                all.calls += own.calls;
            }
        }
    }
    println!(
        "{half}: {documents} documents in {} groups, {runs} runs: {wrong} wrong, {silent} of them silently, {} rows lost, {} too many, {} calls",
        layouts.len() * 2 * sizes.len(),
        all.missing,
        all.extra,
        all.calls
    );
    (wrong, silent)
}

#[test]
fn lists_of_the_tuned_layouts_have_no_row_too_many_and_none_too_few() {
    assert_eq!(report("tuned", tuned::LAYOUTS, &[6, 400], manners), (0, 0));
}

#[test]
fn lists_of_the_held_out_layouts_have_no_row_too_many_and_none_too_few() {
    assert_eq!(report("held out", held_out::LAYOUTS, &[6, 400], manners), (0, 0));
}

/// A model that stops after seven rows whatever is left, and one that takes sums and headings for rows.
fn poor_manners(_: usize) -> Vec<Manner> {
    vec![Manner::Relists, Manner::Stops(7), Manner::Careless]
}

#[test]
fn a_model_that_stops_early_or_lists_sums_loses_and_adds_no_row_of_the_tuned_layouts() {
    let tuned = report("tuned, poor models", tuned::LAYOUTS, &[400], poor_manners);
    let probes = report("probes, poor models", probes::LAYOUTS, &[6, 60, 400], poor_manners);
    assert_eq!((tuned, probes), ((0, 0), (0, 0)));
}

#[test]
fn a_model_that_stops_early_or_lists_sums_loses_and_adds_no_row_of_unseen_layouts() {
    let held_out = report("held out, poor models", held_out::LAYOUTS, &[400], poor_manners);
    let unseen = report("unseen, poor models", unseen::LAYOUTS, &[6, 60, 400], poor_manners);
    // Of parties whose city stands in running text, those that are asked for again come without it.
    assert_eq!((held_out, unseen), ((2, 2), (0, 0)));
}

#[test]
fn a_list_whose_rest_is_not_worth_its_calls_says_so() {
    let (wrong, silent) =
        report("tuned, two rows a call", &tuned::LAYOUTS[..2], &[400], |_| vec![Manner::Stops(2)]);
    assert!(wrong > 0 && silent == 0, "{wrong} wrong, {silent} silently");
    let (_, silent) =
        report("probes, two rows a call", &probes::LAYOUTS[..4], &[400], |_| vec![Manner::Stops(2)]);
    assert_eq!(silent, 0);
}
