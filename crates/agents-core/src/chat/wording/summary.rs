//! Lists the values of a form, one line each.

use language::Language;
use language::reply::reply;

use super::ReplyContext;
use super::label::{capital, format_value, label};
use crate::chat::FieldStatus;
use crate::chat::machine::pointer;
use crate::chat::machine::questions::questions;

/// Most lines of a summary. Bounds the reply. Chosen by hand; no measurement is recorded.
const MAX_LINES: usize = 300;

/// The values so far.
pub(super) fn review(spoken: ReplyContext<'_>) -> String {
    let paths: Vec<String> = filled_paths(spoken);
    match paths.is_empty() {
        true => reply(spoken.language, "review-none", &[]),
        false => format!("{}\n{}", reply(spoken.language, "review", &[]), lines_of(spoken, &paths)),
    }
}

/// All values with their sources, the open fields, and the request for confirmation.
pub(super) fn summary(spoken: ReplyContext<'_>) -> String {
    let language = spoken.language;
    let mut paths = filled_paths(spoken);
    let all = questions(spoken.form, &spoken.state.values);
    // Rows are shown with their list; of the fields inside rows, only open ones are listed.
    let open = all.into_iter().filter(|question| !question.asks_next_item()).map(|question| question.path);
    let known = paths.clone();
    let has_value =
        |path: &String| pointer::get(&spoken.state.values, path).is_some_and(|value| !value.is_null());
    paths.extend(open.filter(|path| !known.contains(path) && !has_value(path)));
    let order = sort_paths(spoken, &mut paths);
    format!(
        "{}\n{}\n\n{}",
        reply(language, "summary", &[]),
        lines_of(spoken, &order),
        reply(language, "summary-ask", &[])
    )
}

/// Paths of filled values in the order of the form: leaves, and lists as a whole.
fn filled_paths(spoken: ReplyContext<'_>) -> Vec<String> {
    let mut paths = Vec::new();
    collect(&spoken.form.fields, &spoken.state.values, "", &mut paths);
    paths
}

fn collect(
    fields: &[forms_core::Field],
    values: &serde_json::Map<String, serde_json::Value>,
    path: &str,
    paths: &mut Vec<String>,
) {
    for field in fields {
        let Some(value) = values.get(&field.name).filter(|value| !value.is_null()) else { continue };
        let path = pointer::child(path, &field.name);
        match (&field.kind, value.as_object()) {
            (forms_core::FieldType::Object(parts), Some(object)) => collect(parts, object, &path, paths),
            _ => paths.push(path),
        }
    }
}

/// Sorts the paths by the order of the form's top-level fields.
fn sort_paths(spoken: ReplyContext<'_>, paths: &mut Vec<String>) -> Vec<String> {
    let place_of = |path: &str| {
        let first = forms_core::pointer_tokens(path).next().unwrap_or_default();
        spoken.form.fields.iter().position(|field| field.name == first)
    };
    paths.sort_by_key(|path| place_of(path));
    std::mem::take(paths)
}

/// One line for each path, at most [`MAX_LINES`].
pub(super) fn lines_of(spoken: ReplyContext<'_>, paths: &[String]) -> String {
    let mut lines: Vec<String> = paths.iter().take(MAX_LINES).map(|path| line(spoken, path)).collect();
    if paths.len() > MAX_LINES {
        lines.push("- …".to_owned());
    }
    lines.join("\n")
}

fn line(spoken: ReplyContext<'_>, path: &str) -> String {
    let ReplyContext { language, form, state, .. } = spoken;
    let label = capital(&label(language, form, path));
    let value = pointer::get(&state.values, path)
        .map(|value| format_value(language, value))
        .filter(|text| !text.is_empty());
    match (value, state.marks.get(path)) {
        (
            Some(value),
            Some(
                mark @ (FieldStatus::Document
                | FieldStatus::Weak
                | FieldStatus::Implied
                | FieldStatus::Default),
            ),
        ) => {
            format!("- {label}: {value} ({})", render_status(language, mark))
        }
        (Some(value), _) => format!("- {label}: {value}"),
        (None, Some(mark)) if mark.is_absence() => {
            let is_required = form.field_at(path).is_some_and(|field| field.required);
            let needed = if is_required {
                format!(", {}", reply(language, "summary-missing", &[]))
            } else {
                String::new()
            };
            format!("- {label}: ({}{needed})", render_status(language, mark))
        }
        (None, _) => format!("- {label}: –"),
    }
}

fn render_status(language: Language, mark: &FieldStatus) -> String {
    reply(language, &format!("summary-{}", mark.name()), &[])
}
