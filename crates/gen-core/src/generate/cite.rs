//! Checks the citations of an answer while it is written.
//!
//! The rule: `[n]`, `[n, m]` and `[n-m]` with numbers that are not in the context are taken out, with the
//! blanks before them; of a list the numbers that exist stay. Left alone are code (between backticks),
//! links (`[1](…)`, and `[1]:` at the start of a line), escaped brackets (`\[1]`) and what looks like an
//! index (a bracket right after a name of one or two letters, or one with `_`, digits or inner capitals).

/// Bytes from `[` to `]` that may be a citation.
const MAX_CITATION: usize = 16;
/// Bytes of the word before a bracket that are looked at.
const MAX_WORD: usize = 40;
/// Blanks before a bracket that are held back.
const MAX_BLANKS: usize = 8;

/// Passes a text on without citations of what is not there. Holds back an open bracket and the blanks
/// before it at most; text that comes in pieces gives the same as in one.
#[derive(Debug)]
pub(super) struct Citations {
    /// Highest number of the context; where there can be none, nothing is checked.
    known: Option<usize>,
    blanks: String,
    bracket: String,
    word: String,
    last: char,
    ticks: usize,
    code: usize,
}

impl Citations {
    pub(super) fn new(known: Option<usize>) -> Self {
        Self {
            known,
            blanks: String::new(),
            bracket: String::new(),
            word: String::new(),
            last: '\n',
            ticks: 0,
            code: 0,
        }
    }

    /// A whole text.
    pub(super) fn check(known: Option<usize>, text: &str) -> String {
        let mut citations = Self::new(known);
        let mut checked = citations.push(text);
        checked.push_str(&citations.finish());
        checked
    }

    /// What can be passed on after the next piece.
    pub(super) fn push(&mut self, piece: &str) -> String {
        if self.known.is_none() {
            return piece.to_owned();
        }
        let mut out = String::with_capacity(piece.len());
        for c in piece.chars() {
            self.next(c, &mut out);
        }
        out
    }

    /// What was held back, at the end of the text.
    pub(super) fn finish(&mut self) -> String {
        let mut out = String::new();
        if self.bracket.ends_with(']') {
            self.decide(None, &mut out);
        }
        self.release(&mut out);
        out
    }

    fn next(&mut self, c: char, out: &mut String) {
        if !self.bracket.is_empty() {
            if self.bracket.ends_with(']') {
                self.decide(Some(c), out);
            } else if self.goes_on(c) {
                self.bracket.push(c);
                return;
            } else {
                self.release(out);
            }
        }
        if c == '`' {
            self.ticks += 1;
            self.emit(c, out);
            return;
        }
        if self.ticks > 0 {
            self.toggle();
        }
        // A paragraph's end closes code that was opened by mistake; fences span paragraphs.
        if c == '\n' && self.last == '\n' && self.code < 3 {
            self.code = 0;
        }
        if self.code == 0 && c == '[' && self.last != '\\' {
            self.bracket.push(c);
        } else if self.code == 0 && c == ' ' && self.blanks.len() < MAX_BLANKS {
            self.blanks.push(c);
        } else {
            self.emit(c, out);
        }
    }

    fn toggle(&mut self) {
        if self.code == 0 {
            self.code = self.ticks;
        } else if self.code == self.ticks {
            self.code = 0;
        }
        self.ticks = 0;
    }

    fn goes_on(&self, c: char) -> bool {
        let part = c.is_ascii_digit() || matches!(c, ',' | ';' | ' ' | '-' | '–');
        let closes = c == ']' && self.bracket.bytes().any(|byte| byte.is_ascii_digit());
        self.bracket.len() < MAX_CITATION && (part || closes)
    }

    fn emit(&mut self, c: char, out: &mut String) {
        if !self.blanks.is_empty() {
            self.word.clear();
            out.push_str(&std::mem::take(&mut self.blanks));
        }
        if c.is_alphanumeric() || c == '_' {
            if self.word.len() < MAX_WORD {
                self.word.push(c);
            }
        } else {
            self.word.clear();
        }
        self.last = c;
        out.push(c);
    }

    /// Passes on what is held back as it is.
    fn release(&mut self, out: &mut String) {
        for c in std::mem::take(&mut self.bracket).chars() {
            self.emit(c, out);
        }
        out.push_str(&std::mem::take(&mut self.blanks));
    }

