//! All values of a form as lines.

use super::label::{capital, label, shown};
use super::{Spoken, Tongue};
use crate::chat::Mark;
use crate::chat::machine::place;
use crate::chat::machine::questions::questions;

/// Lines of a summary, at the most.
const MAX_LINES: usize = 300;

/// The values so far.
pub(super) fn review(spoken: Spoken<'_>) -> String {
    let paths: Vec<String> = filled(spoken);
    match paths.is_empty() {
        true => spoken.tongue.say("review-none", &[]),
        false => format!("{}\n{}", spoken.tongue.say("review", &[]), lines_of(spoken, &paths)),
    }
}

/// All values with where they came from, what was left open, and the question whether they are right.
pub(super) fn summary(spoken: Spoken<'_>) -> String {
    let tongue = spoken.tongue;
    let mut paths = filled(spoken);
    let all = questions(spoken.form, &spoken.state.values);
    // Of rows, which are shown with their list, only what was left open.
    let open = all.into_iter().filter(|question| !question.is_more()).map(|question| question.path);
    let known = paths.clone();
    let has_value =
        |path: &String| place::get(&spoken.state.values, path).is_some_and(|value| !value.is_null());
    paths.extend(open.filter(|path| !known.contains(path) && !has_value(path)));
    let order = order_of(spoken, &mut paths);
    format!(
        "{}\n{}\n\n{}",
        tongue.say("summary", &[]),
        lines_of(spoken, &order),
        tongue.say("summary-ask", &[])
    )
}

/// Paths of values in the order of the form: leaves, and lists as a whole.
fn filled(spoken: Spoken<'_>) -> Vec<String> {
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
        let path = place::child(path, &field.name);
        match (&field.kind, value.as_object()) {
            (forms_core::FieldType::Object(parts), Some(object)) => collect(parts, object, &path, paths),
            _ => paths.push(path),
        }
    }
}

/// The paths in the order of the form.
fn order_of(spoken: Spoken<'_>, paths: &mut Vec<String>) -> Vec<String> {
    let place_of = |path: &str| {
        let first = place::tokens(path).next().unwrap_or_default();
        spoken.form.fields.iter().position(|field| field.name == first)
    };
    paths.sort_by_key(|path| place_of(path));
    std::mem::take(paths)
}

/// One line for each path.
pub(super) fn lines_of(spoken: Spoken<'_>, paths: &[String]) -> String {
    let mut lines: Vec<String> = paths.iter().take(MAX_LINES).map(|path| line(spoken, path)).collect();
    if paths.len() > MAX_LINES {
        lines.push("- …".to_owned());
    }
    lines.join("\n")
}

fn line(spoken: Spoken<'_>, path: &str) -> String {
    let Spoken { tongue, form, state, .. } = spoken;
    let label = capital(&label(tongue, form, path));
    let value =
        place::get(&state.values, path).map(|value| shown(tongue, value)).filter(|text| !text.is_empty());
    match (value, state.marks.get(path)) {
        (Some(value), Some(mark @ (Mark::Document | Mark::Weak | Mark::Implied | Mark::Default))) => {
            format!("- {label}: {value} ({})", standing(tongue, mark))
        }
        (Some(value), _) => format!("- {label}: {value}"),
        (None, Some(mark)) if mark.is_absence() => {
            let is_required = place::field(form, path).is_some_and(|field| field.required);
            let needed =
                if is_required { format!(", {}", tongue.say("summary-missing", &[])) } else { String::new() };
            format!("- {label}: ({}{needed})", standing(tongue, mark))
        }
        (None, _) => format!("- {label}: –"),
    }
}

fn standing(tongue: Tongue, mark: &Mark) -> String {
    tongue.say(&format!("summary-{}", mark.name()), &[])
}
