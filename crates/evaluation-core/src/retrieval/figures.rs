//! The figures of a run: recall, mean reciprocal rank, discounted cumulative gain, refusals.

use super::QuestionOutcome;
use crate::score::{Interval, wilson};

/// The rank up to which the discounted gain counts.
const GAIN_RANKS: u32 = 10;

/// How well a run found the answers of its questions.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RetrievalScores {
    /// Questions that were asked.
    pub questions: u32,
    /// Questions that have an answer.
    pub answerable: u32,
    /// Questions whose search failed. Nothing was found for them.
    pub failed: u32,
    /// Mean share of the places of an answer among the first 1, 5 and 10 results; `None` without answerable
    /// questions.
    pub recall: [Option<Interval>; 3],
    /// Mean of one divided by the rank of the first result at a place of the answer, 0 where there is none.
    pub reciprocal_rank: Option<f64>,
    /// Mean normalised discounted cumulative gain of the first ten results.
    pub gain: Option<f64>,
    /// Share of the unanswerable questions without any result; `None` without such questions.
    pub refusal: Option<Interval>,
    /// Answerable questions without any result.
    pub empty: u32,
}

impl RetrievalScores {
    /// The ranks of [`RetrievalScores::recall`].
    pub const RANKS: [u32; 3] = [1, 5, 10];

    /// The figures of these outcomes.
    pub(super) fn of(outcomes: &[QuestionOutcome]) -> Self {
        let count = |all: usize| u32::try_from(all).unwrap_or(u32::MAX);
        let answerable: Vec<&QuestionOutcome> = outcomes.iter().filter(|one| one.refused.is_none()).collect();
        let unanswerable: Vec<bool> = outcomes.iter().filter_map(|one| one.refused).collect();
        let all = answerable.len() as f64;
        let sum = |value: &dyn Fn(&QuestionOutcome) -> f64| -> f64 {
            answerable.iter().map(|one| value(one)).sum()
        };
        let mean = |value: &dyn Fn(&QuestionOutcome) -> f64| (all > 0.0).then(|| sum(value) / all);
        let refused = unanswerable.iter().filter(|refused| **refused).count();
        Self {
            questions: count(outcomes.len()),
            answerable: count(answerable.len()),
            failed: count(outcomes.iter().filter(|one| one.failure.is_some()).count()),
            recall: Self::RANKS.map(|most| wilson(sum(&|one| recall(&one.ranks, most)), all)),
            reciprocal_rank: mean(&|one| reciprocal_rank(&one.ranks)),
            gain: mean(&|one| gain(&one.ranks)),
            refusal: wilson(refused as f64, unanswerable.len() as f64),
            empty: count(answerable.iter().filter(|one| one.results == 0 && one.failure.is_none()).count()),
        }
    }
}

/// The share of the places that were found up to a rank.
fn recall(ranks: &[Option<u32>], most: u32) -> f64 {
    let found = ranks.iter().flatten().filter(|rank| **rank <= most).count();
    if ranks.is_empty() { 0.0 } else { found as f64 / ranks.len() as f64 }
}

/// One divided by the rank of the first place, 0 for none.
pub(super) fn reciprocal_rank(ranks: &[Option<u32>]) -> f64 {
    ranks.iter().flatten().min().map_or(0.0, |rank| 1.0 / f64::from(*rank))
}

/// The normalised discounted cumulative gain (Järvelin and Kekäläinen, 2002) with a gain of 1 for each result at a
/// place. Places at one result count once.
fn gain(ranks: &[Option<u32>]) -> f64 {
    let mut found: Vec<u32> = ranks.iter().flatten().copied().collect();
    found.sort_unstable();
    found.dedup();
    let missing = ranks.iter().filter(|rank| rank.is_none()).count();
    let best = u32::try_from(found.len() + missing).unwrap_or(u32::MAX).min(GAIN_RANKS);
    let discounted = |rank: u32| 1.0 / (f64::from(rank) + 1.0).log2();
    let ideal: f64 = (1..=best).map(discounted).sum();
    let gain: f64 = found.into_iter().filter(|rank| *rank <= GAIN_RANKS).map(discounted).sum();
    if ideal > 0.0 { gain / ideal } else { 0.0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(ranks: &[Option<u32>]) -> QuestionOutcome {
        QuestionOutcome { ranks: ranks.to_vec(), results: 10, ..QuestionOutcome::default() }
    }

    fn close(left: f64, right: f64) -> bool {
        (left - right).abs() < 1e-6
    }

    #[test]
    fn figures_are_those_of_the_literature() {
        // Of three questions, one is answered first, one third, one not at all.
        let outcomes = [found(&[Some(1)]), found(&[Some(3)]), found(&[None])];
        let scores = RetrievalScores::of(&outcomes);
        let recall = scores.recall.map(|recall| recall.unwrap().value);
        assert!(close(recall[0], 1.0 / 3.0) && close(recall[1], 2.0 / 3.0) && close(recall[2], 2.0 / 3.0));
        assert!(close(scores.reciprocal_rank.unwrap(), (1.0 + 1.0 / 3.0) / 3.0));
        assert!(close(scores.gain.unwrap(), (1.0 + 0.5) / 3.0));
        assert_eq!((scores.questions, scores.answerable, scores.refusal), (3, 3, None));
    }

    #[test]
    fn several_places_are_found_by_and_by() {
        let ranks = [Some(1), Some(4), Some(12), None];
        assert!(
            close(recall(&ranks, 1), 0.25)
                && close(recall(&ranks, 5), 0.5)
                && close(recall(&ranks, 20), 0.75)
        );
        let ideal = 1.0 + 1.0 / 3.0_f64.log2() + 0.5 + 1.0 / 5.0_f64.log2();
        assert!(close(gain(&ranks), (1.0 + 1.0 / 5.0_f64.log2()) / ideal));
        assert!(close(gain(&[Some(2), Some(1)]), 1.0));
        assert!(close(gain(&[Some(1), Some(1)]), 1.0), "one result has both");
        assert!(close(gain(&[Some(11)]), 0.0) && close(gain(&[]), 0.0));
    }

    #[test]
    fn refusals_are_the_right_answer_of_unanswerable_questions_alone() {
        let refused =
            |refused, results| QuestionOutcome { refused: Some(refused), results, ..Default::default() };
        let empty = QuestionOutcome { ranks: vec![None], ..QuestionOutcome::default() };
        let scores = RetrievalScores::of(&[refused(true, 0), refused(false, 3), empty]);
        assert_eq!(scores.refusal.unwrap().value, 0.5);
        assert_eq!((scores.answerable, scores.empty), (1, 1));
        let none = RetrievalScores::of(&[]);
        assert_eq!((none.recall, none.gain), ([None; 3], None));
    }
}
