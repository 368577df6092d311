//! Reports the quality of the weights: refusals by kind of question, discrimination and calibration.

use language::Language;

use super::Sample;
use crate::answer::answerability::{Signals, least};

pub(super) type Model<'a> = &'a dyn Fn(&Signals) -> f32;

/// The language of a corpus, for the minimum probability.
pub(super) fn language(name: &str) -> Language {
    let german = Language::from_code("de").unwrap_or_default();
    if name == "xquad-de" { german } else { Language::ENGLISH }
}

fn share<'a>(of: impl Iterator<Item = &'a Sample>, is: impl Fn(&Sample) -> bool) -> (f64, usize) {
    let (mut hits, mut all) = (0_usize, 0_usize);
    for sample in of {
        all += 1;
        hits += usize::from(is(sample));
    }
    (hits as f64 / all.max(1) as f64, all)
}

fn probability(sample: &Sample, model: Model<'_>) -> f32 {
    sample.signals.as_ref().map_or(0.0, model)
}

/// Prints the figures of a model for each corpus, of the training set and of the held-out set.
pub(super) fn print_report(samples: &[Sample], model: Model<'_>) {
    for name in ["xquad-en", "xquad-de", "cranfield"] {
        for tuned in [true, false] {
            let part: Vec<&Sample> =
                samples.iter().filter(|one| one.language == name && one.is_fitted_on == tuned).collect();
            if !part.is_empty() {
                println!("{name}, {}", if tuned { "fitted" } else { "held out" });
                print_part(&part, model, least(language(name)));
            }
        }
    }
}

fn print_part(part: &[&Sample], model: Model<'_>, least: f32) {
    let of = || part.iter().copied();
    let refused = |sample: &Sample| probability(sample, model) < least;
    let whole = || of().filter(|one| one.whole);
    let (none, unanswerable) = share(whole().filter(|one| !one.answerable), refused);
    let (wrongly, answerable) = share(whole().filter(|one| one.answerable), refused);
    let (right, _) = share(whole().filter(|one| one.answerable && !refused(one)), |one| one.right);
    let (half, halves) = share(of().filter(|one| one.kind.starts_with("half") && !one.beside), refused);
    println!(
        "    without the answer ({unanswerable}) refused {none:.3}, with it ({answerable}) {wrongly:.3}; half questions \
         ({halves}) {half:.3}; right of the answered {right:.3}, AUROC {:.3}, ECE {:.3}",
        auroc(whole(), model),
        calibration(whole(), model),
    );
    let (short, all) = share(whole().filter(|one| one.answerable && one.short), refused);
    println!("        short questions with the answer ({all}): refused {short:.3}");
    let mut kinds: Vec<&str> = of().map(|one| one.kind).collect();
    kinds.sort_unstable();
    kinds.dedup();
    for kind in kinds {
        let (refused, all) = share(of().filter(|one| one.kind == kind), refused);
        println!("        {kind} ({all}): refused {refused:.3}");
    }
}

/// The probability that an answerable question scores higher than an unanswerable one.
fn auroc<'a>(of: impl Iterator<Item = &'a Sample>, model: Model<'_>) -> f64 {
    let mut scored: Vec<(f32, bool)> = of.map(|one| (probability(one, model), one.answerable)).collect();
    scored.sort_by(|a, b| a.0.total_cmp(&b.0));
    let (mut below, mut wins) = (0_usize, 0_usize);
    for (_, answerable) in &scored {
        if *answerable {
            wins += below;
        } else {
            below += 1;
        }
    }
    wins as f64 / (below * (scored.len() - below)).max(1) as f64
}

/// The expected calibration error over ten bins: the distance of probabilities from the shares of correct
/// answers.
fn calibration<'a>(of: impl Iterator<Item = &'a Sample>, model: Model<'_>) -> f64 {
    let mut bins = [(0.0_f64, 0.0_f64); 10];
    let mut all = 0.0;
    for one in of {
        let p = probability(one, model);
        let bin = &mut bins[((p * 10.0) as usize).min(9)];
        *bin = (bin.0 + f64::from(p), bin.1 + f64::from(u8::from(one.right)));
        all += 1.0;
    }
    bins.iter().map(|(said, right)| (said - right).abs()).sum::<f64>() / f64::max(all, 1.0)
}

/// Prints the shares of whole and half questions below several thresholds. The threshold in the program was
/// chosen on the training set.
pub(super) fn print_bounds(samples: &[Sample], model: Model<'_>) {
    for name in ["xquad-en", "xquad-de"] {
        for bound in (10..=30).step_by(2).map(|percent| percent as f32 / 100.0) {
            let of = || samples.iter().filter(|one| one.language == name && one.is_fitted_on);
            let refused = |sample: &Sample| probability(sample, model) < bound;
            let (none, _) = share(of().filter(|one| one.whole && !one.answerable), refused);
            let (wrongly, _) = share(of().filter(|one| one.whole && one.answerable), refused);
            let (half, _) = share(of().filter(|one| one.kind.starts_with("half") && !one.beside), refused);
            println!(
                "{name}, bound {bound:.2}: without the answer refused {none:.3}, with it {wrongly:.3}; half questions {half:.3}"
            );
        }
    }
}
