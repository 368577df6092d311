//! Splits prose into sentences and list entries. Parentheses, quotes, ranges and fixed pairs of words are not
//! split.
//!
//! Counts of words that decide here were set on the phrases of `tests/schema`; none was measured alone.

use super::snake_case::fold;
use super::words::Lexicon;

/// How an entry is joined to the previous one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Separator {
    /// The first entry, or one after a semicolon.
    Start,
    Comma,
    And,
    Or,
}

/// An entry of a list.
#[derive(Clone, Copy, Debug)]
pub(super) struct ProseEntry<'a> {
    pub(super) text: &'a str,
    pub(super) joint: Separator,
}

/// Most entries of a list. Bounds the time.
const MAX_ENTRIES: usize = 600;

/// Tracks parentheses and quotes, within which text is not split.
#[derive(Debug, Default)]
pub(super) struct QuotedSpans {
    depth: usize,
    quoted: bool,
}

impl QuotedSpans {
    /// Consumes a character. Returns whether the position after it is outside parentheses and quotes.
    pub(super) fn is_open_after(&mut self, c: char) -> bool {
        match c {
            '"' => self.quoted = !self.quoted,
            '(' | '[' | '{' if !self.quoted => self.depth += 1,
            ')' | ']' | '}' if !self.quoted => self.depth = self.depth.saturating_sub(1),
            _ => {}
        }
        self.depth == 0 && !self.quoted
    }
}

/// Position of the first match of `wanted` outside parentheses and quotes.
pub(super) fn find_open(text: &str, wanted: impl Fn(&str) -> bool) -> Option<usize> {
    let mut quotes = QuotedSpans::default();
    let mut open = true;
    text.char_indices()
        .find(|(at, c)| {
            let before = std::mem::replace(&mut open, quotes.is_open_after(*c));
            before && wanted(&text[*at..])
        })
        .map(|(at, _)| at)
}

/// The sentences of a paragraph. A full stop ends a sentence only before white space and not after an
/// abbreviation. A question mark stays with its sentence.
pub(super) fn sentences(text: &str, lexicon: Lexicon) -> Vec<&str> {
    let mut found = Vec::new();
    let mut quotes = QuotedSpans::default();
    let mut start = 0;
    for (at, c) in text.char_indices() {
        if !quotes.is_open_after(c) || !matches!(c, '.' | '!' | '?' | '\n') {
            continue;
        }
        let (before, after) = (&text[start..at], &text[at + c.len_utf8()..]);
        let last = fold(before.rsplit([' ', '(', '\n']).next().unwrap_or_default());
        let ends = match c {
            '\n' => true,
            '.' if lexicon.has("abbreviation", &last) => false,
            // After a question within a list, no capital follows.
            '?' => after.trim_start().starts_with(|next: char| next.is_uppercase() || next == '"'),
            _ => after.is_empty() || after.starts_with(char::is_whitespace),
        };
        if ends {
            let end = if c == '?' { at + 1 } else { at };
            found.push(text[start..end].trim());
            start = at + c.len_utf8();
        }
    }
    found.push(text.get(start..).unwrap_or_default().trim());
    found.retain(|sentence| sentence.chars().any(char::is_alphanumeric));
    found
}

/// The parts of `text` between semicolons and line ends outside parentheses and quotes.
pub(super) fn pieces(text: &str) -> Vec<&str> {
    let mut found = Vec::new();
    let mut quotes = QuotedSpans::default();
    let mut start = 0;
    for (at, c) in text.char_indices() {
        if quotes.is_open_after(c) && matches!(c, ';' | '\n') {
            found.push(text[start..at].trim());
            start = at + 1;
        }
    }
    found.push(text.get(start..).unwrap_or_default().trim());
    found.retain(|piece| piece.chars().any(char::is_alphanumeric));
    found
}

/// The entries of a list, separated by commas, "and" and "or".
pub(super) fn entries(text: &str, lexicon: Lexicon) -> Vec<ProseEntry<'_>> {
    let mut cutter = EntrySplitter { text, lexicon, start: 0, joint: Separator::Start, found: Vec::new() };
    let mut quotes = QuotedSpans::default();
    let mut word_start = 0;
    for (at, c) in text.char_indices() {
        let open = quotes.is_open_after(c);
        if c.is_whitespace() {
            if open {
                cutter.joining_word(word_start, at);
            }
            word_start = at + c.len_utf8();
        } else if open && c == ',' && !within_number(text, at) {
            cutter.end_entry(at, at + 1, Separator::Comma);
            word_start = at + 1;
        }
        if cutter.found.len() >= MAX_ENTRIES {
            return cutter.found;
        }
    }
    cutter.end_entry(text.len(), text.len(), Separator::Comma);
    cutter.found
}

