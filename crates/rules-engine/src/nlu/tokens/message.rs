//! A message as tokens with stems, in the languages whose words apply to it.

use std::ops::Deref;

use language::cue::Lexicon;
use language::money::{self, SpokenMoney};
use language::number::spoken::{self, SpokenNumber};
use language::stem::light_stem;
use language::time::{self, SpokenTime};
use language::token::Tokens;
use language::{Language, Languages, Level};

/// Most words of a message analysed.
const MAX_WORDS: usize = 400;
/// Most bytes of a message analysed.
const MAX_BYTES: usize = 8_000;
/// Most characters of a name that are split into words.
const MAX_NAME: usize = 400;

/// A tokenised message.
#[derive(Debug)]
pub(crate) struct Message<'a> {
    tokens: Tokens<'a>,
    /// The stem of each token.
    stems: Vec<String>,
    /// The languages whose words apply.
    languages: Languages,
    lexicon: &'static Lexicon,
}

impl<'a> Deref for Message<'a> {
    type Target = Tokens<'a>;

    fn deref(&self) -> &Tokens<'a> {
        &self.tokens
    }
}

impl<'a> Message<'a> {
    /// Tokenises a message; the words of all complete locales apply.
    pub(crate) fn new(raw: &'a str) -> Self {
        let tokens = Tokens::bounded(raw, MAX_WORDS, MAX_BYTES);
        let stems = tokens.tokens.iter().map(|token| light_stem(&token.folded)).collect();
        let languages = Languages::of_level(Level::Full);
        Self { tokens, stems, languages, lexicon: Lexicon::of(Language::UNKNOWN) }
    }

    /// Applies only the words of a language and of English; those of all complete locales for an unknown language.
    /// `spoken` is the language of the messages before.
    pub(crate) fn in_language(mut self, language: Language, spoken: Language) -> Self {
        if !language.is_unknown() {
            self.languages = Languages::from(Language::ENGLISH).with(language);
            self.lexicon =
                if language == spoken { Lexicon::of_spoken(language) } else { Lexicon::of(language) };
        }
        self
    }

    /// Position, folded form and stem of each word.
    pub(crate) fn words(&self) -> impl Iterator<Item = (usize, &str, &str)> {
        let words = self.tokens.tokens.iter().zip(&self.stems).enumerate();
        words.map(|(at, (token, stem))| (at, token.folded.as_str(), stem.as_str()))
    }

    /// Drops all but the first words.
    pub(crate) fn truncate(&mut self, words: usize) {
        self.tokens.tokens.truncate(words);
        self.stems.truncate(words);
    }

    /// The languages whose words apply.
    pub(crate) const fn languages(&self) -> Languages {
        self.languages
    }

    /// The cues of its languages.
    pub(crate) const fn lexicon(&self) -> &'static Lexicon {
        self.lexicon
    }

    /// The stem of word `at`; empty out of range.
    pub(crate) fn stem(&self, at: usize) -> &str {
        self.stems.get(at).map_or("", String::as_str)
    }

    /// Whether word `at` has at least two letters, all upper-case.
    pub(crate) fn is_all_caps(&self, at: usize) -> bool {
        let raw = self.slice(&(at..at + 1));
        raw.chars().filter(|c| c.is_alphabetic()).count() > 1 && !raw.chars().any(char::is_lowercase)
    }

    /// The number that starts at a word.
    pub(crate) fn number_at(&self, at: usize) -> Option<SpokenNumber> {
        spoken::number_at(self, at, self.languages)
    }

    /// Number of words of a range or alternative that starts with a number: "3 or 4", "3-5".
    pub(crate) fn spread_at(&self, at: usize) -> Option<usize> {
        spoken::spread_at(self, at, self.languages)
    }

    /// Number of words and zero-based index of an ordinal: `the second` is 1, `the last` of three is 2.
    pub(crate) fn ordinal_at(&self, at: usize, count: usize) -> Option<(usize, usize)> {
        let (words, number) = spoken::ordinal_at(self, at, self.languages)?;
        let index = if number < 0 { count.checked_sub(1)? } else { usize::try_from(number - 1).ok()? };
        (index < count).then_some((words, index))
    }

    /// The amount of money that starts at a word.
    pub(crate) fn money_at(&self, at: usize) -> Option<SpokenMoney> {
        money::money_at(self, at, self.languages)
    }

    /// The time that starts at a word.
    pub(crate) fn time_at(&self, at: usize) -> Option<SpokenTime> {
        time::time_at(self, at, self.languages)
    }

    /// A bare number after a preposition of time: the 7 of "at 7".
    pub(crate) fn bare_time_at(&self, at: usize) -> Option<SpokenTime> {
        time::bare_time_at(self, at, self.languages)
    }

    /// A bare number that is a time because a time was asked for.
    pub(crate) fn lone_time_at(&self, at: usize) -> Option<SpokenTime> {
        time::lone_time_at(self, at, self.languages)
    }
}

/// The cues of all complete locales: a form may be in another language than the message.
pub(crate) fn any_lexicon() -> &'static Lexicon {
    Lexicon::of(Language::UNKNOWN)
}

/// The folded words of a name in `snake_case`, `camelCase`, `kebab-case` or plain text.
pub(crate) fn words_of(name: &str) -> Vec<String> {
    let mut spaced = String::with_capacity(name.len() + 8);
    let mut was_lower = false;
    for c in name.chars().take(MAX_NAME) {
        if was_lower && c.is_uppercase() {
            spaced.push(' ');
        }
        was_lower = c.is_lowercase();
        spaced.push(if c == '_' { ' ' } else { c });
    }
    Tokens::of(&spaced).tokens.into_iter().map(|token| token.folded).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_split_into_words() {
        assert_eq!(words_of("numberOfSeats_left"), ["number", "of", "seats", "left"]);
    }

    #[test]
    fn a_message_without_end_is_cut() {
        let text = "a ".repeat(50_000);
        assert_eq!(Message::new(&text).len(), MAX_WORDS);
        let long = "ä".repeat(50_000);
        assert!(Message::new(&long).tokens.tokens[0].end <= MAX_BYTES);
    }
}
