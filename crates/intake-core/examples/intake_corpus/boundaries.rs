//! Boundaries of documents in bundles.

use std::collections::BTreeSet;

use intake_core::{SIGNAL_NAMES, divide, observe_boundaries};

use crate::bundles::{Bundle, Half};
use crate::learning::logistic;

/// Weights chosen by hand, which learning begins with and is drawn to.
const PRIOR: [f64; SIGNAL_NAMES.len()] = [
    -1.0, 3.5, 2.0, -5.0, 1.0, 1.5, 1.5, 1.0, 0.5, -1.0, -2.5, 2.5, 1.0, 0.5, 1.5, -3.0, -1.5, 1.0, -1.0, 1.0,
];

/// Prints precision and recall of the boundaries of a half, and how many bundles are divided without a mistake.
pub(crate) fn measure(bundles: &[Bundle], half: Half, verbose: bool) {
    let (mut right, mut found, mut all, mut whole, mut count, mut pages) = (0, 0, 0, 0, 0, 0);
    let (mut sheets, mut sheets_found, mut content_dropped) = (0, 0, 0);
    let began = std::time::Instant::now();
    for bundle in bundles.iter().filter(|bundle| bundle.half == half) {
        let Some(division) = divide(&bundle.document) else { continue };
        let first = |range: &(u32, u32)| range.0;
        let told: BTreeSet<u32> =
            division.parts.iter().skip(1).filter_map(|part| part.pages.ranges().first().map(first)).collect();
        let truth: BTreeSet<u32> = bundle.parts.iter().skip(1).map(|part| part.first).collect();
        right += told.intersection(&truth).count();
        (found, all) = (found + told.len(), all + truth.len());
        (count, pages) = (count + 1, pages + bundle.document.pages.len());
        let has = |page: u32| bundle.parts.iter().any(|part| (part.first..=part.last).contains(&page));
        sheets += bundle.document.pages.iter().filter(|page| !has(page.number)).count();
        sheets_found += division.blank.iter().filter(|page| !has(**page)).count();
        content_dropped += division.blank.iter().filter(|page| has(**page)).count();
        whole += usize::from(told == truth);
        if verbose && half == Half::Open && told != truth {
            println!("{}: {told:?} instead of {truth:?}; {:?}", bundle.file, division.boundaries);
        }
    }
    let share = |part: usize, whole: usize| part as f64 / whole.max(1) as f64;
    println!(
        "boundaries, {half:?} half: {count} bundles, {pages} pages, {all} boundaries, {:.2} ms each",
        began.elapsed().as_secs_f64() * 1_000.0 / count.max(1) as f64
    );
    println!(
        "  precision {:.3}  recall {:.3}  bundles without a mistake {:.3}",
        share(right, found),
        share(right, all),
        share(whole, count)
    );
    println!(
        "  sheets without content: {sheets_found} of {sheets} left out, {content_dropped} pages with content\n"
    );
}

/// Prints weights learned from the open half.
pub(crate) fn learn(bundles: &[Bundle]) {
    let open = bundles.iter().filter(|bundle| bundle.half == Half::Open);
    let examples: Vec<(bool, Vec<f64>)> = open
        .flat_map(|bundle| {
            let begins: Vec<u32> = bundle.parts.iter().map(|part| part.first).collect();
            observe_boundaries(&bundle.document, &begins)
        })
        .map(|(is_boundary, signals)| (is_boundary, signals.to_vec()))
        .collect();
    println!("\nweights of boundaries, from {} pages:", examples.len());
    for (name, weight) in SIGNAL_NAMES.iter().zip(logistic(&examples, &PRIOR)) {
        let seen = examples.iter().filter(|(_, signals)| {
            signals[SIGNAL_NAMES.iter().position(|own| own == name).unwrap_or(0)] > 0.0
        });
        let (yes, no): (Vec<_>, Vec<_>) = seen.partition(|(is_boundary, _)| *is_boundary);
        println!("    {weight:.2}, // {name}: {} boundaries, {} others", yes.len(), no.len());
    }
}
