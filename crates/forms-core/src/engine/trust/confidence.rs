//! One probability from all that speaks for a value.
//!
//! It is a logistic model with a weight for each sign. The weights follow those that `cargo xtask bench
//! extraction --fit` finds on the open halves of receipts and invoices, each kind counting the same, drawn
//! towards nothing where few values have the sign: for the built-in model from its own answers, for other
//! models from answers made from the truth by injecting the faults that such models make, since no
//! vendor is asked in a bench. The blind halves and the recorded answers say how well they hold. What the
//! corpus cannot tell (rival documents, very short values, rules, options) has a cautious weight that
//! was not fitted; each is marked. Every weight has the sign that keeps the probability monotone in the
//! evidence: more support, the second reader's agreement, more mentions, a type that rules wrong values
//! out and a surer reader never lower it; dissent and rival documents never raise it.

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
    /// Whether it has one or two letters or digits.
    pub(super) brief: bool,
    /// Whether documents of the group disagree on it.
    pub(super) contested: bool,
    /// Whether a document that states it prints it.
    pub(super) literal: bool,
    /// The built-in model's own score, where it is the one that answered.
    pub(super) score: Option<f32>,
}

impl Signs {
    /// Nothing known.
    pub(super) const NONE: Self = Self {
        support: Support::Unsupported,
        opinion: Opinion::Silent,
        checked: false,
        mentions: None,
        brief: false,
        contested: false,
        literal: true,
        score: None,
    };
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
    of(&Signs { support, score, ..Signs::NONE })
}

/// Where documents of a group disagree, at most one is right. Not fitted: the corpus has no groups.
const CONTESTED: f32 = -1.0;

/// The log-odds of a value of the built-in model. It cites what it reads, so that weak support is rare;
/// the weights of that were not fitted.
fn own(signs: &Signs, score: f32) -> f32 {
    let support = match signs.support {
        Support::Exact | Support::Normalised => 0.0,
        Support::Fuzzy => -1.0,
        Support::Unsupported => -2.5,
    };
    let checked = if signs.checked { 1.5 } else { 0.0 };
    let contested = if signs.contested { CONTESTED } else { 0.0 };
    1.9 + 0.15 * logit(score) + support + checked + contested
}

/// The log-odds of a value of another model.
fn others(signs: &Signs) -> f32 {
    let support = match (signs.support, signs.literal) {
        (Support::Exact | Support::Normalised, _) => 0.0,
        (Support::Fuzzy, true) => -2.0,
        (Support::Unsupported, true) => -3.5,
        // Not fitted: no form of the corpus has options, or yes and no.
        (Support::Fuzzy | Support::Unsupported, false) => -0.3,
    };
    let opinion = match signs.opinion {
        Opinion::Silent => 0.0,
        Opinion::Agrees(sure) => 4.0 * sure.clamp(0.0, 1.0),
        Opinion::Disagrees(sure) => -1.5 * sure.clamp(0.0, 1.0),
    };
    // What a document says again and again is seldom misread; but a value of one or two letters stands in
    // most texts by chance, which was not fitted.
    let mentions = match signs.mentions {
        _ if signs.brief => -0.7,
        Some(4..) => 1.0,
        _ => 0.0,
    };
    // Not fitted: no field of the corpus has rules, and its dates are all of one kind.
    let checked = if signs.checked { 0.2 } else { 0.0 };
    let contested = if signs.contested { CONTESTED } else { 0.0 };
    1.8 + support + opinion + mentions + checked + contested
}

/// Log-odds; scores are kept off their ends.
fn logit(score: f32) -> f32 {
    let score = if score.is_nan() { 0.5 } else { score.clamp(0.02, 0.98) };
    (score / (1.0 - score)).ln()
}

#[cfg(test)]
mod tests {
    use super::*;

    const SUPPORTS: [Support; 4] =
        [Support::Unsupported, Support::Fuzzy, Support::Normalised, Support::Exact];
    const OPINIONS: [Opinion; 5] = [
        Opinion::Disagrees(1.0),
        Opinion::Disagrees(0.4),
        Opinion::Silent,
        Opinion::Agrees(0.4),
        Opinion::Agrees(1.0),
    ];

    /// Every combination of signs.
    fn all() -> Vec<Signs> {
        let mut all = Vec::new();
        for support in SUPPORTS {
            for opinion in OPINIONS {
                for score in [None, Some(0.0), Some(0.5), Some(1.0), Some(f32::NAN)] {
                    for mentions in [None, Some(0), Some(1), Some(2), Some(9), Some(u32::MAX)] {
                        for bits in 0..16_u8 {
                            let is = |bit: u8| bits & bit != 0;
                            let (checked, brief, contested, literal) = (is(1), is(2), is(4), is(8));
                            all.push(Signs {
                                support,
                                opinion,
                                checked,
                                mentions,
                                brief,
                                contested,
                                literal,
                                score,
                            });
                        }
                    }
                }
            }
        }
        all
    }

    #[test]
    fn nothing_is_certain() {
        assert!(all().iter().map(of).all(|probability| (LEAST..=MOST).contains(&probability)));
    }

    #[test]
    fn more_evidence_never_lowers_it() {
        for signs in all() {
            let least = of(&signs);
            let stronger = |list: Vec<Signs>| {
                let values: Vec<f32> = list.iter().map(of).collect();
                assert!(values.is_sorted(), "{signs:?}: {values:?}");
            };
            stronger(SUPPORTS.map(|support| Signs { support, ..signs }).to_vec());
            stronger(OPINIONS.map(|opinion| Signs { opinion, ..signs }).to_vec());
            stronger(
                [None, Some(1), Some(3), Some(4), Some(50)]
                    .map(|mentions| Signs { mentions, ..signs })
                    .to_vec(),
            );
            assert!(of(&Signs { checked: true, ..signs }) >= least);
            assert!(of(&Signs { contested: true, ..signs }) <= least);
            assert!(of(&Signs { brief: true, ..signs }) <= least);
            if signs.score.is_some() {
                stronger([0.0, 0.3, 0.9].map(|score| Signs { score: Some(score), ..signs }).to_vec());
            }
        }
    }

    #[test]
    fn what_speaks_for_a_value_and_against_it_tells() {
        let of = |support, opinion| of(&Signs { support, opinion, ..Signs::NONE });
        assert!(of(Support::Exact, Opinion::Agrees(0.9)) > 0.95);
        assert!(of(Support::Unsupported, Opinion::Silent) < 0.2);
        assert!(of(Support::Exact, Opinion::Disagrees(0.9)) < of(Support::Exact, Opinion::Silent));
    }
}
