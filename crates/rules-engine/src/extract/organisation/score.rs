//! How likely a part of a line is the issuer's name.

use std::collections::HashSet;

use forms_core::labels::{Line, Segment, words};
use language::fold::fold_word;
use language::label::NameWord;
use language::vocabulary::is_company_suffix;

use super::super::tables::is_number;
use super::super::text::Text;
use super::super::{address, dates};
use super::cleanup::clean;

// The score of a name is a sum. Set on the open receipts and invoices of `cargo xtask bench extraction`; no
// part was measured alone.
/// Without any sign; [`super::MIN_SCORE`] is as high.
const BASE: f32 = 0.35;
/// On the first line, and what each further line takes off: from the ninth on, other signs are needed.
const AT_TOP: f32 = 0.35;
const PER_LINE: f32 = 0.05;
/// With a legal form, a word for a kind of business, and a word of the document's own domains.
const LEGAL_FORM: f32 = 0.5;
const VENUE: f32 = 0.2;
const OWN_DOMAIN: f32 = 0.3;
/// Taken off below a heading for the customer, after data such as a telephone number, and beside other
/// columns.
const BELOW_CUSTOMER: f32 = 0.6;
const AFTER_DATA: f32 = 0.3;
const IN_COLUMN: f32 = 0.1;
/// Words of a name at most; more are a sentence. Chosen by hand; no measurement is recorded.
const MAX_WORDS: usize = 12;

/// How likely a part of a line is the issuer's name; `None` if it cannot be.
pub(super) fn score(
    text: &Text,
    line: &Line,
    segment: Segment,
    index: usize,
    domains: &HashSet<String>,
    after_data: bool,
) -> Option<f32> {
    let printed = line.slice(segment.start, segment.end);
    let name = clean(printed);
    let letters = name.chars().filter(|c| c.is_alphabetic()).count();
    let digits = name.chars().filter(char::is_ascii_digit).count();
    // Mostly digits: a number, not a name. Chosen by hand; no measurement is recorded.
    if letters < 3 || digits * 2 > letters || name.contains('@') || !dates::dates(name, None).is_empty() {
        return None;
    }
    let folded = name_words(name);
    let count = |kind: NameWord| folded.iter().filter(|word| kind.has(word)).count();
    let legal = name.split(['.', ' ']).any(is_legal) || name.split_whitespace().any(is_legal);
    let sentence = count(NameWord::Courtesy);
    if is_title(name)
        || is_contact(printed)
        // Two words of courtesy, or more than twelve words, are a sentence. Chosen by hand; no measurement is
        // recorded.
        || sentence >= 2
        || name.split_whitespace().count() > MAX_WORDS
        || (sentence == 1 && !legal)
    {
        return None;
    }
    if !legal
        && (address::looks(name) >= 2 || name.contains(':') || name.starts_with('(') || name.ends_with(','))
    {
        return None;
    }
    if below_recipient(text, index) || !legal && is_in_table(text, index) {
        return None;
    }
    let venue = count(NameWord::Venue) > 0;
    let own = folded
        .iter()
        // Shorter words begin too many domains. Chosen by hand; no measurement is recorded.
        .any(|word| word.len() > 3 && domains.iter().any(|domain| domain.starts_with(word.as_str())))
        || domains.contains(&fold_word(name));
    if !legal && !venue && !own && is_small(name) {
        return None;
    }
    let place = AT_TOP - PER_LINE * index as f32;
    let customer =
        text.heading(index).is_some_and(|heading| text.words(heading).iter().any(|word| word == "customer"));
    let score = BASE
        + place
        + if legal { LEGAL_FORM } else { 0.0 }
        + if venue { VENUE } else { 0.0 }
        + if own { OWN_DOMAIN } else { 0.0 }
        - if customer { BELOW_CUSTOMER } else { 0.0 }
        // The issuer is above the data of a document.
        - if after_data { AFTER_DATA } else { 0.0 }
        - if line.segments.len() > 1 && !legal { IN_COLUMN } else { 0.0 };
    Some(score)
}

