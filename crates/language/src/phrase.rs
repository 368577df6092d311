//! Matchers for lists of phrases: the longest phrase that stands at a token, and the phrases of a section in a text.

use std::ops::Range;

use rustc_hash::FxHashMap;

use crate::fold::{fold, is_unspaced};
use crate::language::Language;
use crate::locale::{Locale, Section, Words};
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

    /// The value of a phrase of two tokens, given folded; of several the one that was added last.
    #[must_use]
    pub fn of_pair(&self, first: &str, second: &str) -> Option<V> {
        let here = self.by_first.get(first).map(Vec::as_slice).unwrap_or_default();
        let is_pair =
            |phrase: &[String]| phrase.len() == 2 && phrase.get(1).is_some_and(|word| word == second);
        here.iter().rev().find(|(phrase, _)| is_pair(phrase)).map(|(_, value)| *value)
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

    /// The first token of each phrase.
    pub(crate) fn first_words(&self) -> impl Iterator<Item = &str> {
        self.by_first.keys().map(String::as_str)
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

/// The words of a text, folded, with single blanks between them and at each end.
#[must_use]
pub fn flatten(text: &str) -> String {
    let mut flat = String::from(" ");
    for word in text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()) {
        flat.push_str(&fold(word));
        flat.push(' ');
    }
    flat
}

/// The phrases of a section in all languages, by key. They are found in texts of [`flatten`]: as whole words, in
/// scripts without spaces anywhere.
#[derive(Clone, Debug)]
pub struct SectionPhrases(Vec<(&'static str, Vec<String>)>);

impl SectionPhrases {
    /// The phrases of a section whose keys are those of the English locale, in their order.
    pub fn of(section: impl Fn(&'static Locale) -> Section) -> Self {
        let mut keys: Vec<(&'static str, Vec<String>)> = Vec::new();
        for entry in Language::all().filter_map(Language::locale).flat_map(|locale| section(locale).entries())
        {
            let at = keys.iter().position(|(key, _)| *key == entry.key).unwrap_or_else(|| {
                keys.push((entry.key, Vec::new()));
                keys.len() - 1
            });
            let Some((_, phrases)) = keys.get_mut(at) else { continue };
            for phrase in entry.words.iter() {
                let flat = flatten(phrase);
                let phrase = if phrase.chars().any(is_unspaced) { flat.trim().to_owned() } else { flat };
                if !phrases.contains(&phrase) {
                    phrases.push(phrase);
                }
            }
        }
        Self(keys)
    }

    fn of_key(&self, key: &str) -> &[String] {
        self.0.iter().find(|(known, _)| *known == key).map_or(&[], |(_, phrases)| phrases)
    }

    /// The phrases of a key as folded words with single blanks between them.
    pub fn phrases(&self, key: &str) -> impl Iterator<Item = &str> {
        self.of_key(key).iter().map(|phrase| phrase.trim())
    }

    /// Whether a folded word is a phrase of a key.
    #[must_use]
    pub fn has_word(&self, key: &str, folded: &str) -> bool {
        self.phrases(key).any(|phrase| phrase == folded)
    }

    /// Whether a phrase of a key is in a flat text.
    #[must_use]
    pub fn is_in(&self, key: &str, flat: &str) -> bool {
        self.of_key(key).iter().any(|phrase| flat.contains(phrase.as_str()))
    }

    /// Whether a flat text begins with a phrase of a key.
    #[must_use]
    pub fn begins(&self, key: &str, flat: &str) -> bool {
        self.of_key(key).iter().any(|phrase| flat.starts_with(phrase.as_str()))
    }

    /// The first key with a phrase in a flat text.
    #[must_use]
    pub fn first_in(&self, flat: &str) -> Option<&'static str> {
        let has = |phrases: &[String]| phrases.iter().any(|phrase| flat.contains(phrase.as_str()));
        self.0.iter().find(|(_, phrases)| has(phrases)).map(|(key, _)| *key)
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

    #[test]
    fn phrases_of_a_section_are_found_as_words_and_in_scripts_without_spaces_anywhere() {
        let types = SectionPhrases::of(|locale| locale.answer_types);
        assert_eq!(types.first_in(&flatten("Où est-il ?")), Some("place"));
        assert_eq!(types.first_in(&flatten("请问什么时候开门")), Some("time"));
        assert_eq!(types.first_in(&flatten("The whole wherefore")), None);
        assert!(
            types.is_in("money", &flatten("How much is it?")) && !types.begins("money", " so how much is ")
        );
        assert!(types.has_word("reason", "warum"));
    }

    #[test]
    fn pairs_of_words_are_phrases() {
        let table: PhraseTable<u8> = [("sold to", 1), ("sold", 2)].into_iter().collect();
        assert_eq!(table.of_pair("sold", "to"), Some(1));
        assert_eq!(table.of_pair("sold", "by"), None);
    }
}
