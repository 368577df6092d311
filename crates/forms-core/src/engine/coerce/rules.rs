//! Validation rules of a form: format, pattern, ranges, lengths, counts.

use chrono::NaiveTime;
use serde_json::Value;

use super::dates::is_date_time;
use super::scalar::describe_value;
use crate::schema::{is_email, is_url};
use crate::{Field, FieldType};

/// The message for the first rule that a value of the right type breaks; `None` when it breaks none.
pub(super) fn check_value(field: &Field, value: &Value, label: &str) -> Option<String> {
    let rule = match value {
        Value::String(text) => text_rule(field, text),
        Value::Number(number) => number.as_f64().and_then(|number| range_rule(field, number)),
        _ => None,
    };
    rule.map(|rule| format!("{label} must {rule}{}", describe_value(value)))
}

/// The message for a list with too few or too many entries; `None` when the count is right.
pub(super) fn check_count(field: &Field, count: usize, label: &str) -> Option<String> {
    let count = u64::try_from(count).unwrap_or(u64::MAX);
    match (field.min_items, field.max_items) {
        (Some(least), _) if count < least => {
            Some(format!("{label} must have at least {least} entries, not {count}"))
        }
        (_, Some(most)) if count > most => {
            Some(format!("{label} must have at most {most} entries, not {count}"))
        }
        _ => None,
    }
}

fn range_rule(field: &Field, number: f64) -> Option<String> {
    match (field.minimum, field.maximum) {
        (Some(least), _) if number < least => Some(format!("be at least {least}")),
        (_, Some(most)) if number > most => Some(format!("be at most {most}")),
        _ => None,
    }
}

fn text_rule(field: &Field, text: &str) -> Option<String> {
    let length = u64::try_from(text.chars().count()).unwrap_or(u64::MAX);
    if let Some(least) = field.min_length.filter(|least| length < *least) {
        return Some(format!("have at least {least} characters"));
    }
    if let Some(most) = field.max_length.filter(|most| length > *most) {
        return Some(format!("have at most {most} characters"));
    }
    if let Some(pattern) = field.pattern.as_ref().filter(|pattern| !pattern.is_match(text)) {
        return Some(format!("match the pattern {pattern}"));
    }
    let format = field.format.as_deref().filter(|_| matches!(field.kind, FieldType::String))?;
    let (fits, what) = match format {
        "email" => (is_email(text), "an e-mail address"),
        "uri" | "url" => (is_url(text), "a web address"),
        "date-time" => (is_date_time(text), "a date and time such as 2024-03-12T10:00:00Z"),
        "time" => (is_time(text), "a time such as 10:00"),
        // Other formats are only annotations for the model, as in JSON Schema.
        _ => (true, ""),
    };
    (!fits).then(|| format!("be {what}"))
}

fn is_time(text: &str) -> bool {
    ["%H:%M", "%H:%M:%S", "%H:%M:%S%.f", "%I:%M %p"]
        .iter()
        .any(|form| NaiveTime::parse_from_str(text, form).is_ok())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::FormSchema;
    use serde_json::json;

    fn broken(definition: Value, checked: Value) -> Option<String> {
        let schema = json!({"x": definition});
        let schema = FormSchema::parse(schema.as_object().unwrap()).unwrap();
        check_value(&schema.fields[0], &checked, "'x'")
    }

    #[test]
    fn a_broken_rule_is_told_in_one_sentence() {
        for (definition, checked, message) in [
            (json!({"type": "number", "minimum": 3}), json!(2), "'x' must be at least 3, not 2"),
            (json!({"type": "number", "maximum": 3.5}), json!(4), "'x' must be at most 3.5, not 4"),
            (
                json!({"type": "string", "minLength": 3}),
                json!("ab"),
                "'x' must have at least 3 characters, not 'ab'",
            ),
            (
                json!({"type": "string", "maxLength": 1}),
                json!("éé"),
                "'x' must have at most 1 characters, not 'éé'",
            ),
            (
                json!({"type": "string", "pattern": "^A"}),
                json!("b"),
                "'x' must match the pattern ^A, not 'b'",
            ),
            (
                json!({"type": "string", "format": "email"}),
                json!("b"),
                "'x' must be an e-mail address, not 'b'",
            ),
        ] {
            assert_eq!(broken(definition, checked).as_deref(), Some(message));
        }
        let kept =
            json!({"type": "string", "format": "anything", "pattern": "b", "minLength": 1, "maxLength": 3});
        assert_eq!(broken(kept, json!("abc")), None);
    }
}
