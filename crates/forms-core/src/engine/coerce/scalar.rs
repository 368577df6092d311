//! Coercion of a scalar into the type of its field. Parsing is lenient, but nothing is invented: what cannot
//! be parsed is an error.

use language::absence::{is_dash, is_program_null, means_no_value};
use language::boolean;
use language::date::DatePrecision;
use language::fold::{fold_letters, fold_word};
use serde_json::Value;

use super::super::node::Leaf;
use super::super::text::PrintConventions;
use super::currency::read_currency;
use super::dates::{read_date_time, read_reduced};
use super::measure::read_measure;
use super::numbers::{json_number, to_whole_number};
use crate::schema::{is_email, is_url};
use crate::{Field, FieldType};

/// Characters of a wrong value in a message. Bounds the message and the correction prompt. Chosen by hand; no
/// measurement is recorded.
const SHOWN: usize = 60;
/// The leaf of a value in its field's single type; `None` when it states that there is none. An error completes "must be …".
pub(super) fn read_leaf(
    field: &Field,
    value: &Value,
    printing: &PrintConventions<'_>,
) -> Result<Option<Leaf>, String> {
    let Some(text) = text_of(value) else { return Err(expected_type(field)) };
    let text = text.replace(is_invisible, "");
    let text = text.trim();
    if text.is_empty() {
        return Ok(None);
    }
    if matches!(field.kind, FieldType::Currency) && !means_no_value(text) {
        return Ok(read_currency(field, text)?.map(Leaf::new));
    }
    if let Some(option) = match_option(field, text, printing) {
        return Ok(Some(Leaf::new(option)));
    }
    let is_text = matches!(field.kind, FieldType::String) && field.options.is_empty() && !is_date(field);
    // A text may be one of these words; its evidence decides.
    let nothing = if is_text { text == "null" || is_dash(text) } else { means_no_value(text) };
    // The error value of a program, such as a spreadsheet, says nothing about the documents.
    if !is_text && is_program_null(text) {
        return Err(expected_type(field));
    }
    if nothing {
        return Ok(None);
    }
    if !field.options.is_empty() {
        return Err(expected_type(field));
    }
    let leaf = match field.unit {
        Some(unit) => read_measure(field, unit, value, text, printing),
        None => coerce_typed(field, value, text, printing).map(Leaf::new),
    };
    let is_reduced_date = field.precision != DatePrecision::Day;
    leaf.map(|leaf| Some(Leaf { is_reduced_date, ..leaf })).ok_or_else(|| expected_type(field))
}

fn coerce_typed(field: &Field, value: &Value, text: &str, printing: &PrintConventions<'_>) -> Option<Value> {
    let date = || printing.date(text).map(|date| date.format("%Y-%m-%d").to_string());
    match field.kind {
        FieldType::String if is_date(field) => date().map(Value::String),
        FieldType::String if is_date_time(field) => read_date_time(text, printing).map(Value::String),
        FieldType::String => Some(Value::String(text.to_owned())),
        FieldType::Number => read_number(value, text, printing),
        FieldType::Integer => read_number(value, text, printing).and_then(|number| to_whole_number(&number)),
        FieldType::Boolean => parse_boolean(value, text).map(Value::Bool),
        FieldType::Email => parse_email(text).map(Value::String),
        FieldType::Date if field.precision != DatePrecision::Day => {
            read_reduced(text, field.precision, printing).map(Value::String)
        }
        FieldType::Date => date().map(Value::String),
        FieldType::Url => parse_url(text).map(Value::String),
        FieldType::Currency | FieldType::Array(_) | FieldType::Object(_) => None,
    }
}

fn is_date(field: &Field) -> bool {
    field.format.as_deref() == Some("date")
}

fn is_date_time(field: &Field) -> bool {
    field.format.as_deref() == Some("date-time")
}

