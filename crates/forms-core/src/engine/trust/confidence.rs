//! The calibrated confidence of a value, and the thresholds for an acceptable error rate.
//!
//! The decision trees in `weights` are trained by `cargo run --release -p forms-core --example confidence`:
//! one set for the values of the built-in model, one for those of other models. The training data are
//! receipts and invoices of the open corpus, and synthetic documents and answers; a held-out part of it
//! measures the calibration. The trees are monotonic: more evidence never lowers the probability.

use std::sync::LazyLock;

use super::features::Features;
use super::trees::Trees;
use crate::Support;

/// Bounds of a probability: no value is certain. Three decimals are stored.
const LEAST: f32 = 0.001;
const MOST: f32 = 0.999;

static BUILT_IN_TREES: LazyLock<Trees> = LazyLock::new(|| Trees::read(include_str!("weights/built_in.txt")));
static OTHER_TREES: LazyLock<Trees> = LazyLock::new(|| Trees::read(include_str!("weights/others.txt")));
/// Pairs of an error rate and the lowest confidence at which values meet it on the training documents,
/// ascending.
static OWN_BOUNDS: LazyLock<Vec<(f64, f32)>> =
    LazyLock::new(|| parse_bounds(include_str!("weights/built_in_bounds.txt")));
static OTHERS_BOUNDS: LazyLock<Vec<(f64, f32)>> =
    LazyLock::new(|| parse_bounds(include_str!("weights/others_bounds.txt")));

/// The probability that the value is correct, between 0 and 1 exclusive.
pub(super) fn probability(features: &Features) -> f32 {
    let trees = if features.score.is_some() { &BUILT_IN_TREES } else { &OTHER_TREES };
    let probability = 1.0 / (1.0 + (-trees.sum(&features.values())).exp());
    (probability.clamp(LEAST, MOST) * 1000.0).round() / 1000.0
}

/// A preliminary score from support and the model's own confidence. It orders values, and is not a
/// probability.
pub(in super::super) fn preliminary(support: Support, score: Option<f32>) -> f32 {
    // Only the order matters: support first, the model's own opinion second. Chosen by hand; no measurement
    // is recorded.
    let shown = match support {
        Support::Exact | Support::Normalised => 0.7,
        Support::Fuzzy => 0.4,
        Support::Unsupported | Support::Pictured | Support::Computed => 0.1,
    };
    shown + 0.2 * score.filter(|score| !score.is_nan()).unwrap_or(0.5).clamp(0.0, 1.0)
}

/// Whether a value is accepted when the given share of accepted values may be wrong.
pub(super) fn is_accepted(features: &Features, confidence: f32, error: f64) -> bool {
    if features.support == Support::Pictured {
        return false;
    }
    confidence >= bound(features.score.is_some(), error)
}

/// The lowest confidence that is accepted of values of the built-in model, or else of other models, when the given share
/// of accepted values may be wrong.
pub(super) fn bound(is_built_in: bool, error: f64) -> f32 {
    lowest_accepted(if is_built_in { &OWN_BOUNDS } else { &OTHERS_BOUNDS }, error)
}

/// The lowest confidence that is accepted.
fn lowest_accepted(bounds: &[(f64, f32)], error: f64) -> f32 {
    let fits = bounds.iter().filter(|(known, _)| *known <= error);
    fits.map(|(_, bound)| *bound).next_back().unwrap_or(MOST)
}

fn parse_bounds(table: &str) -> Vec<(f64, f32)> {
    let line = |line: &str| {
        let (error, bound) = line.strip_prefix("error ")?.split_once(' ')?;
        Some((error.parse().ok()?, bound.trim().parse().ok()?))
    };
    table.lines().filter_map(line).collect()
}

#[cfg(test)]
mod tests {
    use super::super::agreement::Vote;
    use super::super::features::{FEATURE_NAMES, ValueKind};
    use super::*;
    use crate::Support;

    const NONE: Features = Features {
        kind: ValueKind::Text,
        listed: false,
        reader: true,
        readable: 0.5,
        support: Support::Exact,
        vote: Vote::Abstains,
        mentions: None,
        length: 8,
        checked: false,
        contested: false,
        label: 0.0,
        own_label: 0.0,
        best_place: 0.0,
        whole: 0.5,
        rivals: 0.0,
        answer: 0.0,
        shape: 0.0,
        alone: true,
        row: 0.5,
        sums: 0.0,
        peers: 0.5,
        score: None,
    };

