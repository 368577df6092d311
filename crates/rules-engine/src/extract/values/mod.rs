//! Typed values in a line: money, numbers, e-mail, phone, URL, IBAN, percent, identifiers, times, yes and no.

mod codes;
mod numbers;
mod periods;

use forms_core::labels::Line;
use language::fold::is_unspaced;
use language::{Language, Languages, Level, boolean};
use regex::Regex;
use serde_json::Value;

use super::dates::{self, DateSpan};
use super::kind::{FieldKind, Output};
pub(crate) use numbers::{number_value, shows_money};

use crate::pattern::pattern;

/// A value in a line, by bytes of the line.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct TypedValue {
    pub(crate) start: usize,
    pub(crate) end: usize,
    pub(crate) value: Value,
    /// The number, for numeric kinds.
    pub(crate) number: Option<f64>,
}

pattern!(EMAIL, r"(?i)[a-z0-9._%+'-]+@[a-z0-9-]+(?:\.[a-z0-9-]+)*\.[a-z]{2,24}\b");
pattern!(URL, r#"(?i)\b(?:https?://[^\s<>"')\]]+|www\.[a-z0-9-]+(?:\.[a-z0-9-]+)+[^\s<>"')\]]*)"#);
pattern!(PHONE, r"(?:\+ ?|\(\+?)?\b\d{1,5}(?:\)? ?[-./]? ?\(?\d{1,8}){1,6}\b");
pattern!(
    TIME,
    &format!(
        r"(?i)\b(?:[01]?\d|2[0-3])(?:\s?[:h]\s?[0-5]\d(?::[0-5]\d)?(?:\s?[ap]\.?m\b\.?)?(?:\s?(?:{})\b)?|\s?[ap]\.?m\b\.?|\s?(?:{})\b)",
        signs("clock"),
        signs("full_hour")
    )
);
pattern!(BIC, r"\b[A-Z]{4}[A-Z]{2}[A-Z0-9]{2}(?:[A-Z0-9]{3})?\b");
pattern!(YES, &format!(r"(?i)^(?:{}|x)\b|^(?:\[x\]|☑|☒|✓|✔)", booleans(true)));
pattern!(NO, &format!(r"(?i)^(?:{}|{})\b|^(?:\[ \]|☐)", booleans(false), signs("none")));

/// An alternation of the words for yes or no of all languages that conversations are held in, the longest first.
fn booleans(value: bool) -> String {
    let locales = Languages::of_level(Level::Full).iter().filter_map(Language::locale);
    let mut words: Vec<&str> = locales.flat_map(|locale| boolean::booleans(locale, value)).collect();
    words.sort_by_key(|word| std::cmp::Reverse(word.len()));
    words.into_iter().map(regex::escape).collect::<Vec<_>>().join("|")
}

/// An alternation of the words of a key of all languages, without those of scripts without spaces.
fn signs(key: &str) -> String {
    let locales = Language::all().filter_map(Language::locale);
    let words = locales.flat_map(|locale| locale.answer_signs.words(key).iter());
    words.filter(|word| !word.chars().any(is_unspaced)).map(regex::escape).collect::<Vec<_>>().join("|")
}

/// All values of a kind in a line. `decimal` is the decimal separator of the text, if known; `dates` finds
/// the dates of the line.
pub(crate) fn find<'d>(
    kind: FieldKind,
    own: &Line,
    output: Output,
    decimal: Option<char>,
    dates: impl FnOnce() -> &'d [DateSpan],
) -> Vec<TypedValue> {
    let line = own.text.as_str();
    let needs_digit = !matches!(kind, FieldKind::Email | FieldKind::Url | FieldKind::Bic);
    if needs_digit && !line.bytes().any(|byte| byte.is_ascii_digit()) {
        return Vec::new();
    }
    match kind {
        FieldKind::Date if matches!(output, Output::ReducedDate(_) | Output::DateTime) => {
            periods::find(line, output, dates())
        }
        FieldKind::Date => dates().iter().map(|span| date(line, *span, output)).collect(),
        FieldKind::Time => find_by_pattern(&TIME, line, |_| true),
        FieldKind::Money => numbers::money(own, output, decimal, dates()),
        FieldKind::Number => numbers::number(own, output, decimal, dates()),
        FieldKind::Percent => numbers::percent(own, output, decimal, dates()),
        FieldKind::Email if !line.contains('@') => Vec::new(),
        FieldKind::Email => find_by_pattern(&EMAIL, line, |_| true),
        FieldKind::Url => find_by_pattern(&URL, line, |_| true),
        FieldKind::Phone => find_by_pattern(&PHONE, line, |text| {
            let digits = text.bytes().filter(u8::is_ascii_digit).count();
            // At most 15 digits by E.164; seven are a local number.
            (7..=15).contains(&digits) && dates::dates(text, None).is_empty()
        }),
        FieldKind::Iban => codes::ibans(line),
        FieldKind::Bic => find_by_pattern(&BIC, line, |_| true),
        FieldKind::Identifier => codes::identifiers(line, dates()),
        _ => Vec::new(),
    }
}

fn date(line: &str, span: DateSpan, output: Output) -> TypedValue {
    let value = if output == Output::IsoDate {
        Value::from(span.date.to_string())
    } else {
        Value::from(line.get(span.start..span.end).unwrap_or_default())
    };
    TypedValue { start: span.start, end: span.end, value, number: None }
}

fn find_by_pattern(pattern: &Regex, line: &str, keep: impl Fn(&str) -> bool) -> Vec<TypedValue> {
    let found = pattern.find_iter(line).filter(|found| keep(found.as_str()));
    found
        .map(|found| {
            let text = found.as_str().trim_end_matches(['.', ',', ';']);
            TypedValue {
                start: found.start(),
                end: found.start() + text.len(),
                value: Value::from(text),
                number: None,
            }
        })
        .collect()
}

/// A yes or no at the start of a text, and its length in bytes.
pub(crate) fn yes_or_no(text: &str) -> Option<(bool, usize)> {
    let found = |pattern: &Regex| pattern.find(text).map(|found| found.end());
    let whole = text.trim_end_matches(|c: char| !c.is_alphanumeric());
    let worded = || {
        language::boolean::parse_boolean(whole).filter(|_| !whole.is_empty()).map(|yes| (yes, whole.len()))
    };
    found(&YES).map(|end| (true, end)).or_else(|| found(&NO).map(|end| (false, end))).or_else(worded)
}