struct EntrySplitter<'a> {
    text: &'a str,
    lexicon: Lexicon,
    start: usize,
    joint: Separator,
    found: Vec<ProseEntry<'a>>,
}

impl EntrySplitter<'_> {
    /// Ends the entry at `end`. The next one starts at `next` and is joined by `joint`.
    fn end_entry(&mut self, end: usize, next: usize, joint: Separator) {
        let text = self.text.get(self.start..end).unwrap_or_default().trim();
        self.start = next;
        if text.chars().any(char::is_alphanumeric) {
            self.found.push(ProseEntry { text, joint: self.joint });
            self.joint = joint;
        } else if joint != Separator::Comma {
            // ", and" and ", or" count as the conjunction.
            self.joint = joint;
        }
    }

    fn joining_word(&mut self, start: usize, end: usize) {
        let Some(word) = self.text.get(start..end).filter(|word| !word.is_empty() && word.len() <= 6) else {
            return;
        };
        let word = fold(word);
        let joint = if self.lexicon.has("and", &word) {
            Separator::And
        } else if self.lexicon.has("or", &word) {
            Separator::Or
        } else {
            return;
        };
        let before = self.text.get(self.start..start).unwrap_or_default();
        let after = self.text.get(end..).unwrap_or_default();
        if !belongs_together(before, after, self.lexicon) {
            self.end_entry(start, end, joint);
        }
    }
}

/// Whether the "and" or "or" in between joins a range or a fixed pair.
fn belongs_together(before: &str, after: &str, lexicon: Lexicon) -> bool {
    let word =
        |text: Option<&str>| fold(text.unwrap_or_default().trim_matches(|c: char| !c.is_alphanumeric()));
    let (left, right) = (word(before.split_whitespace().next_back()), word(after.split_whitespace().next()));
    if lexicon.list("pair").iter().any(|pair| pair.split_once(' ') == Some((left.as_str(), right.as_str()))) {
        return true;
    }
    let number = |text: &str| text.chars().next().is_some_and(|c| c.is_ascii_digit());
    // "Between 18 and 99 and notes": the second "and" joins no range.
    let mut said =
        before.split_whitespace().rev().take(4).map(fold).take_while(|word| !lexicon.has("and", word));
    let opened = said.any(|word| lexicon.has("between", &word));
    (opened && (number(&right) || number(&left)))
        || (lexicon.has("comparative", &right) && (number(&left) || lexicon.has("one", &left)))
}

/// Whether the comma at `at` is part of a number such as `1,000` or `2,5`.
fn within_number(text: &str, at: usize) -> bool {
    let digit = |c: Option<char>| c.is_some_and(|c| c.is_ascii_digit());
    digit(text[..at].chars().next_back()) && digit(text[at + 1..].chars().next())
}

#[cfg(test)]
mod tests {
    use language::Language;
    use language::form_words::FormWords;

    use super::*;

    fn cut(text: &str) -> Vec<&str> {
        entries(text, FormWords::of(Language::ENGLISH)).into_iter().map(|entry| entry.text).collect()
    }

    #[test]
    fn lists_are_cut_at_commas_and_joining_words_in_the_open() {
        assert_eq!(cut("a, b (c, d), \"e, f\" and g, or h"), ["a", "b (c, d)", "\"e, f\"", "g", "h"]);
        assert_eq!(
            cut("fee between 20 and 100, up to 1,000 and x"),
            ["fee between 20 and 100", "up to 1,000", "x"]
        );
        assert_eq!(cut("age between 18 and 99 and notes"), ["age between 18 and 99", "notes"]);
        assert_eq!(cut("terms and conditions and date and time"), ["terms and conditions", "date and time"]);
        assert_eq!(cut("one or more skills"), ["one or more skills"]);
    }

    #[test]
    fn sentences_end_at_full_stops_that_are_no_abbreviations() {
        let english = FormWords::of(Language::ENGLISH);
        assert_eq!(
            sentences("One. Two, e.g. x? Three. 2.5 kg", english),
            ["One", "Two, e.g. x?", "Three", "2.5 kg"]
        );
        assert_eq!(sentences("...", english), Vec::<&str>::new());
    }
}
