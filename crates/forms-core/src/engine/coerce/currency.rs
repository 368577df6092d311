//! Currencies, and sums of money that an answer gives in one piece.

use language::money::Currency;
use language::number::scan;
use language::printed_currency::{mark_of, meanings};
use serde_json::{Map, Value, json};

use crate::Field;

/// The code of a currency that a text names. A sign that several share names none, unless the form leaves one of them.
/// An error completes "must be …".
pub(super) fn read_currency(field: &Field, text: &str) -> Result<Option<Value>, String> {
    let code = text.to_ascii_uppercase();
    let mut found = Currency::from_code(&code).map_or_else(|| meanings(text), |currency| vec![currency]);
    if found.is_empty() {
        return Err("a currency of ISO 4217, such as EUR".to_owned());
    }
    if !field.options.is_empty() {
        found.retain(|currency| field.options.iter().any(|option| option == currency.code()));
        if found.is_empty() {
            return Err(format!("one of {}", field.options.join(", ")));
        }
    }
    Ok(match found.as_slice() {
        [only] => Some(Value::from(only.code())),
        _ => None,
    })
}

/// Whether a value is a sum of money in one piece, for a field of money.
pub(super) fn is_sum(field: &Field, value: &Value) -> bool {
    let digits = || {
        value.as_str().is_some_and(|text| {
            text.contains(|c: char| c.is_numeric()) && !text.trim_start().starts_with('{')
        })
    };
    field.money_parts().is_some() && (value.is_number() || digits())
}

/// Amount and currency of a sum in one piece.
pub(super) fn sum_parts(value: &Value) -> Value {
    let mut parts =
        Map::from_iter([("amount".to_owned(), value.clone()), ("currency".to_owned(), Value::Null)]);
    let Some(text) = value.as_str() else { return Value::Object(parts) };
    scan(text, 0..text.len(), |mention| {
        if let Some(mark) = mark_of(text, mention.range).and_then(|mark| text.get(mark)) {
            parts.insert("currency".to_owned(), json!(mark));
        }
    });
    Value::Object(parts)
}
