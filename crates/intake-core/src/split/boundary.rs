//! The probability that a document begins on a page, from signals between it and the pages before it.

use super::part::Part;
use super::weights::WEIGHTS;
use crate::page::PageProfile;

/// Names of the signals, in the order of their weights.
pub const SIGNAL_NAMES: [&str; 20] = [
    "always",
    "numbering begins at 1",
    "the page before is the last by its number",
    "numbering goes on",
    "numbering is another one",
    "sheets without content are between",
    "the size differs by a twentieth",
    "one is a scan and the other is not",
    "first lines are like those of the part's first page",
    "first lines are like those of the page before",
    "labels of the part have the same values",
    "labels of the part have other values",
    "a title names a kind of document",
    "the title of the part's first page comes again",
    "the title names another kind",
    "something is carried over",
    "a sentence runs over",
    "the first label of the part comes again",
    "words are those of the page before",
    "the language differs",
];

/// Signals of one boundary, each 0 to 1.
pub type Signals = [f64; SIGNAL_NAMES.len()];

// Chosen by hand; the learned weights depend on them.
/// Difference of sizes, as a share of the size.
const SIZE: f32 = 0.05;
/// Labels with equal or other values from which more count no further.
const MANY_LABELS: f64 = 3.0;
/// Words below which the similarity of two texts says little.
const FEW_WORDS: usize = 5;

/// The signals between a part and the page that may begin another document. `is_apart` is whether sheets without content
/// are between them.
pub(super) fn signals(part: &Part, page: &PageProfile, is_apart: bool) -> Signals {
    let (Some(first), Some(before)) = (part.first(), part.last()) else { return [0.0; SIGNAL_NAMES.len()] };
    let numbering = numbering(before, page);
    let (same, other) = compare_labels(part, page);
    let has_title = !page.kinds.is_empty();
    let repeats_title = has_title && page.kinds.iter().any(|kind| first.kinds.contains(kind));
    let first_again =
        first.labels.first().is_some_and(|label| page.labels.iter().any(|own| own.label == label.label));
    let flag = |is_set: bool| f64::from(u8::from(is_set));
    [
        1.0,
        flag(numbering == Some(Numbering::Begins)),
        flag(before.mark.is_some_and(|mark| mark.total == Some(mark.number))),
        flag(numbering == Some(Numbering::GoesOn)),
        flag(numbering == Some(Numbering::Other)),
        flag(is_apart),
        flag(differ(first.size.0, page.size.0) || differ(first.size.1, page.size.1)),
        flag(before.is_scan != page.is_scan),
        similarity(&first.top, &page.top),
        if part.numbers.len() > 1 { similarity(&before.top, &page.top) } else { 0.0 },
        same,
        other,
        flag(has_title),
        flag(repeats_title),
        flag(has_title && !repeats_title && !first.kinds.is_empty()),
        flag(before.carries.1 || page.carries.0),
        flag(before.open.1 && page.open.0),
        flag(first_again),
        overlap(&before.words, &page.words),
        flag(matches!((before.language, page.language), (Some(one), Some(other)) if one != other)),
    ]
}

/// The probability of a boundary with these signals, 0 to 1.
pub(super) fn probability(signals: &Signals) -> f64 {
    let score: f64 = signals.iter().zip(WEIGHTS).map(|(signal, weight)| signal * weight).sum();
    1.0 / (1.0 + (-score).exp())
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Numbering {
    Begins,
    GoesOn,
    Other,
}

fn numbering(before: &PageProfile, page: &PageProfile) -> Option<Numbering> {
    let own = page.mark?;
    match before.mark {
        Some(last) if own.number == last.number + 1 && own.total == last.total => Some(Numbering::GoesOn),
        _ if own.number == 1 => Some(Numbering::Begins),
        Some(_) => Some(Numbering::Other),
        None => None,
    }
}

/// How many labels of the part come again on the page with the same value, and with another one, each as a share
/// of [`MANY_LABELS`]. Values without digits are the same on documents of one sender.
fn compare_labels(part: &Part, page: &PageProfile) -> (f64, f64) {
    let (mut same, mut other) = (0.0, 0.0);
    for (place, own) in page.labels.iter().enumerate() {
        let is_first = page.labels.iter().position(|label| label.label == own.label) == Some(place);
        if !is_first || !own.value.chars().any(char::is_numeric) {
            continue;
        }
        let mut known =
            part.pages().flat_map(|one| &one.labels).filter(|label| label.label == own.label).peekable();
        if known.peek().is_none() {
            continue;
        }
        match known.any(|label| label.value == own.value) {
            true => same += 1.0,
            false => other += 1.0,
        }
    }
    (f64::min(same / MANY_LABELS, 1.0), f64::min(other / MANY_LABELS, 1.0))
}

fn differ(one: f32, other: f32) -> bool {
    (one - other).abs() > SIZE * one.max(other)
}

/// The share of the words of two lists that both have (Jaccard).
fn similarity(one: &[String], other: &[String]) -> f64 {
    let both = one.iter().filter(|word| other.contains(word)).count();
    let all = one.len() + other.len() - both.min(one.len().min(other.len()));
    if one.len().min(other.len()) < FEW_WORDS { 0.0 } else { f64::min(both as f64 / all.max(1) as f64, 1.0) }
}

/// The share of the words of the shorter of two sorted lists that the other has, too.
fn overlap(one: &[String], other: &[String]) -> f64 {
    let (short, long) = if one.len() < other.len() { (one, other) } else { (other, one) };
    if short.len() < FEW_WORDS {
        return 0.0;
    }
    let both = short.iter().filter(|word| long.binary_search(word).is_ok()).count();
    both as f64 / short.len() as f64
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::page_mark::PageMark;

    fn marked(number: u32, total: Option<u32>) -> PageProfile {
        PageProfile { mark: Some(PageMark { number, total }), ..PageProfile::default() }
    }

    fn part(page: &PageProfile) -> Part {
        let mut part = Part::default();
        part.push(page.clone());
        part
    }

    fn between(before: &PageProfile, page: &PageProfile) -> f64 {
        probability(&signals(&part(before), page, false))
    }

    #[test]
    fn numbering_that_restarts_begins_a_document_and_numbering_that_goes_on_does_not() {
        assert!(between(&marked(2, Some(2)), &marked(1, Some(2))) > 0.5);
        assert!(between(&marked(1, Some(2)), &marked(2, Some(2))) < 0.2);
        assert!(between(&marked(1, Some(1)), &marked(1, Some(1))) > 0.5);
    }

    #[test]
    fn what_is_carried_over_goes_on() {
        let (plain, before) =
            (PageProfile::default(), PageProfile { carries: (false, true), ..PageProfile::default() });
        assert!(between(&before, &plain) < between(&plain, &plain));
    }

    #[test]
    fn labels_with_other_values_are_of_another_document() {
        let page = |values: [&str; 3]| PageProfile {
            labels: ["number", "date", "total"]
                .into_iter()
                .zip(values)
                .map(|(label, value)| crate::page::PageLabel { label: label.into(), value: value.into() })
                .collect(),
            ..PageProfile::default()
        };
        let first = page(["1", "2", "3"]);
        assert_eq!(compare_labels(&part(&first), &page(["4", "5", "6"])), (0.0, 1.0));
        assert_eq!(compare_labels(&part(&first), &page(["1", "2", "3"])), (1.0, 0.0));
        assert!(between(&first, &page(["4", "5", "6"])) > between(&first, &page(["1", "2", "3"])));
    }
}
