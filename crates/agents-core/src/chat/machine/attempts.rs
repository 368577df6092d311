//! Failed attempts at a question, and values that stay open.

use forms_core::{FieldType, FormSchema, read_answer};
use serde_json::Value;

use super::apply;
use super::pointer;
use super::status::{clear_status, record_status};
use super::step_outcome::StepOutcome;
use super::system_act::SystemAct;
use crate::chat::{FieldStatus, FormState};

/// Invalid answers to a question before the user is offered to skip it. Chosen by hand; no measurement is
/// recorded.
pub(super) const MAX_TRIES: u8 = 3;

/// Counts a failed answer. After [`MAX_TRIES`] the user is offered to skip; after the next one the value is
/// left open, so that no question repeats for ever. Returns whether to ask again.
pub(super) fn count_failed_try(
    form: &FormSchema,
    state: &mut FormState,
    next: &mut StepOutcome,
    path: &str,
) -> bool {
    let is_same = state.asked.as_deref() == Some(path);
    state.tries = if is_same { state.tries.saturating_add(1) } else { 1 };
    if state.tries > MAX_TRIES + 1 {
        leave_open(form, state, next, Some(path), FieldStatus::Skipped);
        state.tries = 0;
        return false;
    }
    if state.tries > MAX_TRIES {
        next.parts.push(SystemAct::OfferSkip(path.to_owned()));
    }
    true
}

/// Leaves a value open. A required value is asked for once more at the end.
pub(super) fn leave_open(
    form: &FormSchema,
    state: &mut FormState,
    next: &mut StepOutcome,
    target: Option<&str>,
    mark: FieldStatus,
) {
    let Some(path) = target.filter(|path| pointer::applies(form, &state.values, path)) else { return };
    if pointer::list_of_next_item(path).is_some() {
        end_list(form, state, next, path);
        return;
    }
    let Some(field) = form.field_at(path) else { return };
    (next.understood, next.changed) = (true, true);
    let was = state.marks.get(path).cloned();
    let has_value = pointer::get(&state.values, path).is_some_and(|value| !value.is_null());
    if has_value && !was.as_ref().is_some_and(FieldStatus::is_doubtful) {
        // "Don't know" does not discard a valid value.
        record_status(state, path, was.unwrap_or(FieldStatus::Said));
        return;
    }
    pointer::take(&mut state.values, path);
    if field.required && was != Some(FieldStatus::Later) {
        next.parts.push(SystemAct::Required(path.to_owned()));
        record_status(state, path, FieldStatus::Later);
        return;
    }
    // A value that is deferred twice is skipped.
    let mark = if mark == FieldStatus::Later && was == Some(FieldStatus::Later) {
        FieldStatus::Skipped
    } else {
        mark
    };
    let is_none = mark == FieldStatus::NotApplicable && matches!(field.kind, FieldType::Array(_));
    if is_none && field.min_items.is_none_or(|least| least == 0) {
        pointer::put(&mut state.values, form, path, Value::Array(Vec::new()));
    }
    record_status(state, path, mark.clone());
    let dropped = apply::drop_inapplicable(form, state);
    next.parts.push(SystemAct::LeftOpen { path: path.to_owned(), mark });
    if !dropped.is_empty() {
        next.parts.push(SystemAct::NoLongerApplicable(dropped));
    }
}

/// Ends a list if it has enough items.
pub(super) fn end_list(form: &FormSchema, state: &mut FormState, next: &mut StepOutcome, more: &str) {
    let list = pointer::list_of_next_item(more).unwrap_or(more);
    let (Some(field), Some(items)) = (form.field_at(list), pointer::get(&state.values, list)) else {
        return;
    };
    next.understood = true;
    let count = items.as_array().map_or(0, Vec::len);
    let is_short = field.min_items.is_some_and(|least| (count as u64) < least);
    match read_answer(field, items) {
        Err(problem) if is_short && state.tries < MAX_TRIES => {
            state.tries += 1;
            next.parts.push(SystemAct::Invalid { path: list.to_owned(), problem });
            next.ask = Some(more.to_owned());
        }
        // A list that stays too short is dropped.
        Err(_) if is_short => {
            pointer::take(&mut state.values, list);
            clear_status(state, list);
            record_status(state, list, FieldStatus::Skipped);
            next.parts.push(SystemAct::LeftOpen { path: list.to_owned(), mark: FieldStatus::Skipped });
            next.changed = true;
        }
        _ => {
            record_status(state, more, FieldStatus::Said);
            next.changed = true;
        }
    }
}
