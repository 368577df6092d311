//! Tokenises a message into folded and stemmed words with their byte positions, within limits.

use std::ops::Range;

use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

use super::lexicon::{Lexicon, LexiconLanguage, lexicon_of};

/// Most words of a message analysed.
const MAX_WORDS: usize = 400;
/// Most bytes of a message analysed.
const MAX_BYTES: usize = 8_000;
/// Words whose ending is not stripped.
const WHOLE: [&str; 24] = [
    "parking",
    "building",
    "wedding",
    "training",
    "meeting",
    "evening",
    "morning",
    "during",
    "something",
    "nothing",
    "anything",
    "everything",
    "king",
    "ring",
    "spring",
    "string",
    "thing",
    "bring",
    "sing",
    "need",
    "bed",
    "this",
    "his",
    "speed",
];

/// A word of a message.
#[derive(Clone, Debug)]
pub(super) struct Word {
    /// Byte offset of its start.
    pub(super) start: usize,
    /// Byte offset of its end.
    pub(super) end: usize,
    /// Lower case, without accents and apostrophes.
    pub(super) folded: String,
    /// The folded word without endings of number and tense.
    pub(super) stem: String,
    /// Whether it starts with a capital.
    pub(super) is_capital: bool,
}

/// A tokenised text.
#[derive(Clone, Debug)]
pub(super) struct Text<'a> {
    /// The text as written.
    pub(super) raw: &'a str,
    /// Its words.
    pub(super) words: Vec<Word>,
    /// Languages whose word lists apply.
    pub(super) language: LexiconLanguage,
}

impl<'a> Text<'a> {
    pub(super) fn new(raw: &'a str) -> Self {
        let read = raw.get(..raw.floor_char_boundary(MAX_BYTES)).unwrap_or_default();
        let mut words = Vec::new();
        let mut rest = read.char_indices().peekable();
        while let Some((start, first)) = rest.next() {
            if !is_letter(first) {
                continue;
            }
            let digits = first.is_ascii_digit();
            let mut end = start + first.len_utf8();
            while let Some(&(at, c)) = rest.peek() {
                let inside = if digits {
                    c.is_ascii_digit()
                } else {
                    is_letter(c) || (is_apostrophe(c) && is_inner_apostrophe(read, at, c, start))
                };
                if !inside {
                    break;
                }
                end = at + c.len_utf8();
                rest.next();
            }
            if words.len() == MAX_WORDS {
                return Self { raw, words, language: LexiconLanguage::Any };
            }
            let plain = fold(read.get(start..end).unwrap_or_default());
            let root = stem(&plain);
            words.push(Word { start, end, folded: plain, stem: root, is_capital: first.is_uppercase() });
        }
        Self { raw, words, language: LexiconLanguage::Any }
    }

    /// The word lists of its languages.
    pub(super) fn lexicon(&self) -> &'static Lexicon {
        lexicon_of(self.language)
    }

    pub(super) fn len(&self) -> usize {
        self.words.len()
    }

    /// The folded word `at`; empty out of range.
    pub(super) fn folded(&self, at: usize) -> &str {
        self.words.get(at).map_or("", |word| word.folded.as_str())
    }

    /// The stem of word `at`; empty out of range.
    pub(super) fn stem(&self, at: usize) -> &str {
        self.words.get(at).map_or("", |word| word.stem.as_str())
    }

    pub(super) fn is_capital(&self, at: usize) -> bool {
        self.words.get(at).is_some_and(|word| word.is_capital)
    }

    /// Whether word `at` has at least two letters, all upper-case.
    pub(super) fn is_all_caps(&self, at: usize) -> bool {
        let raw = self.slice(&(at..at + 1));
        raw.chars().filter(|c| c.is_alphabetic()).count() > 1 && !raw.chars().any(char::is_lowercase)
    }

    /// The text between word `at` and the next; after the last word, the rest.
    pub(super) fn gap(&self, at: usize) -> &'a str {
        let Some(word) = self.words.get(at) else { return "" };
        let end = self.words.get(at + 1).map_or(self.raw.len(), |next| next.start);
        self.raw.get(word.end..end).unwrap_or_default()
    }

    /// The text between word `at` and the previous one.
    pub(super) fn before(&self, at: usize) -> &'a str {
        match at.checked_sub(1) {
            Some(previous) => self.gap(previous),
            None => self.words.first().and_then(|word| self.raw.get(..word.start)).unwrap_or_default(),
        }
    }

    /// The text of a span, as written.
    pub(super) fn slice(&self, range: &Range<usize>) -> &'a str {
        let first = self.words.get(range.start);
        let last = range.end.checked_sub(1).and_then(|last| self.words.get(last));
        match (first, last) {
            (Some(first), Some(last)) => self.raw.get(first.start..last.end).unwrap_or_default(),
            _ => "",
        }
    }

    /// The words that overlap a byte range.
    pub(super) fn words_in(&self, bytes: &Range<usize>) -> Range<usize> {
        let start = self.words.partition_point(|word| word.end <= bytes.start);
        let end = self.words.partition_point(|word| word.start < bytes.end);
        start..end.max(start)
    }

    /// Whether word `at` starts with a digit; such words contain only digits.
    pub(super) fn is_digits(&self, at: usize) -> bool {
        self.folded(at).bytes().next().is_some_and(|b| b.is_ascii_digit())
    }

    /// The number in digits at word `at`.
    pub(super) fn digits(&self, at: usize) -> Option<u32> {
        self.folded(at).parse().ok()
    }
}

