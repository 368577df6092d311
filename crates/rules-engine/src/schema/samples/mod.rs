//! Proposes a form's schema from sample documents: the labels that they share, and the heads of their tables.

mod labels;
mod proposed_field;
mod tables;
mod value_type;

use document::{Document, KeyValue, TableContent, key_values, tables as tables_of};
use language::fold::fold_phrase;
use language::form_words::FormWords;
use serde_json::{Map, Value};

use super::draft::{self, FieldDraft};
use labels::{LabelGroup, group_labels};
pub use proposed_field::ProposedField;
use tables::{TableGroup, group_tables};

/// Samples from which on a label must recur.
const FEW: usize = 3;
/// A schema that sample documents suggest.
#[derive(Clone, Debug, PartialEq)]
pub struct ProposedSchema {
    /// Field name to definition; valid.
    pub schema: Map<String, Value>,
    /// Where its fields are from, in order.
    pub fields: Vec<ProposedField>,
    /// What the user should know.
    pub warnings: Vec<String>,
}

/// The schema that documents suggest by the labels and tables that recur in them. Of three or more documents at least
/// half must have a label. The schema always passes [`validate_schema`](forms_core::validate_schema).
#[must_use]
pub fn propose_schema(documents: &[&Document]) -> ProposedSchema {
    let pairs: Vec<_> = documents.iter().map(|document| key_values(document)).collect();
    let tables: Vec<_> = documents.iter().map(|document| tables_of(document)).collect();
    of_parts(&pairs, &tables)
}

/// The schema by the labels and the tables of each document.
fn of_parts(pairs: &[Vec<KeyValue>], tables: &[Vec<TableContent>]) -> ProposedSchema {
    let recurs = |count: usize| pairs.len() < FEW || 2 * count >= pairs.len();
    let mut labels = group_labels(pairs);
    let mut tables = group_tables(tables);
    labels.retain(|group| recurs(group.documents));
    tables.retain(|group| recurs(group.documents));
    // A head of a column with one row is read as a label, too.
    labels.retain(|label| {
        !tables.iter().any(|table| table.columns.iter().any(|column| column.key == label.key))
    });
    assemble(pairs.len(), &labels, &tables)
}

fn assemble(documents: usize, labels: &[LabelGroup], tables: &[TableGroup]) -> ProposedSchema {
    let words: Vec<&str> = labels.iter().map(|group| group.label.as_str()).collect();
    let lexicon = FormWords::detect(&words.join("\n"));
    let mut drafts: Vec<FieldDraft> = labels.iter().map(LabelGroup::draft).collect();
    drafts.extend(tables.iter().map(TableGroup::draft));
    let mut warnings = Vec::new();
    if drafts.is_empty() {
        warnings.push("no label and no table recurs in the documents; name the fields yourself".to_owned());
        drafts.push(FieldDraft {
            name: "content".to_owned(),
            description: "Content".to_owned(),
            ..FieldDraft::default()
        });
    }
    let schema = draft::schema(&drafts, lexicon);
    if schema.len() < drafts.len() {
        warnings.push(format!("{} further labels were left out", drafts.len() - schema.len()));
    }
    let mut fields = Vec::new();
    let mut names = schema.iter();
    for (group, (name, _)) in labels.iter().zip(names.by_ref()) {
        fields.push(group.proposed(&format!("/{}", pointer(name))));
    }
    for (group, (name, definition)) in tables.iter().zip(names) {
        let path = format!("/{}", pointer(name));
        fields.push(ProposedField {
            path: path.clone(),
            label: group.title.clone(),
            documents: group.documents,
            examples: Vec::new(),
        });
        let parts = definition.pointer("/items/properties").and_then(Value::as_object);
        for (column, (part, _)) in group.columns.iter().zip(parts.into_iter().flatten()) {
            fields.push(column.proposed(&format!("{path}/items/properties/{}", pointer(part))));
        }
    }
    if documents == 1 {
        warnings.push("one document shows only its own labels; more show which of them recur".to_owned());
    }
    ProposedSchema { schema, fields, warnings }
}

impl ProposedSchema {
    /// The fields of a schema that a model made, with the labels and examples of `found` where a field has the name or
    /// description of a label.
    pub(super) fn of_model(schema: Map<String, Value>, found: &Self, documents: &[&Document]) -> Self {
        let texts: Vec<String> = documents.iter().map(|document| fold_phrase(&document.text)).collect();
        let mut fields = Vec::new();
        collect(&schema, "", &mut |path, name, description| {
            let keys = [fold_phrase(name), fold_phrase(description)];
            let known = found.fields.iter().find(|field| keys.contains(&fold_phrase(&field.label)));
            let printed = texts
                .iter()
                .filter(|text| keys.iter().any(|key| !key.is_empty() && text.contains(key.as_str())));
            fields.push(ProposedField {
                path: path.to_owned(),
                label: known.map_or_else(|| description.to_owned(), |field| field.label.clone()),
                documents: known.map_or_else(|| printed.count(), |field| field.documents),
                examples: known.map(|field| field.examples.clone()).unwrap_or_default(),
            });
        });
        Self { schema, fields, warnings: Vec::new() }
    }
}

/// Calls `emit` with pointer, name and description of every field.
fn collect(fields: &Map<String, Value>, path: &str, emit: &mut impl FnMut(&str, &str, &str)) {
    for (name, definition) in fields {
        let path = format!("{path}/{}", pointer(name));
        emit(&path, name, definition.get("description").and_then(Value::as_str).unwrap_or_default());
        for below in ["/properties", "/items/properties"] {
            if let Some(parts) = definition.pointer(below).and_then(Value::as_object) {
                collect(parts, &format!("{path}{below}"), emit);
            }
        }
    }
}

fn pointer(name: &str) -> String {
    name.replace('~', "~0").replace('/', "~1")
}

#[cfg(test)]
mod tests;
