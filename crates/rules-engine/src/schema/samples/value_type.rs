//! The type of a field from its label and the values that documents print.

use forms_core::labels::concepts;
use forms_core::{Field, FormSchema, read_answer};
use language::boolean::parse_boolean;
use language::date::{scan as scan_dates, scan_date_times};
use language::number::scan as scan_numbers;
use serde_json::{Map, Value, json};

use super::super::draft::DraftKind;
use crate::extract::is_code_label;

/// The share of values that must have a type: three of four. Chosen by hand.
const SHARE: (usize, usize) = (3, 4);
/// Letters beside the digits of a number: a currency or a unit.
const MAX_LETTERS: usize = 5;
/// Digits of a number; longer ones are codes.
const MAX_DIGITS: usize = 12;
/// Characters beside those of a date.
const MAX_BESIDE: usize = 4;

/// A type, and the format of a text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct ValueType {
    pub(super) kind: DraftKind,
    pub(super) format: Option<&'static str>,
}

/// The type that most values have; text without values, and for labels of codes such as an account number.
pub(super) fn infer_type(label: &str, values: &[&str]) -> ValueType {
    let of = |kind: DraftKind| ValueType { kind, format: None };
    let most = |test: &dyn Fn(&str) -> bool| {
        let fitting = values.iter().filter(|value| test(value)).count();
        fitting > 0 && fitting * SHARE.1 >= values.len() * SHARE.0
    };
    // A quantity of 1 is no yes.
    let is_flag = |value: &str| !value.contains(char::is_numeric) && parse_boolean(value).is_some();
    if most(&is_flag) {
        return of(DraftKind::Boolean);
    }
    for kind in [DraftKind::Email, DraftKind::Url] {
        if field(kind).is_some_and(|field| most(&|value| reads(&field, value))) {
            return of(kind);
        }
    }
    if most(&is_date_time) {
        return ValueType { kind: DraftKind::String, format: Some("date-time") };
    }
    if most(&is_date) {
        return of(DraftKind::Date);
    }
    if is_code_label(&concepts(label, "")) || !most(&|value| number(value).is_some()) {
        return of(DraftKind::String);
    }
    let numbers: Vec<PrintedNumber> = values.iter().filter_map(|value| number(value)).collect();
    match () {
        () if numbers.iter().any(|number| number.is_money) => of(DraftKind::Money),
        () if numbers.iter().all(|number| number.is_whole) => of(DraftKind::Integer),
        () => of(DraftKind::Number),
    }
}

/// A field of the type alone, to read values with.
fn field(kind: DraftKind) -> Option<Field> {
    let form = Map::from_iter([("x".to_owned(), json!({"type": kind.name()}))]);
    FormSchema::parse(&form).ok()?.fields.into_iter().next()
}

fn reads(field: &Field, value: &str) -> bool {
    matches!(read_answer(field, &Value::from(value)), Ok(Some(_)))
}

/// Whether a text is a date and little else.
fn is_date(text: &str) -> bool {
    let mut found = 0;
    scan_dates(text, 0..text.len(), |mention| found += mention.range.len());
    found > 0 && text.trim().len() <= found + MAX_BESIDE
}

fn is_date_time(text: &str) -> bool {
    let mut found = 0;
    scan_date_times(text, |mention| found += mention.range.len());
    found > 0 && text.trim().len() <= found + MAX_BESIDE
}

/// A number as it is printed.
struct PrintedNumber {
    is_money: bool,
    is_whole: bool,
}

/// The number of a text that is one, with a currency or unit at most.
fn number(text: &str) -> Option<PrintedNumber> {
    let letters = text.chars().filter(|c| c.is_alphabetic()).count();
    let digits = text.chars().filter(char::is_ascii_digit).count();
    let is_code = text.starts_with('0') && text.chars().nth(1).is_some_and(|c| c.is_ascii_digit());
    if letters > MAX_LETTERS
        || !(1..=MAX_DIGITS).contains(&digits)
        || is_code
        || text.contains(['/', ':', '#'])
    {
        return None;
    }
    let mut found = Vec::new();
    scan_numbers(text, 0..text.len(), |mention| found.push(mention));
    let [only] = found.as_slice() else { return None };
    let reading = only.readings.first()?;
    (!only.part).then(|| PrintedNumber {
        is_money: only.money,
        is_whole: !only.percent
            && only.readings.iter().all(|one| one.decimal.is_none())
            && !reading.decimal_text.is_empty()
            && !has_cents(text),
    })
}

/// Whether two digits follow a separator: `5.00` is no count.
fn has_cents(text: &str) -> bool {
    let bare = text.trim_end_matches(|c: char| !c.is_ascii_digit());
    bare.rsplit_once(['.', ',']).is_some_and(|(_, cents)| cents.len() < 3)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn types_follow_the_values_and_labels_of_codes_are_text() {
        for (label, values, kind) in [
            ("Total", &["€ 12.50", "1,234.00 €", "3,00 €"][..], "money"),
            ("Amount", &["12.50", "3.00"], "number"),
            ("Quantity", &["3", "12", "1500"], "integer"),
            ("Invoice date", &["12.03.2024", "3 May 2024"], "date"),
            ("E-mail", &["ada@example.com"], "email"),
            ("Website", &["https://example.com"], "url"),
            ("Paid", &["yes", "no"], "boolean"),
            ("Invoice number", &["1234", "1235"], "string"),
            ("Phone", &["030 12345"], "string"),
            ("Postcode", &["01067", "01069"], "string"),
            ("Customer", &["ACME Ltd", "Bo 3"], "string"),
            ("Notes", &[], "string"),
            ("Amount", &["12.50", "n/a", "see page 2"], "string"),
            ("Amount", &["12.50", "3.00", "9.99", "see page 2"], "number"),
        ] {
            assert_eq!(infer_type(label, values).kind.name(), kind, "{label} {values:?}");
        }
        assert_eq!(infer_type("Departure", &["14.07.2026 09:30"]).format, Some("date-time"));
    }
}