    /// Passes a closed bracket on, or not; `next` is what follows.
    fn decide(&mut self, next: Option<char>, out: &mut String) {
        let definition = next == Some(':') && self.last == '\n' && self.blanks.is_empty();
        if next == Some('(') || definition || self.is_index() {
            return self.release(out);
        }
        let numbers = numbers(&self.bracket);
        let exists = |number: &usize| (1..=self.known.unwrap_or_default()).contains(number);
        if numbers.iter().all(exists) {
            return self.release(out);
        }
        let kept: Vec<String> =
            numbers.iter().filter(|number| exists(number)).map(usize::to_string).collect();
        self.bracket.clear();
        if kept.is_empty() {
            if next.is_none_or(|c| c.is_whitespace() || c.is_ascii_punctuation()) && self.last != '\n' {
                self.blanks.clear();
            }
            return;
        }
        self.bracket = format!("[{}]", kept.join(", "));
        self.release(out);
    }

    fn is_index(&self) -> bool {
        if !self.blanks.is_empty()
            || self.word.is_empty()
            || !self.word.ends_with(|c: char| c.is_ascii_alphanumeric() || c == '_')
        {
            return false;
        }
        let word = &self.word;
        let number = word.bytes().all(|byte| byte.is_ascii_digit());
        let named = word.contains('_')
            || word.bytes().any(|byte| byte.is_ascii_digit())
            || word.chars().skip(1).any(char::is_uppercase) && word.chars().any(char::is_lowercase);
        !number && (word.chars().count() <= 2 || named)
    }
}

/// The numbers of a closed bracket; a range gives its ends.
fn numbers(bracket: &str) -> Vec<usize> {
    let parts = bracket.split(|c: char| !c.is_ascii_digit()).filter(|part| !part.is_empty());
    parts.map(|part| part.parse().unwrap_or(usize::MAX)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const CASES: &[(&str, &str)] = &[
        ("Rent is due [1]. It rose [9].", "Rent is due [1]. It rose."),
        ("Both [1, 2] and [2, 7] and [8; 9].", "Both [1, 2] and [2] and."),
        ("See [1-2] and [3–4].", "See [1-2] and."),
        ("In Paris[2], in Rome[5].", "In Paris[2], in Rome."),
        ("[7] It begins.", " It begins."),
        ("Code `a[9]` and\n```\nx [9]\n```\nthen [9].", "Code `a[9]` and\n```\nx [9]\n```\nthen."),
        ("A link [9](http://x) stays.", "A link [9](http://x) stays."),
        ("[9]: http://x", "[9]: http://x"),
        ("x[9], items_a[9], rowCount[9]", "x[9], items_a[9], rowCount[9]"),
        ("Escaped \\[9] and [^9] and [a] and [] and [ ].", "Escaped \\[9] and [^9] and [a] and [] and [ ]."),
        ("[9][1][8]", "[1]"),
        ("Cut off [9", "Cut off [9"),
        ("A year [123456789012345678901].", "A year [123456789012345678901]."),
        ("none [0]", "none"),
        ("open ` tick\n\nnext [9].", "open ` tick\n\nnext."),
        ("two  spaces   stay", "two  spaces   stay"),
        ("zwölf ß[9] 東京[9]。", "zwölf ß 東京。"),
        ("trailing ", "trailing "),
    ];

    #[test]
    fn citations_of_nothing_are_taken_out() {
        for (text, expected) in CASES {
            assert_eq!(Citations::check(Some(2), text), *expected, "{text}");
        }
    }

    #[test]
    fn pieces_give_the_same_as_the_whole() {
        for (text, expected) in CASES {
            let mut citations = Citations::new(Some(2));
            let mut out: String = text.chars().map(|c| citations.push(&c.to_string())).collect();
            out.push_str(&citations.finish());
            assert_eq!(out, *expected, "{text}");
        }
    }

    #[test]
    fn little_is_held_back() {
        let mut citations = Citations::new(Some(2));
        let text = format!("word {} [{} end", " ".repeat(50), "1, ".repeat(50));
        for c in text.chars() {
            let _ = citations.push(&c.to_string());
            assert!(citations.bracket.len() + citations.blanks.len() <= MAX_CITATION + MAX_BLANKS);
        }
    }

    #[test]
    fn where_no_context_was_asked_for_a_text_stays_as_it_is() {
        assert_eq!(Citations::check(None, "as in [9]"), "as in [9]");
        assert_eq!(Citations::check(Some(0), "as in [9]"), "as in");
    }
}
