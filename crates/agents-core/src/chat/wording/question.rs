//! Questions and their explanations.

use forms_core::{Field, FieldType, FormSchema};
use language::Language;
use language::detect::detect;
use language::reply::reply;

use super::label::{asked_label, cues, format_value, kind_key, label, own_question};
use crate::chat::machine::pointer;
use crate::chat::patterns;

// What a user reads in a question. Chosen by hand; no measurement is recorded.
/// Up to this many choices, a question lists them all.
const MAX_CHOICES: usize = 15;
/// Choices listed when there are more than [`MAX_CHOICES`].
const SOME_CHOICES: usize = 8;

/// The question for the value at a path, with its choices; empty when the form has no such field.
#[must_use]
pub(super) fn question(language: Language, form: &FormSchema, path: &str) -> String {
    if let Some(list) = pointer::list_of_next_item(path) {
        return reply(language, "ask-more", &[("label", &label(language, form, list))]);
    }
    let Some(field) = form.field_at(path) else { return String::new() };
    let asked = match (own_question(field), &field.kind) {
        (Some(own), _) => own.to_owned(),
        (None, FieldType::Array(item)) if matches!(item.kind, FieldType::Object(_)) => {
            reply(language, "ask-rows", &[("label", &label(language, form, path))])
        }
        (None, kind) => {
            let states = field.description.as_deref().is_some_and(|text| !is_whether(text));
            let key = match kind {
                FieldType::Boolean if states => "yes-no",
                FieldType::Boolean => "ask-yes-no",
                FieldType::Array(_) => "ask-list",
                _ => "ask",
            };
            let mut what = match key {
                "yes-no" => field.description.as_deref().unwrap_or_default().trim_end_matches('.').to_owned(),
                _ => asked_label(language, field),
            };
            if let Some(number) = path.split('/').filter_map(|token| token.parse::<usize>().ok()).next_back()
            {
                what = reply(language, "item", &[("label", &what), ("number", &(number + 1).to_string())]);
            }
            reply(language, key, &[("the-label", &what)])
        }
    };
    format!("{asked}{}", choices(language, form, path))
}

/// Whether a description asks for a condition ("whether", "if"), also after words such as "Boolean flag
/// indicating".
fn is_whether(text: &str) -> bool {
    let words = cues(detect(text).or(Language::ENGLISH), "whether");
    // Such as *Boolean flag indicating whether*.
    text.split_whitespace().take(5).any(|word| words.contains(&word.to_lowercase()))
}

/// The choices of a field as a sentence after the question; empty where it has none.
pub(super) fn choices(language: Language, form: &FormSchema, path: &str) -> String {
    let Some(field) = form.field_at(path) else { return String::new() };
    let options = options(field);
    let named = |most: usize| options.iter().take(most).map(String::as_str).collect::<Vec<_>>().join(", ");
    match options.len() {
        0 => String::new(),
        count if count <= MAX_CHOICES => {
            format!(" {}", reply(language, "choices", &[("choices", &named(count))]))
        }
        count => {
            let said = [("count", count.to_string()), ("choices", named(SOME_CHOICES))];
            format!(
                " {}",
                reply(
                    language,
                    "some-choices",
                    &said.each_ref().map(|(name, value)| (*name, value.as_str()))
                )
            )
        }
    }
}

/// The options of a field, or of the items of a list.
fn options(field: &Field) -> &[String] {
    match &field.kind {
        FieldType::Array(item) => &item.options,
        _ => &field.options,
    }
}

/// What is wanted of a field, in full.
pub(super) fn explanation(language: Language, form: &FormSchema, path: &str) -> String {
    let path = pointer::list_of_next_item(path).unwrap_or(path);
    let Some(field) = form.field_at(path) else { return String::new() };
    let mut said: Vec<String> = Vec::new();
    if let Some(text) = field.description.as_deref().map(str::trim).filter(|text| !text.is_empty()) {
        let end = if text.ends_with(['.', '?', '!']) { "" } else { "." };
        said.push(format!("{}: {text}{end}", super::label::capital(&label(language, form, path))));
    }
    said.push(rules(language, field));
    if let Some(example) =
        field.examples.iter().find(|example| !example.is_null() && example.as_str() != Some(""))
    {
        said.push(reply(language, "example", &[("example", &format_value(language, example))]));
    }
    said.push(reply(language, if field.required { "explain-required" } else { "explain-optional" }, &[]));
    said.retain(|sentence| !sentence.is_empty());
    said.join(" ")
}

/// What the form wants of a value, as far as it can be said in words.
pub(super) fn rules(language: Language, field: &Field) -> String {
    let mut said: Vec<String> = Vec::new();
    if options(field).is_empty() {
        said.push(reply(language, kind_key(field), &[]));
    }
    let limits = [
        ("explain-minimum", field.minimum.map(|limit| limit.to_string())),
        ("explain-maximum", field.maximum.map(|limit| limit.to_string())),
        ("explain-min-length", field.min_length.map(|limit| limit.to_string())),
        ("explain-max-length", field.max_length.map(|limit| limit.to_string())),
    ];
    for (key, limit) in limits {
        said.extend(limit.map(|limit| reply(language, key, &[("limit", &limit)])));
    }
    // The form's own example is added by [`explanation`].
    if field.examples.is_empty() {
        let example = patterns::example(field);
        said.extend(example.map(|example| reply(language, "explain-shape", &[("example", &example)])));
    }
    said.join(" ")
}
