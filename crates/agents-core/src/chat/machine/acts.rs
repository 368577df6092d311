//! Applies the dialogue acts of a message.

use forms_core::{FieldType, FormSchema, read_answer};
use serde_json::{Map, Value};

use super::attempts::{MAX_TRIES, count_failed_try, end_list, leave_open};
use super::pointer;
use super::questions::{self, Question, QuestionStatus};
use super::status::record_status;
use super::step_outcome::StepOutcome;
use super::system_act::SystemAct;
use crate::chat::{ActType, FieldStatus, FormState, Interpretation, Phase};

/// Applies all dialogue acts of a message, in order.
pub(super) fn apply_acts(
    form: &FormSchema,
    state: &mut FormState,
    reading: &Interpretation,
    next: &mut StepOutcome,
) {
    let stated = |path: &str| reading.statements.iter().any(|said| said.path == path);
    for said in &reading.acts {
        let asked = state.asked.clone().filter(|path| !stated(path));
        let target = said.path.clone().filter(|path| !stated(path)).or(asked);
        match said.act_type {
            ActType::Yes => handle_yes(form, state, next, target.as_deref()),
            ActType::No => handle_no(form, state, next, target.as_deref()),
            ActType::Unknown => leave_open(form, state, next, target.as_deref(), FieldStatus::Unknown),
            ActType::NotApplicable => {
                leave_open(form, state, next, target.as_deref(), FieldStatus::NotApplicable)
            }
            ActType::Later => leave_open(form, state, next, target.as_deref(), FieldStatus::Later),
            ActType::Skip => leave_open(form, state, next, target.as_deref(), FieldStatus::Skipped),
            ActType::Repeat => next.understood = true,
            ActType::Explain => {
                next.understood = true;
                next.parts.extend(target.map(SystemAct::Explain));
            }
            ActType::Back => go_back(form, state, next),
            ActType::Change => request_change(form, state, next, said.path.as_deref()),
            ActType::Review => {
                next.understood = true;
                next.parts.push(SystemAct::Review);
            }
            ActType::Finish => finish(form, state, next),
            // Cancel and Restart were handled by the caller; Courtesy changes nothing.
            ActType::Cancel | ActType::Restart | ActType::Courtesy => {}
        }
    }
}

fn handle_yes(form: &FormSchema, state: &mut FormState, next: &mut StepOutcome, target: Option<&str>) {
    if state.phase == Phase::Confirming {
        if !next.changed && !next.understood {
            next.understood = true;
            submit(form, state, next);
        }
        return;
    }
    let Some(path) = target else { return };
    if let Some(list) = pointer::list_of_next_item(path) {
        next.understood = true;
        start_row(form, state, next, list);
        return;
    }
    let is_list = form.field_at(path).is_some_and(|field| matches!(field.kind, FieldType::Array(_)));
    let filled = pointer::get(&state.values, path).is_some_and(|value| !value.is_null());
    if state.marks.get(path).is_some_and(FieldStatus::is_doubtful) || filled {
        record_status(state, path, FieldStatus::Said);
        (next.understood, next.changed) = (true, true);
    } else if is_list {
        next.understood = true;
        start_row(form, state, next, path);
    } else if state.tries > MAX_TRIES {
        leave_open(form, state, next, Some(path), FieldStatus::Skipped);
    }
}

/// Adds an empty row, whose first field is asked for next. Other lists have no rows; their next item is asked
/// for.
fn start_row(form: &FormSchema, state: &mut FormState, next: &mut StepOutcome, list: &str) {
    let item = form.field_at(list).and_then(|field| match &field.kind {
        FieldType::Array(item) => Some(item),
        _ => None,
    });
    if item.is_some_and(|item| matches!(item.kind, FieldType::Object(_)))
        && pointer::put(&mut state.values, form, &pointer::next_item(list), Value::Object(Map::new()))
    {
        next.changed = true;
    }
}

