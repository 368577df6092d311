//! Texts as tokens. [`Tokens`] keeps a whole text with the place of each word, for reading phrases; [`words`]
//! passes over a text for ranking.

use std::ops::Range;
use std::sync::LazyLock;

use rustc_hash::FxHashSet;

use crate::fold::{fold_word, is_mark, is_unspaced, is_word};
use crate::language::Language;

/// A word, or a run of digits, of a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Token {
    /// Place in bytes.
    pub start: usize,
    /// End in bytes.
    pub end: usize,
    /// As [`fold_word`] writes it; apostrophes within a word are gone.
    pub folded: String,
    /// Whether it begins with a capital.
    pub is_capital: bool,
}

/// A text as tokens: letters and digits are apart (`3pm` is two), apostrophes are inside a word but behind the
/// elided articles and pronouns of Romance languages (`l'hôtel` is two).
#[derive(Clone, Debug)]
pub struct Tokens<'a> {
    /// The text.
    pub raw: &'a str,
    /// Its tokens in order.
    pub tokens: Vec<Token>,
}

impl<'a> Tokens<'a> {
    /// The tokens of a text.
    #[must_use]
    pub fn of(raw: &'a str) -> Self {
        Self::bounded(raw, usize::MAX, usize::MAX)
    }

    /// The same of a text of which no more than so many tokens and bytes are read.
    #[must_use]
    pub fn bounded(raw: &'a str, most: usize, bytes: usize) -> Self {
        let read = raw.get(..raw.floor_char_boundary(bytes.min(raw.len()))).unwrap_or_default();
        let mut tokens = Vec::new();
        let mut rest = read.char_indices().peekable();
        while let Some((start, first)) = rest.next() {
            if !is_word(first) {
                continue;
            }
            if tokens.len() == most {
                break;
            }
            let digits = first.is_ascii_digit();
            let mut end = start + first.len_utf8();
            while let Some(&(at, c)) = rest.peek() {
                let inside = if digits {
                    c.is_ascii_digit()
                } else {
                    is_word(c) || (is_apostrophe(c) && joins(read, at, c, start))
                };
                if !inside {
                    break;
                }
                end = at + c.len_utf8();
                rest.next();
            }
            let folded = fold_word(read.get(start..end).unwrap_or_default());
            tokens.push(Token { start, end, folded, is_capital: first.is_uppercase() });
        }
        Self { raw, tokens }
    }

    /// How many there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.tokens.len()
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.tokens.is_empty()
    }

    /// The folded token at a place; empty outside.
    #[must_use]
    pub fn folded(&self, at: usize) -> &str {
        self.tokens.get(at).map_or("", |token| token.folded.as_str())
    }

    /// Whether the token at a place begins with a capital.
    #[must_use]
    pub fn is_capital(&self, at: usize) -> bool {
        self.tokens.get(at).is_some_and(|token| token.is_capital)
    }

    /// What stands between the token `at` and the next; at the last, what follows it.
    #[must_use]
    pub fn gap(&self, at: usize) -> &'a str {
        let Some(token) = self.tokens.get(at) else { return "" };
        let end = self.tokens.get(at + 1).map_or(self.raw.len(), |next| next.start);
        self.raw.get(token.end..end).unwrap_or_default()
    }

    /// What stands before the token `at`.
    #[must_use]
    pub fn before(&self, at: usize) -> &'a str {
        match at.checked_sub(1) {
            Some(previous) => self.gap(previous),
            None => self.tokens.first().and_then(|token| self.raw.get(..token.start)).unwrap_or_default(),
        }
    }

    /// The text of some tokens, as written.
    #[must_use]
    pub fn slice(&self, range: &Range<usize>) -> &'a str {
        let first = self.tokens.get(range.start);
        let last = range.end.checked_sub(1).and_then(|last| self.tokens.get(last));
        match (first, last) {
            (Some(first), Some(last)) => self.raw.get(first.start..last.end).unwrap_or_default(),
            _ => "",
        }
    }

    /// The tokens that lie in a range of bytes.
    #[must_use]
    pub fn tokens_in(&self, bytes: &Range<usize>) -> Range<usize> {
        let start = self.tokens.partition_point(|token| token.end <= bytes.start);
        let end = self.tokens.partition_point(|token| token.start < bytes.end);
        start..end.max(start)
    }

    /// Whether the token `at` is a number in digits.
    #[must_use]
    pub fn is_digits(&self, at: usize) -> bool {
        self.folded(at).bytes().next().is_some_and(|byte| byte.is_ascii_digit())
    }

    /// The number in digits at a place.
    #[must_use]
    pub fn digits(&self, at: usize) -> Option<u32> {
        self.folded(at).parse().ok()
    }
}