fn is_letter(c: char) -> bool {
    c.is_alphanumeric() || is_combining_mark(c)
}

fn is_apostrophe(c: char) -> bool {
    matches!(c, '\'' | '’' | '‘' | '`' | '´')
}

/// Whether an apostrophe is inside a word: a letter follows, and no elided French article precedes.
fn is_inner_apostrophe(text: &str, at: usize, c: char, start: usize) -> bool {
    let follows = text.get(at + c.len_utf8()..).and_then(|rest| rest.chars().next()).is_some_and(is_letter);
    let before = text.get(start..at).unwrap_or_default().to_lowercase();
    follows && !matches!(before.as_str(), "l" | "d" | "j" | "m" | "t" | "s" | "c" | "n" | "qu")
}

/// Folds to lower case without accents; drops everything but letters and digits.
pub(super) fn fold(text: &str) -> String {
    if text.is_ascii() {
        return text.chars().filter(char::is_ascii_alphanumeric).map(|c| c.to_ascii_lowercase()).collect();
    }
    let mut out = String::with_capacity(text.len());
    for c in text.nfkd().filter(|c| !is_combining_mark(*c)).flat_map(char::to_lowercase) {
        match c {
            'ß' => out.push_str("ss"),
            c if c.is_alphanumeric() => out.push(c),
            _ => {}
        }
    }
    out
}

/// Stems a folded word: strips common endings of number and tense.
pub(super) fn stem(plain: &str) -> String {
    if WHOLE.contains(&plain) || !plain.is_ascii() || plain.len() < 4 {
        return plain.to_owned();
    }
    let cut = |ending: &str, least: usize| plain.strip_suffix(ending).filter(|rest| rest.len() >= least);
    if let Some(rest) = cut("ies", 2) {
        return format!("{rest}y");
    }
    let is_plural = !plain.ends_with("ss") && !plain.ends_with("us") && !plain.ends_with("is");
    let hissing = ["ches", "shes", "xes", "sses", "zes"].iter().any(|ending| plain.ends_with(ending));
    let singular = match () {
        () if hissing => cut("es", 2).unwrap_or(plain),
        () if is_plural => cut("s", 3).unwrap_or(plain),
        () => plain,
    };
    if WHOLE.contains(&singular) {
        return singular.to_owned();
    }
    let tense = singular.strip_suffix("ing").or_else(|| singular.strip_suffix("ed"));
    let bare = tense.filter(|rest| rest.len() >= 3).unwrap_or(singular);
    bare.strip_suffix('e').filter(|rest| rest.len() >= 3).unwrap_or(bare).to_owned()
}

/// The folded words of a name in `snake_case`, `camelCase`, `kebab-case` or plain text.
pub(super) fn words_of(name: &str) -> Vec<String> {
    let mut spaced = String::with_capacity(name.len() + 8);
    let mut was_lower = false;
    for c in name.chars().take(400) {
        if was_lower && c.is_uppercase() {
            spaced.push(' ');
        }
        was_lower = c.is_lowercase();
        spaced.push(if c == '_' { ' ' } else { c });
    }
    Text::new(&spaced).words.into_iter().map(|word| word.folded).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_folded_and_keep_their_place() {
        let text = Text::new("I’m à l'hôtel “Straße”, 3pm");
        let words: Vec<&str> = text.words.iter().map(|word| word.folded.as_str()).collect();
        assert_eq!(words, ["im", "a", "l", "hotel", "strasse", "3", "pm"]);
        assert_eq!(text.slice(&(4..5)), "Straße");
        assert_eq!(words_of("numberOfSeats_left"), ["number", "of", "seats", "left"]);
    }

    #[test]
    fn roots_join_the_forms_of_a_word() {
        for (a, b) in [("smoking", "smoke"), ("shared", "sharing"), ("pets", "pet"), ("cities", "city")] {
            assert_eq!(stem(a), stem(b), "{a} {b}");
        }
        assert_ne!(stem("parking"), stem("park"));
    }

    #[test]
    fn a_message_without_end_is_cut() {
        let text = "a ".repeat(50_000);
        assert_eq!(Text::new(&text).len(), MAX_WORDS);
        let long = "ä".repeat(50_000);
        assert!(Text::new(&long).words[0].end <= MAX_BYTES);
    }
}