    /// Values of each kind with many combinations of features, drawn by a linear congruential generator.
    fn many() -> Vec<Features> {
        let mut state = 7_u64;
        let mut below = |bound: usize| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            usize::try_from(state >> 33).unwrap_or(0) % bound
        };
        let draw = |_| {
            let share = |number: usize| number as f32 / 10.0;
            Features {
                kind: [
                    ValueKind::Text,
                    ValueKind::Code,
                    ValueKind::Date,
                    ValueKind::Number,
                    ValueKind::Flag,
                    ValueKind::Choice,
                ][below(6)],
                listed: below(2) == 0,
                reader: below(2) == 0,
                readable: share(below(11)),
                support: SUPPORTS[below(4)],
                vote: OPINIONS[below(5)],
                mentions: [None, Some(0), Some(1), Some(2), Some(9), Some(u32::MAX)][below(6)],
                length: below(30),
                checked: below(2) == 0,
                contested: below(2) == 0,
                label: share(below(11)),
                own_label: share(below(21)) - 1.0,
                best_place: -share(below(11)),
                whole: share(below(11)),
                rivals: -(below(4) as f32),
                answer: share(below(21)) - 1.0,
                shape: share(below(21)) - 1.0,
                alone: below(2) == 0,
                row: share(below(11)),
                sums: share(below(31)) - 1.0,
                peers: share(below(11)),
                score: [None, Some(0.0), Some(0.5), Some(1.0), Some(f32::NAN)][below(5)],
            }
        };
        (0..3_000).map(draw).collect()
    }

    const SUPPORTS: [Support; 4] =
        [Support::Unsupported, Support::Fuzzy, Support::Normalised, Support::Exact];
    const OPINIONS: [Vote; 5] =
        [Vote::Disagrees(1.0), Vote::Disagrees(0.4), Vote::Abstains, Vote::Agrees(0.4), Vote::Agrees(1.0)];

    #[test]
    fn nothing_is_certain() {
        assert!(many().iter().map(probability).all(|probability| (LEAST..=MOST).contains(&probability)));
    }

    #[test]
    fn more_evidence_never_lowers_it() {
        let steps = [-1.0, -0.5, -0.1, 0.0, 0.2, 0.5, 0.8, 1.0];
        for features in many() {
            let grows = |list: Vec<Features>| {
                let values: Vec<f32> = list.iter().map(probability).collect();
                assert!(values.is_sorted(), "{features:?}: {values:?}");
            };
            grows(SUPPORTS.map(|support| Features { support, ..features }).to_vec());
            grows(OPINIONS.map(|opinion| Features { vote: opinion, ..features }).to_vec());
            grows(
                [None, Some(1), Some(3), Some(4), Some(50)]
                    .map(|mentions| Features { mentions, ..features })
                    .to_vec(),
            );
            grows([1, 2, 3, 5, 9, 30].map(|length| Features { length, ..features }).to_vec());
            grows([false, true].map(|checked| Features { checked, ..features }).to_vec());
            grows([true, false].map(|contested| Features { contested, ..features }).to_vec());
            grows([false, true].map(|alone| Features { alone, ..features }).to_vec());
            grows(steps.map(|label| Features { label, ..features }).to_vec());
            grows(steps.map(|own_label| Features { own_label, ..features }).to_vec());
            grows(steps.map(|best_place| Features { best_place, ..features }).to_vec());
            grows(steps.map(|whole| Features { whole, ..features }).to_vec());
            grows([-3.0, -1.0, 0.0].map(|rivals| Features { rivals, ..features }).to_vec());
            grows(steps.map(|answer| Features { answer, ..features }).to_vec());
            grows(steps.map(|shape| Features { shape, ..features }).to_vec());
            grows(steps.map(|row| Features { row, ..features }).to_vec());
            grows(steps.map(|sums| Features { sums, ..features }).to_vec());
            grows(steps.map(|peers| Features { peers, ..features }).to_vec());
            if features.score.is_some() {
                grows(steps.map(|score| Features { score: Some(score), ..features }).to_vec());
            }
        }
    }

    #[test]
    fn what_speaks_for_a_value_and_against_it_tells() {
        let of = |support, opinion| {
            let label = if support == Support::Exact { 0.9 } else { 0.0 };
            probability(&Features { support, vote: opinion, label, own_label: label, peers: 0.9, ..NONE })
        };
        assert!(of(Support::Exact, Vote::Agrees(0.9)) > 0.95);
        assert!(of(Support::Unsupported, Vote::Abstains) < 0.3);
        assert!(of(Support::Exact, Vote::Disagrees(0.9)) < of(Support::Exact, Vote::Agrees(0.9)));
    }

    #[test]
    fn every_line_of_the_tables_is_read() {
        for (trees, table) in [
            (&BUILT_IN_TREES, include_str!("weights/built_in.txt")),
            (&OTHER_TREES, include_str!("weights/others.txt")),
        ] {
            let lines = table.lines().filter(|line| line.starts_with("tree ")).count();
            assert!(lines > 10);
            assert_eq!(trees.count(), lines);
        }
        assert_eq!(FEATURE_NAMES.len(), NONE.values().len());
    }

    #[test]
    fn a_smaller_acceptable_error_asks_for_more_confidence() {
        for table in [&OWN_BOUNDS, &OTHERS_BOUNDS] {
            let bounds = [0.001, 0.005, 0.01, 0.05, 0.2, 1.0].map(|error| lowest_accepted(table, error));
            assert!(bounds.is_sorted_by(|a, b| a >= b), "{bounds:?}");
            assert!(lowest_accepted(table, 0.0) >= MOST && lowest_accepted(table, 1.0) < 0.7);
        }
    }
}