fn handle_no(form: &FormSchema, state: &mut FormState, next: &mut StepOutcome, target: Option<&str>) {
    if state.phase == Phase::Confirming {
        if !next.changed && !next.understood {
            (next.understood, next.ends) = (true, true);
            next.parts.push(SystemAct::AskWhich);
        }
        return;
    }
    let Some(path) = target else { return };
    if pointer::list_of_next_item(path).is_some() {
        end_list(form, state, next, path);
        return;
    }
    let is_list = form.field_at(path).is_some_and(|field| matches!(field.kind, FieldType::Array(_)));
    if state.marks.get(path).is_some_and(FieldStatus::is_doubtful) {
        pointer::take(&mut state.values, path);
        state.marks.remove(path);
        (next.understood, next.changed) = (true, true);
        if count_failed_try(form, state, next, path) {
            next.ask = Some(path.to_owned());
        }
    } else if is_list {
        leave_open(form, state, next, Some(path), FieldStatus::NotApplicable);
    } else if state.tries > MAX_TRIES || pointer::get(&state.values, path).is_some() {
        next.understood = true;
        next.ask = Some(path.to_owned());
    } else if !next.changed && !next.understood && form.field_at(path).is_some_and(|field| !field.required) {
        // A "no" to an optional field: it does not apply.
        leave_open(form, state, next, Some(path), FieldStatus::NotApplicable);
    }
}

/// Path and message of the first list that has fewer items than its minimum, for example after a removal.
fn find_short_list(form: &FormSchema, state: &FormState) -> Option<(String, String)> {
    questions::questions(form, &state.values).into_iter().filter(Question::asks_next_item).find_map(
        |question| {
            let list = pointer::list_of_next_item(&question.path)?;
            let items = pointer::get(&state.values, list)?;
            let is_short = question
                .field
                .min_items
                .is_some_and(|least| (items.as_array().map_or(0, Vec::len) as u64) < least);
            let problem = is_short.then(|| read_answer(question.field, items).err())??;
            Some((list.to_owned(), problem))
        },
    )
}

/// Returns to the question that was decided before the open one.
fn go_back(form: &FormSchema, state: &mut FormState, next: &mut StepOutcome) {
    next.understood = true;
    let asked = state.asked.as_deref();
    let before =
        state.trail.iter().position(|path| Some(path.as_str()) == asked).unwrap_or(state.trail.len());
    let earlier =
        state.trail.iter().take(before).rev().find(|path| pointer::list_of_next_item(path).is_none());
    if let Some(path) = earlier.filter(|path| pointer::applies(form, &state.values, path)).cloned() {
        if state.marks.get(&path).is_some_and(FieldStatus::is_absence) {
            state.marks.remove(&path);
        }
        next.ask = Some(path);
    }
}

fn request_change(form: &FormSchema, state: &mut FormState, next: &mut StepOutcome, path: Option<&str>) {
    if next.changed {
        return;
    }
    next.understood = true;
    match path.filter(|path| pointer::applies(form, &state.values, path)) {
        Some(path) => next.ask = Some(path.to_owned()),
        None => {
            next.ends = true;
            next.parts.push(SystemAct::AskWhich);
        }
    }
}

/// Ends the list that is asked for. Otherwise confirms doubtful values and skips unfilled optional fields.
fn finish(form: &FormSchema, state: &mut FormState, next: &mut StepOutcome) {
    if state.phase == Phase::Confirming {
        handle_yes(form, state, next, None);
        return;
    }
    next.understood = true;
    if let Some(more) = state.asked.clone().filter(|path| pointer::list_of_next_item(path).is_some()) {
        end_list(form, state, next, &more);
        return;
    }
    let open: Vec<Question<'_>> = questions::questions(form, &state.values);
    for question in open {
        match question.status(state) {
            QuestionStatus::Weak => {
                let mark = state.marks.entry(question.path).or_insert(FieldStatus::Said);
                *mark = if *mark == FieldStatus::Weak { FieldStatus::Document } else { FieldStatus::Said };
            }
            QuestionStatus::Open | QuestionStatus::Later if !question.is_required() => {
                let mark = if question.asks_next_item() { FieldStatus::Said } else { FieldStatus::Skipped };
                state.marks.insert(question.path, mark);
            }
            _ => {}
        }
    }
    next.changed = true;
}

fn submit(form: &FormSchema, state: &mut FormState, next: &mut StepOutcome) {
    // A value that was opened again after the summary is asked for first.
    if questions::next_question(form, state).is_some() {
        return;
    }
    if let Some((list, problem)) = find_short_list(form, state) {
        next.ask = Some(pointer::next_item(&list));
        state.marks.remove(&pointer::next_item(&list));
        (next.changed, state.tries) = (true, 0);
        next.parts.push(SystemAct::Invalid { path: list, problem });
        return;
    }
    state.phase = Phase::Submitted;
    next.parts.push(SystemAct::Submitted);
}
