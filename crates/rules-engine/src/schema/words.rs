//! Tokenises phrases into words with byte positions, and looks up phrases.

use language::form_words::FormWords;

use super::snake_case::fold;

/// The words by which a description is read.
pub(super) type Lexicon = &'static FormWords;

/// A word: its byte range, and its normalised form (lower case, without diacritics and surrounding
/// punctuation).
#[derive(Clone, Debug)]
pub(super) struct Word {
    pub(super) start: usize,
    pub(super) end: usize,
    pub(super) plain: String,
}

/// The words of `text`, separated by white space.
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
    Word { start, end, plain: fold(bare) }
}

/// Whether the words from `at` on equal `phrase` (normalised, single spaces).
pub(super) fn matches_at(words: &[Word], at: usize, phrase: &str) -> bool {
    phrase.split(' ').enumerate().all(|(n, part)| words.get(at + n).is_some_and(|word| word.plain == part))
}

/// Number of words of `phrase`.
pub(super) fn word_count(phrase: &str) -> usize {
    phrase.split(' ').count()
}

/// Number of words of the longest phrase that starts at `at`; 0 for none.
pub(super) fn longest_at(words: &[Word], at: usize, phrases: &[String]) -> usize {
    let Some(first) = words.get(at) else { return 0 };
    let fitting = phrases.iter().filter(|phrase| phrase.starts_with(first.plain.as_str()));
    fitting.filter(|phrase| matches_at(words, at, phrase)).map(|phrase| word_count(phrase)).max().unwrap_or(0)
}

/// Number of words of the longest phrase at the end of the words; 0 for none.
pub(super) fn longest_at_end(words: &[Word], phrases: &[String]) -> usize {
    let Some(last) = words.last() else { return 0 };
    let fitting = phrases.iter().filter(|phrase| phrase.ends_with(last.plain.as_str()));
    let ends = |phrase: &&String| {
        words.len().checked_sub(word_count(phrase)).is_some_and(|at| matches_at(words, at, phrase))
    };
    fitting.filter(ends).map(|phrase| word_count(phrase)).max().unwrap_or(0)
}

/// The first occurrence of any phrase: index of its first word, and its number of words.
pub(super) fn find_phrase(words: &[Word], phrases: &[String]) -> Option<(usize, usize)> {
    (0..words.len()).find_map(|at| match longest_at(words, at, phrases) {
        0 => None,
        count => Some((at, count)),
    })
}

/// Whether any word is in `list`.
pub(super) fn has_any(words: &[Word], list: &[String]) -> bool {
    words.iter().any(|word| list.contains(&word.plain))
}

/// The text from word `at` on; empty past the end.
pub(super) fn text_from<'a>(text: &'a str, words: &[Word], at: usize) -> &'a str {
    words.get(at).and_then(|word| text.get(word.start..)).unwrap_or_default().trim()
}

/// The text before word `at`; all of it past the end.
pub(super) fn text_before<'a>(text: &'a str, words: &[Word], at: usize) -> &'a str {
    match words.get(at) {
        Some(word) => text.get(..word.start).unwrap_or_default().trim(),
        None => text.trim(),
    }
}
