//! Rules of sets.

use forms_core::FormSchema;
use shared_core::Violation;

use crate::{EvaluationSet, TrueGroup};

// They bound what a set stores and what a comparison reads. Chosen by hand; no measurement is recorded.
/// Most groups of a set, as of a run.
pub const MAX_GROUPS: u32 = 10_000;
/// Most characters of a name.
pub const MAX_SET_NAME: usize = 255;
/// Most fields with a weight.
pub const MAX_WEIGHTS: usize = 1_000;
/// Largest weight.
const MAX_WEIGHT: f64 = 1_000.0;

/// Every rule that the values of a set break.
pub(crate) fn set_violations(set: &EvaluationSet, form: &FormSchema) -> Vec<Violation> {
    let mut found = Vec::new();
    if set.name.trim().is_empty() || set.name.chars().nth(MAX_SET_NAME).is_some() {
        found.push(Violation::new("/name", format!("'name' must have 1 to {MAX_SET_NAME} characters")));
    }
    if set.weights.len() > MAX_WEIGHTS {
        found.push(Violation::new("/weights", format!("'weights' may have at most {MAX_WEIGHTS} fields")));
        return found;
    }
    for (field, weight) in &set.weights {
        if !(0.0..=MAX_WEIGHT).contains(weight) {
            let rule = format!("the weight of '{field}' must be from 0 to {MAX_WEIGHT}");
            found.push(Violation::new("/weights", rule));
        } else if !is_field(form, field) {
            let rule =
                format!("the form has no field '{field}'; a weight is that of a field such as /lines/amount");
            found.push(Violation::new("/weights", rule));
        }
    }
    found
}

/// Whether a pointer without indexes names a field of the form.
fn is_field(form: &FormSchema, path: &str) -> bool {
    use forms_core::{Field, FieldType};
    let mut fields: &[Field] = &form.fields;
    let mut tokens = forms_core::pointer_tokens(path).peekable();
    if tokens.peek().is_none() {
        return false;
    }
    for token in tokens {
        let Some(field) = fields.iter().find(|field| field.name == token) else { return false };
        let kind = match &field.kind {
            FieldType::Array(item) => &item.kind,
            kind => kind,
        };
        fields = match kind {
            FieldType::Object(parts) => parts,
            _ => &[],
        };
    }
    true
}

/// Every rule that new groups break, at their place below `/groups`. `of_runs`: those of runs, with paths such as
/// `/0/1/url` for the second document of the first group.
pub(crate) fn group_violations(
    groups: &[TrueGroup],
    form: &FormSchema,
    of_runs: Vec<Violation>,
) -> Vec<Violation> {
    let mut found: Vec<Violation> = of_runs
        .into_iter()
        .map(|violation| {
            let mut tokens = violation.path.splitn(3, '/').skip(1);
            let group = tokens.next().map(|group| format!("/{group}/documents")).unwrap_or_default();
            let document = tokens.next().map(|document| format!("/{document}")).unwrap_or_default();
            Violation::new(format!("/groups{group}{document}"), violation.message)
        })
        .collect();
    for (place, group) in groups.iter().enumerate() {
        for name in group.record.keys() {
            if !form.fields.iter().any(|field| field.name == *name) {
                let rule = format!("the form has no field '{name}'");
                found.push(Violation::new(format!("/groups/{place}/record"), rule));
            }
        }
        // A report of a thousand slips helps nobody more than one of a hundred.
        if found.len() >= 100 {
            found.truncate(100);
            break;
        }
    }
    found
}
