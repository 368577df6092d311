//! Applies one slot update. Objects and the rows of lists are updated part by part, recursively.

use forms_core::{Field, FieldType, FormSchema, read_answer};
use serde_json::{Map, Value};

use super::apply_outcome::{ApplyOutcome, reject_value};
use super::lists::{count, remove, split, to_entries, too_many_message};
use super::pointer;
use super::questions::is_full;
use super::status::{clear_status, record_status};
use super::system_act::SystemAct;
use crate::chat::patterns::normalize_to_pattern;
use crate::chat::{FieldStatus, FormState, SlotOperation, SlotUpdate};

/// Applies a slot update to the value at its path.
pub(super) fn apply_update(
    form: &FormSchema,
    state: &mut FormState,
    statement: &SlotUpdate,
    applied: &mut ApplyOutcome,
) {
    let Some(field) = form.field_at(&statement.path) else { return };
    match (statement.change, &field.kind) {
        (SlotOperation::Remove, _) => remove(form, state, statement, applied),
        (SlotOperation::Add, FieldType::Array(item)) => {
            add_entries(form, state, &statement.path, field, item, statement, applied);
        }
        (SlotOperation::Set, FieldType::Array(item)) => {
            let entries = to_entries(&statement.value);
            let replaced = set_list(form, state, statement, field, item, &entries, applied);
            applied.changed |= replaced;
        }
        (SlotOperation::Set | SlotOperation::Add, FieldType::Object(parts)) => {
            set_object(form, state, &statement.path, parts, &statement.value, statement.is_meant, applied);
        }
        (SlotOperation::Set | SlotOperation::Add, _) => {
            set(form, state, &statement.path, field, &statement.value, statement.is_meant, applied);
        }
    }
}

/// Sets the parts of an object one by one, so that an invalid part does not discard the others.
fn set_object(
    form: &FormSchema,
    state: &mut FormState,
    path: &str,
    parts: &[Field],
    value: &Value,
    is_meant: bool,
    applied: &mut ApplyOutcome,
) {
    let Some(object) = value.as_object() else { return };
    for part in parts {
        let Some(said) = object.get(&part.name).filter(|said| !said.is_null()) else { continue };
        let statement = SlotUpdate {
            path: pointer::child(path, &part.name),
            change: SlotOperation::Set,
            value: said.clone(),
            is_meant,
        };
        if pointer::applies(form, &state.values, &statement.path) {
            apply_update(form, state, &statement, applied);
        }
    }
}

/// Sets a value, replacing the old one.
fn set(
    form: &FormSchema,
    state: &mut FormState,
    path: &str,
    field: &Field,
    said: &Value,
    is_meant: bool,
    applied: &mut ApplyOutcome,
) {
    let old = pointer::get(&state.values, path).filter(|old| !old.is_null()).cloned();
    // A code without its separators is normalised to the field's pattern.
    let put_right =
        |problem| said.as_str().and_then(|said| normalize_to_pattern(field, said)).map(Some).ok_or(problem);
    match read_answer(field, said).or_else(put_right) {
        Ok(None) => {}
        Ok(Some(value)) => {
            if !pointer::put(&mut state.values, form, path, value.clone()) {
                return;
            }
            record_status(state, path, FieldStatus::Said);
            applied.changed = true;
            match old {
                Some(old) if old != value => {
                    applied.parts.push(SystemAct::Changed { path: path.to_owned(), old })
                }
                Some(_) => {}
                None => applied.noted.push(path.to_owned()),
            }
        }
        Err(problem) if is_meant => reject_value(path, problem, old.is_some(), applied),
        Err(_) => {}
    }
}

/// Replaces a list as a whole. Returns whether any new item was valid; otherwise the old list stays.
fn set_list(
    form: &FormSchema,
    state: &mut FormState,
    statement: &SlotUpdate,
    field: &Field,
    item: &Field,
    entries: &[Value],
    applied: &mut ApplyOutcome,
) -> bool {
    let path = &statement.path;
    let old =
        pointer::get(&state.values, path).and_then(Value::as_array).filter(|old| !old.is_empty()).cloned();
    if entries.is_empty() {
        return false;
    }
    let before = (state.values.clone(), state.marks.clone(), state.trail.clone());
    pointer::take(&mut state.values, path);
    clear_status(state, path);
    let mut inner = ApplyOutcome::default();
    add_entries(form, state, path, field, item, statement, &mut inner);
    let is_set =
        pointer::get(&state.values, path).and_then(Value::as_array).is_some_and(|new| !new.is_empty());
    if !is_set {
        (state.values, state.marks, state.trail) = before;
    }
    for part in inner.parts {
        match part {
            SystemAct::Invalid { path, problem } => {
                reject_value(&path, problem, old.is_some() && !is_set, applied)
            }
            other => applied.parts.push(other),
        }
    }
    match old.map(Value::Array) {
        Some(old) if is_set => {
            if pointer::get(&state.values, path) != Some(&old) {
                applied.parts.push(SystemAct::Changed { path: path.clone(), old });
            }
        }
        _ => applied.noted.extend(inner.noted),
    }
    is_set
}

/// Adds the entries of a slot update to the list at `path`.
fn add_entries(
    form: &FormSchema,
    state: &mut FormState,
    path: &str,
    list: &Field,
    item: &Field,
    statement: &SlotUpdate,
    applied: &mut ApplyOutcome,
) {
    for entry in split(list, item, &statement.value) {
        let have = count(state, path);
        if is_full(list, have) {
            if statement.is_meant {
                let problem = too_many_message(list);
                reject_value(path, problem, have > 0, applied);
            }
            return;
        }
        match &item.kind {
            FieldType::Object(parts) => {
                add_row(form, state, path, parts, &entry, statement.is_meant, applied)
            }
            _ => match read_answer(item, &entry) {
                Ok(Some(value)) => {
                    let known = pointer::get(&state.values, path).and_then(Value::as_array);
                    if known.is_some_and(|known| known.contains(&value)) {
                        continue;
                    }
                    if pointer::put(&mut state.values, form, &pointer::next_item(path), value) {
                        record_list(state, path, applied);
                    }
                }
                Ok(None) => {}
                Err(problem) if statement.is_meant => reject_value(path, problem, have > 0, applied),
                Err(_) => {}
            },
        }
    }
}

/// Adds a row field by field. A row without any valid field is dropped.
fn add_row(
    form: &FormSchema,
    state: &mut FormState,
    path: &str,
    parts: &[Field],
    entry: &Value,
    is_meant: bool,
    applied: &mut ApplyOutcome,
) {
    let index = count(state, path);
    let at = pointer::child(path, &index.to_string());
    if !entry.is_object() || !pointer::put(&mut state.values, form, &at, Value::Object(Map::new())) {
        return;
    }
    let mut inner = ApplyOutcome::default();
    set_object(form, state, &at, parts, entry, is_meant, &mut inner);
    if inner.noted.is_empty() {
        pointer::take(&mut state.values, &at);
        clear_status(state, &at);
    } else {
        record_list(state, path, applied);
    }
    applied.parts.extend(inner.parts);
    if let Some(invalid) = inner.invalid {
        applied.invalid.get_or_insert(invalid);
    }
}

fn record_list(state: &mut FormState, path: &str, applied: &mut ApplyOutcome) {
    // After an addition, ask again whether there are more items.
    state.marks.remove(&pointer::next_item(path));
    record_status(state, path, FieldStatus::Said);
    applied.changed = true;
    if !applied.noted.iter().any(|noted| noted == path) {
        applied.noted.push(path.to_owned());
    }
}
