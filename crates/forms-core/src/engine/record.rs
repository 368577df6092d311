//! From the tree to what is handed out: plain values in the order of the form, evidence by pointer,
//! and the rules that are broken.

use indexmap::IndexMap;
use serde_json::{Map, Value};
use shared_core::Violation;

use super::node::{Fields, Node, pointer_token};
use crate::{Evidence, Field};

/// What a record comes out as.
#[derive(Debug, Default)]
pub(super) struct Assembled {
    pub(super) record: Map<String, Value>,
    pub(super) evidence: IndexMap<String, Evidence>,
    pub(super) errors: Vec<Violation>,
}

/// Writes out the nodes of `fields`.
pub(super) fn assemble(fields: &[Field], nodes: Vec<Node>) -> Assembled {
    let mut out = Assembled::default();
    out.record = out.parts(fields, nodes, "");
    out
}

impl Assembled {
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
            let value = self.value(Fields::of(field), node, &path);
            object.insert(field.name.clone(), value);
        }
        object
    }

    fn value(&mut self, fields: Fields<'_>, node: Node, path: &str) -> Value {
        match (node, fields) {
            (Node::Leaf(leaf), _) => {
                if let Some(evidence) = leaf.evidence {
                    self.evidence.insert(path.to_owned(), evidence);
                }
                leaf.value
            }
            (Node::Failed(message), _) => {
                self.errors.push(Violation::new(path, message));
                Value::Null
            }
            (Node::List { items, problem }, Fields::Items(item)) => {
                self.errors.extend(problem.map(|message| Violation::new(path, message)));
                let item = Fields::of(item);
                let values = items.into_iter().enumerate();
                values.map(|(index, node)| self.value(item, node, &format!("{path}/{index}"))).collect()
            }
            (Node::Group(parts), Fields::Parts(fields)) => Value::Object(self.parts(fields, parts, path)),
            _ => Value::Null,
        }
    }
}
