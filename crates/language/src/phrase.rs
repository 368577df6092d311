//! The matcher for lists of phrases: the longest phrase that stands at a token.

use std::ops::Range;

use rustc_hash::FxHashMap;

use crate::locale::Words;
use crate::token::Tokens;

/// The tokens of a phrase, and its value.
type Phrase<V> = (Box<[String]>, V);

/// Phrases, each with a value. Phrases and texts are compared as [`fold_word`](crate::fold::fold_word) writes
/// their tokens.
#[derive(Clone, Debug)]
pub struct PhraseTable<V> {
    /// By the first token: all tokens of the phrase, and its value.
    by_first: FxHashMap<String, Vec<Phrase<V>>>,
}

impl<V> Default for PhraseTable<V> {
    fn default() -> Self {
        Self { by_first: FxHashMap::default() }
    }
}

/// A phrase in a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PhraseMatch<V> {
    /// How many tokens it takes.
    pub tokens: usize,
    /// Its value.
    pub value: V,
}

impl<V: Copy> PhraseTable<V> {
    /// Adds a phrase; one without letters and digits is left out.
    pub fn insert(&mut self, phrase: &str, value: V) {
        let tokens: Box<[String]> = Tokens::of(phrase).tokens.into_iter().map(|token| token.folded).collect();
        if let Some(first) = tokens.first() {
            self.by_first.entry(first.clone()).or_default().push((tokens, value));
        }
    }

    /// Adds all phrases of a list.
    pub fn extend(&mut self, words: Words, value: V) {
        words.iter().for_each(|phrase| self.insert(phrase, value));
    }

    /// All phrases at a place, in the order in which they were added.
    pub fn all<'t>(&'t self, text: &'t Tokens<'_>, at: usize) -> impl Iterator<Item = PhraseMatch<V>> + 't {
        let here = self.by_first.get(text.folded(at)).map(Vec::as_slice).unwrap_or_default();
        let fits =
            move |phrase: &[String]| phrase.iter().enumerate().all(|(n, word)| text.folded(at + n) == word);
        here.iter()
            .filter(move |(phrase, _)| fits(phrase))
            .map(|(phrase, value)| PhraseMatch { tokens: phrase.len(), value: *value })
    }

    /// The longest phrase at a place; of several the one that was added last.
    #[must_use]
    pub fn longest(&self, text: &Tokens<'_>, at: usize) -> Option<PhraseMatch<V>> {
        self.all(text, at).max_by_key(|found| found.tokens)
    }

    /// How many tokens the longest phrase at a place takes; 0 without one.
    #[must_use]
    pub fn length_at(&self, text: &Tokens<'_>, at: usize) -> usize {
        self.longest(text, at).map_or(0, |found| found.tokens)
    }

    /// The longest phrase that is a whole text.
    #[must_use]
    pub fn whole(&self, text: &Tokens<'_>) -> Option<V> {
        self.longest(text, 0).filter(|found| found.tokens == text.len()).map(|found| found.value)
    }

    /// The values of a phrase of one token, given folded.
    pub fn of_word(&self, folded: &str) -> impl Iterator<Item = V> {
        let here = self.by_first.get(folded).map(Vec::as_slice).unwrap_or_default();
        here.iter().filter(|(phrase, _)| phrase.len() == 1).map(|(_, value)| *value)
    }

    /// Whether a folded token is a phrase of its own.
    #[must_use]
    pub fn has_word(&self, folded: &str) -> bool {
        self.of_word(folded).next().is_some()
    }

    /// The first place of a range of tokens at which a phrase stands that ends within it.
    #[must_use]
    pub fn within(&self, text: &Tokens<'_>, range: Range<usize>) -> Option<usize> {
        range.clone().find(|at| (1..=range.end - at).contains(&self.length_at(text, *at)))
    }

    /// Whether there are no phrases.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.by_first.is_empty()
    }
}

impl<'p, V: Copy> FromIterator<(&'p str, V)> for PhraseTable<V> {
    fn from_iter<I: IntoIterator<Item = (&'p str, V)>>(phrases: I) -> Self {
        let mut table = Self::default();
        phrases.into_iter().for_each(|(phrase, value)| table.insert(phrase, value));
        table
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_longest_phrase_at_a_place_is_taken() {
        let table: PhraseTable<u8> =
            [("after", 1), ("day after tomorrow", 2), ("Tomorrow", 3), ("", 4)].into_iter().collect();
        let text = Tokens::of("the day AFTER tomorrow, tomorrow");
        assert_eq!(table.longest(&text, 1), Some(PhraseMatch { tokens: 3, value: 2 }));
        assert_eq!(table.longest(&text, 2), Some(PhraseMatch { tokens: 1, value: 1 }));
        assert_eq!(table.length_at(&text, 0), 0);
        assert_eq!(table.within(&text, 2..4), Some(2));
        assert_eq!(table.within(&text, 1..2), None);
        assert_eq!(table.whole(&Tokens::of("tomorrow!")), Some(3));
        assert!(table.has_word("after") && !table.has_word("day"));
    }
}
