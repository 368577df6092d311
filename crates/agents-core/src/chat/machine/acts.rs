//! What a message does beside stating values.

use forms_core::{FieldType, FormSchema, read_answer};
use serde_json::{Map, Value};

use super::apply::{self, settle};
use super::lists;
use super::part::Part;
use super::place;
use super::questions::{self, Question, Standing};
use super::step::{MAX_TRIES, Move, try_again};
use crate::chat::{Act, FormState, Mark, Phase, Reading};

/// Does all acts of a message, in order.
pub(super) fn act(form: &FormSchema, state: &mut FormState, reading: &Reading, next: &mut Move) {
    let stated = |path: &str| reading.statements.iter().any(|said| said.path == path);
    for said in &reading.acts {
        let asked = state.asked.clone().filter(|path| !stated(path));
        let target = said.path.clone().filter(|path| !stated(path)).or(asked);
        match said.act {
            Act::Yes => yes(form, state, next, target.as_deref()),
            Act::No => no(form, state, next, target.as_deref()),
            Act::Unknown => leave(form, state, next, target.as_deref(), Mark::Unknown),
            Act::NotApplicable => leave(form, state, next, target.as_deref(), Mark::NotApplicable),
            Act::Later => leave(form, state, next, target.as_deref(), Mark::Later),
            Act::Skip => leave(form, state, next, target.as_deref(), Mark::Skipped),
            Act::Repeat => next.understood = true,
            Act::Explain => {
                next.understood = true;
                next.parts.extend(target.map(Part::Explain));
            }
            Act::Back => back(form, state, next),
            Act::Change => change(form, state, next, said.path.as_deref()),
            Act::Review => {
                next.understood = true;
                next.parts.push(Part::Review);
            }
            Act::Finish => finish(form, state, next),
            // Done before, or of no weight.
            Act::Cancel | Act::Restart | Act::Courtesy => {}
        }
    }
}

fn yes(form: &FormSchema, state: &mut FormState, next: &mut Move, target: Option<&str>) {
    if state.phase == Phase::Confirming {
        if !next.changed && !next.understood {
            next.understood = true;
            submit(form, state, next);
        }
        return;
    }
    let Some(path) = target else { return };
    if let Some(list) = place::list_of(path) {
        next.understood = true;
        start_row(form, state, next, list);
        return;
    }
    let is_list = place::field(form, path).is_some_and(|field| matches!(field.kind, FieldType::Array(_)));
    let filled = place::get(&state.values, path).is_some_and(|value| !value.is_null());
    if state.marks.get(path).is_some_and(Mark::is_doubtful) || filled {
        settle(state, path, Mark::Said);
        (next.understood, next.changed) = (true, true);
    } else if is_list {
        next.understood = true;
        start_row(form, state, next, path);
    } else if state.tries > MAX_TRIES {
        leave(form, state, next, Some(path), Mark::Skipped);
    }
}

/// An empty row, whose first part is asked for next; entries of other lists are asked for by name.
fn start_row(form: &FormSchema, state: &mut FormState, next: &mut Move, list: &str) {
    let item = place::field(form, list).and_then(|field| match &field.kind {
        FieldType::Array(item) => Some(item),
        _ => None,
    });
    if item.is_some_and(|item| matches!(item.kind, FieldType::Object(_)))
        && place::put(&mut state.values, form, &place::more(list), Value::Object(Map::new()))
    {
        next.changed = true;
    }
}

fn no(form: &FormSchema, state: &mut FormState, next: &mut Move, target: Option<&str>) {
    if state.phase == Phase::Confirming {
        if !next.changed && !next.understood {
            (next.understood, next.ends) = (true, true);
            next.parts.push(Part::AskWhich);
        }
        return;
    }
    let Some(path) = target else { return };
    if place::list_of(path).is_some() {
        end_list(form, state, next, path);
        return;
    }
    let is_list = place::field(form, path).is_some_and(|field| matches!(field.kind, FieldType::Array(_)));
    if state.marks.get(path).is_some_and(Mark::is_doubtful) {
        place::take(&mut state.values, path);
        state.marks.remove(path);
        (next.understood, next.changed) = (true, true);
        if try_again(form, state, next, path) {
            next.ask = Some(path.to_owned());
        }
    } else if is_list {
        leave(form, state, next, Some(path), Mark::NotApplicable);
    } else if state.tries > MAX_TRIES || place::get(&state.values, path).is_some() {
        next.understood = true;
        next.ask = Some(path.to_owned());
    } else if !next.changed
        && !next.understood
        && place::field(form, path).is_some_and(|field| !field.required)
    {
        // "Anything else?" – "No."
        leave(form, state, next, Some(path), Mark::NotApplicable);
    }
}

/// No more items, if there are enough.
fn end_list(form: &FormSchema, state: &mut FormState, next: &mut Move, more: &str) {
    let list = place::list_of(more).unwrap_or(more);
    let (Some(field), Some(items)) = (place::field(form, list), place::get(&state.values, list)) else {
        return;
    };
    next.understood = true;
    let count = items.as_array().map_or(0, Vec::len);
    let is_short = field.min_items.is_some_and(|least| (count as u64) < least);
    match read_answer(field, items) {
        Err(problem) if is_short && state.tries < MAX_TRIES => {
            state.tries += 1;
            next.parts.push(Part::Invalid { path: list.to_owned(), problem });
            next.ask = Some(more.to_owned());
        }
        // A list that stays too short is none.
        Err(_) if is_short => {
            place::take(&mut state.values, list);
            lists::forget(state, list);
            settle(state, list, Mark::Skipped);
            next.parts.push(Part::Left { path: list.to_owned(), mark: Mark::Skipped });
            next.changed = true;
        }
        _ => {
            settle(state, more, Mark::Said);
            next.changed = true;
        }
    }
}