/// Whether a word is a legal form; `kg` in lower case is a unit.
fn is_legal(word: &str) -> bool {
    is_company_suffix(&fold_word(word)) && (word.len() > 2 || word.chars().any(char::is_uppercase))
}

/// The words of a name, folded; also their parts between points.
fn name_words(name: &str) -> Vec<String> {
    let mut found: Vec<String> =
        name.split_whitespace().map(fold_word).filter(|word| !word.is_empty()).collect();
    found.extend(
        name.split(['.', ' ']).filter(|part| part.len() > 2).map(fold_word).filter(|word| !word.is_empty()),
    );
    found.dedup();
    found
}

pub(super) fn is_title(name: &str) -> bool {
    let found: Vec<String> =
        name.split(|c: char| !c.is_alphanumeric()).map(fold_word).filter(|word| !word.is_empty()).collect();
    !found.is_empty() && found.iter().all(|word| NameWord::DocumentTitle.has(word) || word.len() < 3)
}

/// Whether a line is a contact or another datum, by its first words.
pub(super) fn is_contact(name: &str) -> bool {
    const DATA: &[&str] = &[
        "phone",
        "fax",
        "email",
        "url",
        "registration",
        "tax",
        "date",
        "invoice",
        "receipt",
        "number",
        "time",
    ];
    let first = words(name);
    let named = first.first().is_some_and(|word| DATA.contains(&word.as_ref()));
    let registered = matches!(first.as_slice(), [first, second, ..] if first == "company" && (second == "number" || second == "registration"));
    named || registered
}

/// Whether a name is all in lower case, as words are and names are not.
fn is_small(name: &str) -> bool {
    name.chars().any(char::is_lowercase) && !name.chars().any(char::is_uppercase)
}

/// Whether a line is in a table. Its rows have several cells, the last of which is a number. The line is a
/// row next to another one or below a head with as many cells, or it is the head of two rows.
fn is_in_table(text: &Text, index: usize) -> bool {
    let says = |line: &&Line| line.text.contains(char::is_alphanumeric);
    let cells = text.lines.get(index).map_or(0, |line| line.segments.len());
    let is_row = |line: &Line| {
        let last = line.segments.last();
        line.segments.len() == cells && last.is_some_and(|last| is_number(line.slice(last.start, last.end)))
    };
    let row_at = |line: Option<&Line>| line.is_some_and(is_row);
    let mut below = text.lines.iter().skip(index + 1).filter(says);
    let (next, second) = (row_at(below.next()), row_at(below.next()));
    let above = text.lines.iter().take(index).rev().find(says);
    let is_headed = above.is_some_and(|line| {
        line.segments.len() == cells && !line.text.contains(|c: char| c.is_ascii_digit())
    });
    let own = row_at(text.lines.get(index));
    cells > 1 && (own && (row_at(above) || is_headed || next) || next && second)
}

/// Lines above that may have the head of a column of addresses. Chosen by hand; no measurement is recorded.
const COLUMN: usize = 6;

/// Whether a line is in columns headed as the addresses of invoice and delivery.
fn below_recipient(text: &Text, index: usize) -> bool {
    let above = text.lines.get(index.saturating_sub(COLUMN)..index).unwrap_or_default();
    above.iter().any(|line| {
        let found = text.words(&line.text);
        let heads =
            // Longer lines are sentences. Chosen by hand; no measurement is recorded.
            line.segments.len() > 1 && found.len() <= 5 && !line.text.contains(|c: char| c.is_ascii_digit());
        let whose = ["customer", "shipping", "delivery", "invoice"];
        heads
            && found.iter().any(|word| word == "address")
            && found.iter().any(|word| whose.contains(&word.as_ref()))
    })
}
