//! NLU by a text model. One call of the extraction engine asks for the form's values in the message, its
//! dialogue act and its question. A value is accepted only with support in the message.

mod prompt;

use forms_core::{Extraction, Field, FieldType};
use serde_json::Value;

use super::machine::pointer::{self, child};
use super::{ActType, DialogueAct, Interpretation, Phase, SlotOperation, SlotUpdate, UserTurn};
pub use prompt::NluPrompt;

/// Most words of a message that a model may interpret as a confirmation. Longer ones say more than yes.
/// Chosen by hand; no measurement is recorded.
const MAX_CONFIRMATION: usize = 6;

/// Merges the model's interpretation into that of the rules. Supported values of the model replace those of
/// the rules; the model's dialogue act counts only where the rules found none. `is_other` means that the user
/// writes a language that the rules do not know.
#[must_use]
pub fn merge_interpretations(
    turn: &UserTurn<'_>,
    asked: &NluPrompt,
    rules: Interpretation,
    found: &Extraction,
    is_other: bool,
) -> Interpretation {
    let mut read = StatementCollector { turn, asked, found, supported: Vec::new(), implied: Vec::new() };
    for field in &turn.form.fields {
        let Some(value) = found.record.get(&field.name) else { continue };
        read.collect(field, value, &child("", &field.name));
    }
    let StatementCollector { supported: mut statements, mut implied, .. } = read;
    let answers = |act: ActType| matches!(act, ActType::Yes | ActType::No);
    let is_answered =
        rules.acts.iter().any(|said| answers(said.act_type)) || asked.act(found).is_some_and(answers);
    if let Some(path) = turn.asked.filter(|_| turn.is_confirmation) {
        // A plain yes or no is about the existing value; a model would return it as a new value.
        let is_flag = turn.form.field_at(path).is_some_and(|field| matches!(field.kind, FieldType::Boolean));
        statements.retain(|stated| stated.path != path || !is_answered && !is_flag);
    }
    // Kept from the rules: list changes, and values that the model does not state or states without support.
    let is_known = |path: &str| statements.iter().any(|known| known.path == path);
    let kept: Vec<SlotUpdate> = rules
        .statements
        .into_iter()
        .filter(|rule| {
            let is_seen = pointer::get(&found.record, &rule.path).is_some_and(|value| !value.is_null())
                || is_unreadable(found, &rule.path);
            rule.change != SlotOperation::Set || !is_known(&rule.path) && (rule.is_meant || is_seen)
        })
        .collect();
    let changes_lists = kept.iter().any(|kept| kept.change != SlotOperation::Set);
    if changes_lists {
        statements.retain(|stated| !kept.iter().any(|kept| is_within(&stated.path, &kept.path)));
    }
    implied.retain(|guess| !kept.iter().any(|kept| is_within(&guess.path, &kept.path)));
    statements.extend(kept);
    let places = implied.iter().map(|guess| guess.path.clone()).collect();
    let has_said = !statements.is_empty();
    statements.extend(implied);
    let mut acts = rules.acts;
    if acts.is_empty() {
        let act = asked.act(found).filter(|act| is_act_trusted(*act, turn, has_said, is_other));
        acts.extend(act.map(|act| DialogueAct { act_type: act, path: None }));
    }
    let asks = || asked.question(found, turn.message).filter(|_| !has_said);
    Interpretation { statements, acts, implied: places, question: rules.question.or_else(asks) }
}

/// Whether to accept a dialogue act from the model. Acts that submit or discard the form are left to the
/// rules, except in short messages in a language that the rules do not know.
fn is_act_trusted(act: ActType, turn: &UserTurn<'_>, has_said: bool, is_other: bool) -> bool {
    let is_weighty = match act {
        ActType::Restart | ActType::Cancel => true,
        ActType::Yes | ActType::Finish => turn.phase != Phase::Filling,
        _ => false,
    };
    let is_short = turn.message.split_whitespace().nth(MAX_CONFIRMATION).is_none();
    !is_weighty || is_other && is_short && !has_said
}

/// Whether the model's value at a path was invalid, so that its absence means nothing.
fn is_unreadable(found: &Extraction, path: &str) -> bool {
    found.errors.iter().any(|error| is_within(path, &error.path) || is_within(&error.path, path))
}

fn is_within(path: &str, list: &str) -> bool {
    path == list || path.strip_prefix(list).is_some_and(|rest| rest.starts_with('/'))
}

/// Collects slot updates from a model's answer.
struct StatementCollector<'a> {
    turn: &'a UserTurn<'a>,
    asked: &'a NluPrompt,
    found: &'a Extraction,
    /// Values with support in the message.
    supported: Vec<SlotUpdate>,
    /// Inferred answers to the open question, without support in the message.
    implied: Vec<SlotUpdate>,
}

impl StatementCollector<'_> {
    fn collect(&mut self, field: &Field, value: &Value, path: &str) {
        match (&field.kind, value) {
            (_, Value::Null) => {}
            (FieldType::Object(parts), Value::Object(object)) => {
                for part in parts {
                    let Some(value) = object.get(&part.name) else { continue };
                    self.collect(part, value, &child(path, &part.name));
                }
            }
            (FieldType::Array(_), Value::Array(items)) => self.list(items, path),
            _ if self.is_supported(path) => {
                self.supported.push(meant_update(path, SlotOperation::Set, value.clone()))
            }
            // The answer to the open question may be paraphrased.
            _ if self.may_be_implied(field, path) => {
                self.implied.push(meant_update(path, SlotOperation::Set, value.clone()));
            }
            _ => {}
        }
    }

    fn is_supported(&self, path: &str) -> bool {
        self.asked.is_supported(self.found, path, self.turn.message)
    }

    fn list(&mut self, items: &[Value], path: &str) {
        let is_said = self.found.evidence.keys().any(|at| is_within(at, path) && self.is_supported(at));
        if items.is_empty() || !is_said {
            return;
        }
        let known = pointer::get(self.turn.values, path).and_then(Value::as_array);
        let is_new = |item: &&Value| known.is_none_or(|known| !known.contains(item));
        let new: Vec<Value> = items.iter().filter(is_new).cloned().collect();
        let change = if known.is_some_and(|known| !known.is_empty()) {
            SlotOperation::Add
        } else {
            SlotOperation::Set
        };
        if !new.is_empty() {
            self.supported.push(meant_update(path, change, new.into()));
        }
    }

    /// Free text is never accepted as implied: a model could invent any.
    fn may_be_implied(&self, field: &Field, path: &str) -> bool {
        let is_told_apart = !field.options.is_empty()
            || matches!(
                field.kind,
                FieldType::Boolean | FieldType::Integer | FieldType::Number | FieldType::Date
            );
        let is_empty = pointer::get(self.turn.values, path).is_none_or(Value::is_null);
        is_told_apart && is_empty && self.turn.asked == Some(path)
    }
}

fn meant_update(path: &str, change: SlotOperation, value: Value) -> SlotUpdate {
    SlotUpdate { path: path.to_owned(), change, value, is_meant: true }
}
