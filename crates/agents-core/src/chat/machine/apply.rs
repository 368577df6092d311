//! Applies slot updates to the values of a form. A value that breaks a rule of its field is never stored.

use forms_core::{Field, FieldType, FormSchema, read_answer};
use serde_json::Value;

use super::lists;
use super::pointer;
use super::system_act::SystemAct;
use crate::chat::patterns::normalize_to_pattern;
use crate::chat::{FieldStatus, FormState, SlotOperation, SlotUpdate};

/// Most paths in [`FormState::trail`]. Bounds the state. Chosen by hand; no measurement is recorded.
const MAX_TRAIL: usize = 200;

/// Most bytes of all values of a form: every message loads and stores them whole.
const MAX_BYTES: usize = 1 << 20;

/// The effect of the slot updates of a message.
#[derive(Debug, Default)]
pub(super) struct ApplyOutcome {
    /// System acts that report the changes.
    pub(super) parts: Vec<SystemAct>,
    /// Paths of values that were set where there was none.
    pub(super) noted: Vec<String>,
    /// Path of the first invalid value that the user meant for an empty field.
    pub(super) invalid: Option<String>,
    /// Whether any value was set, changed, confirmed or removed.
    pub(super) changed: bool,
}

/// Applies slot updates without reporting their effects.
pub fn apply_slot_updates(form: &FormSchema, state: &mut FormState, statements: &[SlotUpdate]) {
    drop(apply(form, state, statements));
}

/// Applies slot updates in the order of the message. An update of a field that only applies through another
/// update of the same message comes after that one.
pub(super) fn apply(form: &FormSchema, state: &mut FormState, statements: &[SlotUpdate]) -> ApplyOutcome {
    let mut applied = ApplyOutcome::default();
    let mut room = MAX_BYTES.saturating_sub(state.values.values().map(estimate_size).sum());
    let is_too_much = |statement: &&SlotUpdate| {
        let weight =
            if statement.change == SlotOperation::Remove { 0 } else { estimate_size(&statement.value) };
        let fits = room.checked_sub(weight);
        room = fits.unwrap_or(room);
        fits.is_none()
    };
    let (refused, mut waiting): (Vec<_>, Vec<&SlotUpdate>) = statements.iter().partition(is_too_much);
    if !refused.is_empty() {
        applied.parts.push(SystemAct::TooLarge);
    }
    // Each round applies what the previous one made applicable. Every round applies at least one update, so
    // the loop ends.
    while !waiting.is_empty() {
        let (now, later): (Vec<_>, Vec<_>) =
            waiting.iter().partition(|statement| pointer::applies(form, &state.values, &statement.path));
        if now.is_empty() {
            break;
        }
        for statement in now {
            apply_update(form, state, statement, &mut applied);
        }
        waiting = later;
    }
    let dropped = drop_inapplicable(form, state);
    if !dropped.is_empty() {
        applied.noted.retain(|path| !dropped.contains(path));
        applied.parts.push(SystemAct::NoLongerApplicable(dropped));
    }
    applied
}

/// Estimated size in bytes of a stored value.
fn estimate_size(value: &Value) -> usize {
    // Brackets, quotes, a comma, and the digits of most numbers.
    const FRAME: usize = 8;
    match value {
        Value::String(text) => text.len() + FRAME,
        Value::Array(items) => items.iter().map(estimate_size).sum::<usize>() + FRAME,
        Value::Object(parts) => {
            parts.iter().map(|(name, part)| name.len() + estimate_size(part)).sum::<usize>() + FRAME
        }
        Value::Null | Value::Bool(_) | Value::Number(_) => FRAME,
    }
}

