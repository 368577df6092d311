//! Fuzzy matching, the fallback: most words of a value, in their order, close together.

use std::collections::HashMap;
use std::ops::Range;

use language::fold::words;
use serde_json::Value;

use super::super::node::Leaf;
use super::{SearchText, ValuePlace};
use crate::Support;

/// Share of a value's words that must match, as in LangExtract.
const THRESHOLD: f64 = 0.75;
/// Share of a place's words that must be words of the value. Chosen by hand; no measurement is recorded.
const DENSITY: f64 = 0.5;
// They bound memory and time: a comparison is a table of words times places (`examples/evidence_speed`).
/// Words of a value that are searched for.
const MAX_WORDS: usize = 2_000;
/// Occurrences of one word that are stored per text.
const MAX_PLACES: usize = 5_000;
/// Comparison steps per value and text.
const BUDGET: usize = 4_000_000;

/// A word of a text that occurs in some value.
#[derive(Clone, Debug)]
struct WordHit {
    word: usize,
    /// The index of the word in its text.
    number: usize,
    range: Range<usize>,
}

/// Whether most words of `value` occur in `slice` in their order.
pub(super) fn is_similar(value: &str, slice: &str) -> bool {
    let mut ids = HashMap::new();
    let value = word_ids(value, &mut ids);
    let hits: Vec<WordHit> = hits(slice, &ids).into_iter().take(2 * MAX_WORDS).collect();
    longest_common_subsequence(&value, &hits).is_some_and(|(count, ..)| is_enough(count, value.len()))
}

/// The best place for each leaf that has one.
pub(super) fn find_places(leaves: &[(usize, &Leaf)], texts: &[SearchText<'_>]) -> Vec<(usize, ValuePlace)> {
    let mut ids = HashMap::new();
    let mut values = Vec::new();
    for (at, leaf) in leaves {
        if let Value::String(text) = &leaf.value {
            let value = word_ids(text, &mut ids);
            if value.len() > 1 {
                values.push((*at, value));
            }
        }
    }
    if values.is_empty() {
        return Vec::new();
    }
    let mut found: Vec<Option<(MatchQuality, ValuePlace)>> = vec![None; values.len()];
    for (document, text) in texts.iter().enumerate() {
        let mut by_word: Vec<Vec<WordHit>> = vec![Vec::new(); ids.len()];
        for hit in hits(text.text, &ids) {
            by_word
                .get_mut(hit.word)
                .filter(|hits| hits.len() < MAX_PLACES)
                .into_iter()
                .for_each(|h| h.push(hit.clone()));
        }
        for ((_, value), best) in values.iter().zip(&mut found) {
            let Some((quality, range)) = best_window(value, &by_word) else { continue };
            if best.as_ref().is_none_or(|(known, _)| quality > *known) {
                *best = Some((quality, ValuePlace { document, range, support: Support::Fuzzy }));
            }
        }
    }
    values.into_iter().zip(found).filter_map(|((at, _), best)| Some((at, best?.1))).collect()
}

/// Common words, then fewer words in between.
type MatchQuality = (usize, std::cmp::Reverse<usize>);

fn best_window(value: &[usize], by_word: &[Vec<WordHit>]) -> Option<(MatchQuality, Range<usize>)> {
    let mut distinct = value.to_vec();
    distinct.sort_unstable();
    distinct.dedup();
    let mut hits: Vec<&WordHit> = distinct.iter().filter_map(|word| by_word.get(*word)).flatten().collect();
    hits.sort_unstable_by_key(|hit| hit.number);
    // Half as many words more: by the threshold no more than a third can be missing. Chosen by hand; no
    // measurement is recorded.
    let width = value.len() + value.len() / 2 + 2;
    let mut windows = Vec::new();
    let mut end = 0;
    for (start, first) in hits.iter().enumerate() {
        while hits.get(end).is_some_and(|hit| hit.number < first.number + width) {
            end += 1;
        }
        if is_enough(end - start, value.len()) {
            windows.push((end - start, start..end));
        }
    }
    windows.sort_by_key(|(count, _)| std::cmp::Reverse(*count));
    // Bounds the time; the first windows have most words.
    let most = (BUDGET / (value.len() * width)).clamp(1, 32);
    let mut best: Option<(MatchQuality, Range<usize>)> = None;
    for (_, window) in windows.into_iter().take(most) {
        let hits: Vec<WordHit> =
            hits.get(window).unwrap_or_default().iter().map(|hit| (*hit).clone()).collect();
        let Some((count, first, last)) = longest_common_subsequence(value, &hits) else { continue };
        let span = last.number - first.number + 1;
        let quality = (count, std::cmp::Reverse(span));
        let dense = count as f64 >= DENSITY * span as f64;
        if dense && is_enough(count, value.len()) && best.as_ref().is_none_or(|(known, _)| quality > *known) {
            best = Some((quality, first.range.start..last.range.end));
        }
    }
    best
}

fn is_enough(count: usize, of: usize) -> bool {
    of > 0 && count as f64 >= THRESHOLD * of as f64
}

fn word_ids(text: &str, ids: &mut HashMap<String, usize>) -> Vec<usize> {
    let id = |(_, word)| {
        let next = ids.len();
        *ids.entry(word).or_insert(next)
    };
    words(text).take(MAX_WORDS).map(id).collect()
}

fn hits(text: &str, ids: &HashMap<String, usize>) -> Vec<WordHit> {
    let known = |(number, (range, word)): (usize, (Range<usize>, String))| {
        ids.get(&word).map(|word| WordHit { word: *word, number, range })
    };
    words(text).enumerate().filter_map(known).collect()
}

/// The longest common subsequence: its length, and its first and last word in the text.
fn longest_common_subsequence<'h>(
    value: &[usize],
    hits: &'h [WordHit],
) -> Option<(usize, &'h WordHit, &'h WordHit)> {
    // Per hit: the length of the best sequence that ends at or before it, and the indices of its first and
    // last hit.
    let mut above: Vec<(usize, usize, usize)> = vec![(0, 0, 0); hits.len() + 1];
    for word in value {
        let mut row = vec![(0, 0, 0); hits.len() + 1];
        for (at, hit) in hits.iter().enumerate() {
            let (left, up, diagonal) = (row[at], above[at + 1], above[at]);
            let longer = if up.0 >= left.0 { up } else { left };
            let joined = if diagonal.0 == 0 { (1, at, at) } else { (diagonal.0 + 1, diagonal.1, at) };
            row[at + 1] = if hit.word == *word && joined.0 > longer.0 { joined } else { longer };
        }
        above = row;
    }
    let (count, first, last) = above.last().copied().filter(|(count, ..)| *count > 0)?;
    Some((count, hits.get(first)?, hits.get(last)?))
}
