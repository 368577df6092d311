//! Rules between fields: a record that breaks one is asked about before it is summed up.

use forms_core::{FieldType, FormSchema};

use super::pointer;
use crate::chat::FormState;

/// Times that the same field is asked about for a rule at most, so that nobody is held up who means what they said.
/// Chosen by hand; no measurement is recorded.
const MAX_QUESTIONS: usize = 3;

/// The next rule that the values break and that was not asked about with these values: the field to ask for, and what
/// the rule says. It counts as asked from then on.
pub(super) fn next_broken_rule(form: &FormSchema, state: &mut FormState) -> Option<(String, String)> {
    let found = form.broken_rules(&state.values).into_iter().find_map(|rule| {
        let named = rule.top_level_fields().into_iter().map(|name| pointer::child("", &name));
        let path = [rule.path].into_iter().chain(named).find(|path| is_single_value(form, state, path))?;
        let of_path = state.asked_rules.iter().filter(|asked| asked.0 == path);
        let is_new = of_path.clone().all(|asked| asked.1 != rule.message) && of_path.count() < MAX_QUESTIONS;
        is_new.then_some((path, rule.message))
    });
    state.asked_rules.extend(found.clone());
    found
}

fn is_single_value(form: &FormSchema, state: &FormState, path: &str) -> bool {
    let field = form.field_at(path);
    let is_single =
        field.is_some_and(|field| !matches!(field.kind, FieldType::Array(_) | FieldType::Object(_)));
    is_single && pointer::get(&state.values, path).is_some_and(|value| !value.is_null())
}