fn is_apostrophe(c: char) -> bool {
    matches!(c, '\'' | '’' | '‘' | '`' | '´')
}

/// Whether an apostrophe is inside a word: a letter follows, and what stands before is no elided article or
/// pronoun of French or Italian.
fn joins(text: &str, at: usize, c: char, start: usize) -> bool {
    let follows = text.get(at + c.len_utf8()..).and_then(|rest| rest.chars().next()).is_some_and(is_word);
    let is_elided = || {
        static ELISIONS: LazyLock<FxHashSet<&'static str>> = LazyLock::new(|| {
            let locales = Language::all().filter_map(Language::locale);
            locales.flat_map(|locale| locale.elisions.iter()).collect()
        });
        ELISIONS.contains(text.get(start..at).unwrap_or_default().to_lowercase().as_str())
    };
    follows && !is_elided()
}

/// Bytes of a word that is read; longer runs are no words.
const MAX_WORD: usize = 96;

/// A word as it is written, and its place in bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Word<'a> {
    /// Where it begins.
    pub start: usize,
    /// As written.
    pub text: &'a str,
}

/// The words of a text in order, for ranking. Digits keep a point, comma, colon or slash between them; a single
/// letter keeps its hyphen, as in `e-mail`; scripts without spaces give overlapping pairs of characters.
pub fn words(text: &str) -> impl Iterator<Item = Word<'_>> {
    let mut at = 0;
    std::iter::from_fn(move || {
        loop {
            let rest = text.get(at..)?;
            let skipped: usize = rest.chars().take_while(|c| !c.is_alphanumeric()).map(char::len_utf8).sum();
            let start = at + skipped;
            let rest = text.get(start..)?;
            let first = rest.chars().next()?;
            if is_unspaced(first) {
                let (word, step) = pair(rest, first, text.get(..start)?.chars().next_back());
                at = start + step;
                if let Some(text) = word {
                    return Some(Word { start, text });
                }
                continue;
            }
            let length = run(rest);
            at = start + length;
            if length <= MAX_WORD {
                return rest.get(..length).map(|text| Word { start, text });
            }
        }
    })
}

/// The pair that begins here, and how far to go on. The last character of a run stands alone only when it is the
/// whole run.
fn pair(rest: &str, first: char, before: Option<char>) -> (Option<&str>, usize) {
    let step = first.len_utf8();
    match rest.get(step..).and_then(|rest| rest.chars().next()).filter(|c| is_unspaced(*c)) {
        Some(second) => (rest.get(..step + second.len_utf8()), step),
        None if before.is_some_and(is_unspaced) => (None, step),
        None => (rest.get(..step), step),
    }
}

/// Length of the word at the start of `rest`, in bytes.
fn run(rest: &str) -> usize {
    let mut characters = rest.char_indices().peekable();
    let mut previous = ' ';
    while let Some((at, c)) = characters.next() {
        let goes_on = c.is_alphanumeric() && !is_unspaced(c) || is_mark(c);
        let next = characters.peek().map_or(' ', |(_, c)| *c);
        let inside_number =
            matches!(c, '.' | ',' | ':' | '/') && previous.is_ascii_digit() && next.is_ascii_digit();
        let single =
            c == '-' && at == previous.len_utf8() && previous.is_alphabetic() && next.is_alphabetic();
        if !goes_on && !inside_number && !single {
            return at;
        }
        previous = c;
    }
    rest.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tokens_are_folded_and_keep_their_place() {
        let text = Tokens::of("I’m à l'hôtel “Straße”, 3pm");
        let words: Vec<&str> = text.tokens.iter().map(|token| token.folded.as_str()).collect();
        assert_eq!(words, ["im", "a", "l", "hotel", "strasse", "3", "pm"]);
        assert_eq!(text.slice(&(4..5)), "Straße");
        assert_eq!(text.before(4), " “");
        assert!(text.is_capital(4) && text.is_digits(5));
    }

    #[test]
    fn a_text_without_end_is_cut() {
        assert_eq!(Tokens::bounded(&"a ".repeat(50_000), 400, 8_000).len(), 400);
        let long = "ä".repeat(50_000);
        assert!(Tokens::bounded(&long, 400, 8_000).tokens[0].end <= 8_000);
    }

    #[test]
    fn words_keep_numbers_together_and_pair_characters_without_spaces() {
        let read = |text| words(text).map(|word| word.text).collect::<Vec<_>>();
        assert_eq!(
            read("Pay 1,250.50 by 3/4, e-mail l'ami."),
            ["Pay", "1,250.50", "by", "3/4", "e-mail", "l", "ami"]
        );
        assert_eq!(read("東京都 a 駅"), ["東京", "京都", "a", "駅"]);
        assert_eq!(read(&"x".repeat(500)), Vec::<&str>::new());
    }
}