/// The type or options of a field, completing "must be …".
pub(super) fn expected_type(field: &Field) -> String {
    if !field.options.is_empty() {
        let shown: Vec<String> =
            // Bounds the message, as `prompt::MAX_SHOWN`. Chosen by hand; no measurement is recorded.
            field.options.iter().take(20).map(|option| format!("'{}'", shorten(option))).collect();
        let more = if field.options.len() > 20 { " …" } else { "" };
        return format!("one of {}{more}", shown.join(", "));
    }
    if let Some(unit) = field.unit {
        return format!("a number in {0}, or with a unit that converts to {0}", unit.symbol());
    }
    if !field.alternatives.is_empty() {
        let types: Vec<String> = field.alternatives.iter().map(expected_type).collect();
        return types.join(" or ");
    }
    if field.precision != DatePrecision::Day {
        return format!("a {} such as {}", field.precision.name(), field.precision.example());
    }
    let what = match field.kind {
        FieldType::String if is_date(field) => "a date",
        FieldType::String if is_date_time(field) => "a date and time such as 2024-03-12T10:00:00Z",
        FieldType::String => "text",
        FieldType::Number => "a number",
        FieldType::Integer => "a whole number",
        FieldType::Boolean => "true or false",
        FieldType::Email => "an e-mail address",
        FieldType::Date => "a date",
        FieldType::Url => "a web address",
        FieldType::Currency => "a currency of ISO 4217, such as EUR",
        FieldType::Array(_) => "a list",
        FieldType::Object(_) => "an object",
    };
    what.to_owned()
}

/// ", not '…'": the wrong value, shortened.
pub(super) fn describe_value(value: &Value) -> String {
    match value {
        Value::Array(_) => ", not a list".to_owned(),
        Value::Object(_) => ", not an object".to_owned(),
        Value::String(text) => format!(", not '{}'", shorten(text)),
        other => format!(", not {}", shorten(&other.to_string())),
    }
}

fn shorten(text: &str) -> String {
    let short: String = text.chars().take(SHOWN).map(|c| if c.is_control() { ' ' } else { c }).collect();
    if text.chars().nth(SHOWN).is_some() { format!("{short}…") } else { short }
}

/// A scalar, or a list of scalars, as text.
pub(super) fn text_of(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.clone()),
        Value::Number(number) => Some(number.to_string()),
        Value::Bool(flag) => Some(flag.to_string()),
        Value::Array(items) => {
            let texts: Option<Vec<String>> =
                items.iter().map(|item| if item.is_array() { None } else { text_of(item) }).collect();
            let said = |texts: Vec<String>| -> Vec<String> {
                texts.into_iter().filter(|text| !text.trim().is_empty()).collect()
            };
            texts.map(|texts| said(texts).join(", "))
        }
        Value::Null => Some(String::new()),
        Value::Object(_) => None,
    }
}

/// The option that equals `text`: exactly, else ignoring case, whitespace and punctuation, else accents too.
fn match_option(field: &Field, text: &str, printing: &PrintConventions<'_>) -> Option<Value> {
    if field.options.is_empty() {
        return None;
    }
    let exact = field.options.iter().find(|option| option.as_str() == text);
    let by = |fold: fn(&str) -> String| {
        let wanted = fold(text);
        let mut alike = field.options.iter().filter(|option| !wanted.is_empty() && fold(option) == wanted);
        alike.next().filter(|_| alike.next().is_none())
    };
    let alike = || by(fold_letters).or_else(|| by(fold_word));
    if !matches!(field.kind, FieldType::Number | FieldType::Integer) {
        return exact.or_else(alike).map(|option| Value::String(option.clone()));
    }
    let read = |option: &String| option.trim().parse::<f64>().ok();
    let said = printing.number(text);
    let option =
        exact.or_else(|| field.options.iter().find(|option| said.is_some() && read(option) == said))?;
    read(option).and_then(json_number)
}

fn read_number(value: &Value, text: &str, printing: &PrintConventions<'_>) -> Option<Value> {
    match value {
        Value::Number(_) => Some(value.clone()),
        Value::String(_) => printing.number(text).and_then(json_number),
        _ => None,
    }
}

/// Parses a boolean: yes or no in many languages, or a check mark.
pub(in super::super) fn parse_boolean(value: &Value, text: &str) -> Option<bool> {
    match value {
        Value::Bool(flag) => Some(*flag),
        Value::Number(number) => match number.as_f64() {
            Some(1.0) => Some(true),
            Some(0.0) => Some(false),
            _ => None,
        },
        _ => boolean::parse_boolean(text),
    }
}

/// Invisible characters: NUL, zero-width spaces, soft hyphens, byte-order marks.
fn is_invisible(c: char) -> bool {
    matches!(c, '\0' | '\u{ad}' | '\u{200b}' | '\u{2060}' | '\u{feff}')
}

/// A URL without enclosing brackets or Markdown link text.
fn parse_url(text: &str) -> Option<String> {
    let inside = text.split_once("](").and_then(|(_, rest)| rest.strip_suffix(')')).unwrap_or(text);
    let address = inside.trim_matches(|c| matches!(c, '<' | '>' | '"' | '\'')).trim();
    is_url(address).then(|| address.to_owned())
}

