//! The state of a form for a user interface.

use forms_core::{Field, FieldType, FormSchema, map_of_pairs, read_answer};
use serde_json::{Map, Value};
use shared_core::Violation;

use super::pointer;
use super::questions::{QuestionStatus, questions};
use super::system_act::SystemAct;
use crate::chat::{FormState, Phase};

/// The state of a form.
#[derive(Clone, Debug, PartialEq)]
pub struct FormView {
    /// Phase of the dialogue.
    pub phase: Phase,
    /// Every field of the form in written order; `null` for unfilled fields.
    pub values: Map<String, Value>,
    /// JSON pointer of the value that is asked for.
    pub next: Option<String>,
    /// JSON pointers of values still to be asked for, and of required values without one.
    pub missing: Vec<String>,
    /// Required values left open, lists that are too short, and the invalid values of the last message.
    pub errors: Vec<Violation>,
    /// Whether `missing` is empty.
    pub complete: bool,
    /// Number of filled values.
    pub filled: usize,
    /// Number of applicable values.
    pub total: usize,
}

/// The view of a form after a reply.
#[must_use]
pub fn view(form: &FormSchema, state: &FormState, reply: &[SystemAct]) -> FormView {
    let (mut missing, mut errors, mut filled, mut total) = (Vec::new(), problems(reply), 0, 0);
    for question in questions(form, &state.values) {
        if question.asks_next_item() {
            if question.status(state) == QuestionStatus::Open && state.phase == Phase::Filling {
                continue;
            }
            errors.extend(too_few_items(state, &question.path, question.field));
            continue;
        }
        total += 1;
        match question.status(state) {
            QuestionStatus::Filled | QuestionStatus::Weak => filled += 1,
            QuestionStatus::Open | QuestionStatus::Later => missing.push(question.path),
            QuestionStatus::Absent if question.field.required => {
                let message = format!("'{}' is required", question.field.name);
                errors.push(Violation::new(&question.path, message));
                missing.push(question.path);
            }
            QuestionStatus::Absent => {}
        }
    }
    filled += filled_lists(form, state);
    total += filled_lists(form, state);
    FormView {
        phase: state.phase,
        values: record(form, &state.values),
        next: state.asked.clone().filter(|_| state.phase == Phase::Filling),
        complete: missing.is_empty(),
        missing,
        errors,
        filled,
        total,
    }
}

/// The number of filled lists of plain items; each counts as one value. Fields of rows are counted by their
/// questions.
fn filled_lists(form: &FormSchema, state: &FormState) -> usize {
    fn count(fields: &[Field], values: Option<&Map<String, Value>>) -> usize {
        let value = |field: &Field| values.and_then(|values| values.get(&field.name));
        fields
            .iter()
            .map(|field| match &field.kind {
                FieldType::Array(item) if !matches!(item.kind, FieldType::Object(_)) => {
                    usize::from(value(field).and_then(Value::as_array).is_some_and(|items| !items.is_empty()))
                }
                FieldType::Object(parts) => count(parts, value(field).and_then(Value::as_object)),
                _ => 0,
            })
            .sum()
    }
    count(&form.fields, Some(&state.values))
}

fn too_few_items(state: &FormState, more: &str, list: &Field) -> Option<Violation> {
    let path = pointer::list_of_next_item(more)?;
    let items = pointer::get(&state.values, path)?;
    let count = items.as_array()?.len() as u64;
    let is_short = list.min_items.is_some_and(|least| count < least);
    let problem = is_short.then(|| read_answer(list, items).err()).flatten()?;
    Some(Violation::new(path, problem))
}

fn problems(reply: &[SystemAct]) -> Vec<Violation> {
    let problem = |part: &SystemAct| match part {
        SystemAct::Invalid { path, problem }
        | SystemAct::OldValueKept { path, problem }
        | SystemAct::BrokenRule { path, problem } => Some(Violation::new(path, problem.clone())),
        _ => None,
    };
    reply.iter().filter_map(problem).collect()
}

/// The record: every field in written order, `null` for unfilled fields.
#[must_use]
pub fn record(form: &FormSchema, values: &Map<String, Value>) -> Map<String, Value> {
    parts(&form.fields, values)
}

fn parts(fields: &[Field], values: &Map<String, Value>) -> Map<String, Value> {
    let mut written: Vec<&Field> = fields.iter().collect();
    written.sort_by_key(|field| field.position);
    let shown = |field: &&Field| (field.name.clone(), build_value(field, values.get(&field.name)));
    written.iter().map(shown).collect()
}

fn build_value(field: &Field, value: Option<&Value>) -> Value {
    match (&field.kind, value) {
        (FieldType::Object(fields), Some(Value::Object(object))) => Value::Object(parts(fields, object)),
        (FieldType::Array(_), Some(Value::Array(items))) if field.map_value().is_some() => {
            map_of_pairs(items)
        }
        (FieldType::Array(item), Some(Value::Array(items))) => {
            items.iter().map(|entry| build_value(item, Some(entry))).collect()
        }
        (_, value) => value.cloned().unwrap_or(Value::Null),
    }
}
