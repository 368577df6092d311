//! Rules between fields: a record that breaks one is asked about before it is summed up.

use forms_core::{FieldType, FormSchema, RecordFinding};
use serde_json::Value;

use super::pointer;
use crate::chat::FormState;

/// Times that the same field is asked about for a rule at most, so that nobody is held up who means what they said. And
/// fields at most that a rule about computed values asks for with the same values. Chosen by hand; no measurement is
/// recorded.
const MAX_QUESTIONS: usize = 3;

/// The next rule that the values break and that was not asked about with these values: the field to ask for, and what
/// the rule says. It counts as asked from then on. `whole` has the computed fields, for which the fields are asked that
/// they are computed from.
pub(super) fn next_broken_rule(
    form: &FormSchema,
    whole: &FormSchema,
    state: &mut FormState,
) -> Option<(String, String)> {
    let mut record = state.values.clone();
    let computed = whole.compute(&mut record);
    let found = whole.broken_rules(&record).into_iter().find_map(|rule| {
        let named = rule.top_level_fields().into_iter().map(|name| pointer::child("", &name));
        let own =
            [rule.path.clone()].into_iter().chain(named).find(|path| is_single_value(form, state, path));
        let mut inputs = inputs(&rule, &computed, whole, state);
        inputs.retain(|path| own.as_ref() != Some(path) && is_single_value(form, state, path));
        let mut paths = own.into_iter().chain(inputs).take(MAX_QUESTIONS);
        paths.find(|path| is_new(state, path, &rule.message)).map(|path| (path, rule.message))
    });
    state.asked_rules.extend(found.clone());
    found
}

fn is_new(state: &FormState, path: &str, message: &str) -> bool {
    let of_path = state.asked_rules.iter().filter(|asked| asked.0 == path);
    of_path.clone().all(|asked| asked.1 != message) && of_path.count() < MAX_QUESTIONS
}

/// The values from which the computed values of a rule are computed, directly or through others.
fn inputs(
    rule: &RecordFinding,
    computed: &[RecordFinding],
    whole: &FormSchema,
    state: &FormState,
) -> Vec<String> {
    let defined = |one: &RecordFinding| whole.definition_path(&one.path);
    let mut open: Vec<(&RecordFinding, String)> = computed.iter().map(|one| (one, defined(one))).collect();
    let mut needed: Vec<&RecordFinding> = Vec::new();
    let (mut next, mut visited) = (Some(rule), 0);
    while let Some(one) = next {
        open.retain(|(other, path)| {
            let is_needed = one.depends_on(&other.path, path) || other.path == rule.path;
            if is_needed {
                needed.push(other);
            }
            !is_needed
        });
        next = needed.get(visited).copied();
        visited += 1;
    }
    let mut paths = Vec::new();
    if !needed.is_empty() {
        state
            .values
            .iter()
            .for_each(|(name, value)| single_values(value, pointer::child("", name), &mut paths));
    }
    paths.retain(|path| {
        let definition = whole.definition_path(path);
        needed.iter().any(|one| one.depends_on(path, &definition))
    });
    paths
}

/// The paths of the single values within a value.
fn single_values(value: &Value, path: String, found: &mut Vec<String>) {
    match value {
        Value::Object(parts) => {
            parts.iter().for_each(|(name, part)| single_values(part, pointer::child(&path, name), found));
        }
        Value::Array(items) => {
            let entry = |(index, item): (usize, &Value)| {
                single_values(item, pointer::child(&path, &index.to_string()), found);
            };
            items.iter().enumerate().for_each(entry);
        }
        _ => found.push(path),
    }
}

fn is_single_value(form: &FormSchema, state: &FormState, path: &str) -> bool {
    let field = form.field_at(path);
    let is_single =
        field.is_some_and(|field| !matches!(field.kind, FieldType::Array(_) | FieldType::Object(_)));
    is_single && pointer::get(&state.values, path).is_some_and(|value| !value.is_null())
}
