//! Rules in words, for the description of what a dialect does not support.

use serde_json::Value;

/// Maximum characters of a rule's value. Bounds the prompt. Chosen by hand; no measurement is recorded.
const MAX_TOLD: usize = 500;

/// A description with the rules that the dialect does not support.
pub(super) fn description(own: &str, rules: &[(&str, &Value)], note: &str) -> String {
    let mut told: Vec<String> = rules.iter().filter_map(|(keyword, value)| rule(keyword, value)).collect();
    told.extend((!note.is_empty()).then(|| note.to_owned()));
    match (own.trim().is_empty(), told.is_empty()) {
        (_, true) => own.to_owned(),
        (true, false) => capitalize(&told.join("; ")),
        (false, false) => format!("{} ({})", own.trim_end(), told.join("; ")),
    }
}

fn capitalize(text: &str) -> String {
    let mut chars = text.chars();
    chars.next().map(|first| first.to_uppercase().chain(chars).collect()).unwrap_or_default()
}

fn rule(keyword: &str, value: &Value) -> Option<String> {
    let shown = format_value(value);
    Some(match keyword {
        "minimum" => format!("at least {shown}"),
        "maximum" => format!("at most {shown}"),
        "exclusiveMinimum" => format!("more than {shown}"),
        "exclusiveMaximum" => format!("less than {shown}"),
        "multipleOf" => format!("a multiple of {shown}"),
        "minLength" => format!("at least {shown} characters"),
        "maxLength" => format!("at most {shown} characters"),
        "pattern" => format!("matches the pattern {shown}"),
        "format" => format!("in the format {shown}"),
        "minItems" => format!("at least {shown} entries"),
        "maxItems" => format!("at most {shown} entries"),
        "uniqueItems" if value == &Value::Bool(true) => "no entry twice".to_owned(),
        "contains" => format!("one entry that fits {shown}"),
        "minProperties" => format!("at least {shown} properties"),
        "maxProperties" => format!("at most {shown} properties"),
        "propertyNames" => format!("names of properties fit {shown}"),
        "dependentRequired" => format!("properties that need others: {shown}"),
        "dependentSchemas" => format!("rules where a property is there: {shown}"),
        "not" => format!("must not fit {shown}"),
        "if" => format!("under the condition {shown}"),
        "then" => format!("must then fit {shown}"),
        "else" => format!("must else fit {shown}"),
        "anyOf" => format!("fits at least one of {shown}"),
        "oneOf" => format!("fits exactly one of {shown}"),
        "allOf" => format!("fits all of {shown}"),
        _ => return None,
    })
}

fn format_value(value: &Value) -> String {
    let text = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
    text.chars().take(MAX_TOLD).collect()
}
