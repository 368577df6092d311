//! Relevance of passages to a query, on one scale for all sources.

use std::collections::HashMap;

use language::Language;
use language::bm25::{Bm25, idf};
use language::detect::detect;
use language::token::words;

use super::candidates::Candidate;
use crate::text::{MAX_TERMS, Matcher, Query};

/// Weight of a term that is only in the title. Chosen by hand; no measurement is recorded.
const TITLE: f32 = 0.5;

/// The terms of a query in passages.
struct TermCounts {
    /// The frequency of each term, by passage.
    counts: Vec<[f32; MAX_TERMS]>,
    /// The number of words of each passage.
    lengths: Vec<f32>,
    /// The number of passages with each term.
    found: [usize; MAX_TERMS],
}

/// Scores all passages, 0 to 1: the share of the query's words that they have, weighted by the rarity of the
/// words among all passages, with BM25's saturation and length normalisation. A higher score of a knowledge
/// base, such as one by vectors, is kept.
pub(super) fn score(candidates: &mut [Candidate], query: &str) {
    let query = Query::new(query, detect(query));
    let TermCounts { counts, lengths, found } = count(candidates, &query);
    let all = candidates.len();
    let average = lengths.iter().sum::<f32>() / all.max(1) as f32;
    let weight = |at: usize| {
        let (term, found) = (query.terms.get(at), found.get(at).copied().unwrap_or_default());
        term.map_or(0.0, |term| term.weight * idf(found as u64, all as u64))
    };
    let total: f32 = (0..query.terms.len()).map(weight).sum();
    for ((candidate, counts), length) in candidates.iter_mut().zip(counts).zip(lengths) {
        let had = counts.iter().enumerate().filter(|(_, count)| **count > 0.0);
        let had: f32 =
            had.map(|(at, count)| weight(at) * Bm25::default().share(*count, length, average)).sum();
        let words = if total > 0.0 { f64::from(had / total) } else { 0.0 };
        candidate.item.score = candidate.item.score.max(words).clamp(0.0, 1.0);
    }
}

fn count(candidates: &[Candidate], query: &Query) -> TermCounts {
    let mut matchers: HashMap<Language, Matcher<'_>> = HashMap::new();
    let mut languages: HashMap<usize, Language> = HashMap::new();
    let mut counted = TermCounts { counts: Vec::new(), lengths: Vec::new(), found: [0; MAX_TERMS] };
    for candidate in candidates {
        let language = *languages.entry(candidate.source).or_insert_with(|| detect(&candidate.item.text));
        let matcher = matchers.entry(language).or_insert_with(|| Matcher::new(query, language));
        let (mut has, mut length) = ([0.0_f32; MAX_TERMS], 0.0);
        for word in words(&candidate.item.text) {
            length += 1.0;
            for hit in matcher.hits(word.text) {
                if let Some(value) = has.get_mut(usize::from(hit.term)) {
                    *value += hit.weight;
                }
            }
        }
        for word in words(&candidate.item.title) {
            for hit in matcher.hits(word.text) {
                if let Some(value) = has.get_mut(usize::from(hit.term)) {
                    *value = value.max(TITLE * hit.weight);
                }
            }
        }
        for (found, value) in counted.found.iter_mut().zip(has) {
            *found += usize::from(value > 0.0);
        }
        counted.counts.push(has);
        counted.lengths.push(length);
    }
    counted
}