/// The first list that has fewer items than it must, after something was taken out of it.
fn too_short(form: &FormSchema, state: &FormState) -> Option<(String, String)> {
    questions::questions(form, &state.values).into_iter().filter(Question::is_more).find_map(|question| {
        let list = place::list_of(&question.path)?;
        let items = place::get(&state.values, list)?;
        let is_short = question
            .field
            .min_items
            .is_some_and(|least| (items.as_array().map_or(0, Vec::len) as u64) < least);
        let problem = is_short.then(|| read_answer(question.field, items).err())??;
        Some((list.to_owned(), problem))
    })
}

/// Leaves a value open. What is required is asked for once more in the end.
pub(super) fn leave(
    form: &FormSchema,
    state: &mut FormState,
    next: &mut Move,
    target: Option<&str>,
    mark: Mark,
) {
    let Some(path) = target.filter(|path| place::applies(form, &state.values, path)) else { return };
    if place::list_of(path).is_some() {
        end_list(form, state, next, path);
        return;
    }
    let Some(field) = place::field(form, path) else { return };
    (next.understood, next.changed) = (true, true);
    let was = state.marks.get(path).cloned();
    let has_value = place::get(&state.values, path).is_some_and(|value| !value.is_null());
    if has_value && !was.as_ref().is_some_and(Mark::is_doubtful) {
        // A good value is not lost to a "don't know".
        settle(state, path, was.unwrap_or(Mark::Said));
        return;
    }
    place::take(&mut state.values, path);
    if field.required && was != Some(Mark::Later) {
        next.parts.push(Part::Required(path.to_owned()));
        settle(state, path, Mark::Later);
        return;
    }
    // Who puts it off twice goes on without it.
    let mark = if mark == Mark::Later && was == Some(Mark::Later) { Mark::Skipped } else { mark };
    let is_none = mark == Mark::NotApplicable && matches!(field.kind, FieldType::Array(_));
    if is_none && field.min_items.is_none_or(|least| least == 0) {
        place::put(&mut state.values, form, path, Value::Array(Vec::new()));
    }
    settle(state, path, mark.clone());
    let dropped = apply::drop_inapplicable(form, state);
    next.parts.push(Part::Left { path: path.to_owned(), mark });
    if !dropped.is_empty() {
        next.parts.push(Part::Dropped(dropped));
    }
}

/// To the question that was settled before the one that is asked.
fn back(form: &FormSchema, state: &mut FormState, next: &mut Move) {
    next.understood = true;
    let asked = state.asked.as_deref();
    let before =
        state.trail.iter().position(|path| Some(path.as_str()) == asked).unwrap_or(state.trail.len());
    let earlier = state.trail.iter().take(before).rev().find(|path| place::list_of(path).is_none());
    if let Some(path) = earlier.filter(|path| place::applies(form, &state.values, path)).cloned() {
        if state.marks.get(&path).is_some_and(Mark::is_absence) {
            state.marks.remove(&path);
        }
        next.ask = Some(path);
    }
}

fn change(form: &FormSchema, state: &mut FormState, next: &mut Move, path: Option<&str>) {
    if next.changed {
        return;
    }
    next.understood = true;
    match path.filter(|path| place::applies(form, &state.values, path)) {
        Some(path) => next.ask = Some(path.to_owned()),
        None => {
            next.ends = true;
            next.parts.push(Part::AskWhich);
        }
    }
}

/// Ends the list that is asked for; else leaves open what is neither filled nor required.
fn finish(form: &FormSchema, state: &mut FormState, next: &mut Move) {
    if state.phase == Phase::Confirming {
        yes(form, state, next, None);
        return;
    }
    next.understood = true;
    if let Some(more) = state.asked.clone().filter(|path| place::list_of(path).is_some()) {
        end_list(form, state, next, &more);
        return;
    }
    let open: Vec<Question<'_>> = questions::questions(form, &state.values);
    for question in open {
        match question.standing(state) {
            Standing::Weak => {
                let mark = state.marks.entry(question.path).or_insert(Mark::Said);
                *mark = if *mark == Mark::Weak { Mark::Document } else { Mark::Said };
            }
            Standing::Open | Standing::Later if !question.is_required() => {
                let mark = if question.is_more() { Mark::Said } else { Mark::Skipped };
                state.marks.insert(question.path, mark);
            }
            _ => {}
        }
    }
    next.changed = true;
}

fn submit(form: &FormSchema, state: &mut FormState, next: &mut Move) {
    // What was opened anew since the summary is asked for first.
    if questions::next(form, state).is_some() {
        return;
    }
    if let Some((list, problem)) = too_short(form, state) {
        next.ask = Some(place::more(&list));
        state.marks.remove(&place::more(&list));
        (next.changed, state.tries) = (true, 0);
        next.parts.push(Part::Invalid { path: list, problem });
        return;
    }
    state.phase = Phase::Submitted;
    next.parts.push(Part::Submitted);
}
