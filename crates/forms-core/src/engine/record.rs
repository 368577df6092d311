//! Assembles the result from the tree: plain values in the form's order, evidence by JSON pointer, and the
//! broken rules. Fields that do not apply are cleared.

use gen_core::text::identifiers::IdentifierKind;
use indexmap::IndexMap;
use serde_json::{Map, Value};
use shared_core::Violation;

use super::node::{NestedFields, Node, pointer_token};
use crate::{Conflict, Evidence, Field, FormSchema};

/// The assembled record.
#[derive(Debug, Default)]
pub(super) struct AssembledRecord {
    pub(super) record: Map<String, Value>,
    pub(super) evidence: IndexMap<String, Evidence>,
    pub(super) conflicts: Vec<Conflict>,
    pub(super) errors: Vec<Violation>,
}

/// Assembles the nodes of a form's fields.
pub(super) fn assemble(schema: &FormSchema, nodes: Vec<Node>, conflicts: Vec<Conflict>) -> AssembledRecord {
    let mut out = AssembledRecord { conflicts, ..AssembledRecord::default() };
    out.record = out.parts(&schema.fields, nodes, "");
    let inapplicable = schema.clear_inapplicable(&mut out.record);
    if !inapplicable.is_empty() {
        out.evidence.retain(|pointer, _| !inapplicable.covers(pointer));
        out.conflicts.retain(|conflict| !inapplicable.covers(&conflict.path));
        out.errors.retain(|error| !inapplicable.covers(&error.path));
    }
    out
}

impl AssembledRecord {
    fn parts(&mut self, fields: &[Field], nodes: Vec<Node>, path: &str) -> Map<String, Value> {
        let mut written: Vec<(&Field, Node)> = fields.iter().zip(nodes).collect();
        written.sort_by_key(|(field, _)| field.position);
        let mut object = Map::new();
        for (field, node) in written {
            let path = format!("{path}/{}", pointer_token(&field.name));
            if field.required && node == Node::Absent {
                let message = format!("'{}' is required, and the documents do not state it", field.name);
                self.errors.push(Violation::new(&path, message));
            }
            let value = self.value(field, node, &path);
            object.insert(field.name.clone(), value);
        }
        object
    }

    fn value(&mut self, field: &Field, node: Node, path: &str) -> Value {
        match (node, NestedFields::of(field)) {
            (Node::Leaf(leaf), _) => {
                // An identifier is returned as printed, even if its check digits are wrong.
                let identity = IdentifierKind::of_name(&field.name);
                if let Some(fault) = identity.zip(leaf.value.as_str()).and_then(|(own, text)| own.fault(text))
                {
                    self.errors.push(Violation::new(
                        path,
                        format!("'{}' is kept as printed, but {fault}", field.name),
                    ));
                }
                if let Some(evidence) = leaf.evidence {
                    self.evidence.insert(path.to_owned(), evidence);
                }
                leaf.value
            }
            (Node::Failed(message), _) => {
                self.errors.push(Violation::new(path, message));
                Value::Null
            }
            (Node::List { items, problem }, NestedFields::Items(item)) => {
                self.errors.extend(problem.map(|message| Violation::new(path, message)));
                let values = items.into_iter().enumerate();
                values.map(|(index, node)| self.value(item, node, &format!("{path}/{index}"))).collect()
            }
            (Node::Group(parts), NestedFields::Parts(fields)) => {
                Value::Object(self.parts(fields, parts, path))
            }
            _ => Value::Null,
        }
    }
}
