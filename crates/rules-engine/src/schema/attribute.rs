//! Attributes that one entry of a remark states: type, unit, range, obligation.
//!
//! Counts of words that decide here were set on the phrases of `tests/schema`; none was measured alone.

use super::draft::DraftKind;
use super::range::{self, NumberRange, RangeUnit};
use super::required_marks;
use super::snake_case::fold;
use super::words::{Lexicon, Word, longest_at, text_from, words};

/// The types and the lists of their phrases.
const TYPES: [(DraftKind, &str); 7] = [
    (DraftKind::String, "type_string"),
    (DraftKind::Number, "type_number"),
    (DraftKind::Integer, "type_integer"),
    (DraftKind::Boolean, "type_boolean"),
    (DraftKind::Date, "type_date"),
    (DraftKind::Email, "type_email"),
    (DraftKind::Url, "type_url"),
];

/// An attribute stated by an entry.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum FieldAttribute {
    Required(bool),
    List,
    /// A type; `sure` when the word has hardly any other meaning.
    Type {
        kind: DraftKind,
        many: bool,
        sure: bool,
    },
    Format(&'static str),
    Unit,
    /// A range, perhaps with a unit; `sure` when words state it.
    Range {
        range: NumberRange,
        unit: bool,
        sure: bool,
        kind: Option<DraftKind>,
    },
}

impl FieldAttribute {
    /// The attribute that the whole `text` states.
    pub(super) fn parse(text: &str, lexicon: Lexicon) -> Option<Self> {
        let found = words(text);
        if let Some(required) = required_marks::parse_mark(text, lexicon) {
            return Some(Self::Required(required));
        }
        if date_format(text, lexicon) {
            return Some(Self::Type { kind: DraftKind::Date, many: false, sure: true });
        }
        let mut at = 0;
        loop {
            match longest_at(&found, at, lexicon.list("type_lead")) {
                0 => break,
                count => at += count,
            }
        }
        let rest = text_from(text, &found, at);
        let list = longest_at(&found, at, lexicon.list("list"));
        let bare = text_from(text, &found, at + list);
        if list > 0 && bare.is_empty() {
            return Some(Self::List);
        }
        let sure = !words(bare).first().is_some_and(|word| lexicon.has("type_weak", &word.plain));
        if let Some(kind) = type_named(bare, lexicon) {
            let many = list > 0 || lexicon.has("type_plural", &fold(bare));
            return Some(Self::Type { kind, many, sure });
        }
        if list == 0 && is_unit(rest, lexicon) {
            return Some(Self::Unit);
        }
        // "Number between 0 and 10"
        let typed = (1..=2).rev().find_map(|count| {
            let before = super::words::text_before(rest, &words(rest), count);
            let kind = type_named(before, lexicon).filter(|_| words(rest).len() > count)?;
            match Self::parse(text_from(rest, &words(rest), count), lexicon)? {
                Self::Range { range, unit, sure, .. } => {
                    Some(Self::Range { range, unit, sure, kind: Some(kind) })
                }
                _ => None,
            }
        });
        if typed.is_some() && list == 0 {
            return typed;
        }
        if let Some(range) = range::find_range(rest, lexicon).filter(|range| list == 0 && range.first == 0) {
            let after = text_from(rest, &words(rest), range.end);
            let worded = range.counted != RangeUnit::Value || words(rest).len() > 1;
            return (after.is_empty() || is_unit(after, lexicon)).then_some(Self::Range {
                range,
                unit: !after.is_empty(),
                sure: worded,
                kind: None,
            });
        }
        let whole = fold(rest);
        if lexicon.has("date_time", &whole) {
            return Some(Self::Format("date-time"));
        }
        lexicon.has("clock", &whole).then_some(Self::Format("time"))
    }
}

/// Whether a text is a unit per another one, such as `mg/l`.
pub(super) fn is_ratio(text: &str, lexicon: Lexicon) -> bool {
    let unit = |part: &str| lexicon.has("unit", part) || lexicon.has("unit_part", part);
    text.split_once('/').is_some_and(|(one, other)| unit(one.trim()) && unit(other.trim()))
}

/// Whether the whole `text` is a unit.
fn is_unit(text: &str, lexicon: Lexicon) -> bool {
    let found = words(text);
    let unit = |word: &Word| lexicon.has("unit", &word.plain);
    let symbol = fold(text.trim());
    lexicon.has("unit", &symbol)
        || is_ratio(&symbol, lexicon)
        || (found.len() <= 3
            && found.iter().any(unit)
            && found.iter().all(|word| unit(word) || lexicon.has("unit_joint", &word.plain)))
}

/// The type that a phrase names.
pub(super) fn type_named(text: &str, lexicon: Lexicon) -> Option<DraftKind> {
    let found = words(text);
    let named = |key: &str| !found.is_empty() && longest_at(&found, 0, lexicon.list(key)) == found.len();
    TYPES.iter().find(|(_, key)| named(key)).map(|(kind, _)| *kind)
}

/// Whether a text is a date format such as `DD/MM/YYYY`.
fn date_format(text: &str, lexicon: Lexicon) -> bool {
    let lower = fold(text.trim());
    let bare = lower.split_once(' ').filter(|(word, _)| lexicon.has("format", word));
    let lower = bare.map_or(lower.as_str(), |(_, rest)| rest);
    lower.len() <= 12
        && lower.chars().all(|c| {
            matches!(c, '/' | '-' | '.' | ' ') || lexicon.has("date_letter", c.encode_utf8(&mut [0; 4]))
        })
        && lexicon.list("year_letters").iter().any(|year| lower.contains(year.as_str()))
        && lower.contains('m')
}
