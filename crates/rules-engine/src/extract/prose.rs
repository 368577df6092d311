//! Facts in the sentences of contracts: the parties with their defined terms, and the governing law.

use forms_core::labels::{Line, fit, words};
use language::Language;
use serde_json::Value;

use super::ExtractedValue;
use super::kind::FieldKind;
use super::schema::Leaf;
use super::text::Text;
use crate::pattern::pattern;

/// Maximum lines that are read. Bounds the time.
const MAX_LINES: usize = 5_000;
/// Maximum terms of a line. Bounds the time.
const MAX_TERMS: usize = 16;
/// Minimum fit of a term. As for other labels without a colon (`labelled_text::BARE_FIT`). Chosen by hand; no
/// measurement is recorded.
const MIN_FIT: f32 = 0.6;
/// Maximum bytes before a term that may have the name. Names with their legal description are shorter. Chosen
/// by hand; no measurement is recorded.
const REACH: usize = 300;

pattern!(
    TERM,
    &format!(
        r#"\((?:(?:{}) )*(?:(?:{}) )*["“„«'](?:(?:{}) )?([^"“”„»«()]{{2,40}}?)["”“»'](?: (?:{}))?\)"#,
        alternation("term_lead"),
        alternation("term_verb"),
        alternation("term_article"),
        alternation("term_end")
    )
);
pattern!(
    LAW,
    &format!(
        r"(?:{})[^.;]{{0,120}}?\b(?i:{}) (?:(?:{}) )?({NAME}(?:,? (?:(?:{}) )*{NAME})*)",
        alternation("law_verb"),
        alternation("law_of"),
        alternation("term_article"),
        name_particles()
    )
);
/// A word of a name.
const NAME: &str = r"\p{Lu}[\p{L}'’-]*";

fn entries(key: &str) -> impl Iterator<Item = &'static str> {
    let locales = Language::all().filter_map(Language::locale);
    locales.flat_map(move |locale| locale.contract.words(key).iter())
}

/// An alternation of the words within names.
fn name_particles() -> String {
    let locales = Language::all().filter_map(Language::locale);
    let particles = locales.flat_map(|locale| locale.answer_signs.words("name_particle").iter());
    particles.map(regex::escape).collect::<Vec<_>>().join("|")
}

/// An alternation of the entries of a key in all languages.
fn alternation(key: &str) -> String {
    entries(key).map(regex::escape).collect::<Vec<_>>().join("|")
}

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
    let cut = |text: &str| {
        let found = entries("name_before").filter_map(|word| text.find(&format!(", {word} ")));
        found.min().unwrap_or(text.len())
    };
    // What follows the last of these words, or a colon.
    let word_end = |word: &str| {
        let mut places = before.rmatch_indices(word);
        places.find_map(|(at, word)| {
            let (ahead, rest) = (before.get(..at)?, before.get(at + word.len()..)?);
            let is_word = rest.starts_with(' ') && !ahead.ends_with(char::is_alphanumeric);
            is_word.then_some(at + word.len() + 1)
        })
    };
    let colon = before.rfind(": ").map(|at| at + 2);
    let starts = entries("name_after").filter_map(word_end).chain(colon);
    let start = starts
        .filter(|at| before.get(*at..).is_some_and(|rest| rest.starts_with(char::is_uppercase)))
        .max()?;
    let rest = before.get(start..)?;
    let name = rest.get(..cut(rest))?.trim_end_matches([' ', ',']);
    // Three letters, as for all names of organisations.
    (name.chars().filter(|c| c.is_alphabetic()).count() >= 3)
        .then_some((from + start, from + start + name.len()))
}

fn extracted_value(line: &Line, start: usize, end: usize) -> ExtractedValue {
    ExtractedValue {
        value: Value::from(line.slice(start, end)),
        start: line.offset(start),
        end: line.offset(end),
        // One rule found it, without a label. Chosen by hand; no measurement is recorded.
        confidence: 0.6,
    }
}
