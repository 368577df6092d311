//! Labels of fields and formatted values.

use forms_core::{Field, FieldType, FormSchema};
use serde_json::Value;

use super::language::Language;
use crate::chat::machine::pointer;

/// Most characters of a description used as a label.
const MAX_LABEL: usize = 80;
/// Most characters of a value in a reply.
const MAX_SHOWN: usize = 300;
/// Most items of a list in a reply.
const MAX_ITEMS: usize = 20;

/// Label of a field: its name in words, with its row number inside a list.
pub(super) fn label(tongue: Language, form: &FormSchema, path: &str) -> String {
    let Some(field) = pointer::field_at(form, path) else { return String::new() };
    let name = match path.rsplit('/').next() {
        Some(last) if last.parse::<usize>().is_ok() => row_list(path)
            .and_then(|list| pointer::field_at(form, list))
            .map_or_else(String::new, |list| humanize_name(&list.name)),
        _ => humanize_name(&field.name),
    };
    match row_number(path) {
        Some(number) => tongue.render("item", &[("label", &name), ("number", &number.to_string())]),
        None => name,
    }
}

fn row_list(path: &str) -> Option<&str> {
    path.rsplit_once('/').map(|(list, _)| list)
}

/// The 1-based number of the innermost list item that a path points to or into.
fn row_number(path: &str) -> Option<usize> {
    path.rsplit('/').find_map(|token| token.parse::<usize>().ok()).map(|index| index + 1)
}

/// Splits a name such as `phone_number` or `phoneNumber` into words.
pub(super) fn humanize_name(name: &str) -> String {
    let mut out = String::with_capacity(name.len() + 4);
    let mut before = ' ';
    for c in name.chars() {
        let is_seam = matches!(c, '_' | '-' | '.' | ' ') || c.is_control();
        if c.is_uppercase() && before.is_lowercase() {
            out.push(' ');
        }
        match (is_seam, out.ends_with(' ') || out.is_empty()) {
            (true, false) => out.push(' '),
            (true, true) => {}
            (false, _) if c.is_uppercase() && before.is_lowercase() => out.extend(c.to_lowercase()),
            (false, _) => out.push(c),
        }
        before = c;
    }
    let out = out.trim().to_owned();
    if out.is_empty() { name.to_owned() } else { out }
}

/// The text with an upper-case first letter.
pub(super) fn capital(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

/// The description, if it is already a question or a request.
pub(super) fn own_question(field: &Field) -> Option<&str> {
    let text = field.description.as_deref()?.trim();
    let is_request = [
        "please ",
        "tell ",
        "enter ",
        "describe ",
        "explain ",
        "choose ",
        "select ",
        "provide ",
        "specify ",
        "list ",
        "give ",
        "beschreiben ",
        "nennen ",
        "décrivez ",
        "indiquez ",
        "describa ",
        "indique ",
        "bitte ",
        "veuillez ",
        "merci ",
        "por favor",
    ]
    .iter()
    .any(|word| text.get(..word.len()).is_some_and(|head| head.eq_ignore_ascii_case(word)));
    (text.ends_with('?') || text.ends_with('？') || is_request && text.chars().count() <= 3 * MAX_LABEL)
        .then_some(text)
}

/// A short description as the object of "please tell me", else the name in words.
pub(super) fn asked_label(tongue: Language, field: &Field) -> String {
    let short = field.description.as_deref().map(str::trim).filter(|text| {
        let is_phrase = !text.contains(['\n', '?']) && !text.trim_end_matches('.').contains(". ");
        !text.is_empty() && is_phrase && text.chars().count() <= MAX_LABEL
    });
    let Some(text) = short else { return with_article(tongue, &humanize_name(&field.name)) };
    let text = text.trim_end_matches('.');
    let text = strip_lead(text);
    if tongue == Language::English { with_article(tongue, &lower_first(text)) } else { text.to_owned() }
}

/// Strips an instruction to an agent, such as "Ask for", from the start.
fn strip_lead(text: &str) -> &str {
    const LEADS: [&str; 8] = [
        "ask the user for ",
        "ask for ",
        "boolean flag indicating ",
        "flag indicating ",
        "collect ",
        "the user's ",
        "user's ",
        "ask ",
    ];
    let lead =
        LEADS.iter().find(|lead| text.get(..lead.len()).is_some_and(|head| head.eq_ignore_ascii_case(lead)));
    lead.and_then(|lead| text.get(lead.len()..)).filter(|rest| !rest.is_empty()).unwrap_or(text)
}

/// Adds "the" to an English noun phrase without a determiner.
fn with_article(tongue: Language, text: &str) -> String {
    const DETERMINERS: [&str; 29] = [
        "anything",
        "something",
        "everything",
        "anyone",
        "all",
        "other",
        "one",
        "the",
        "a",
        "an",
        "your",
        "my",
        "our",
        "his",
        "her",
        "its",
        "their",
        "this",
        "that",
        "whether",
        "if",
        "how",
        "when",
        "where",
        "which",
        "what",
        "who",
        "why",
        "any",
    ];
    let first = text.split_whitespace().next().unwrap_or_default();
    if tongue != Language::English || DETERMINERS.contains(&first.to_lowercase().as_str()) {
        return text.to_owned();
    }
    format!("the {text}")
}

/// The text with a lower-case first letter, unless the first word is written in capitals.
fn lower_first(text: &str) -> String {
    let mut letters = text.chars();
    match (letters.next(), letters.clone().next()) {
        (Some(first), Some(second)) if second.is_lowercase() || second == ' ' => {
            first.to_lowercase().chain(letters).collect()
        }
        _ => text.to_owned(),
    }
}

/// Formats a value for a reply.
pub(super) fn format_value(tongue: Language, value: &Value) -> String {
    let text = match value {
        Value::Null => String::new(),
        Value::Bool(flag) => tongue.render(if *flag { "yes" } else { "no" }, &[]),
        Value::String(text) => text.clone(),
        Value::Number(number) => number.to_string(),
        Value::Array(items) => {
            let is_rows = items.iter().any(Value::is_object);
            let mut texts: Vec<String> = items
                .iter()
                .take(MAX_ITEMS)
                .map(|item| format_value(tongue, item))
                .filter(|text| !text.is_empty())
                .collect();
            if items.len() > MAX_ITEMS {
                texts.push("…".to_owned());
            }
            texts.join(if is_rows { "; " } else { ", " })
        }
        Value::Object(parts) => {
            let part = |(name, value): (&String, &Value)| {
                Some(format!("{} {}", humanize_name(name), format_value(tongue, value)))
                    .filter(|_| !value.is_null())
            };
            parts.iter().filter_map(part).collect::<Vec<_>>().join(", ")
        }
    };
    truncate(&text)
}

fn truncate(text: &str) -> String {
    let short: String = text.chars().take(MAX_SHOWN).map(|c| if c.is_control() { ' ' } else { c }).collect();
    if text.chars().nth(MAX_SHOWN).is_some() { format!("{short}…") } else { short }
}

/// Template key for the type of a field.
pub(super) fn kind_key(field: &Field) -> &'static str {
    match field.kind {
        FieldType::Number => "explain-type-number",
        FieldType::Integer => "explain-type-integer",
        FieldType::Boolean => "explain-type-boolean",
        FieldType::Email => "explain-type-email",
        FieldType::Date => "explain-type-date",
        FieldType::Url => "explain-type-url",
        FieldType::Array(_) => "explain-type-list",
        FieldType::String | FieldType::Object(_) => "explain-type-text",
    }
}
