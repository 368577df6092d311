//! Labels of fields and formatted values.

use forms_core::{Field, FieldType, FormSchema};
use language::reply::reply;
use language::{Language, Level, Words};
use serde_json::Value;

// What a user reads in a reply. Chosen by hand; no measurement is recorded.
/// Most characters of a description used as a label.
const MAX_LABEL: usize = 80;
/// Most characters of a value in a reply.
const MAX_SHOWN: usize = 300;
/// Most items of a list in a reply.
const MAX_ITEMS: usize = 20;

/// What a field is called: its name in words, with the numbers of the rows that it is in.
pub(super) fn label(language: Language, form: &FormSchema, path: &str) -> String {
    let Some(field) = form.field_at(path) else { return String::new() };
    let name = match path.rsplit('/').next() {
        Some(last) if last.parse::<usize>().is_ok() => row_list(path)
            .and_then(|list| form.field_at(list))
            .map_or_else(String::new, |list| humanize_name(&list.name)),
        _ => sum_label(form, path, field).unwrap_or_else(|| humanize_name(&field.name)),
    };
    match row_number(path) {
        Some(number) => reply(language, "item", &[("label", &name), ("number", &number.to_string())]),
        None => name,
    }
}

/// What a part of a sum of money is called: the amount as the sum, the currency with the name of the sum before it.
fn sum_label(form: &FormSchema, path: &str, part: &Field) -> Option<String> {
    let (parent, _) = path.rsplit_once('/')?;
    let sum = form.field_at(parent).filter(|field| field.money_parts().is_some())?;
    let name = humanize_name(&sum.name);
    Some(match part.kind {
        FieldType::Currency => format!("{name} {}", humanize_name(&part.name)),
        _ => name,
    })
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
    let is_request = Language::all()
        .filter(|language| language.is_at_least(Level::Full))
        .any(|language| after_phrase(text, cues(language, "request_start")).is_some());
    // A request may be longer than a label: a whole sentence.
    (text.ends_with('?') || text.ends_with('？') || is_request && text.chars().count() <= 3 * MAX_LABEL)
        .then_some(text)
}

/// A short description as the object of "please tell me", else the name in words.
pub(super) fn asked_label(language: Language, field: &Field) -> String {
    let short = field.description.as_deref().map(str::trim).filter(|text| {
        let is_phrase = !text.contains(['\n', '?']) && !text.trim_end_matches('.').contains(". ");
        !text.is_empty() && is_phrase && text.chars().count() <= MAX_LABEL
    });
    let Some(text) = short else { return with_article(language, &humanize_name(&field.name)) };
    let text = text.trim_end_matches('.');
    let text = strip_lead(text);
    if language == Language::ENGLISH { with_article(language, &lower_first(text)) } else { text.to_owned() }
}

/// Strips an instruction to an agent, such as "Ask for", from the start.
fn strip_lead(text: &str) -> &str {
    let rest = after_phrase(text, cues(Language::ENGLISH, "instruction_lead"));
    rest.and_then(|rest| rest.strip_prefix(' ')).filter(|rest| !rest.is_empty()).unwrap_or(text)
}

/// The words of a list of cues.
pub(super) fn cues(language: Language, list: &str) -> Words {
    language.locale().map(|locale| locale.cues.words(list)).unwrap_or_default()
}

/// What follows the first of these phrases that a text begins with.
fn after_phrase(text: &str, phrases: Words) -> Option<&str> {
    phrases.iter().find_map(|phrase| {
        let (head, rest) = text.split_at_checked(phrase.len())?;
        let is_whole = !rest.starts_with(char::is_alphanumeric) && !rest.is_empty();
        (is_whole && head.eq_ignore_ascii_case(phrase)).then_some(rest)
    })
}

/// A noun with its article, unless a word stands before it that takes the place of one.
fn with_article(language: Language, text: &str) -> String {
    let first = text.split_whitespace().next().unwrap_or_default().to_lowercase();
    match cues(language, "determiner").contains(&first) {
        true => text.to_owned(),
        false => reply(language, "with-article", &[("label", text)]),
    }
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

/// A value in words.
pub(super) fn format_value(language: Language, value: &Value) -> String {
    let text = match value {
        Value::Null => String::new(),
        Value::Bool(flag) => reply(language, if *flag { "yes" } else { "no" }, &[]),
        Value::String(text) => text.clone(),
        Value::Number(number) => number.to_string(),
        Value::Array(items) => {
            let is_rows = items.iter().any(Value::is_object);
            let mut texts: Vec<String> = items
                .iter()
                .take(MAX_ITEMS)
                .map(|item| format_value(language, item))
                .filter(|text| !text.is_empty())
                .collect();
            if items.len() > MAX_ITEMS {
                texts.push("…".to_owned());
            }
            texts.join(if is_rows { "; " } else { ", " })
        }
        Value::Object(parts) => {
            let part = |(name, value): (&String, &Value)| {
                Some(format!("{} {}", humanize_name(name), format_value(language, value)))
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
        FieldType::String | FieldType::Currency | FieldType::Object(_) => "explain-type-text",
    }
}
