//! Attributes that one entry of a remark states: type, unit, range, obligation.
//!
//! Counts of words that decide here were set on the phrases of `tests/generator`; none was measured alone.

use super::draft::DraftKind;
use super::lexicon::UNITS;
use super::range::{self, NumberRange, RangeUnit};
use super::required_marks;
use super::words::{Phrases, Word, longest_at, text_from, words};

/// Phrases of each type.
static TYPES: [(DraftKind, Phrases); 7] = [
    (
        DraftKind::String,
        Phrases::new(
            "string, text, free text, textarea, short text, long text, multiline, strings, texts, texte, \
        texto, free-text, text area, text field, multi-line text, textfeld, freitext, str",
        ),
    ),
    (
        DraftKind::Number,
        Phrases::new(
            "number, numeric, decimal, float, double, numbers, zahl, nombre, numero, currency, money, \
        decimal number, percentage, numerisch, numerique",
        ),
    ),
    (
        DraftKind::Integer,
        Phrases::new(
            "integer, int, whole number, integers, count, ganzzahl, entier, entero, ganze zahl, \
        nombre entier, numero entero",
        ),
    ),
    (
        DraftKind::Boolean,
        Phrases::new(
            "boolean, bool, yes/no, y/n, true/false, checkbox, tick box, tickbox, toggle, yes or no, \
        true or false, ja/nein, oui/non, si/no, flag, ja oder nein, oui ou non, si o no, j/n, o/n, s/n, \
        yes / no, check box",
        ),
    ),
    (DraftKind::Date, Phrases::new("date, calendar date, datum, fecha, dates, day")),
    (DraftKind::Email, Phrases::new("email, e-mail, email address, emails, email addresses")),
    (
        DraftKind::Url,
        Phrases::new("url, link, urls, links, uri, web address, weblink, liens, enlaces, lien, enlace"),
    ),
];
/// Phrases of a list.
pub(super) static LIST: Phrases = Phrases::new(
    "list with, a list with, list containing, list of, a list of, array of, an array of, one or more of, one or more, multiple, several, \
    any number of, any of, list, array, liste de, liste von, lista de, liste, lista, un ou plusieurs, \
    uno o mas, eine liste von, une liste de, una lista de, select all that apply, multi-select, \
    multiselect, multiple choice, multiple allowed, mehrere, plusieurs, repeatable, \
    as many as needed, zero or more, check all that apply, one per line, mehrfachauswahl, \
    choix multiple, collection of, mehrfach, multiple selection, can be multiple, choose several, \
    many, varios, varias, multiple values, comma separated, comma-separated",
);
static LEADING: Phrases = Phrases::new(
    "a, an, as a, as an, as, type, of type, must be a, must be an, must be, should be a, should be, \
    in, the, ein, eine, un, une, una, is a, is, are, single, valid, a valid, format",
);
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
    pub(super) fn parse(text: &str) -> Option<Self> {
        let found = words(text);
        if let Some(required) = required_marks::parse_mark(text) {
            return Some(Self::Required(required));
        }
        if date_format(text) {
            return Some(Self::Type { kind: DraftKind::Date, many: false, sure: true });
        }
        let mut at = 0;
        loop {
            match longest_at(&found, at, &LEADING) {
                0 => break,
                count => at += count,
            }
        }
        let rest = text_from(text, &found, at);
        let list = longest_at(&found, at, &LIST);
        let bare = text_from(text, &found, at + list);
        if list > 0 && bare.is_empty() {
            return Some(Self::List);
        }
        let sure = !matches!(
            words(bare).first().map_or("", |word| word.plain.as_str()),
            "email"
                | "e-mail"
                | "link"
                | "date"
                | "double"
                | "day"
                | "count"
                | "dates"
                | "numero"
                | "nombre"
                | "emails"
                | "links"
                | "flag"
                | "money"
                | "currency"
                | "fecha"
                | "datum"
                | "url"
                | "texts"
        );
        if let Some(kind) = type_named(bare) {
            let plural = [
                "urls", "links", "emails", "dates", "strings", "numbers", "texts", "integers", "liens",
                "enlaces",
            ];
            let many = list > 0 || plural.contains(&bare.to_lowercase().as_str());
            return Some(Self::Type { kind, many, sure });
        }
        if list == 0 && is_unit(rest) {
            return Some(Self::Unit);
        }
        // "Number between 0 and 10"
        let typed = (1..=2).rev().find_map(|count| {
            let before = super::words::text_before(rest, &words(rest), count);
            let kind = type_named(before).filter(|_| words(rest).len() > count)?;
            match Self::parse(text_from(rest, &words(rest), count))? {
                Self::Range { range, unit, sure, .. } => {
                    Some(Self::Range { range, unit, sure, kind: Some(kind) })
                }
                _ => None,
            }
        });
        if typed.is_some() && list == 0 {
            return typed;
        }
        if let Some(range) = range::find_range(rest).filter(|range| list == 0 && range.first == 0) {
            let after = text_from(rest, &words(rest), range.end);
            let worded = range.counted != RangeUnit::Value || words(rest).len() > 1;
            return (after.is_empty() || is_unit(after)).then_some(Self::Range {
                range,
                unit: !after.is_empty(),
                sure: worded,
                kind: None,
            });
        }
        match rest.to_lowercase().as_str() {
            "date-time" | "datetime" | "date and time" => Some(Self::Format("date-time")),
            "time" | "hh:mm" | "uhrzeit" | "heure" | "hora" => Some(Self::Format("time")),
            _ => None,
        }
    }
}

/// Whether a text is a unit per another one, such as `mg/l`.
pub(super) fn is_ratio(text: &str) -> bool {
    const OTHERS: &[&str] = &[
        "mmol", "l", "dl", "m2", "ml", "kg", "h", "100km", "day", "hour", "month", "year", "week", "night",
        "person", "unit", "min", "s", "cm", "km", "m3", "m²", "m³", "ha",
    ];
    let unit = |part: &str| UNITS.contains(&part) || OTHERS.contains(&part);
    text.split_once('/').is_some_and(|(one, other)| unit(one.trim()) && unit(other.trim()))
}

/// Whether the whole `text` is a unit.
fn is_unit(text: &str) -> bool {
    let found = words(text);
    let joining = ["per", "in", "each", "of", "degrees"];
    let unit = |word: &Word| UNITS.contains(&word.plain.as_str());
    let symbol = text.trim().to_lowercase();
    UNITS.contains(&symbol.as_str())
        || is_ratio(&symbol)
        || (found.len() <= 3
            && found.iter().any(unit)
            && found.iter().all(|word| unit(word) || joining.contains(&word.plain.as_str())))
}

/// The type that a phrase names.
pub(super) fn type_named(text: &str) -> Option<DraftKind> {
    let found = words(text);
    let named = |phrases: &Phrases| !found.is_empty() && longest_at(&found, 0, phrases) == found.len();
    TYPES.iter().find(|(_, phrases)| named(phrases)).map(|(kind, _)| *kind)
}

/// Whether a text is a date format such as `DD/MM/YYYY`.
fn date_format(text: &str) -> bool {
    let lower = text.trim().to_lowercase();
    let lower = lower.strip_prefix("format ").unwrap_or(&lower);
    lower.len() <= 12
        && lower.chars().all(|c| matches!(c, 'd' | 'm' | 'y' | 'j' | 't' | 'a' | '/' | '-' | '.' | ' '))
        && ["yy", "jj", "aa"].iter().any(|year| lower.contains(year))
        && lower.contains('m')
}
