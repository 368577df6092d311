//! Learns the tables of confidence and measures how well they hold.
//!
//! `cargo run --release -p forms-core --example confidence -- CORPUS [--write] [--papers N]`, where CORPUS has
//! `extraction/receipts` and `extraction/invoices`; the rest is made by seed: papers of sixteen trades in ten
//! languages and eight layouts, and the answers of scripted models with seventeen kinds of faults. What is learned
//! from, what is held out and what is fresh have no trade, language, layout or fault in common; the blind halves
//! of the corpus are held out. `--write` puts the tables into `src/engine/trust/weights`.
#![allow(
    clippy::print_stdout,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a program whose product is its output"
)]

#[allow(dead_code, reason = "another program uses the rest")]
#[path = "../extraction_corpus/absent.rs"]
mod absent;
#[allow(dead_code, reason = "the tests tell more of each case")]
#[path = "../../tests/replay/cases.rs"]
mod cases;
mod corpus;
mod faults;
#[allow(dead_code, reason = "another program uses the rest")]
#[path = "../extraction_corpus/invoices.rs"]
mod invoices;
mod learn;
mod observe;
#[allow(dead_code, reason = "another program uses the rest")]
#[path = "../extraction_corpus/observed.rs"]
mod observed;
mod papers;
mod print;
mod random;
#[allow(dead_code, reason = "another program uses the rest")]
#[path = "../extraction_corpus/receipts.rs"]
mod receipts;
mod report;
#[allow(dead_code, reason = "another program uses the rest")]
#[path = "../extraction_corpus/score.rs"]
mod score;
mod values;
mod words;

use std::num::NonZero;
use std::path::{Path, PathBuf};
use std::{io, thread};

use learn::Model;
use observe::{Regime, Seen};
use papers::{Half, Paper};
use random::Random;
use report::Pair;

/// Papers that are made of each half.
const PAPERS: usize = 1_600;
/// What the papers of the corpus count together beside those that are made.
const CORPUS_SHARE: f64 = 0.3;
/// Errors for which bounds are written.
const ERRORS: [f64; 8] = [0.001, 0.0025, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2];
/// The error for which figures are told.
const ERROR: f64 = 0.01;
/// Below this, a value that nothing shows is taken away where it is to be.
const LIKELY_WRONG: f64 = 0.35;

fn main() -> io::Result<()> {
    let (mut folder, mut write, mut count) = (PathBuf::new(), false, PAPERS);
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        match argument.as_str() {
            "--write" => write = true,
            "--papers" => count = arguments.next().and_then(|n| n.parse().ok()).unwrap_or(PAPERS),
            _ => folder = PathBuf::from(argument),
        }
    }
    let within = folder.join("extraction");
    let folder = if within.is_dir() { within } else { folder };
    let seen = gather(&folder, count)?;
    let own = fitted("built-in model", 20, &seen, &|one| one.regime == Regime::BuiltIn);
    let others = fitted("other models", 80, &seen, &|one| one.regime != Regime::BuiltIn);
    let bounds = [("built_in", bounds(&own)), ("others", bounds(&others))];
    let at = |bounds: &[(f64, f64)]| {
        bounds.iter().find(|(error, _)| *error >= ERROR).map_or(1.0, |(_, bound)| *bound)
    };
    println!("accepted at 1 % error: {bounds:?}");
    measure(&seen, (&own.model, at(&bounds[0].1)), (&others.model, at(&bounds[1].1)));
    if write {
        let weights = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/engine/trust/weights");
        std::fs::write(weights.join("built_in.txt"), own.model.table())?;
        std::fs::write(weights.join("others.txt"), others.model.table())?;
        for (name, bounds) in bounds {
            let lines: Vec<String> =
                bounds.iter().map(|(error, bound)| format!("error {error} {bound:.3}\n")).collect();
            std::fs::write(weights.join(format!("{name}_bounds.txt")), lines.concat())?;
        }
    }
    Ok(())
}

/// Every value that the engine sees.
fn gather(folder: &Path, count: usize) -> io::Result<Vec<Seen>> {
    let corpus = corpus::papers(folder)?;
    let mut seen = Vec::new();
    for (half, seed) in [(Half::Tuned, 17), (Half::HeldOut, 18), (Half::Fresh, 19)] {
        let mut random = Random::new(seed);
        // Two parts of the tuned half have nothing in common, to learn on one what holds on the other.
        let part = |at: usize| match half {
            Half::Tuned => [None, Some(0), Some(1), Some(at / 4 % 2)][at % 4],
            Half::HeldOut | Half::Fresh => None,
        };
        let mut papers: Vec<Paper> =
            (0..count).map(|at| papers::paper(half, part(at), &mut random)).collect();
        papers.extend(corpus.iter().filter(|paper| paper.half == half).cloned());
        seen.extend(observed(&papers, seed));
    }
    for regime in [Regime::BuiltIn, Regime::Beside, Regime::Alone] {
        let is = |one: &&mut Seen| one.regime == regime && one.half == Half::Tuned;
        let made = seen.iter_mut().filter(is).filter(|one| one.source == "made").count() as f64;
        for source in ["receipts", "invoices"] {
            let own = seen.iter_mut().filter(is).filter(|one| one.source == source).count() as f64;
            let weight = (0.5 * CORPUS_SHARE * made / own.max(1.0)).min(3.0);
            seen.iter_mut().filter(is).filter(|one| one.source == source).for_each(|one| one.weight = weight);
        }
    }
    Ok(seen)
}