fn apply_update(
    form: &FormSchema,
    state: &mut FormState,
    statement: &SlotUpdate,
    applied: &mut ApplyOutcome,
) {
    let Some(field) = pointer::field_at(form, &statement.path) else { return };
    match (statement.change, &field.kind) {
        (SlotOperation::Remove, _) => lists::remove(form, state, statement, applied),
        (SlotOperation::Add, FieldType::Array(item)) => {
            lists::add(form, state, &statement.path, field, item, statement, applied);
        }
        (SlotOperation::Set, FieldType::Array(item)) => {
            let entries = lists::to_entries(&statement.value);
            let replaced = set_list(form, state, statement, field, item, &entries, applied);
            applied.changed |= replaced;
        }
        (SlotOperation::Set | SlotOperation::Add, FieldType::Object(parts)) => {
            object(form, state, &statement.path, parts, &statement.value, statement.is_meant, applied);
        }
        (SlotOperation::Set | SlotOperation::Add, _) => {
            set(form, state, &statement.path, field, &statement.value, statement.is_meant, applied);
        }
    }
}

/// Sets the parts of an object one by one, so that an invalid part does not discard the others.
pub(super) fn object(
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
pub(super) fn set(
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

/// Reports an invalid value that the user meant.
pub(super) fn reject_value(path: &str, problem: String, has_old: bool, applied: &mut ApplyOutcome) {
    let path = path.to_owned();
    if has_old {
        applied.parts.push(SystemAct::OldValueKept { path, problem });
        return;
    }
    applied.invalid.get_or_insert_with(|| path.clone());
    applied.parts.push(SystemAct::Invalid { path, problem });
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
    lists::clear_status(state, path);
    let mut inner = ApplyOutcome::default();
    lists::add(form, state, path, field, item, statement, &mut inner);
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

/// Records the source of a value, or the reason why there is none.
pub(super) fn record_status(state: &mut FormState, path: &str, mark: FieldStatus) {
    state.marks.insert(path.to_owned(), mark);
    state.trail.retain(|settled| settled != path);
    state.trail.push(path.to_owned());
    if state.trail.len() > MAX_TRAIL {
        state.trail.remove(0);
    }
}

/// Removes values that no longer apply. Returns their paths.
pub(super) fn drop_inapplicable(form: &FormSchema, state: &mut FormState) -> Vec<String> {
    let found = form.clear_inapplicable(&mut state.values.clone());
    let has_value = |path: &&str| pointer::get(&state.values, path).is_some();
    let dropped: Vec<String> = found.pointers().filter(has_value).map(str::to_owned).collect();
    for path in &dropped {
        pointer::take(&mut state.values, path);
        lists::clear_status(state, path);
    }
    // The status of a field that no longer applies is removed too.
    let gone: Vec<String> =
        state.marks.keys().filter(|path| !pointer::applies(form, &state.values, path)).cloned().collect();
    for path in gone {
        state.marks.remove(&path);
        state.trail.retain(|settled| *settled != path);
    }
    dropped
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_form_holds_so_much_and_what_is_taken_out_makes_room() {
        let schema = json!({"things": {"type": "array", "items": {"type": "string"}}});
        let form = FormSchema::parse(schema.as_object().unwrap()).unwrap();
        let mut state = FormState::default();
        let said = |change, value| SlotUpdate { path: "/things".into(), change, value, is_meant: true };
        let thing = |number: usize| json!(format!("{number} {}", "x".repeat(30_000)));
        let mut kept = 0;
        while apply(&form, &mut state, &[said(SlotOperation::Add, json!([thing(kept)]))]).parts.is_empty() {
            kept += 1;
        }
        assert_eq!(kept, MAX_BYTES / 30_000);
        let refused = apply(&form, &mut state, &[said(SlotOperation::Add, json!([thing(kept)]))]);
        assert_eq!((refused.parts, refused.changed), (vec![SystemAct::TooLarge], false));
        apply(&form, &mut state, &[said(SlotOperation::Remove, json!([thing(0)]))]);
        let added = apply(&form, &mut state, &[said(SlotOperation::Add, json!([thing(kept)]))]);
        assert!(added.changed, "{:?}", added.parts);
        assert!(estimate_size(&Value::Object(state.values)) <= MAX_BYTES + 100);
    }
}
