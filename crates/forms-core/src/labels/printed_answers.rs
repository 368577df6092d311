//! Printed answers to yes/no questions: words after a label, checkboxes, and sentences that affirm or negate.

use language::boolean::parse_boolean;
use language::detect::detect;
use language::fold::fold_word;
use language::vocabulary::is_negation;

use super::checkboxes::boxes;
use super::concepts::{Concepts, fit, words};
use super::lines::{Line, TextLines};
use super::position::{above_label, left_label};

/// Maximum lines that are read. Bounds the time.
const MAX_LINES: usize = 2_000;
/// Maximum words of a label, and of a sentence. Chosen by hand; no measurement is recorded.
const MAX_LABEL: usize = 8;
const MAX_SENTENCE: usize = 16;
/// Minimum words of a sentence beyond one. Two words are a label with its value.
const MIN_SAID: usize = 2;

/// A printed yes or no.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PrintedAnswer {
    /// Whether it is a yes.
    pub yes: bool,
    /// Its label; empty without one.
    pub label: String,
}

/// Every yes and no of a text.
pub(super) fn answers(text: &TextLines) -> Vec<PrintedAnswer> {
    let mut found = Vec::new();
    for (index, line) in text.lines.iter().enumerate().take(MAX_LINES) {
        if !add_checkbox_answers(text, index, line, &mut found) {
            add_word_answers(text, index, line, &mut found);
        }
    }
    found
}

/// Whether the sentence that fits a field best is affirmative, and how well it fits, 0 to 1.
pub(super) fn statement(text: &TextLines, field: &Concepts) -> Option<(bool, f32)> {
    let sentences = text
        .lines
        .iter()
        .take(MAX_LINES)
        .filter(|line| !line.table)
        .flat_map(|line| line.text.split(['.', ';', '!']));
    let mut best: Option<(bool, f32)> = None;
    for sentence in sentences {
        let count = sentence.split_whitespace().count();
        if !(MIN_SAID + 1..=MAX_SENTENCE).contains(&count) || sentence.contains([':', '|']) {
            continue;
        }
        let said = words(sentence);
        let fit = fit(field, &said);
        if fit > best.map_or(0.0, |(_, best)| best) {
            let folded = sentence.split(|c: char| !c.is_alphanumeric()).map(fold_word);
            let language = detect(sentence);
            best = Some((!folded.into_iter().any(|word| is_negation(language, &word)), fit));
        }
    }
    best
}

/// Adds the answers by checkboxes; returns whether the line has any.
fn add_checkbox_answers(text: &TextLines, index: usize, line: &Line, found: &mut Vec<PrintedAnswer>) -> bool {
    let boxes = boxes(line);
    let Some(first) = boxes.first() else { return false };
    let before = trim_punctuation(line.slice(0, first.start));
    let above =
        || index.checked_sub(1).and_then(|above| text.lines.get(above)).map_or("", |line| line.text.as_str());
    for ticked in &boxes {
        let said = trim_punctuation(ticked.text);
        match parse_boolean(said).filter(|_| !said.is_empty()) {
            Some(yes) if ticked.is_ticked => {
                let label = if before.is_empty() { trim_punctuation(above()) } else { before };
                found.push(PrintedAnswer { yes, label: label.to_owned() });
            }
            Some(_) => {}
            None => {
                let label = if said.is_empty() { before } else { said };
                found.push(PrintedAnswer { yes: ticked.is_ticked, label: label.to_owned() });
            }
        }
    }
    true
}

