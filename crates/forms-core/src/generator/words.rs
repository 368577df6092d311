//! Words of a phrase with their places, and phrases looked up among them.

use std::ops::Deref;
use std::sync::OnceLock;

use super::snake_case::plain;

/// A word: its place in the text, and how it is compared (lower case, no diacritics, no punctuation
/// at its ends, no possessive ending).
#[derive(Clone, Debug)]
pub(super) struct Word {
    pub(super) start: usize,
    pub(super) end: usize,
    pub(super) plain: String,
}

/// The words of `text`, which white space separates.
pub(super) fn words(text: &str) -> Vec<Word> {
    let mut found = Vec::new();
    let mut start = None;
    for (at, c) in text.char_indices().chain([(text.len(), ' ')]) {
        match (c.is_whitespace(), start) {
            (false, None) => start = Some(at),
            (true, Some(from)) => {
                found.push(word(text, from, at));
                start = None;
            }
            _ => {}
        }
    }
    found
}

fn word(text: &str, start: usize, end: usize) -> Word {
    let raw = text.get(start..end).unwrap_or_default();
    let edge = |c: char| !c.is_alphanumeric() && !matches!(c, '#' | '%' | '&' | '€' | '$' | '£' | '°');
    let bare = raw.trim_matches(edge);
    Word { start, end, plain: plain(bare, false) }
}

/// Whether the words from `at` on are those of `phrase` (plain, one space between).
pub(super) fn matches_at(words: &[Word], at: usize, phrase: &str) -> bool {
    phrase.split(' ').enumerate().all(|(n, part)| words.get(at + n).is_some_and(|word| word.plain == part))
}

/// How many words `phrase` has.
pub(super) fn word_count(phrase: &str) -> usize {
    phrase.split(' ').count()
}

/// The longest of `phrases` that begins at `at`, by its number of words; 0 when none does.
pub(super) fn longest_at(words: &[Word], at: usize, phrases: &[&str]) -> usize {
    let Some(first) = words.get(at) else { return 0 };
    let fitting = phrases.iter().filter(|phrase| phrase.starts_with(first.plain.as_str()));
    fitting.filter(|phrase| matches_at(words, at, phrase)).map(|phrase| word_count(phrase)).max().unwrap_or(0)
}

/// The longest of `phrases` that ends the words, by its number of words; 0 when none does.
pub(super) fn longest_at_end(words: &[Word], phrases: &[&str]) -> usize {
    let Some(last) = words.last() else { return 0 };
    let fitting = phrases.iter().filter(|phrase| phrase.ends_with(last.plain.as_str()));
    let ends = |phrase: &&&str| {
        words.len().checked_sub(word_count(phrase)).is_some_and(|at| matches_at(words, at, phrase))
    };
    fitting.filter(ends).map(|phrase| word_count(phrase)).max().unwrap_or(0)
}

/// The first place where one of `phrases` stands: index of its first word, and its number of words.
pub(super) fn find_phrase(words: &[Word], phrases: &[&str]) -> Option<(usize, usize)> {
    (0..words.len()).find_map(|at| match longest_at(words, at, phrases) {
        0 => None,
        count => Some((at, count)),
    })
}

/// Whether any word is one of `list`.
pub(super) fn has_any(words: &[Word], list: &[&str]) -> bool {
    words.iter().any(|word| list.contains(&word.plain.as_str()))
}

/// The text from the word `at` on; empty past the end.
pub(super) fn text_from<'a>(text: &'a str, words: &[Word], at: usize) -> &'a str {
    words.get(at).and_then(|word| text.get(word.start..)).unwrap_or_default().trim()
}

/// The text before the word `at`; all of it past the end.
pub(super) fn text_before<'a>(text: &'a str, words: &[Word], at: usize) -> &'a str {
    match words.get(at) {
        Some(word) => text.get(..word.start).unwrap_or_default().trim(),
        None => text.trim(),
    }
}

/// A list of words and phrases, written with commas between them.
#[derive(Debug)]
pub(super) struct Phrases {
    source: &'static str,
    list: OnceLock<Vec<&'static str>>,
}

impl Phrases {
    pub(super) const fn new(source: &'static str) -> Self {
        Self { source, list: OnceLock::new() }
    }
}

impl Deref for Phrases {
    type Target = [&'static str];

    fn deref(&self) -> &Self::Target {
        self.list.get_or_init(|| {
            self.source.split(',').map(str::trim).filter(|phrase| !phrase.is_empty()).collect()
        })
    }
}
