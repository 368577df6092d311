//! Splits a text into words, identifiers, and runs of scripts without spaces between words.

use std::ops::Range;

use super::normalize::is_mark;

/// Maximum words of one identifier.
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

/// Whether the character belongs to a script without spaces between words. Korean has spaces, but attaches
/// particles to its words.
fn is_unspaced(c: char) -> bool {
    matches!(c as u32,
        0x0e01..=0x0eff                     // Thai, Lao
        | 0x1000..=0x109f | 0xa9e0..=0xa9ff | 0xaa60..=0xaa7f // Burmese
        | 0x1100..=0x11ff | 0x3130..=0x318f | 0xac00..=0xd7ff // Korean
        | 0x1780..=0x17ff                   // Khmer
        | 0x2e80..=0x2fdf | 0x3005..=0x3007 | 0x3021..=0x3029 | 0x3400..=0x4dbf | 0x4e00..=0x9fff
        | 0xf900..=0xfaff | 0x20000..=0x3ffff // Han
        | 0x3041..=0x309f | 0x30a1..=0x30fa | 0x30fc..=0x312f | 0x31f0..=0x31ff // Kana, Bopomofo
    )
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
