//! Values beside their labels on one line, found by their form alone.

use std::ops::Range;

use language::fold::fold_letters;

// Longer ones are running text. Chosen by hand; no measurement is recorded.
/// Bytes of a label and of a value beside it, and words of a label without a colon.
const MAX_LABEL: usize = 60;
const MAX_VALUE: usize = 300;
const MAX_WORDS: usize = 5;

/// A value beside its label on one line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LabelledValue {
    /// The label, folded as [`fold_letters`] does.
    pub label: String,
    /// The label as it is printed, in bytes of the text.
    pub name: Range<usize>,
    /// The value, in bytes of the text.
    pub value: Range<usize>,
}

/// The labelled values of a text, in its order.
#[must_use]
pub fn labelled_values(text: &str) -> Vec<LabelledValue> {
    let mut start = 0;
    let mut found: Vec<LabelledValue> = Vec::new();
    for line in text.split_inclusive('\n') {
        found.extend(parse_labelled_line(line, start));
        start += line.len();
    }
    found
}

/// The label and the value of a line that begins at byte `start`: `Date: 3 May`, `| Date | 3 May |`, `Invoice No. 17`.
fn parse_labelled_line(line: &str, start: usize) -> Option<LabelledValue> {
    let sign = |c: char| c.is_whitespace() || matches!(c, '|' | '*' | '#' | '-' | '•');
    let inside = line.trim_start_matches(sign);
    let begin = start + line.len() - inside.len();
    let is_table = line.trim_start().starts_with('|');
    let end = match inside.find(if is_table { '|' } else { ':' }) {
        Some(end) => end,
        None => first_number(inside)?,
    };
    let (name, value) = (inside.get(..end)?, inside.get(end..)?);
    let value = value.trim_start_matches(|c: char| sign(c) || c == ':');
    let at = begin + (inside.len() - value.len());
    let value = value.split('|').next().unwrap_or_default().trim_end_matches(sign);
    let label = fold_letters(name);
    let is_label = name.len() <= MAX_LABEL && !name.contains(char::is_numeric) && !label.is_empty();
    let is_value = !value.is_empty() && value.len() <= MAX_VALUE;
    (is_label && is_value).then(|| LabelledValue {
        label,
        name: begin..begin + name.trim_end().len(),
        value: at..at + value.len(),
    })
}

/// The start of the first word with a digit, after one to [`MAX_WORDS`] words without.
fn first_number(line: &str) -> Option<usize> {
    let mut at = 0;
    for (number, word) in line.split_inclusive(char::is_whitespace).enumerate().take(MAX_WORDS + 1) {
        if word.contains(char::is_numeric) {
            return (number > 0).then_some(at);
        }
        at += word.len();
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_stand_before_their_values() {
        for (line, label, value) in [
            ("Invoice No.: A-17\n", "invoiceno", "A-17"),
            ("- **Date:** 3 May", "date", "3 May"),
            ("| Date | 3 May | x |", "date", "3 May"),
            ("Invoice No. 17 of 3 May", "invoiceno", "17 of 3 May"),
        ] {
            let found = parse_labelled_line(line, 0).unwrap();
            assert_eq!((found.label.as_str(), &line[found.value]), (label, value));
            assert_eq!(fold_letters(&line[found.name]), label);
        }
        for line in ["", "17 Forge Lane", "Dear Ms Grey, we thank you", ": x", "Total:"] {
            assert!(parse_labelled_line(line, 0).is_none(), "{line}");
        }
    }
}
