//! Splits a text into words, identifiers, and runs of scripts without spaces between words.

use std::ops::Range;

use language::fold::{is_mark, is_unspaced};

/// Maximum words of one identifier. Protects time.
const MAX_RUNS: usize = 16;

/// A piece of a text.
pub(super) enum Token<'a> {
    /// A run of a script without spaces between words.
    Unspaced(&'a str),
    /// Runs of letters and digits that signs connect, such as `AB-12.5`; mostly only one.
    Chain(&'a [Range<usize>]),
}

enum CharClass {
    Word,
    Unspaced,
    Connector,
    Gap,
}

fn class(c: char) -> CharClass {
    match c {
        'a'..='z' | 'A'..='Z' | '0'..='9' => CharClass::Word,
        '-' | '_' | '.' | ',' | '/' | '@' | ':' | '\'' | '&' | '+' | '#' | '=' | '?' | '%' | '~' | '\\'
        | '\u{2010}' | '\u{2019}' => CharClass::Connector,
        c if c.is_ascii() => CharClass::Gap,
        c if c.is_alphanumeric() || is_mark(c) => {
            if is_unspaced(c) {
                CharClass::Unspaced
            } else {
                CharClass::Word
            }
        }
        _ => CharClass::Gap,
    }
}

/// Whether the text between two runs connects them to one token.
fn connects(text: &str, between: Range<usize>) -> bool {
    let before = text[..between.start].chars().next_back();
    let after = text[between.end..].chars().next();
    let digits = before.zip(after).is_some_and(|(a, b)| a.is_ascii_digit() && b.is_ascii_digit());
    match &text[between] {
        "://" => true,
        "," => digits,
        sign => sign.chars().count() == 1,
    }
}

/// Emits the tokens of a text, in order.
pub(super) fn pieces(text: &str, each: &mut dyn FnMut(Token<'_>)) {
    let mut scan = Scanner { text, runs: Vec::new(), open: None, unspaced: None, each };
    for (at, c) in text.char_indices() {
        match class(c) {
            CharClass::Word => scan.word(at),
            CharClass::Unspaced => scan.unspaced(at),
            CharClass::Connector => scan.part(at),
            CharClass::Gap => scan.end(at),
        }
    }
    scan.end(text.len());
}

struct Scanner<'a, 'b> {
    text: &'a str,
    runs: Vec<Range<usize>>,
    /// Start of the current run of letters and digits.
    open: Option<usize>,
    /// Start of the current run of a script without spaces.
    unspaced: Option<usize>,
    each: &'b mut dyn FnMut(Token<'_>),
}

impl Scanner<'_, '_> {
    fn word(&mut self, at: usize) {
        if self.open.is_some() {
            return;
        }
        self.part(at);
        let full = self.runs.len() == MAX_RUNS;
        if self.runs.last().is_some_and(|last| full || !connects(self.text, last.end..at)) {
            self.tell();
        }
        self.open = Some(at);
    }

    fn unspaced(&mut self, at: usize) {
        if self.unspaced.is_none() {
            self.end(at);
            self.unspaced = Some(at);
        }
    }

    /// Ends the current run; another may be connected to it.
    fn part(&mut self, at: usize) {
        if let Some(start) = self.open.take() {
            self.runs.push(start..at);
        }
        if let Some(start) = self.unspaced.take() {
            (self.each)(Token::Unspaced(&self.text[start..at]));
        }
    }

    fn end(&mut self, at: usize) {
        self.part(at);
        self.tell();
    }

    fn tell(&mut self) {
        if !self.runs.is_empty() {
            (self.each)(Token::Chain(&self.runs));
            self.runs.clear();
        }
    }
}
