//! One probability from all that speaks for a value.
//!
//! It is a logistic model with a weight for each sign. The weights were fitted to one half of the open
//! corpus (`cargo xtask bench extraction --fit`): those of the built-in model to its own answers, those
//! of other models to answers made from the truth by injecting the faults that such models make, since
//! no vendor is asked in a bench. The other half says how well they hold. Each weight has the sign that
//! keeps the probability monotone in the evidence: more support, agreement of the second reader, a type
//! that rules wrong values out, and a surer reader never lower it; dissent and rival documents never
//! raise it.

use super::agreement::Opinion;
use crate::Support;

/// Bounds: nothing here is certain.
const LEAST: f32 = 0.01;
const MOST: f32 = 0.99;

/// What speaks for a value and against it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Signs {
    /// How the documents show it.
    pub(super) support: Support,
    /// What the second reader says.
    pub(super) opinion: Opinion,
    /// Whether its type and rules rule most wrong values out.
    pub(super) checked: bool,
    /// In how many places it stands, where that is known.
    pub(super) mentions: Option<u32>,
    /// Whether documents of the group disagree on it.
    pub(super) contested: bool,
    /// Whether a document that states it prints it.
    pub(super) literal: bool,
    /// The built-in model's own score, where it is the one that answered.
    pub(super) score: Option<f32>,
}

/// The probability that the value is right: above 0, below 1.
pub(super) fn of(signs: &Signs) -> f32 {
    let sum = match signs.score {
        Some(score) => own(signs, score),
        None => others(signs),
    };
    let probability = (1.0 / (1.0 + (-sum).exp())).clamp(LEAST, MOST);
    (probability * 1000.0).round() / 1000.0
}

/// The probability of a value of which nothing but its place is known yet.
pub(in super::super) fn preliminary(support: Support, score: Option<f32>) -> f32 {
    let opinion = Opinion::Silent;
    of(&Signs { support, opinion, checked: false, mentions: None, contested: false, literal: true, score })
}

/// Where documents of a group disagree, at most one is right; not fitted, since the corpus has no groups.
const CONTESTED: f32 = -1.0;

fn own(signs: &Signs, score: f32) -> f32 {
    let support = match signs.support {
        Support::Exact | Support::Normalised => 0.0,
        Support::Fuzzy => -1.0,
        Support::Unsupported => -2.5,
    };
    let checked = if signs.checked { 1.0 } else { 0.0 };
    let contested = if signs.contested { CONTESTED } else { 0.0 };
    2.0 + 0.5 * logit(score) + support + checked + contested
}

fn others(signs: &Signs) -> f32 {
    let support = match (signs.support, signs.literal) {
        (Support::Exact, _) => 2.2,
        (Support::Normalised, _) => 2.0,
        (Support::Fuzzy, _) => 0.0,
        (Support::Unsupported, true) => -2.0,
        (Support::Unsupported, false) => 1.0,
    };
    let opinion = match signs.opinion {
        Opinion::Silent => 0.0,
        Opinion::Agrees(sure) => 2.0 * sure.clamp(0.0, 1.0),
        Opinion::Disagrees(sure) => -2.0 * sure.clamp(0.0, 1.0),
    };
    let mentions = match signs.mentions {
        Some(4..) => -0.3,
        _ => 0.0,
    };
    let checked = if signs.checked { 0.3 } else { 0.0 };
    let contested = if signs.contested { CONTESTED } else { 0.0 };
    support + opinion + mentions + checked + contested
}

/// Log-odds; scores are kept off their ends.
fn logit(score: f32) -> f32 {
    let score = if score.is_nan() { 0.5 } else { score.clamp(0.02, 0.98) };
    (score / (1.0 - score)).ln()
}
