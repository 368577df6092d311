//! The search query of a value: the ways in which it may be printed.

use chrono::NaiveDate;
use language::date;
use language::fold::fold_letters;
use language::money::Currency;
use language::number::{self, plain_decimal};
use serde_json::{Number, Value};

use super::super::node::Leaf;

// They bound memory and time of hostile records.
/// Bytes of a value that is searched for.
const MAX_VALUE: usize = 100_000;
/// Bytes of a text that may name a currency.
const MAX_CURRENCY: usize = 12;

/// One way in which a value may be printed.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum SearchKey {
    /// A folded text.
    Words(String),
    /// A text without letters and digits, such as a check mark.
    Signs(String),
    /// The plain decimal text of a number, without its sign.
    Number(String),
    /// The plain decimal text of a hundred times the number, before a percent sign.
    Percent(String),
    /// A calendar date.
    Date(NaiveDate),
    /// A year, or a month or quarter of one, as the record has it.
    ReducedDate(String),
}

/// The search query of one leaf.
#[derive(Debug)]
pub(super) struct ValueQuery {
    /// The value as text.
    pub(super) text: String,
    /// Whether it is a negative number.
    pub(super) negative: bool,
    /// The search keys, each with the text that it stands for.
    pub(super) keys: Vec<(SearchKey, String)>,
}

impl ValueQuery {
    /// `None` for values that no text can show, such as booleans.
    pub(super) fn new(leaf: &Leaf) -> Option<Self> {
        let mut query = match leaf.measure.as_ref().map_or(&leaf.value, |measure| &measure.number) {
            Value::String(text) if leaf.is_reduced_date => {
                let keys = vec![(SearchKey::ReducedDate(text.clone()), String::new())];
                Self { text: text.clone(), negative: false, keys }
            }
            Value::Number(number) => {
                let (text, negative) = decimal_text(number);
                let mut keys = vec![(SearchKey::Number(text.clone()), text)];
                if let Some(percent) =
                    // Percentages with six decimals; larger numbers are none.
                    number.as_f64().map(|n| (n.abs() * 1e8).round() / 1e6).filter(|n| *n < 1e9)
                {
                    keys.push((SearchKey::Percent(percent.to_string()), String::new()));
                }
                Self { text: number.to_string(), negative, keys }
            }
            Value::String(text) if text.len() <= MAX_VALUE => Self::of_text(text),
            _ => return None,
        };
        if let Some(said) = leaf.verbatim.as_deref().filter(|said| said.len() <= MAX_VALUE) {
            query.keys.push((SearchKey::Words(fold_letters(said)), said.trim().to_owned()));
        }
        query.keys.retain(|(key, _)| !matches!(key, SearchKey::Words(words) if words.is_empty()));
        Some(query)
    }

    fn of_text(text: &str) -> Self {
        let words = fold_letters(text);
        if words.is_empty() {
            let keys = vec![(SearchKey::Signs(text.to_owned()), text.to_owned())];
            return Self { text: text.to_owned(), negative: false, keys };
        }
        let mut keys = vec![(SearchKey::Words(words), text.to_owned())];
        let bare = text.trim_end_matches('/');
        let bare = bare.split_once("://").map_or(bare, |(_, rest)| rest);
        if bare != text {
            keys.push((SearchKey::Words(fold_letters(bare)), bare.to_owned()));
        }
        let signs = if text.len() <= MAX_CURRENCY { Currency::printed_as(text) } else { Vec::new() };
        keys.extend(signs.into_iter().map(|sign| match fold_letters(sign) {
            words if words.is_empty() => (SearchKey::Signs(sign.to_owned()), sign.to_owned()),
            words => (SearchKey::Words(words), sign.to_owned()),
        }));
        let mut negative = false;
        // Bytes: the longest dates and numbers in words are shorter.
        if text.len() <= 64 {
            // The order of a date that a model gives as text is the document's own; ISO is plain.
            keys.extend(
                date::parse_date(text, |_, _| true).map(|date| (SearchKey::Date(date), String::new())),
            );
            let mut number = None;
            number::scan(text, 0..text.len(), |mention| {
                let whole = mention.range == (0..text.len()) && !mention.part;
                number = number.take().or(Some(mention).filter(|_| whole));
            });
            negative = number.as_ref().is_some_and(|mention| mention.negative == Some(true));
            for reading in number.into_iter().flat_map(|mention| mention.readings) {
                keys.push((SearchKey::Number(reading.decimal_text), String::new()));
            }
        }
        Self { text: text.to_owned(), negative, keys }
    }
}

/// The absolute value of a JSON number as plain decimal text, and whether it is negative.
fn decimal_text(number: &Number) -> (String, bool) {
    let text = match (number.as_i64(), number.as_u64(), number.as_f64()) {
        (Some(n), ..) => n.to_string(),
        (_, Some(n), _) => n.to_string(),
        (.., Some(n)) => n.to_string(),
        _ => number.to_string(),
    };
    let digits = text.trim_start_matches('-');
    let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
    (plain_decimal(whole, fraction), text.starts_with('-'))
}
