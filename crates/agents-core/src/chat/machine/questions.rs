//! Questions of a form: every applicable value, in the order of the form.

use forms_core::{Field, FieldType, FormSchema};
use serde_json::{Map, Value};

use super::pointer::{self, child, next_item};
use crate::chat::{FieldStatus, FormState};

/// Most questions of a form. Bounds the time: forms have a thousand fields, lists a thousand items.
const MAX_QUESTIONS: usize = 10_000;

/// A value to ask for.
#[derive(Clone, Debug)]
pub(crate) struct Question<'f> {
    /// JSON pointer of the value; `/list/-` for the next item of a list.
    pub(crate) path: String,
    /// Its field; for `/list/-`, the list.
    pub(crate) field: &'f Field,
}

/// All questions that apply under the values.
pub(crate) fn questions<'f>(form: &'f FormSchema, values: &Map<String, Value>) -> Vec<Question<'f>> {
    let mut out = Vec::new();
    collect_questions(&form.fields, Some(values), values, "", &mut out);
    out
}

fn collect_questions<'f>(
    fields: &'f [Field],
    siblings: Option<&Map<String, Value>>,
    record: &Map<String, Value>,
    path: &str,
    out: &mut Vec<Question<'f>>,
) {
    let nothing = Map::new();
    let siblings = siblings.unwrap_or(&nothing);
    for field in fields {
        if out.len() >= MAX_QUESTIONS || !field.applies(siblings, record) {
            continue;
        }
        let path = child(path, &field.name);
        let value = siblings.get(&field.name);
        match &field.kind {
            FieldType::Object(parts) => {
                collect_questions(parts, value.and_then(Value::as_object), record, &path, out)
            }
            FieldType::Array(item) => list(field, item, value, record, path, out),
            _ => out.push(Question { path, field }),
        }
    }
}

fn list<'f>(
    field: &'f Field,
    item: &'f Field,
    value: Option<&Value>,
    record: &Map<String, Value>,
    path: String,
    out: &mut Vec<Question<'f>>,
) {
    let items = value.and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
    if items.is_empty() {
        out.push(Question { path, field });
        return;
    }
    if let FieldType::Object(parts) = &item.kind {
        for (index, entry) in items.iter().enumerate() {
            collect_questions(parts, entry.as_object(), record, &child(&path, &index.to_string()), out);
        }
    }
    if !is_full(field, items.len()) {
        out.push(Question { path: next_item(&path), field });
    }
}

/// Whether a list has its maximum number of items.
pub(crate) fn is_full(list: &Field, items: usize) -> bool {
    items >= list.max_items.and_then(|most| usize::try_from(most).ok()).unwrap_or(pointer::MAX_ITEMS)
}

/// Status of a question.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum QuestionStatus {
    /// Has a value.
    Filled,
    /// Has a value that the user must confirm.
    Weak,
    /// Has no value and is not asked for again.
    Absent,
    /// Deferred until the others are answered.
    Later,
    /// Not answered yet.
    Open,
}

impl Question<'_> {
    /// The status under `state`.
    pub(crate) fn status(&self, state: &FormState) -> QuestionStatus {
        let mark = state.marks.get(&self.path);
        match mark {
            Some(FieldStatus::Later) => return QuestionStatus::Later,
            Some(mark) if mark.is_absence() => return QuestionStatus::Absent,
            Some(mark) if mark.is_doubtful() => return QuestionStatus::Weak,
            _ => {}
        }
        if self.asks_next_item() {
            return if mark.is_some() { QuestionStatus::Filled } else { QuestionStatus::Open };
        }
        match pointer::get(&state.values, &self.path) {
            // An empty list is a valid answer once the user has given it.
            Some(Value::Array(items)) if items.is_empty() && mark.is_none() => QuestionStatus::Open,
            Some(value) if !value.is_null() => QuestionStatus::Filled,
            _ => QuestionStatus::Open,
        }
    }

    /// Whether it asks for the next item of a list.
    pub(crate) fn asks_next_item(&self) -> bool {
        pointer::list_of_next_item(&self.path).is_some()
    }

    /// Whether the form requires a value.
    pub(crate) fn is_required(&self) -> bool {
        self.field.required && !self.asks_next_item()
    }
}

/// The first question that is open or to be confirmed, then the first deferred one.
pub(crate) fn next_question<'f>(form: &'f FormSchema, state: &FormState) -> Option<Question<'f>> {
    let mut later = None;
    for question in questions(form, &state.values) {
        match question.status(state) {
            QuestionStatus::Open | QuestionStatus::Weak => return Some(question),
            QuestionStatus::Later => later = later.or(Some(question)),
            QuestionStatus::Filled | QuestionStatus::Absent => {}
        }
    }
    later
}
