//! Fuses two rankings into one: a weighted sum of scores that are normalised to the same range (relative
//! score fusion; Bruch, Gai, Ingber 2023, "An analysis of fusion functions for hybrid retrieval"). Why not
//! rank fusion: decision 0016.

use std::collections::HashMap;
use std::hash::Hash;

/// Weight of the lexical score; the vectors have the rest. On the open sets everything from 0.6 to 0.75 is
/// about equally good (decision 0016).
const WORDS: f32 = 0.65;
/// The best lexical score with full weight: a fifth of the reachable score. Below it the weight falls with
/// the square of the best score, because the chunks are in another language or use other words, and only
/// names and numbers match. Chosen on one half of the sets and languages of decision 0016, where .2 to .3
/// differ by less than .03 nDCG@10.
const CONVINCING: f32 = 0.2;

/// A hit with its scores.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct FusedChunk<N> {
    /// Its identity.
    pub(super) name: N,
    /// From 0 to 1. Of both rankings, 1 is the best in both; of one alone, its own score.
    pub(super) score: f32,
    /// Its lexical score.
    pub(super) lexical: Option<f32>,
    /// Its vector score.
    pub(super) semantic: Option<f32>,
}

/// Fuses both rankings, best first; equal scores by name. When one is `None`, the other is unchanged.
pub(super) fn fuse<N: Copy + Eq + Hash + Ord>(
    lexical: Option<&[(N, f32)]>,
    semantic: Option<&[(N, f32)]>,
) -> Vec<FusedChunk<N>> {
    let mut found: HashMap<N, FusedChunk<N>> = HashMap::new();
    let alone = lexical.is_none() || semantic.is_none();
    let mut add = |ranking: &[(N, f32)], by_words: bool| {
        let (weight, range) = match by_words {
            true => (WORDS, ScoreRange::of_words(ranking)),
            false => (1.0 - WORDS, ScoreRange::of_vectors(ranking)),
        };
        for (name, own) in ranking {
            let entry = FusedChunk { name: *name, score: 0.0, lexical: None, semantic: None };
            let fused = found.entry(*name).or_insert(entry);
            let place = if by_words { &mut fused.lexical } else { &mut fused.semantic };
            // Of duplicates, the better rank counts.
            if place.is_none() {
                *place = Some(*own);
                fused.score += if alone { own.clamp(0.0, 1.0) } else { weight * range.share(*own) };
            }
        }
    };
    add(lexical.unwrap_or_default(), true);
    add(semantic.unwrap_or_default(), false);
    let mut fused: Vec<FusedChunk<N>> = found.into_values().collect();
    fused.sort_by(|a, b| b.score.total_cmp(&a.score).then_with(|| a.name.cmp(&b.name)));
    fused
}

/// The score range of a ranking: from the score of an absent chunk to the best.
struct ScoreRange {
    least: f32,
    width: f32,
}

impl ScoreRange {
    /// A chunk without any of the words has the score 0.
    fn of_words<N>(ranking: &[(N, f32)]) -> Self {
        let best = best(ranking);
        Self { least: 0.0, width: if best < CONVINCING { CONVINCING * CONVINCING / best } else { best } }
    }

    /// Every chunk is similar to some degree, which differs between models. An absent one is less similar
    /// than the last.
    fn of_vectors<N>(ranking: &[(N, f32)]) -> Self {
        let least = ranking.iter().fold(f32::INFINITY, |least, (_, score)| least.min(*score));
        Self { least, width: best(ranking) - least }
    }

    /// The normalised score; all are 1 when they are equal.
    fn share(&self, score: f32) -> f32 {
        if self.width > 0.0 { ((score - self.least) / self.width).clamp(0.0, 1.0) } else { 1.0 }
    }
}

fn best<N>(ranking: &[(N, f32)]) -> f32 {
    ranking.iter().fold(f32::NEG_INFINITY, |best, (_, score)| best.max(*score))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(fused: &[FusedChunk<u32>]) -> Vec<u32> {
        fused.iter().map(|one| one.name).collect()
    }

    #[test]
    fn what_both_rankings_have_goes_before_what_one_has() {
        let fused = fuse(Some(&[(1, 0.9), (2, 0.85), (3, 0.4)]), Some(&[(4, 0.8), (2, 0.7), (3, 0.1)]));
        assert_eq!(names(&fused), [2, 1, 4, 3]);
        assert_eq!((fused[0].lexical, fused[0].semantic), (Some(0.85), Some(0.7)));
        assert_eq!((fused[1].lexical, fused[1].semantic), (Some(0.9), None));
    }

    #[test]
    fn the_best_in_both_has_one_and_the_score_falls() {
        let ranking: Vec<(u32, f32)> = (0..200).map(|at| (at, 1.0 / (at + 1) as f32)).collect();
        let fused = fuse(Some(&ranking), Some(&ranking));
        assert!((fused[0].score - 1.0).abs() < 1e-6);
        assert!(fused.windows(2).all(|pair| pair[0].score > pair[1].score));
        assert!(fused.iter().all(|one| (0.0..=1.0).contains(&one.score)));
    }

    #[test]
    fn how_far_apart_findings_are_decides_and_not_their_places() {
        // Lexically 1 is far ahead; by vectors, whose scores are all high, 2 is hardly better.
        let words = [(1, 0.9), (2, 0.5), (3, 0.3)];
        assert_eq!(names(&fuse(Some(&words), Some(&[(2, 0.81), (1, 0.8), (3, 0.7)]))), [1, 2, 3]);
        assert_eq!(names(&fuse(Some(&words), Some(&[(2, 0.81), (3, 0.71), (1, 0.7)]))), [2, 1, 3]);
        assert_eq!(
            names(&fuse(Some(&[(1, 0.55), (2, 0.5), (3, 0.3)]), Some(&[(2, 0.81), (1, 0.7)]))),
            [2, 1, 3]
        );
    }

    #[test]
    fn words_that_hardly_match_anything_do_not_outweigh_the_meaning() {
        let vectors = [(7, 0.8), (8, 0.5), (9, 0.3)];
        for (lexical, first) in [(0.0, 7), (0.03, 7), (0.1, 7), (0.19, 9), (0.3, 9)] {
            let words = [(9, lexical), (8, lexical / 3.0)];
            assert_eq!(names(&fuse(Some(&words), Some(&vectors)))[0], first, "{lexical}");
        }
    }

    #[test]
    fn the_only_chunk_with_the_word_is_the_first_however_similar_others_are() {
        let vectors: Vec<(u32, f32)> = (0..100).map(|at| (at, 0.9 - at as f32 / 1_000.0)).collect();
        assert_eq!(names(&fuse(Some(&[(99, 0.4)]), Some(&vectors)))[0], 99);
        assert_eq!(names(&fuse(Some(&[(200, 0.4)]), Some(&vectors)))[0], 200);
        let alone = fuse(Some(&[(1, 0.4)]), Some(&[(1, 0.4)]));
        assert!((alone[0].score - 1.0).abs() < 1e-6);
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
