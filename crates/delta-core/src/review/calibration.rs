//! How much the confidence of each field is too low or too high, by the decisions of reviewers.
//!
//! A logistic model: the log-odds of the extraction plus an offset for each field. That is Platt scaling
//! (Platt, 1999) with a slope of 1, because the order of the values of a field stays as it is. The offset of a field is
//! shrunk towards that of all fields, and that towards 0, by normal priors, so that a few decisions change little.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

/// Fewest decisions about an agent's values from which offsets are learned. On the receipts of
/// `cargo xtask bench reviews`, 20 decisions halve the error of calibration.
pub(super) const MIN_SAMPLES: usize = 20;
/// Variance of the priors, in squared log-odds. Of 0.25 to 4, 0.5 has the least log loss on the open half of these
/// receipts from 80 decisions on, without accepting more wrong values.
const PRIOR_VARIANCE: f64 = 0.5;
/// Newton steps at most. The log-posterior is concave; a handful converges.
const STEPS: usize = 50;
/// Bounds of a probability, as those of the extraction.
const BOUNDS: (f64, f64) = (0.001, 0.999);

/// A value that a reviewer decided.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct ReviewSample {
    /// JSON pointer without the indexes of lists.
    pub(super) field: String,
    /// The confidence of the extraction.
    pub(super) confidence: f32,
    /// Whether the reviewer left the value as it was.
    pub(super) is_right: bool,
}

/// The offset of each field's confidence, in log-odds.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Calibration {
    /// The offset of fields without decisions.
    others: f64,
    /// Offsets by the JSON pointer without the indexes of lists.
    fields: BTreeMap<String, f64>,
}

impl Calibration {
    /// Learns the offsets; `None` with fewer than [`MIN_SAMPLES`].
    pub(super) fn fit(samples: &[ReviewSample]) -> Option<Self> {
        if samples.len() < MIN_SAMPLES {
            return None;
        }
        let mut fields: BTreeMap<&str, Vec<&ReviewSample>> = BTreeMap::new();
        for sample in samples {
            fields.entry(&sample.field).or_default().push(sample);
        }
        let others = offset(&samples.iter().collect::<Vec<_>>(), 0.0);
        let fields = fields.into_iter().map(|(field, own)| (field.to_owned(), offset(&own, others)));
        Some(Self { others, fields: fields.collect() })
    }

    pub(super) fn adjusted(&self, field: &str, confidence: f32) -> f32 {
        let offset = self.fields.get(field).copied().unwrap_or(self.others);
        let probability = logistic(log_odds(confidence) + offset).clamp(BOUNDS.0, BOUNDS.1);
        // Three decimals are stored.
        ((probability * 1000.0).round() / 1000.0) as f32
    }
}

/// The offset with the highest posterior probability, whose prior has its mean at `mean`.
fn offset(samples: &[&ReviewSample], mean: f64) -> f64 {
    let mut offset = mean;
    for _ in 0..STEPS {
        let (mut slope, mut curvature) = ((mean - offset) / PRIOR_VARIANCE, 1.0 / PRIOR_VARIANCE);
        for sample in samples {
            let probability = logistic(log_odds(sample.confidence) + offset);
            slope += f64::from(u8::from(sample.is_right)) - probability;
            curvature += probability * (1.0 - probability);
        }
        let step = slope / curvature;
        offset += step;
        if step.abs() < 1e-6 {
            break;
        }
    }
    offset
}

fn log_odds(confidence: f32) -> f64 {
    let probability = f64::from(confidence).clamp(BOUNDS.0, BOUNDS.1);
    (probability / (1.0 - probability)).ln()
}

fn logistic(log_odds: f64) -> f64 {
    1.0 / (1.0 + (-log_odds).exp())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::review::test_samples::samples;

    #[test]
    fn offsets_follow_the_decisions_and_few_of_them_change_little() {
        assert_eq!(Calibration::fit(&samples("/a", 0.7, MIN_SAMPLES - 1, 0)), None);
        let decided =
            [samples("/a", 0.7, 97, 3), samples("/b", 0.7, 20, 80), samples("/c", 0.7, 1, 0)].concat();
        let learned = Calibration::fit(&decided).unwrap();
        let (often, seldom) = (learned.adjusted("/a", 0.7), learned.adjusted("/b", 0.7));
        assert!((0.9..0.97).contains(&often), "97 of 100 are right, and the prior holds back: {often}");
        assert!((0.2..0.25).contains(&seldom), "20 of 100 are right: {seldom}");
        let others = learned.adjusted("/unknown", 0.7);
        assert!((learned.adjusted("/c", 0.7) - others).abs() < 0.1, "one decision says next to nothing");
        assert!(learned.adjusted("/a", 0.999) <= 0.999 && learned.adjusted("/b", 0.001) >= 0.001);
    }
}
