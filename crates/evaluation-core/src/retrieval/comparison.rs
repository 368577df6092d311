//! Two runs of the same questions, side by side.

use super::figures::reciprocal_rank;
use super::{QuestionOutcome, RetrievalScores};
use crate::score::sign_test;

/// Probability below which a run counts as worse.
const CERTAIN: f64 = 0.05;

/// How the second run differs from the first. Differences are those of the second from the first.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RetrievalComparison {
    /// Questions with a better outcome: the first place has a better rank, or an unanswerable question is refused.
    pub better: u64,
    /// Questions with a worse outcome.
    pub worse: u64,
    /// Questions with the same outcome.
    pub same: u64,
    /// Differences of the recall at each rank; `None` without answerable questions.
    pub recall: [Option<f64>; 3],
    /// Difference of the mean reciprocal rank.
    pub reciprocal_rank: Option<f64>,
    /// Difference of the discounted gain.
    pub gain: Option<f64>,
    /// Difference of the refusal rate; `None` without unanswerable questions.
    pub refusal: Option<f64>,
}

impl RetrievalComparison {
    /// Compares the outcomes and figures of two runs.
    pub(super) fn of(
        (outcomes, first): (&[QuestionOutcome], &RetrievalScores),
        (others, second): (&[QuestionOutcome], &RetrievalScores),
    ) -> Self {
        let mut comparison = Self::default();
        for (before, after) in outcomes.iter().zip(others) {
            match quality(after).total_cmp(&quality(before)) {
                std::cmp::Ordering::Greater => comparison.better += 1,
                std::cmp::Ordering::Less => comparison.worse += 1,
                std::cmp::Ordering::Equal => comparison.same += 1,
            }
        }
        let difference =
            |figure: &dyn Fn(&RetrievalScores) -> Option<f64>| Some(figure(second)? - figure(first)?);
        let recall = |at: usize| {
            difference(&|scores| scores.recall.get(at).copied().flatten().map(|share| share.value))
        };
        Self {
            recall: [recall(0), recall(1), recall(2)],
            reciprocal_rank: difference(&|scores| scores.reciprocal_rank),
            gain: difference(&|scores| scores.gain),
            refusal: difference(&|scores| scores.refusal.map(|share| share.value)),
            ..comparison
        }
    }

    /// The probability of so many questions with a worse outcome, if both runs were equally good: the one-sided sign
    /// test.
    #[must_use]
    pub fn chance(&self) -> f64 {
        sign_test(self.worse, self.better)
    }

    /// Whether the second run is worse, with 95 % certainty.
    #[must_use]
    pub fn is_worse(&self) -> bool {
        self.chance() < CERTAIN
    }
}

/// How good an outcome is, 0 to 1.
fn quality(outcome: &QuestionOutcome) -> f64 {
    outcome.refused.map_or_else(|| reciprocal_rank(&outcome.ranks), f64::from)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn compared(first: &[QuestionOutcome], second: &[QuestionOutcome]) -> RetrievalComparison {
        let scores = [RetrievalScores::of(first), RetrievalScores::of(second)];
        RetrievalComparison::of((first, &scores[0]), (second, &scores[1]))
    }

    fn rank(rank: Option<u32>) -> QuestionOutcome {
        QuestionOutcome { ranks: vec![rank], results: 10, ..QuestionOutcome::default() }
    }

    #[test]
    fn questions_are_compared_one_by_one() {
        let refused = |refused| QuestionOutcome { refused: Some(refused), ..QuestionOutcome::default() };
        let first = [rank(Some(2)), rank(Some(1)), rank(None), refused(false)];
        let second = [rank(Some(1)), rank(Some(3)), rank(None), refused(true)];
        let told = compared(&first, &second);
        assert_eq!((told.better, told.worse, told.same), (2, 1, 1));
        assert_eq!((told.recall[0], told.recall[1], told.refusal), (Some(0.0), Some(0.0), Some(1.0)));
        assert!((told.reciprocal_rank.unwrap() - (1.0 / 3.0 - 0.5) / 3.0).abs() < 1e-9);
        assert!(!told.is_worse());
        let worse = compared(&vec![rank(Some(1)); 5], &vec![rank(None); 5]);
        assert!(worse.is_worse() && worse.chance() < 0.04, "{worse:?}");
        let none = compared(&[], &[]);
        assert_eq!((none.recall, none.chance()), ([None; 3], 1.0));
    }
}
