//! Facts in the sentences of contracts: the parties with their defined terms, and the governing law.

use forms_core::labels::{Line, fit, words};
use serde_json::Value;

use super::ExtractedValue;
use super::kind::FieldKind;
use super::schema::Leaf;
use super::text::Text;
use crate::pattern::pattern;

/// Maximum lines that are read.
const MAX_LINES: usize = 5_000;
/// Maximum terms of a line.
const MAX_TERMS: usize = 16;
/// Minimum fit of a term.
const MIN_FIT: f32 = 0.6;
/// Maximum bytes before a term that may have the name.
const REACH: usize = 300;

pattern!(
    TERM,
    r#"\((?:the |hereinafter |hereafter |nachfolgend |im folgenden |ci-après |en adelante )*(?:called |referred to as |genannt |the )*["“„«'](?:the )?([^"“”„»«()]{2,40}?)["”“»'](?: genannt)?\)"#
);
pattern!(
    LAW,
    r"(?:governed|construed|interpreted|enforced)[^.;]{0,120}?\b[Ll]aws? of (?:the )?((?:\p{Lu}[\p{L}'’-]*)(?:,? (?:(?:of|and|the) )*\p{Lu}[\p{L}'’-]*)*)"
);

/// The value of a field in a sentence.
pub(crate) fn choose(text: &Text, leaf: &Leaf) -> Option<ExtractedValue> {
    if leaf.concepts.has("jurisdiction") {
        return law(text);
    }
    matches!(leaf.kind, FieldKind::Organisation | FieldKind::Text).then(|| party(text, leaf))?
}

fn law(text: &Text) -> Option<ExtractedValue> {
    text.lines.iter().take(MAX_LINES).find_map(|line| {
        let place = LAW.captures(&line.text)?.get(1)?;
        Some(extracted_value(line, place.start(), place.end()))
    })
}

/// The name before the term that a contract defines for a party: `Acme, Inc. ("Provider")`.
fn party(text: &Text, leaf: &Leaf) -> Option<ExtractedValue> {
    for line in text.lines.iter().take(MAX_LINES).filter(|line| line.text.contains('(')) {
        for term in TERM.captures_iter(&line.text).take(MAX_TERMS) {
            let (Some(whole), Some(name)) = (term.get(0), term.get(1)) else { continue };
            if fit(&leaf.concepts, &words(name.as_str())) < MIN_FIT {
                continue;
            }
            if let Some((start, end)) = name_before(line, whole.start()) {
                return Some(extracted_value(line, start, end));
            }
        }
    }
    None
}

/// The name that ends before a byte: what follows the last conjunction, without its legal description.
fn name_before(line: &Line, end: usize) -> Option<(usize, usize)> {
    let from = (end.saturating_sub(REACH)..end).find(|at| line.text.is_char_boundary(*at))?;
    let before = line.slice(from, end);
    let begins = [
        "between ",
        "among ",
        ") and ",
        "), and ",
        " and ",
        "by ",
        ": ",
        " zwischen ",
        " und ",
        " entre ",
        " et ",
    ];
    let cut = |text: &str| {
        let described = [", a ", ", an ", ", with ", ", having ", ", whose ", ", mit ", ", ein"];
        described.iter().filter_map(|mark| text.find(mark)).min().unwrap_or(text.len())
    };
    let starts = begins.iter().filter_map(|mark| before.rfind(mark).map(|at| at + mark.len()));
    let start = starts
        .filter(|at| before.get(*at..).is_some_and(|rest| rest.starts_with(char::is_uppercase)))
        .max()?;
    let rest = before.get(start..)?;
    let name = rest.get(..cut(rest))?.trim_end_matches([' ', ',']);
    (name.chars().filter(|c| c.is_alphabetic()).count() >= 3)
        .then_some((from + start, from + start + name.len()))
}

fn extracted_value(line: &Line, start: usize, end: usize) -> ExtractedValue {
    ExtractedValue {
        value: Value::from(line.slice(start, end)),
        start: line.offset(start),
        end: line.offset(end),
        confidence: 0.6,
    }
}
