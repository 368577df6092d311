//! Names of organisations: by label, at the top of a document, in its legal footer, by legal form, and by the
//! document's own web and mail addresses.

mod cleanup;
mod footer;
mod multi_line;
mod score;
mod words;

use std::collections::HashSet;

use forms_core::labels::{Segment, words as words_of};
use language::fold::fold_word;
use serde_json::Value;

use super::kind::{FieldKind, Output};
use super::labelled_text::find_labelled_where;
use super::schema::Leaf;
use super::text::Text;
use super::{ExtractedValue, address};
use cleanup::{without_registration, without_sender_line};
use words::NET_WORDS;

// Set on the open halves of `cargo xtask bench extraction`; none of the scores was measured alone.
/// Lines at the top that may have the issuer.
const TOP: usize = 14;
/// Minimum score of a name.
const MIN_SCORE: f32 = 0.35;

/// Scores that differ by less are equal, and the first one wins: a guard against rounding.
const TIE: f32 = 0.001;
/// Added to the score of a name with the field's word. Chosen by hand; no measurement is recorded.
const FIELD_WORD: f32 = 0.3;
/// Segments of a line that are scored, and lines that are searched for hosts: both bound the time.
const MAX_SEGMENTS: usize = 6;
const MAX_HOST_LINES: usize = 2_000;

/// Concepts for the issuer of a document.
const ISSUERS: &[&str] = &[
    "vendor",
    "company",
    "restaurant",
    "shop",
    "pharmacy",
    "cafe",
    "supermarket",
    "insurer",
    "receipt",
    "name",
];

/// A part of a line that may be the issuer's name.
#[derive(Clone, Copy, Debug)]
struct Candidate {
    score: f32,
    line: usize,
    segment: Segment,
}

/// The organisation of a field: the labelled one, else the document's issuer.
pub(crate) fn choose(text: &Text, leaf: &Leaf) -> Option<ExtractedValue> {
    let labelled = find_labelled_where(text, leaf, |label, value| is_plain_label(label) && is_name(value));
    // A fit of the label above 0.8 (0.45 + 0.5 * fit).
    let sure = |found: &ExtractedValue| leaf.concepts.is_qualified() || found.confidence > 0.85;
    if let Some(found) = labelled.filter(sure) {
        return Some(strip_registration(found));
    }
    let best = find_at_top(text, leaf)
        .into_iter()
        .chain(footer::issuer(text))
        .reduce(|best, other| if other.score > best.score + TIE { other } else { best })?;
    // An organisation that is not the issuer needs a label, or the field's word in its name.
    let issuer = leaf.concepts.is_general(ISSUERS) || leaf.concepts.is_described_as_company();
    if best.score < MIN_SCORE || !issuer && !has_field_word(text, leaf, &best) {
        return None;
    }
    multi_line::candidate_name(text, &best)
}

/// Whether the name has the field's word, as `First Harbour Bank` for a field `bank`.
fn has_field_word(text: &Text, leaf: &Leaf, candidate: &Candidate) -> bool {
    let Some(line) = text.lines.get(candidate.line) else { return false };
    let printed = words_of(line.slice(candidate.segment.start, candidate.segment.end));
    leaf.concepts.words.iter().any(|word| word != "name" && word != "company" && printed.contains(word))
}

/// The best name at the top.
fn find_at_top(text: &Text, leaf: &Leaf) -> Option<Candidate> {
    let domains = domains(text);
    let mut best: Option<Candidate> = None;
    let mut after_data = false;
    for (index, line) in text.lines.iter().enumerate().take(TOP) {
        for segment in line.segments.iter().take(MAX_SEGMENTS) {
            let Some(score) = score::score(text, line, *segment, index, &domains, after_data) else {
                continue;
            };
            let mut candidate = Candidate { score, line: index, segment: *segment };
            if has_field_word(text, leaf, &candidate) {
                candidate.score += FIELD_WORD;
            }
            if best.is_none_or(|other| candidate.score > other.score + TIE) {
                best = Some(candidate);
            }
        }
        after_data |= line.segments.len() == 1 && index > 0 && score::is_contact(&line.text);
    }
    best
}

/// Whether a label is not that of a number or address of an organisation.
fn is_plain_label(label: &str) -> bool {
    const OTHERS: &[&str] = &[
        "number",
        "registration",
        "address",
        "tax",
        "phone",
        "email",
        "url",
        "date",
        "total",
        "amount",
        "account",
    ];
    !words_of(label).iter().any(|word| OTHERS.contains(&word.as_ref()))
}

fn is_name(value: &str) -> bool {
    let letters = value.chars().filter(|c| c.is_alphabetic()).count();
    let digits = value.chars().filter(char::is_ascii_digit).count();
    // Fewer letters are an abbreviation or a code, and three signs an address. Chosen by hand; no measurement
    // is recorded.
    letters >= 3 && digits * 2 <= letters && !value.contains('@') && address::looks(value) < 3
}

/// A labelled name without its registration number.
fn strip_registration(found: ExtractedValue) -> ExtractedValue {
    let Some(printed) = found.value.as_str() else { return found };
    let name = without_registration(without_sender_line(printed)).to_owned();
    let end = found.start + name.chars().count();
    ExtractedValue { value: Value::from(name), end, ..found }
}

/// Names in the document's own web and mail addresses, such as `acme` in `www.acme.com`.
fn domains(text: &Text) -> HashSet<String> {
    let mut found = HashSet::new();
    for (index, line) in text.lines.iter().enumerate().take(MAX_HOST_LINES) {
        for kind in [FieldKind::Email, FieldKind::Url] {
            for value in text.values(kind, index, Output::Verbatim).iter() {
                let printed = line.slice(value.start, value.end).to_lowercase();
                let host = printed
                    .rsplit(['@'])
                    .next()
                    .unwrap_or_default()
                    .trim_start_matches("https://")
                    .trim_start_matches("http://");
                let host = host.split('/').next().unwrap_or_default();
                // Labels of up to three letters are mostly top-level domains and prefixes such as `com` and
                // `www`. Chosen by hand; no measurement is recorded.
                let names = host.split('.').filter(|name| name.len() > 3 && !NET_WORDS.contains(name));
                found.extend(names.map(fold_word));
            }
        }
    }
    found
}
