//! Which documents and fields go into which call, and what a model may be asked.

use gen_core::ModelId;
use gen_core::structured::{self, Dialect};

use crate::{Field, FieldType, FormSchema};

/// Single values that a model is asked for at once; with more, it begins to leave some out.
const MAX_LEAVES: usize = 40;

/// How a group is put to a model.
#[derive(Debug)]
pub(super) struct Plan {
    /// For each reading of the documents, those it reads, by index in the group.
    pub(super) calls: Vec<Vec<usize>>,
    /// The parts of the form that each reading asks for, one call a part, in the form's order.
    pub(super) parts: Vec<FormSchema>,
    /// Whether the model can make use of being told what was wrong.
    pub(super) asks_again: bool,
}

impl Plan {
    /// The built-in model costs nothing, so it reads each document by itself, which shows where
    /// documents disagree; being asked again it would answer the same. Other models read the whole
    /// group at once: they can weigh one document against another. Wide forms are asked for in parts.
    pub(super) fn new(model: &ModelId, schema: &FormSchema, documents: usize) -> Self {
        let all = (0..documents).collect::<Vec<_>>();
        let whole = || vec![schema.clone()];
        match model.is_extractive() {
            _ if documents == 0 => Self { calls: Vec::new(), parts: whole(), asks_again: false },
            true => Self {
                calls: all.chunks(1).map(<[usize]>::to_vec).collect(),
                parts: whole(),
                asks_again: false,
            },
            false => Self { calls: vec![all], parts: parts(schema, Dialect::of(model)), asks_again: true },
        }
    }
}

/// The form in parts of whole fields, each with few enough values and within what the dialect can say.
/// A field that is too much by itself is a part of its own.
fn parts(schema: &FormSchema, dialect: Dialect) -> Vec<FormSchema> {
    let takes = |part: &FormSchema| structured::fits(&part.to_json_schema(), &[dialect]).is_ok();
    if leaves(&schema.fields) <= MAX_LEAVES && takes(schema) {
        return vec![schema.clone()];
    }
    let mut parts: Vec<FormSchema> = Vec::new();
    for field in &schema.fields {
        let grown = parts.last().map(|last| with(last, field));
        match (parts.last_mut(), grown) {
            (Some(last), Some(grown)) if leaves(&grown.fields) <= MAX_LEAVES && takes(&grown) => {
                *last = grown
            }
            _ => parts.push(of_fields(vec![field.clone()])),
        }
    }
    parts
}

fn with(part: &FormSchema, field: &Field) -> FormSchema {
    let mut fields = part.fields.clone();
    fields.push(field.clone());
    of_fields(fields)
}

/// A form of these fields, written in the order of asking.
pub(super) fn of_fields(fields: Vec<Field>) -> FormSchema {
    let written_order = fields.iter().map(|field| field.name.clone()).collect();
    FormSchema { fields, written_order }
}

/// Single values that the fields hold, those of a list's items once.
pub(super) fn leaves(fields: &[Field]) -> usize {
    let of = |field: &Field| match &field.kind {
        FieldType::Object(parts) => leaves(parts),
        FieldType::Array(item) => leaves(std::slice::from_ref(item)),
        _ => 1,
    };
    fields.iter().map(of).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Map, Value, json};

    fn form(fields: impl Iterator<Item = (String, Value)>) -> FormSchema {
        FormSchema::parse(&fields.collect::<Map<_, _>>()).unwrap()
    }

    #[test]
    fn the_built_in_model_reads_one_document_a_call_and_others_the_group() {
        let schema = form((0..90).map(|n| (format!("f{n}"), json!({"type": "string"}))));
        let own = Plan::new(&ModelId::extractive(), &schema, 2);
        assert_eq!((own.calls, own.parts.len(), own.asks_again), (vec![vec![0], vec![1]], 1, false));
        let other = Plan::new(&"m@openai".parse().unwrap(), &schema, 2);
        assert_eq!((other.calls, other.asks_again), (vec![vec![0, 1]], true));
        assert!(Plan::new(&"m@openai".parse().unwrap(), &schema, 0).calls.is_empty());
    }

    #[test]
    fn a_wide_form_is_asked_for_in_parts_that_keep_its_order() {
        let row = json!({"type": "array", "items": {"type": "object", "properties": {
            "a": {"type": "string"}, "b": {"type": "number"}}}});
        let fields = (0..90)
            .map(|n| (format!("f{n}"), if n % 10 == 0 { row.clone() } else { json!({"type": "date"}) }));
        let schema = form(fields);
        let parts = Plan::new(&"m@openai".parse().unwrap(), &schema, 1).parts;
        assert_eq!(parts.len(), 3);
        assert!(parts.iter().all(|part| leaves(&part.fields) <= MAX_LEAVES));
        let names = |fields: &[Field]| fields.iter().map(|field| field.name.clone()).collect::<Vec<_>>();
        let asked: Vec<String> = parts.iter().flat_map(|part| names(&part.fields)).collect();
        assert_eq!(asked, names(&schema.fields));
    }

    #[test]
    fn a_dialect_of_few_unions_gets_smaller_parts() {
        // Each row takes three unions.
        let row = json!({"type": "array", "items": {"type": "object", "properties": {
            "a": {"type": "number"}, "b": {"type": "number"}, "c": {"type": "boolean"}}}});
        let schema = form((0..12).map(|n| (format!("f{n}"), row.clone())));
        assert_eq!(Plan::new(&"m@openai".parse().unwrap(), &schema, 1).parts.len(), 1);
        assert!(Plan::new(&"m@anthropic".parse().unwrap(), &schema, 1).parts.len() > 1);
    }
}
