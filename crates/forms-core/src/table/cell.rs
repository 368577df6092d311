//! Table cells.

use serde_json::{Number, Value};

/// Separator of list items in one cell.
const BETWEEN: &str = "; ";

/// The content of a cell.
#[derive(Clone, Debug, PartialEq)]
pub enum Cell {
    /// Nothing.
    Empty,
    /// Any text.
    Text(String),
    /// A number.
    Number(Number),
    /// A boolean.
    Boolean(bool),
    /// A date, `YYYY-MM-DD`.
    Date(String),
}

impl Cell {
    /// A value as one cell. A list of scalars is joined with `; `; other nested values become JSON. `date`
    /// says whether a text may be a date.
    #[must_use]
    pub fn from_value(value: &Value, date: bool) -> Self {
        match value {
            Value::Null => Self::Empty,
            Value::Bool(yes) => Self::Boolean(*yes),
            Value::Number(number) => Self::Number(number.clone()),
            Value::String(text) if date && is_day(text) => Self::Date(text.clone()),
            Value::String(text) => Self::Text(text.clone()),
            Value::Array(items) if items.is_empty() => Self::Empty,
            Value::Array(items) => match items.iter().map(plain).collect::<Option<Vec<_>>>() {
                Some(texts) => Self::Text(texts.join(BETWEEN)),
                None => Self::Text(value.to_string()),
            },
            Value::Object(_) => Self::Text(value.to_string()),
        }
    }

    /// Texts joined in one cell; [`Cell::Empty`] when there are none.
    #[must_use]
    pub fn joined<'a>(texts: impl Iterator<Item = &'a str>) -> Self {
        let texts: Vec<&str> = texts.collect();
        if texts.is_empty() { Self::Empty } else { Self::Text(texts.join(BETWEEN)) }
    }

    /// A text; [`Cell::Empty`] for `None`.
    #[must_use]
    pub fn text(text: Option<&str>) -> Self {
        text.map_or(Self::Empty, |text| Self::Text(text.to_owned()))
    }

    /// A number of seconds; [`Cell::Empty`] when it is not finite.
    #[must_use]
    pub fn seconds(seconds: f64) -> Self {
        Number::from_f64(seconds).map_or(Self::Empty, Self::Number)
    }

    /// A count; [`Cell::Empty`] for `None`.
    #[must_use]
    pub fn count(count: Option<u64>) -> Self {
        count.map_or(Self::Empty, |count| Self::Number(count.into()))
    }
}

/// The text of a scalar; `None` for lists and objects.
fn plain(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.clone()),
        Value::Null => Some(String::new()),
        Value::Bool(_) | Value::Number(_) => Some(value.to_string()),
        Value::Array(_) | Value::Object(_) => None,
    }
}

/// Whether a text has the form `YYYY-MM-DD`. The writer of the format checks the calendar.
fn is_day(text: &str) -> bool {
    let bytes = text.as_bytes();
    // ISO 8601: `2026-11-23`.
    bytes.len() == 10
        && bytes.iter().enumerate().all(|(at, byte)| match at {
            4 | 7 => *byte == b'-',
            _ => byte.is_ascii_digit(),
        })
}
