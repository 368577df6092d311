//! The best value of a field in one document, if any speaks clearly enough.

use serde_json::Value;

use super::candidates::{above_label, label_fit, left_label};
use super::kind::Kind;
use super::labels::{fit, fold, words};
use super::lines::{Line, Text};
use super::schema::Leaf;
use super::values::{Typed, find, shows_money, yes_or_no};
use super::{Found, address, organisation};

/// A label must fit at least this well.
const MIN_FIT: f32 = 0.34;
/// Characters of a text value.
const MAX_TEXT: usize = 400;

/// The field's value in a document.
pub(crate) fn choose(text: &Text, leaf: &Leaf) -> Option<Found> {
    match leaf.kind {
        Kind::Boolean => boolean(text, leaf),
        Kind::Enum => option(text, leaf),
        Kind::Organisation => organisation::choose(text, leaf).or_else(|| labelled(text, leaf)),
        Kind::Address => address::choose(text, leaf).or_else(|| labelled(text, leaf)),
        Kind::Text => labelled(text, leaf),
        _ => typed(text, leaf),
    }
}

/// The best typed value by its label.
fn typed(text: &Text, leaf: &Leaf) -> Option<Found> {
    let mut best: Option<(f32, usize, Typed)> = None;
    let total = leaf.kind == Kind::Money && leaf.concepts.has("total");
    let mut after_rounding = false;
    for (index, line) in text.lines.iter().enumerate() {
        after_rounding |= total && words(&line.text).iter().any(|word| word == "rounding");
        for value in find(leaf.kind, text, line, leaf.output) {
            let label = label_fit(text, &leaf.concepts, index, value.start);
            let Some(score) = score(text, leaf, line, &value, label, index) else { continue };
            let score = if after_rounding && label > 0.5 { score + 0.06 } else { score };
            if best.as_ref().is_none_or(|(other, _, held)| better(total, score, &value, *other, held)) {
                best = Some((score, index, value));
            }
        }
    }
    let (score, index, value) = best?;
    let line = text.lines.get(index)?;
    Some(Found {
        start: line.offset(value.start),
        end: line.offset(value.end),
        value: value.value,
        confidence: score.clamp(0.05, 0.99),
    })
}

/// Among labelled totals of about the same standing, the largest; else the first of the best.
fn better(total: bool, score: f32, value: &Typed, other: f32, held: &Typed) -> bool {
    if total && (score - other).abs() < 0.05 {
        return value.number.unwrap_or(0.0) > held.number.unwrap_or(0.0);
    }
    score > other + 0.001
}

/// How well a value answers a field; `None` when the evidence is too thin.
fn score(text: &Text, leaf: &Leaf, line: &Line, value: &Typed, label: f32, index: usize) -> Option<f32> {
    let printed = line.slice(value.start, value.end);
    let qualified = leaf.concepts.qualifiers().next().is_some();
    let place = 1.0 - index as f32 / text.lines.len().max(1) as f32;
    match leaf.kind {
        Kind::Date => match label {
            fit if fit >= MIN_FIT => Some(0.6 + 0.35 * fit + 0.02 * place),
            _ if qualified || names_other(leaf, line, value) => None,
            _ => Some(0.4 + 0.1 * place),
        },
        Kind::Email | Kind::Url | Kind::Iban | Kind::Phone => {
            let fax = left_label(line, value.start)
                .is_some_and(|label| words(label).iter().any(|word| word == "fax"));
            match label {
                fit if fit >= MIN_FIT => Some(0.6 + 0.35 * fit + 0.02 * place),
                _ if qualified || (fax && !leaf.concepts.has("fax")) => None,
                // Digits that nothing calls a telephone may be anything.
                _ if leaf.kind == Kind::Phone && !printed.starts_with(['+', '(']) => None,
                _ => Some(0.5 + 0.05 * place),
            }
        }
        Kind::Money if leaf.concepts.has("total") => {
            let money = shows_money(printed);
            if label >= MIN_FIT && (money || label > 0.6) {
                Some(0.45 + 0.4 * label + if money { 0.1 } else { 0.0 })
            } else {
                None
            }
        }
        Kind::Money => {
            (label >= MIN_FIT).then(|| 0.5 + 0.35 * label + if shows_money(printed) { 0.1 } else { 0.0 })
        }
        _ => (label >= MIN_FIT).then_some(0.5 + 0.4 * label),
    }
}

/// Whether the value's own label speaks of another thing of the kind.
fn names_other(leaf: &Leaf, line: &Line, value: &Typed) -> bool {
    left_label(line, value.start).is_some_and(|label| {
        let label = words(label);
        label
            .iter()
            .any(|word| super::vocabulary::QUALIFIERS.contains(&word.as_str()) && !leaf.concepts.has(word))
            && fit(&leaf.concepts, &label) < MIN_FIT
            && label
                .iter()
                .any(|word| word == "birth" || word == "due" || word == "end" || word == "delivery")
    })
}

