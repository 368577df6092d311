//! Booleans and options: beside their label, or by checkboxes.

use forms_core::labels::{Line, boxes, sectioned_fit};
use language::fold::fold_word;
use serde_json::Value;

use super::ExtractedValue;
use super::labelled_text::find_labelled;
use super::schema::Leaf;
use super::text::Text;
use super::values::yes_or_no;

/// Minimum fit of the text of a checkbox as a label. As for other labels without a colon
/// (`labelled_text::BARE_FIT`). Chosen by hand; no measurement is recorded.
const BOX_FIT: f32 = 0.6;

/// Minimum fit of the question before checkboxes; lower, since the ticked answer is evidence too. Chosen by
/// hand.
const QUESTION_FIT: f32 = 0.4;
/// The confidence of a ticked box, and of the only option near the field's words. Chosen by hand; the trees
/// of `trust` calibrate it.
const BOX_SURE: f32 = 0.85;
const LONE_SURE: f32 = 0.5;
/// Minimum Jaro–Winkler similarity of an option: one slip late in a word of six letters. Chosen by hand; no
/// measurement is recorded.
const CLOSE: f64 = 0.92;
/// Minimum letters of an option in running text, as *card* and *cash*. Chosen by hand.
const MIN_LONE: usize = 4;

/// A yes or no beside a label; or a checkbox before the label, or before a yes or no.
pub(crate) fn boolean(text: &Text, leaf: &Leaf) -> Option<ExtractedValue> {
    for (index, line) in text.lines.iter().enumerate() {
        for ticked in boxes(line) {
            let fit = sectioned_fit(text, &leaf.concepts, index, &text.words(ticked.text));
            let answer = if fit >= BOX_FIT {
                ticked.is_ticked
            } else if let Some((yes, _)) =
                yes_or_no(ticked.text).filter(|_| ticked.is_ticked && question(text, leaf, index, line))
            {
                yes
            } else {
                continue;
            };
            let (start, end) = (line.offset(ticked.start), line.offset(ticked.end));
            return Some(ExtractedValue { value: Value::from(answer), start, end, confidence: BOX_SURE });
        }
    }
    let found = find_labelled(text, leaf)?;
    let printed = found.value.as_str()?;
    let (yes, bytes) = yes_or_no(printed)?;
    let end = found.start + printed.get(..bytes)?.chars().count();
    Some(ExtractedValue { value: Value::from(yes), end, ..found })
}

/// Whether the words before the checkboxes, or the line above them, fit the field.
fn question(text: &Text, leaf: &Leaf, index: usize, line: &Line) -> bool {
    let before = boxes(line).first().map_or("", |first| line.slice(0, first.start));
    let asked = if before.trim().is_empty() {
        index.checked_sub(1).and_then(|above| text.lines.get(above)).map_or("", |above| above.text.as_str())
    } else {
        before
    };
    sectioned_fit(text, &leaf.concepts, index, &text.words(asked)) >= QUESTION_FIT
}

/// The option that a ticked checkbox or a label's value names, or the only one near the field's words.
pub(crate) fn option(text: &Text, leaf: &Leaf) -> Option<ExtractedValue> {
    for (index, line) in text.lines.iter().enumerate() {
        for ticked in boxes(line).iter().filter(|ticked| ticked.is_ticked) {
            if let Some(option) =
                leaf.options.iter().find(|option| fold_word(option) == fold_word(ticked.text))
                // A ticked one of three options or more is evidence enough; two may be those of any question.
                && (question(text, leaf, index, line) || leaf.options.len() > 2)
            {
                let (start, end) = (line.offset(ticked.start), line.offset(ticked.end));
                return Some(ExtractedValue {
                    value: Value::from(option.as_str()),
                    start,
                    end,
                    confidence: BOX_SURE,
                });
            }
        }
    }
    if let Some(found) = find_labelled(text, leaf)
        && let Some(option) = match_option(&leaf.options, found.value.as_str()?)
    {
        return Some(ExtractedValue { value: Value::from(option), ..found });
    }
    find_lone_option(text, leaf)
}

pub(crate) fn match_option<'a>(options: &'a [String], printed: &str) -> Option<&'a str> {
    let printed = fold_word(printed);
    let exact = options.iter().find(|option| fold_word(option) == printed);
    // Shorter options are parts of other words. Chosen by hand; no measurement is recorded.
    let within =
        || options.iter().find(|option| fold_word(option).len() > 2 && printed.contains(&fold_word(option)));
    let close = || options.iter().find(|option| strsim::jaro_winkler(&fold_word(option), &printed) > CLOSE);
    exact.or_else(within).or_else(close).map(String::as_str)
}

/// The only option in the text, if the field's words are on its line.
fn find_lone_option(text: &Text, leaf: &Leaf) -> Option<ExtractedValue> {
    let mut seen: Option<(ExtractedValue, &String)> = None;
    for line in &text.lines {
        for option in leaf.options.iter().filter(|option| option.chars().count() >= MIN_LONE) {
            let Some(at) = find_word(&line.text, option) else { continue };
            // A card or cash is a form of payment.
            let paid = leaf.concepts.has("payment");
            let near =
                text.words(&line.text).iter().any(|word| leaf.concepts.has(word) || paid && word == "cash");
            match &seen {
                Some((_, other)) if *other != option => return None,
                None if near => {
                    let (start, end) = (line.offset(at), line.offset(at + option.len()));
                    let found = ExtractedValue {
                        value: Value::from(option.as_str()),
                        start,
                        end,
                        confidence: LONE_SURE,
                    };
                    seen = Some((found, option));
                }
                _ => {}
            }
        }
    }
    seen.map(|(found, _)| found)
}

fn find_word(line: &str, word: &str) -> Option<usize> {
    let at = line.to_ascii_lowercase().find(&word.to_ascii_lowercase())?;
    let outside = |c: Option<char>| c.is_none_or(|c| !c.is_alphanumeric());
    let before = line.get(..at)?.chars().next_back();
    let after = line.get(at + word.len()..)?.chars().next();
    (outside(before) && outside(after)).then_some(at)
}
