//! Documents with their right records, by which a form teaches: a model is shown them, and the labels that they print
//! are aliases of their fields.

use std::fmt::Write as _;
use std::sync::Arc;

use document::Document;
use serde_json::{Map, Value};
use shared_core::Violation;

use crate::labels::TextLines;
use crate::labels::{above_label, left_label};
use crate::schema::{MAX_ALIASES, pointer_token};
use crate::{Field, FieldType, FormExample, FormSchema, GroupDocument, engine};

// These bound the prompt, which every call repeats. Part of the interface (docs/forms.md); how high they are is chosen by
// hand.
/// Examples of a form at most.
pub const MAX_EXAMPLES: usize = 5;
/// Characters of the text of an example at most.
pub const MAX_EXAMPLE_TEXT: usize = 20_000;
/// Words of a label at most that an example teaches. More are a sentence.
const MAX_LABEL_WORDS: usize = 5;

/// What is wrong with the examples of a form, with JSON pointers.
#[must_use]
pub fn validate_examples(examples: &[FormExample], schema: &FormSchema) -> Vec<Violation> {
    let mut found = Vec::new();
    if examples.len() > MAX_EXAMPLES {
        found.push(Violation::new("", format!("a form may have at most {MAX_EXAMPLES} examples")));
    }
    for (index, example) in examples.iter().enumerate().take(MAX_EXAMPLES) {
        if example.text.trim().is_empty() || example.text.chars().nth(MAX_EXAMPLE_TEXT).is_some() {
            let message = format!("'text' must have 1 to {MAX_EXAMPLE_TEXT} characters, not only spaces");
            found.push(Violation::new(format!("/{index}/text"), message));
        }
        check_record(&schema.fields, &example.record, &format!("/{index}/record"), &mut found);
    }
    found
}

/// What an example shows of a record: the values that are stated, without those that are computed.
#[must_use]
pub fn stated_values(fields: &[Field], record: &Map<String, Value>) -> Map<String, Value> {
    let asked = fields.iter().filter(|field| field.computed.is_none());
    let stated =
        asked.filter_map(|field| Some((field.name.clone(), stated_value(field, record.get(&field.name)?)?)));
    stated.collect()
}

fn stated_value(field: &Field, value: &Value) -> Option<Value> {
    match (&field.kind, value) {
        (_, Value::Null) => None,
        (FieldType::Object(parts), Value::Object(object)) => {
            let stated = stated_values(parts, object);
            (!stated.is_empty()).then_some(Value::Object(stated))
        }
        (FieldType::Array(item), Value::Array(items)) => {
            Some(items.iter().filter_map(|entry| stated_value(item, entry)).collect())
        }
        _ => Some(value.clone()),
    }
}

fn check_record(fields: &[Field], record: &Map<String, Value>, path: &str, found: &mut Vec<Violation>) {
    for (name, value) in record {
        let path = format!("{path}/{}", pointer_token(name));
        match fields.iter().find(|field| field.name == *name) {
            None => found.push(Violation::new(&path, format!("'{name}' is not a field of the form"))),
            Some(field) => check_value(field, value, &path, found),
        }
    }
}

fn check_value(field: &Field, value: &Value, path: &str, found: &mut Vec<Violation>) {
    match (&field.kind, value) {
        (_, Value::Null) => {}
        (FieldType::Object(parts), Value::Object(object)) => check_record(parts, object, path, found),
        (FieldType::Array(_), Value::Object(object)) if field.map_value().is_some() => {
            let entries = object.iter().zip(field.map_value().into_iter().cycle());
            entries.for_each(|((name, value), own)| {
                check_value(own, value, &format!("{path}/{}", pointer_token(name)), found);
            });
        }
        (FieldType::Array(item), Value::Array(items)) => {
            for (index, value) in items.iter().enumerate() {
                check_value(item, value, &format!("{path}/{index}"), found);
            }
        }
        (FieldType::Object(_), _) => found.push(Violation::new(path, "the value must be an object")),
        (FieldType::Array(_), _) => found.push(Violation::new(path, "the value must be a list")),
        _ => {
            if let Err(message) = engine::read_answer(field, value) {
                found.push(Violation::new(path, message));
            }
        }
    }
}

