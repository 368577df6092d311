//! The entries of lists: how a stated value splits into them, and their removal.

use forms_core::{Field, FieldType, FormSchema, read_answer};
use serde_json::Value;

use super::apply_outcome::ApplyOutcome;
use super::pointer;
use super::status::{clear_status, record_status};
use super::system_act::SystemAct;
use crate::chat::{FieldStatus, FormState, SlotUpdate};

/// The entries of a stated value; a single value is one entry.
pub(super) fn to_entries(said: &Value) -> Vec<Value> {
    match said {
        Value::Null => Vec::new(),
        Value::Array(entries) => entries.iter().filter(|entry| !entry.is_null()).cloned().collect(),
        one => vec![one.clone()],
    }
}

/// Splits a text into entries where the list's parser does.
pub(super) fn split(list: &Field, item: &Field, said: &Value) -> Vec<Value> {
    let Value::String(text) = said else { return to_entries(said) };
    if matches!(item.kind, FieldType::Object(_) | FieldType::Array(_)) {
        return to_entries(said);
    }
    // The extraction engine parses a list from one text. Item limits are checked later.
    let mut any_number = list.clone();
    (any_number.min_items, any_number.max_items) = (None, None);
    match read_answer(&any_number, said) {
        Ok(Some(Value::Array(values))) => values,
        _ => vec![Value::String(text.clone())],
    }
}

pub(super) fn count(state: &FormState, path: &str) -> usize {
    pointer::get(&state.values, path).and_then(Value::as_array).map_or(0, Vec::len)
}

pub(super) fn too_many_message(list: &Field) -> String {
    let most = list.max_items.unwrap_or(pointer::MAX_ITEMS as u64);
    format!("'{}' may have at most {most} entries", list.name)
}

/// Removes what a slot update names: an item by value, or the whole value when it names none.
pub(super) fn remove(
    form: &FormSchema,
    state: &mut FormState,
    statement: &SlotUpdate,
    applied: &mut ApplyOutcome,
) {
    let path = &statement.path;
    if statement.value.is_null() {
        take(form, state, path, applied);
        return;
    }
    let is_list = form.field_at(path).is_some_and(|field| matches!(field.kind, FieldType::Array(_)));
    if !is_list {
        return;
    }
    for entry in to_entries(&statement.value) {
        let items = pointer::get(&state.values, path).and_then(Value::as_array);
        let found = items.and_then(|items| items.iter().position(|item| is_meant_by(item, &entry)));
        match found {
            Some(index) => take(form, state, &pointer::child(path, &index.to_string()), applied),
            None if statement.is_meant => applied.parts.push(SystemAct::NothingToRemove(path.clone())),
            None => {}
        }
    }
}

/// Whether a stated value matches an item: by its text, or by the text of one of its fields.
fn is_meant_by(item: &Value, said: &Value) -> bool {
    let folded = |value: &Value| match value {
        Value::String(text) => Some(text.trim().to_lowercase()),
        Value::Number(number) => Some(number.to_string()),
        _ => None,
    };
    match (item, said) {
        (Value::Object(parts), Value::Object(said)) => {
            !said.is_empty()
                && said
                    .iter()
                    .all(|(name, value)| parts.get(name).is_some_and(|part| folded(part) == folded(value)))
        }
        (Value::Object(parts), _) => {
            parts.values().any(|part| folded(part).is_some() && folded(part) == folded(said))
        }
        _ => folded(item).is_some() && folded(item) == folded(said),
    }
}

/// After its last item is removed, a required list is asked for again and an optional one is skipped.
fn handle_emptied_list(form: &FormSchema, state: &mut FormState, list: &str) {
    if pointer::get(&state.values, list).and_then(Value::as_array).is_some_and(Vec::is_empty) {
        pointer::take(&mut state.values, list);
        clear_status(state, list);
        if form.field_at(list).is_some_and(|field| !field.required) {
            record_status(state, list, FieldStatus::Skipped);
        }
    }
}

fn take(form: &FormSchema, state: &mut FormState, path: &str, applied: &mut ApplyOutcome) {
    let Some(old) = pointer::take(&mut state.values, path) else {
        applied.parts.push(SystemAct::NothingToRemove(path.to_owned()));
        return;
    };
    clear_status(state, path);
    if let Some((list, index)) =
        path.rsplit_once('/').and_then(|(list, index)| Some((list, index.parse().ok()?)))
        && pointer::get(&state.values, list).is_some_and(Value::is_array)
    {
        shift_paths(state, list, index);
        handle_emptied_list(form, state, list);
    } else {
        // A value that the user removes is not asked for again at once.
        record_status(state, path, FieldStatus::Skipped);
    }
    applied.changed = true;
    applied.parts.push(SystemAct::Removed { path: path.to_owned(), old });
}

/// Decrements the indexes in paths behind a removed item.
fn shift_paths(state: &mut FormState, list: &str, taken: usize) {
    let moved = |path: &str| -> String {
        match pointer::item_of(path, list).filter(|index| *index > taken) {
            Some(index) => {
                let old = pointer::child(list, &index.to_string());
                let rest = path.strip_prefix(&old).unwrap_or_default();
                format!("{}{rest}", pointer::child(list, &(index - 1).to_string()))
            }
            None => path.to_owned(),
        }
    };
    state.marks =
        std::mem::take(&mut state.marks).into_iter().map(|(path, mark)| (moved(&path), mark)).collect();
    for path in &mut state.trail {
        *path = moved(path);
    }
    state.asked = state.asked.take().map(|path| moved(&path));
}
