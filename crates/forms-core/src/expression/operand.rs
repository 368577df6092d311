//! Values while an expression is evaluated.

use std::cmp::Ordering;

use chrono::NaiveDate;
use serde_json::{Map, Number, Value};

/// A value; `Null` where something that it depends on is missing.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Operand<'a> {
    Null,
    Number(f64),
    Text(&'a str),
    Bool(bool),
    Date(NaiveDate),
    List(&'a [Value]),
    Object(&'a Map<String, Value>),
}

/// Numbers that differ by less than this share are equal: binary fractions do not add up exactly.
const ROUNDING: f64 = 1e-9;
/// Decimal places of a computed number at most, which removes what binary fractions add to it.
const PLACES: usize = 9;

impl<'a> Operand<'a> {
    /// The value of a field.
    pub(super) fn of(value: Option<&'a Value>, is_date: bool) -> Self {
        match value {
            None | Some(Value::Null) => Self::Null,
            Some(Value::Bool(value)) => Self::Bool(*value),
            Some(Value::Number(number)) => number.as_f64().map_or(Self::Null, Self::Number),
            Some(Value::String(text)) if is_date => to_date(text).map_or(Self::Null, Self::Date),
            Some(Value::String(text)) => Self::Text(text),
            Some(Value::Array(items)) => Self::List(items),
            Some(Value::Object(parts)) => Self::Object(parts),
        }
    }

    pub(super) fn number(&self) -> Option<f64> {
        match self {
            Self::Number(number) => Some(*number),
            _ => None,
        }
    }

    /// A finite number, else `Null`.
    pub(super) fn of_number(number: f64) -> Self {
        if number.is_finite() { Self::Number(number) } else { Self::Null }
    }

    /// The order of two values of one kind; numbers within the tolerance are equal. `None` where one is missing.
    pub(super) fn compare(&self, other: &Self, tolerance: f64) -> Option<Ordering> {
        match (self, other) {
            (Self::Number(one), Self::Number(two)) => {
                let slack = tolerance + ROUNDING * one.abs().max(two.abs()).max(1.0);
                if (one - two).abs() <= slack { Some(Ordering::Equal) } else { one.partial_cmp(two) }
            }
            (Self::Text(one), Self::Text(two)) => Some(one.cmp(two)),
            (Self::Bool(one), Self::Bool(two)) => Some(one.cmp(two)),
            (Self::Date(one), Self::Date(two)) => Some(one.cmp(two)),
            (Self::Date(one), Self::Text(two)) => Some(one.cmp(&to_date(two)?)),
            (Self::Text(one), Self::Date(two)) => Some(to_date(one)?.cmp(two)),
            _ => None,
        }
    }

    /// The value as JSON; `None` for one that is missing, and for lists and objects.
    pub(crate) fn to_json(&self) -> Option<Value> {
        match self {
            Self::Number(number) => to_json_number(*number).map(Value::Number),
            Self::Text(text) => Some(Value::from(*text)),
            Self::Bool(value) => Some(Value::Bool(*value)),
            Self::Date(date) => Some(Value::from(date.format("%Y-%m-%d").to_string())),
            Self::Null | Self::List(_) | Self::Object(_) => None,
        }
    }
}

/// A number in its shortest decimal form; whole numbers without a point.
fn to_json_number(number: f64) -> Option<Number> {
    let rounded: f64 = format!("{number:.PLACES$}").parse().ok()?;
    // Beyond 2^53 not every whole number has a binary form.
    let is_whole = rounded.fract() == 0.0 && rounded.abs() < 9_007_199_254_740_992.0;
    if is_whole {
        return serde_json::from_str(&format!("{rounded:.0}")).ok();
    }
    Number::from_f64(rounded)
}

fn to_date(text: &str) -> Option<NaiveDate> {
    NaiveDate::parse_from_str(text, "%Y-%m-%d").ok()
}
