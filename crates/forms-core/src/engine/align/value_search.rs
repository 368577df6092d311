//! The search: one pass over each text finds all values.

use std::collections::{HashMap, HashSet};
use std::ops::Range;

use aho_corasick::AhoCorasick;
use language::date;
use language::fold::FoldedText;
use language::number;

use super::super::node::Leaf;
use super::matching::{self, PrintedValue};
use super::value_query::{SearchKey, ValueQuery};
use super::{SearchText, reduced_dates};

// They bound memory and time of hostile documents and records (`examples/evidence_speed`: 5 MB and 40 values
// in 0.4 to 0.6 s).
/// Bytes of a folded text that form a search pattern; the rest is compared at each hit.
const PATTERN: usize = 48;
/// Bytes of all patterns together.
const MAX_PATTERNS: usize = 2_000_000;
/// Places stored per text: of one value, of all values together, and of one value as part of something else.
const MAX_PLACES: usize = 20_000;
const MAX_ALL_PLACES: usize = 1_000_000;
const MAX_PARTS: usize = 200;
/// Bytes beyond the patterns that are compared in one text.
const MAX_COMPARED: usize = 256 << 20;
/// Distinct values without letters or digits that are searched for.
const MAX_SIGNS: usize = 100;

/// The queries of all leaves.
#[derive(Debug)]
pub(super) struct ValueSearch {
    queries: HashMap<usize, ValueQuery>,
    keys: HashSet<SearchKey>,
}

/// The results: the query of each leaf, and for each text the places of every key.
#[derive(Debug)]
pub(super) struct SearchMatches {
    pub(super) queries: HashMap<usize, ValueQuery>,
    pub(super) places: Vec<HashMap<SearchKey, Vec<PrintedValue>>>,
}

impl ValueSearch {
    pub(super) fn new<'l>(leaves: impl Iterator<Item = (usize, &'l Leaf)>) -> Self {
        let queries: HashMap<usize, ValueQuery> =
            leaves.filter_map(|(at, leaf)| ValueQuery::new(leaf).map(|query| (at, query))).collect();
        let keys = queries.values().flat_map(|query| query.keys.iter().map(|(key, _)| key.clone())).collect();
        Self { queries, keys }
    }

    /// Searches for all keys in every text.
    pub(super) fn find(self, texts: &[SearchText<'_>]) -> SearchMatches {
        let words = self.words();
        let places = texts.iter().map(|text| self.find_in(text.text, words.as_ref())).collect();
        SearchMatches { queries: self.queries, places }
    }

    fn words(&self) -> Option<WordMatcher<'_>> {
        let mut by_pattern: HashMap<&str, Vec<&str>> = HashMap::new();
        let mut total = 0;
        for key in &self.keys {
            let SearchKey::Words(words) = key else { continue };
            let Some(pattern) = words.get(..words.floor_char_boundary(PATTERN)) else { continue };
            total += pattern.len();
            if total <= MAX_PATTERNS {
                by_pattern.entry(pattern).or_default().push(words);
            }
        }
        let (patterns, words): (Vec<&str>, Vec<Vec<&str>>) = by_pattern.into_iter().unzip();
        let automaton = AhoCorasick::new(&patterns).ok().filter(|_| !patterns.is_empty())?;
        Some(WordMatcher { automaton, words })
    }

    fn find_in(&self, text: &str, words: Option<&WordMatcher<'_>>) -> HashMap<SearchKey, Vec<PrintedValue>> {
        let whole = 0..text.len();
        let mut places: HashMap<SearchKey, (Vec<PrintedValue>, usize)> = HashMap::new();
        let mut total = 0;
        let mut add = |key: SearchKey, printed: PrintedValue| {
            let (list, parts) = places.entry(key).or_default();
            let is_part = printed.part && !printed.apart;
            let room = if is_part { *parts < MAX_PARTS } else { list.len() < MAX_PLACES };
            if room && total < MAX_ALL_PLACES {
                *parts += usize::from(is_part);
                list.push(printed);
                total += 1;
            }
        };
        if let Some(words) = words {
            words.find(text, whole.clone(), |key, range| add(SearchKey::Words(key.to_owned()), range.into()));
        }
        let signs = self
            .keys
            .iter()
            .filter_map(|key| if let SearchKey::Signs(signs) = key { Some(signs) } else { None });
        for signs in signs.filter(|signs| !signs.is_empty()).take(MAX_SIGNS) {
            for (at, hit) in text.match_indices(signs.as_str()).take(MAX_PLACES) {
                add(SearchKey::Signs(signs.clone()), (at..at + hit.len()).into());
            }
        }
        if self.keys.iter().any(|key| matches!(key, SearchKey::Number(_) | SearchKey::Percent(_))) {
            number::scan(text, whole.clone(), |mention| {
                matching::number_keys(&mention, |key, printed| {
                    if self.keys.contains(&key) {
                        add(key, printed);
                    }
                });
            });
        }
        if self.keys.iter().any(|key| matches!(key, SearchKey::Date(_))) {
            date::scan(text, whole, |mention| {
                for date in [mention.day_first, mention.month_first].into_iter().flatten() {
                    let key = SearchKey::Date(date);
                    if self.keys.contains(&key) {
                        add(key, mention.range.clone().into());
                    }
                }
            });
        }
        let reduced = |key: &SearchKey| matches!(key, SearchKey::ReducedDate(_));
        if self.keys.iter().any(reduced) {
            reduced_dates::scan(text, 0..text.len(), |value, range| {
                let key = SearchKey::ReducedDate(value);
                if self.keys.contains(&key) {
                    add(key, range.into());
                }
            });
        }
        places.into_iter().map(|(key, (list, _))| (key, list)).collect()
    }
}

/// A matcher of all folded texts in one pass.
struct WordMatcher<'w> {
    automaton: AhoCorasick,
    /// For each pattern, the folded texts that begin with it.
    words: Vec<Vec<&'w str>>,
}

impl WordMatcher<'_> {
    fn find(&self, text: &str, range: Range<usize>, mut emit: impl FnMut(&str, Range<usize>)) {
        let index = FoldedText::new(text, range);
        let mut budget = MAX_COMPARED;
        for hit in self.automaton.find_overlapping_iter(&index.folded) {
            for words in self.words.get(hit.pattern().as_usize()).into_iter().flatten() {
                // A text no longer than its pattern matches with it; the rest of a longer one is compared.
                let longer = words.len().saturating_sub(PATTERN);
                if longer > budget {
                    continue;
                }
                budget -= longer;
                let end = hit.start() + words.len();
                let same = index.folded.get(hit.start()..end) == Some(*words);
                if let Some(range) = same.then(|| index.words(text, hit.start(), end)).flatten() {
                    emit(words, range);
                }
            }
        }
    }
}