/// What is seen of papers, in their order; each has a seed of its own, so that any number of threads sees the same.
fn observed(papers: &[Paper], seed: u64) -> Vec<Seen> {
    let threads = thread::available_parallelism().map_or(1, NonZero::get);
    let size = papers.len().div_ceil(threads).max(1);
    let part = |(at, papers): (usize, &[Paper])| -> Vec<Seen> {
        let one = |(within, paper): (usize, &Paper)| {
            let number = u64::try_from(at * size + within).unwrap_or(0);
            observe::observe(paper, &mut Random::new(seed << 32 | number))
        };
        papers.iter().enumerate().flat_map(one).collect()
    };
    thread::scope(|scope| {
        let parts: Vec<_> =
            papers.chunks(size).enumerate().map(|chunk| scope.spawn(move || part(chunk))).collect();
        parts.into_iter().flat_map(|part| part.join().expect("a thread that saw papers")).collect()
    })
}

/// A model, and what those learned on the other part say of each part of the tuned half.
struct Fitted {
    model: Model,
    apart: Vec<(f64, bool, f64)>,
}

fn fitted(name: &str, trees: usize, seen: &[Seen], of: &dyn Fn(&Seen) -> bool) -> Fitted {
    let tuned: Vec<&Seen> = seen.iter().filter(|one| of(one) && one.half == Half::Tuned).collect();
    let mut sums = Vec::new();
    for part in [0, 1] {
        let known: Vec<&Seen> = tuned.iter().filter(|one| one.part == Some(part)).copied().collect();
        let model = learn::learn(&known, trees);
        let unknown = tuned.iter().filter(|one| one.part == Some(1 - part));
        sums.extend(unknown.map(|one| (model.sum(&one.features), one.right, one.weight)));
    }
    // What is learned from both parts knows more than what was learned from one: half of the way.
    let (scale, shift) = learn::stretch(&sums);
    let stretch = (f64::midpoint(1.0, scale), 0.5 * shift);
    let apart: Vec<Pair> = sums.iter().map(|one| (one.0, one.1)).collect();
    println!(
        "{name} apart: AUROC {:.3}, {:.1} % at 1 % error",
        report::separation(&apart),
        100.0 * report::coverage(&apart, ERROR)
    );
    println!("{name}: {} values, stretched by {:.2} and shifted by {:.2}", tuned.len(), stretch.0, stretch.1);
    let model = learn::learn(&tuned, trees).stretched(stretch);
    let stated = |sum: f64| 1.0 / (1.0 + (-(stretch.0 * sum + stretch.1)).exp());
    let apart = sums
        .into_iter()
        .map(|(sum, right, weight)| (stated(sum).clamp(0.001, 0.999), right, weight))
        .collect();
    Fitted { model, apart }
}

/// For each error the lowest probability from which on surely no more are wrong, by what was learned apart.
fn bounds(fitted: &Fitted) -> Vec<(f64, f64)> {
    let pairs: Vec<Pair> = fitted.apart.iter().map(|one| (round(one.0), one.1)).collect();
    let mut least = 1.0_f64;
    let mut bounds = Vec::new();
    for error in ERRORS {
        least = report::lowest(&pairs, |wrong| report::at_most(wrong) / error)
            .unwrap_or(0.999)
            .min(least)
            .min(0.999);
        bounds.push((error, least));
    }
    bounds
}

fn round(probability: f64) -> f64 {
    (probability * 1000.0).round() / 1000.0
}

/// Prints the tables; each model has the bound from which on its values are accepted.
fn measure(seen: &[Seen], own: (&Model, f64), others: (&Model, f64)) {
    let stated: Vec<(&Seen, f64)> = seen
        .iter()
        .map(|one| {
            let model = if one.regime == Regime::BuiltIn { own.0 } else { others.0 };
            (one, round(model.probability(&one.features)))
        })
        .collect();
    for half in [Half::HeldOut, Half::Fresh, Half::Tuned] {
        let of = |keep: &dyn Fn(&Seen) -> bool| -> Vec<Pair> {
            let own = stated.iter().filter(|(one, _)| one.half == half && keep(one));
            own.map(|(one, stated)| (*stated, one.right)).collect()
        };
        println!("\n{half:?}\n");
        report::head();
        report::line("all of other models", &of(&|one| one.regime != Regime::BuiltIn), others.1);
        report::line("… beside the second reader", &of(&|one| one.regime == Regime::Beside), others.1);
        report::line("… without one", &of(&|one| one.regime == Regime::Alone), others.1);
        for source in ["made", "receipts", "invoices"] {
            let name = format!("… {source}");
            report::line(&name, &of(&|one| one.regime != Regime::BuiltIn && one.source == source), others.1);
        }
        for kind in ["string", "number", "date", "id, code", "enum", "boolean", "list cell"] {
            report::line(kind, &of(&|one| one.regime != Regime::BuiltIn && one.kind == kind), others.1);
        }
        for rate in faults::rates(half) {
            let name = format!("models with {rate} wrong");
            let is = |one: &Seen| one.regime != Regime::BuiltIn && (one.rate - rate).abs() < 1e-9;
            report::line(&name, &of(&is), others.1);
        }
        report::line("the built-in model", &of(&|one| one.regime == Regime::BuiltIn), own.1);
        for source in ["made", "receipts", "invoices"] {
            let name = format!("… {source}");
            report::line(&name, &of(&|one| one.regime == Regime::BuiltIn && one.source == source), own.1);
        }
        report::reliability("other models", &of(&|one| one.regime != Regime::BuiltIn));
        report::reliability("the built-in model", &of(&|one| one.regime == Regime::BuiltIn));
        let those: Vec<(&Seen, f64)> = stated
            .iter()
            .filter(|(one, _)| one.half == half && one.regime != Regime::BuiltIn)
            .copied()
            .collect();
        report::removed("\nunsupported=null", &those, LIKELY_WRONG);
    }
}