/// The text that a label stands before or above.
fn labelled(text: &Text, leaf: &Leaf) -> Option<Found> {
    let mut best: Option<Found> = None;
    for (index, line) in text.lines.iter().enumerate() {
        for (segment, part) in line.segments.iter().enumerate() {
            let Some((start, end, fit)) =
                beside(text, leaf, index, segment, line.slice(part.start, part.end), part.start)
            else {
                continue;
            };
            let confidence = 0.45 + 0.5 * fit.1;
            if best.as_ref().is_none_or(|other| confidence > other.confidence + 0.001) {
                let own = text.lines.get(fit.0)?;
                let value = own.slice(start, end);
                if value.is_empty() || value.chars().nth(MAX_TEXT).is_some() {
                    continue;
                }
                let value = Value::from(value);
                best = Some(Found { value, start: own.offset(start), end: own.offset(end), confidence });
            }
        }
    }
    best.filter(|found| found.confidence >= 0.45 + 0.5 * MIN_FIT)
}

/// The value of a label segment: bytes in a line, the line, and how well the label fits.
fn beside(
    text: &Text,
    leaf: &Leaf,
    index: usize,
    segment: usize,
    content: &str,
    at: usize,
) -> Option<(usize, usize, (usize, f32))> {
    let line = text.lines.get(index)?;
    // "Label: value" in one segment.
    if let Some(colon) = content.find([':', '：']).filter(|colon| !content[*colon..].starts_with("://")) {
        let fit = fit(&leaf.concepts, &words(content.get(..colon)?));
        if fit >= MIN_FIT {
            let rest = content.get(colon..)?;
            let value = rest.trim_start_matches([':', '：', ' ', '\t']);
            let start = at + colon + (rest.len() - value.len());
            if !value.trim().is_empty() {
                let end = start + value.trim_end().len();
                return Some((start, end, (index, fit)));
            }
            return after(text, index, segment, fit);
        }
        return None;
    }
    let words_here = words(content);
    let fit = fit(&leaf.concepts, &words_here);
    let label_like = content.split_whitespace().count() <= 5 && !content.chars().any(|c| c.is_ascii_digit());
    if fit < 0.6 || !label_like {
        return None;
    }
    after(text, index, segment, fit * if line.segments.len() > 1 { 0.95 } else { 0.8 })
}

/// What follows a label that stands alone: the next segment, the cell below, or the next line.
fn after(text: &Text, index: usize, segment: usize, fit: f32) -> Option<(usize, usize, (usize, f32))> {
    let line = text.lines.get(index)?;
    let header = line.table && line.segments.len() > 2;
    if let Some(next) = line.segments.get(segment + 1).filter(|next| next.end > next.start && !header) {
        return Some((next.start, next.end, (index, fit)));
    }
    let below = text.lines.get(index + 1).filter(|below| !below.gap || line.table)?;
    let same = below.segments.get(if line.table || below.segments.len() == line.segments.len() {
        segment
    } else {
        0
    })?;
    let value = below.slice(same.start, same.end);
    let another_label = value.trim_end().ends_with(':') || value.contains(": ");
    (!another_label && same.end > same.start).then_some((same.start, same.end, (index + 1, fit * 0.9)))
}

/// Yes or no beside a label; a ticked box before or after it.
fn boolean(text: &Text, leaf: &Leaf) -> Option<Found> {
    let found = labelled(text, leaf)?;
    let (yes, bytes) = yes_or_no(found.value.as_str()?)?;
    let end = found.start + found.value.as_str()?.get(..bytes)?.chars().count();
    Some(Found { value: Value::from(yes), end, ..found })
}

/// The option that a label's value names, or the only one that the text has at all.
fn option(text: &Text, leaf: &Leaf) -> Option<Found> {
    if let Some(found) = labelled(text, leaf) {
        let printed = fold(found.value.as_str()?);
        let exact = leaf.options.iter().find(|option| fold(option) == printed);
        let within =
            || leaf.options.iter().find(|option| fold(option).len() > 2 && printed.contains(&fold(option)));
        let close =
            || leaf.options.iter().find(|option| strsim::jaro_winkler(&fold(option), &printed) > 0.92);
        if let Some(option) = exact.or_else(within).or_else(close) {
            return Some(Found { value: Value::from(option.as_str()), ..found });
        }
    }
    let mut seen: Option<(Found, &String)> = None;
    for line in &text.lines {
        for option in leaf.options.iter().filter(|option| option.chars().count() >= 4) {
            let Some(at) = find_word(&line.text, option) else { continue };
            let near = words(&line.text).iter().any(|word| leaf.concepts.has(word))
                || above_label(text, 0, 0).is_some_and(|label| fit(&leaf.concepts, &words(label)) > MIN_FIT);
            match &seen {
                Some((_, other)) if *other != option => return None,
                Some(_) => {}
                None if near => {
                    let (start, end) = (line.offset(at), line.offset(at + option.len()));
                    seen = Some((
                        Found { value: Value::from(option.as_str()), start, end, confidence: 0.5 },
                        option,
                    ));
                }
                None => {}
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