/// Adds the answers by a word at the end of a clause or cell.
fn add_word_answers(text: &TextLines, index: usize, line: &Line, found: &mut Vec<PrintedAnswer>) {
    for segment in &line.segments {
        let mut from = segment.start;
        for clause in line.slice(segment.start, segment.end).split_inclusive(';') {
            let start = from;
            from += clause.len();
            let end = clause.trim_end_matches(|c: char| !c.is_alphanumeric()).len();
            let said = clause.get(..end).unwrap_or_default();
            let at = said
                .rfind(|c: char| !c.is_alphanumeric())
                .map_or(0, |at| at + said[at..].chars().next().map_or(1, char::len_utf8));
            let (label, word) = said.split_at_checked(at).unwrap_or_default();
            // Single letters are too ambiguous.
            let Some(yes) = parse_boolean(word).filter(|_| word.chars().nth(1).is_some()) else { continue };
            if label.split_whitespace().count() > MAX_LABEL
                || !yes && is_number_sign(text, index, line, start + end)
            {
                continue;
            }
            let label = match trim_punctuation(label) {
                "" => label_beside(text, index, line, start),
                label => label,
            };
            found.push(PrintedAnswer { yes, label: label.to_owned() });
        }
    }
}

/// The label of an answer that is alone in its cell.
fn label_beside<'t>(text: &'t TextLines, index: usize, line: &'t Line, start: usize) -> &'t str {
    // In wider tables the cell beside is of another column.
    let left = left_label(line, start).filter(|_| !line.table || line.segments.len() == 2);
    trim_punctuation(left.or_else(|| above_label(text, index, start)).unwrap_or_default())
}

/// Whether the word that ends here means "number" instead of no, as in "Order No.".
fn is_number_sign(text: &TextLines, index: usize, line: &Line, end: usize) -> bool {
    let rest = line.slice(end, line.text.len());
    let first_is_numbered = |text: &str| {
        text.split_whitespace().next().is_some_and(|word| word.chars().any(|c| c.is_ascii_digit()))
    };
    let next = text.lines.get(index + 1).map_or("", |line| line.text.as_str());
    // At most two words: a value, not a sentence.
    let alone = next.split_whitespace().nth(2).is_none();
    match rest.starts_with('.') {
        true => {
            first_is_numbered(trim_punctuation(rest))
                || trim_punctuation(rest).is_empty() && alone && first_is_numbered(next)
        }
        false => line.table && line.segments.len() > 2,
    }
}

fn trim_punctuation(text: &str) -> &str {
    text.trim_matches(|c: char| !c.is_alphanumeric())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::labels::concepts;

    fn read(text: &str) -> Vec<(bool, String)> {
        answers(&TextLines::read(text, 10_000)).into_iter().map(|answer| (answer.yes, answer.label)).collect()
    }

    #[test]
    fn words_and_boxes_are_answers_to_what_stands_before_or_behind_them() {
        for (text, yes, label) in [
            ("Nüchtern: Ja", true, "Nüchtern"),
            ("Assicurato ........ Sì", true, "Assicurato"),
            ("Nights 3; Breakfast No; Room single.", false, "Breakfast"),
            ("| Insured | No |", false, "Insured"),
            ("Breakfast\nNo\n", false, "Breakfast"),
            ("[x] Newsletter", true, "Newsletter"),
            ("☐ Newsletter", false, "Newsletter"),
            ("Smoker [ ] Yes [x] No", false, "Smoker"),
        ] {
            assert_eq!(read(text), [(yes, label.to_owned())], "{text}");
        }
        for text in [
            "Order No.: 17",
            "Order No.\n17 4",
            "He said no to the offer of the neighbours from over there.",
            "Item n",
        ] {
            assert_eq!(read(text), [], "{text}");
        }
    }

    #[test]
    fn a_sentence_says_that_something_is_so_or_denies_it() {
        let field = concepts("breakfast", "");
        for (text, yes) in [("Breakfast is included.", true), ("Breakfast is not included.", false)] {
            assert_eq!(
                statement(&TextLines::read(text, 1_000), &field).map(|(yes, _)| yes),
                Some(yes),
                "{text}"
            );
        }
        assert_eq!(statement(&TextLines::read("Parking is free.", 1_000), &field), None);
    }
}