/// An e-mail address without `mailto:` or a display name.
fn parse_email(text: &str) -> Option<String> {
    let linked = text.split_once("](").and_then(|(_, rest)| rest.strip_suffix(')')).unwrap_or(text);
    let text = linked.strip_prefix("mailto:").unwrap_or(linked);
    let inside =
        text.split_once('<').and_then(|(_, rest)| rest.split_once('>')).map_or(text, |(inside, _)| inside);
    let address = inside.trim();
    is_email(address).then(|| address.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::FormSchema;
    use serde_json::json;

    fn coerce(definition: Value, value: Value) -> Result<Option<Value>, String> {
        let schema = json!({"x": definition});
        let schema = FormSchema::parse(schema.as_object().unwrap()).unwrap();
        let printing = PrintConventions::learn(std::iter::empty());
        read_leaf(&schema.fields[0], &value, &printing).map(|leaf| leaf.map(|leaf| leaf.value))
    }

    #[test]
    fn values_take_the_type_of_their_field() {
        for (kind, value, wanted) in [
            ("number", json!("1,234.50 €"), json!(1234.5)),
            ("number", json!("1.234,50 €"), json!(1234.5)),
            ("number", json!(12.0), json!(12.0)),
            ("number", json!("15.00"), json!(15)),
            ("integer", json!("1,500"), json!(1500)),
            ("integer", json!(3.0), json!(3)),
            ("integer", json!(18_446_744_073_709_551_615_u64), json!(18_446_744_073_709_551_615_u64)),
            ("date", json!("12. März 2024"), json!("2024-03-12")),
            ("date", json!("2024-03-12T00:00:00Z"), json!("2024-03-12")),
            ("boolean", json!("Sí"), json!(true)),
            ("boolean", json!("Não"), json!(false)),
            ("boolean", json!("いいえ"), json!(false)),
            ("boolean", json!("☑"), json!(true)),
            ("boolean", json!(0), json!(false)),
            ("email", json!("Ada <ada@example.com>"), json!("ada@example.com")),
            ("url", json!("www.example.com/a"), json!("www.example.com/a")),
            ("string", json!(12), json!("12")),
            ("string", json!("  a\u{0}b "), json!("ab")),
            ("string", json!(["a", "b"]), json!("a, b")),
            ("string", json!("N/A"), json!("N/A")),
        ] {
            assert_eq!(coerce(json!({"type": kind}), value.clone()), Ok(Some(wanted)), "{kind} {value}");
        }
    }

    #[test]
    fn nothing_is_nothing() {
        for (kind, value) in [
            ("string", ""),
            ("string", " \n"),
            ("string", "null"),
            ("number", "N/A"),
            ("date", "not stated"),
            ("email", "-"),
        ] {
            assert_eq!(coerce(json!({"type": kind}), json!(value)), Ok(None), "{kind} {value}");
        }
        assert_eq!(coerce(json!({"type": "string", "enum": ["a"]}), json!("None")), Ok(None));
    }

    #[test]
    fn what_cannot_be_read_is_an_error() {
        for (kind, value) in [
            ("number", json!("1e999")),
            ("number", json!("twelve")),
            ("number", json!("NaN")),
            ("date", json!("undefined")),
            ("number", json!(true)),
            ("integer", json!(1.5)),
            ("integer", json!(1e300)),
            ("boolean", json!("maybe")),
            ("boolean", json!(2)),
            ("email", json!("ada@")),
            ("url", json!("no address")),
            ("date", json!("31.02.2024")),
            ("string", json!({"a": 1})),
            ("string", json!([[1]])),
        ] {
            assert!(coerce(json!({"type": kind}), value.clone()).is_err(), "{kind} {value}");
        }
    }

    #[test]
    fn an_option_is_matched_exactly_and_then_folded() {
        let form = json!({"type": "string", "enum": ["", "Premium Plan", "basic", "Basic"]});
        assert_eq!(coerce(form.clone(), json!("Basic")), Ok(Some(json!("Basic"))));
        assert_eq!(coerce(form.clone(), json!("premium-plan")), Ok(Some(json!("Premium Plan"))));
        assert_eq!(coerce(form.clone(), json!("")), Ok(None));
        assert!(coerce(form.clone(), json!("BASIC")).is_err(), "two options fold alike");
        assert_eq!(coerce(form, json!("gold")), Err("one of 'Premium Plan', 'basic', 'Basic'".into()));
        let sizes = json!({"type": "number", "enum": ["", "1.5", "2"]});
        assert_eq!(coerce(sizes.clone(), json!("2.0")), Ok(Some(json!(2))));
        assert!(coerce(sizes, json!(3)).is_err());
    }
}