impl FormSchema {
    /// Adds examples, and the labels of their values to the aliases of the fields.
    #[must_use]
    pub fn with_examples(mut self, examples: Vec<FormExample>) -> Self {
        for example in &examples {
            let document = Document { text: example.text.clone(), ..Document::default() };
            let document = GroupDocument {
                name: String::new(),
                description: None,
                document: Arc::new(document),
                host: None,
            };
            let lines = TextLines::read(&example.text, example.text.len());
            for (path, start, end) in engine::find_values(&self, &example.record, &document) {
                if let Some(label) = label_at(&lines, start, end)
                    && let Some(field) = single_value(&mut self.fields, &path)
                    && field.aliases.len() < MAX_ALIASES
                    && field.aliases.iter().all(|alias| *alias != label)
                {
                    field.aliases.push(label);
                }
            }
        }
        self.examples = examples;
        self
    }

    /// The examples as a prompt shows them; empty without any.
    #[must_use]
    pub(crate) fn examples_text(&self) -> String {
        let mut text = String::new();
        for (index, example) in self.examples.iter().enumerate() {
            let number = index + 1;
            let record = Value::Object(example.record.clone());
            let _ = write!(
                text,
                "\n<example number=\"{number}\">\n{}\n</example>\n<record number=\"{number}\">{record}</record>",
                example.text.trim()
            );
        }
        text
    }

    /// Whether a value of a field is one of the form's examples.
    pub(crate) fn is_example(&self, field: &Field, pointer: &str, value: &Value) -> bool {
        let same =
            |example: &Value| example == value || example.as_f64().is_some_and(|n| Some(n) == value.as_f64());
        field.examples.iter().any(same)
            || self
                .examples
                .iter()
                .any(|example| stands_at(&Value::Object(example.record.clone()), pointer, &same))
    }
}

/// Whether a record has a value at a pointer, in any entry of its lists.
fn stands_at(record: &Value, pointer: &str, same: &dyn Fn(&Value) -> bool) -> bool {
    let mut values = vec![record];
    for token in crate::pointer_tokens(pointer) {
        values = values
            .into_iter()
            .flat_map(|value| match value {
                Value::Array(items) => items.iter().collect(),
                Value::Object(object) => object.get(&token).into_iter().collect::<Vec<_>>(),
                _ => Vec::new(),
            })
            .collect();
    }
    values.into_iter().any(same)
}

/// The single value at a pointer; `None` for one in a list, whose columns have heads and not labels.
fn single_value<'f>(fields: &'f mut [Field], pointer: &str) -> Option<&'f mut Field> {
    let mut tokens = crate::pointer_tokens(pointer);
    let first = tokens.next()?;
    let mut field = fields.iter_mut().find(|field| field.name == first)?;
    for token in tokens {
        field = match &mut field.kind {
            FieldType::Object(parts) => parts.iter_mut().find(|part| part.name == token)?,
            _ => return None,
        };
    }
    Some(field)
}

/// The label beside or above a span of characters.
fn label_at(text: &TextLines, start: usize, end: usize) -> Option<String> {
    let line = text.lines.partition_point(|line| line.start <= start).checked_sub(1)?;
    let own = text.lines.get(line)?;
    let within = start.checked_sub(own.start)?;
    let byte = own.text.char_indices().nth(within).map(|(at, _)| at)?;
    if end.saturating_sub(own.start) > own.text.chars().count() {
        return None;
    }
    let label = left_label(own, byte).or_else(|| above_label(text, line, byte))?;
    let label = label.trim_matches(|c: char| !c.is_alphanumeric());
    let is_label = !label.is_empty() && label.split_whitespace().nth(MAX_LABEL_WORDS).is_none();
    is_label.then(|| label.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn an_example_has_what_a_record_states_without_computed_values() {
        let number = json!({"type": "number"});
        let row = json!({"type": "object", "properties": {
            "name": {"type": "string"}, "price": number, "double": {"type": "number", "computed": "price * 2"}}});
        let schema = json!({"rows": {"type": "array", "items": row}, "seller": row, "day": {"type": "date"},
            "total": {"type": "number", "computed": "rows.sum(price)"}});
        let form = FormSchema::parse(schema.as_object().unwrap()).unwrap();
        let record = json!({"total": 3, "day": null, "gone": 1, "seller": {"name": null, "double": 2},
            "rows": [{"name": "a", "price": 3, "double": 6}, {"name": null, "price": null}, null]});
        let stated = stated_values(&form.fields, record.as_object().unwrap());
        assert_eq!(json!(stated), json!({"rows": [{"name": "a", "price": 3}]}));
    }
}
