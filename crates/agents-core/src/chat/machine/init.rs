//! Initial state of a form: defaults, values from documents, and migration from another revision of the form.

use forms_core::{Evidence, Extraction, Field, FieldType, FormSchema, Support, pairs_of_map, read_answer};
use serde_json::{Map, Value};

use super::apply::drop_inapplicable;
use super::pointer::{self, child};
use super::questions;
use crate::chat::{FieldStatus, FormState, Phase};

/// Confidence threshold: the user is asked to confirm a value from a document below it. More likely wrong
/// than right.
const WEAK: f32 = 0.5;

/// A new form with its defaults.
#[must_use]
pub fn begin(form: &FormSchema, form_id: &str, revision: i64) -> FormState {
    let mut state = FormState { form_id: form_id.to_owned(), revision, ..FormState::default() };
    fill_defaults(form, &mut state);
    state
}

/// Resets the form to its defaults.
pub(super) fn restart(form: &FormSchema, state: &mut FormState) {
    *state = begin(form, &std::mem::take(&mut state.form_id), state.revision);
}

/// Fills the defaults of applicable fields until no more fields become applicable.
fn fill_defaults(form: &FormSchema, state: &mut FormState) {
    loop {
        let open = questions::questions(form, &state.values);
        let found = open.into_iter().find_map(|question| {
            let default = question.field.default.as_ref().filter(|_| !question.asks_next_item())?;
            let is_new = !state.marks.contains_key(&question.path);
            let value = is_new.then(|| read_answer(question.field, default).ok().flatten())??;
            Some((question.path, value))
        });
        let Some((path, value)) = found else { return };
        pointer::put(&mut state.values, form, &path, value);
        state.marks.insert(pointer::next_item(&path), FieldStatus::Default);
        state.marks.insert(path, FieldStatus::Default);
    }
}

/// Migrates the values to the current form. Values that break its rules are dropped and asked for again.
pub fn migrate_state(form: &FormSchema, state: &mut FormState, form_id: &str, revision: i64) {
    let old = std::mem::take(&mut state.values);
    for field in &form.fields {
        if let Some(value) = old.get(&field.name).and_then(|value| migrate_value(field, value)) {
            state.values.insert(field.name.clone(), value);
        }
    }
    (state.form_id, state.revision) = (form_id.to_owned(), revision);
    drop_inapplicable(form, state);
    let FormState { values, marks, trail, asked, .. } = state;
    let is_there = |path: &str| form.field_at(path).is_some();
    marks.retain(|path, mark| {
        let has_value = pointer::list_of_next_item(path).is_some() || pointer::get(values, path).is_some();
        is_there(path) && (mark.is_absence() || has_value)
    });
    trail.retain(|path| is_there(path));
    *asked = asked.take().filter(|path| is_there(path));
    if state.phase != Phase::Submitted && state.phase != Phase::Cancelled {
        state.phase = Phase::Filling;
    }
}

/// The value as far as it satisfies the field's current rules.
fn migrate_value(field: &Field, value: &Value) -> Option<Value> {
    match (&field.kind, value) {
        (FieldType::Object(parts), Value::Object(object)) => {
            let kept: Map<String, Value> = parts
                .iter()
                .filter_map(|part| Some((part.name.clone(), migrate_value(part, object.get(&part.name)?)?)))
                .collect();
            (!kept.is_empty()).then_some(Value::Object(kept))
        }
        (FieldType::Array(item), Value::Array(items)) => {
            Some(items.iter().filter_map(|entry| migrate_value(item, entry)).collect())
        }
        (FieldType::Object(_) | FieldType::Array(_), _) => None,
        _ => read_answer(field, value).ok().flatten(),
    }
}

/// Fills in extracted values where the user has stated none. Returns the paths that were filled.
pub fn prefill(form: &FormSchema, state: &mut FormState, found: &Extraction) -> Vec<String> {
    let mut filled = Vec::new();
    for field in &form.fields {
        let Some(value) = found.record.get(&field.name).filter(|value| !value.is_null()) else { continue };
        fill(form, state, field, value, &child("", &field.name), found, &mut filled);
    }
    drop_inapplicable(form, state);
    filled.retain(|path| pointer::get(&state.values, path).is_some());
    if !filled.is_empty() {
        state.phase = Phase::Filling;
        state.asked = None;
    }
    filled
}

fn fill(
    form: &FormSchema,
    state: &mut FormState,
    field: &Field,
    value: &Value,
    path: &str,
    found: &Extraction,
    filled: &mut Vec<String>,
) {
    if let (FieldType::Object(parts), Value::Object(object)) = (&field.kind, value) {
        for part in parts {
            let Some(value) = object.get(&part.name).filter(|value| !value.is_null()) else { continue };
            fill(form, state, part, value, &child(path, &part.name), found, filled);
        }
        return;
    }
    if matches!(state.marks.get(path), Some(FieldStatus::Said | FieldStatus::NotApplicable)) {
        return;
    }
    // A conversation has a map as a list of pairs.
    let pairs = value.as_object().filter(|_| field.map_value().is_some()).map(pairs_of_map);
    let Some(value) = migrate_value(field, pairs.as_ref().unwrap_or(value))
        .filter(|value| value.as_array().is_none_or(|items| !items.is_empty()))
    else {
        return;
    };
    let weak = is_weak(found.evidence.get(path)) && field_can_be_confirmed(field);
    if is_weak(found.evidence.get(path)) && matches!(field.kind, FieldType::Boolean) {
        return;
    }
    if pointer::put(&mut state.values, form, path, value) {
        if matches!(field.kind, FieldType::Array(_)) {
            state.marks.insert(pointer::next_item(path), FieldStatus::Document);
        }
        state.marks.insert(path.to_owned(), if weak { FieldStatus::Weak } else { FieldStatus::Document });
        filled.push(path.to_owned());
    }
}

/// The summary shows lists whole. A "yes" about a boolean would be ambiguous: it could confirm or set the
/// value.
fn field_can_be_confirmed(field: &Field) -> bool {
    !matches!(field.kind, FieldType::Array(_) | FieldType::Boolean)
}

fn is_weak(evidence: Option<&Evidence>) -> bool {
    evidence.is_none_or(|evidence| evidence.support == Support::Unsupported || evidence.confidence < WEAK)
}
