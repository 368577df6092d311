//! One ranking of two: a weighted sum of scores that are stretched to the same range (relative score fusion; Bruch, Gai,
//! Ingber 2023, "An analysis of fusion functions for hybrid retrieval"). Why not by ranks: decision 0016.

use std::collections::HashMap;
use std::hash::Hash;

/// The part of the words in the score of both; that of the vectors is the rest. On the open sets everything from 0.6
/// to 0.7 is about equally good (docs/benchmarks.md).
const WORDS: f32 = 0.6;

/// A finding with its scores.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Fused<N> {
    /// What was found.
    pub(super) name: N,
    /// From 0 to 1: of both rankings, 1 is the best in both; of one alone, its own score.
    pub(super) score: f32,
    /// Its score in the first ranking.
    pub(super) lexical: Option<f32>,
    /// Its score in the second.
    pub(super) semantic: Option<f32>,
}

/// Both rankings as one, best first; equal ones by name. Where one is `None`, the other stays as it is.
pub(super) fn fuse<N: Copy + Eq + Hash + Ord>(
    lexical: Option<&[(N, f32)]>,
    semantic: Option<&[(N, f32)]>,
) -> Vec<Fused<N>> {
    let mut found: HashMap<N, Fused<N>> = HashMap::new();
    let alone = lexical.is_none() || semantic.is_none();
    let mut add = |ranking: &[(N, f32)], by_words: bool| {
        let range = Range::of(ranking);
        let weight = if by_words { WORDS } else { 1.0 - WORDS };
        for (name, own) in ranking {
            let entry = Fused { name: *name, score: 0.0, lexical: None, semantic: None };
            let fused = found.entry(*name).or_insert(entry);
            let place = if by_words { &mut fused.lexical } else { &mut fused.semantic };
            // Named twice, the better place counts.
            if place.is_none() {
                *place = Some(*own);
                fused.score += if alone { own.clamp(0.0, 1.0) } else { weight * range.share(*own) };
            }
        }
    };
    add(lexical.unwrap_or_default(), true);
    add(semantic.unwrap_or_default(), false);
    let mut fused: Vec<Fused<N>> = found.into_values().collect();
    fused.sort_by(|a, b| b.score.total_cmp(&a.score).then_with(|| a.name.cmp(&b.name)));
    fused
}

/// From which score to which a ranking goes. What is not in it counts as much as its last.
struct Range {
    least: f32,
    best: f32,
}

impl Range {
    fn of<N>(ranking: &[(N, f32)]) -> Self {
        let mut range = Self { least: f32::INFINITY, best: f32::NEG_INFINITY };
        for (_, score) in ranking {
            range.least = range.least.min(*score);
            range.best = range.best.max(*score);
        }
        range
    }

    /// Where a score is between the last and the best, which all are when they are equal.
    fn share(&self, score: f32) -> f32 {
        if self.best > self.least { (score - self.least) / (self.best - self.least) } else { 1.0 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(fused: &[Fused<u32>]) -> Vec<u32> {
        fused.iter().map(|one| one.name).collect()
    }

    #[test]
    fn what_both_rankings_have_goes_before_what_one_has() {
        let fused = fuse(Some(&[(1, 0.9), (2, 0.5), (3, 0.4)]), Some(&[(4, 0.8), (3, 0.7), (2, 0.1)]));
        assert_eq!(names(&fused), [2, 3, 1, 4]);
        assert_eq!((fused[0].lexical, fused[0].semantic), (Some(0.5), Some(0.1)));
        assert_eq!((fused[2].lexical, fused[2].semantic), (Some(0.9), None));
    }

    #[test]
    fn the_first_in_both_has_one_and_the_score_falls() {
        let ranking: Vec<(u32, f32)> = (0..200).map(|at| (at, 1.0 / (at + 1) as f32)).collect();
        let fused = fuse(Some(&ranking), Some(&ranking));
        assert!((fused[0].score - 1.0).abs() < 1e-6);
        assert!(fused.windows(2).all(|pair| pair[0].score > pair[1].score));
        assert!(fused.iter().all(|one| (0.0..=1.0).contains(&one.score)));
    }

    #[test]
    fn one_ranking_alone_keeps_its_scores_and_equal_ones_are_in_a_stable_order() {
        let fused = fuse(Some(&[(5, 0.5), (3, 0.5), (9, 0.25)]), None);
        assert_eq!(names(&fused), [3, 5, 9]);
        assert_eq!(fused.iter().map(|one| one.score).collect::<Vec<_>>(), [0.5, 0.5, 0.25]);
        assert_eq!(names(&fuse(None, Some(&[(2, 0.1)]))), [2]);
        assert_eq!(fuse::<u32>(None, None), []);
    }
}
