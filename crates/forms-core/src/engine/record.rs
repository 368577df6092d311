//! Assembles the result from the tree: plain values in the form's order, evidence by JSON pointer, and the
//! broken rules. Fields that do not apply are cleared.

use gen_core::text::identifiers::IdentifierKind;
use indexmap::IndexMap;
use serde_json::{Map, Value};
use shared_core::Violation;

use super::field_answer::node_value;
use super::node::{NestedFields, Node, pointer_token};
use crate::schema::{KEY, VALUE};
use crate::{Conflict, Evidence, Field, FormSchema, RecordFinding, Support};

/// The confidence of a value that is computed from nothing: no value is certain.
const MAX_CONFIDENCE: f32 = 0.99;

/// The assembled record.
#[derive(Debug, Default)]
pub(super) struct AssembledRecord {
    pub(super) record: Map<String, Value>,
    pub(super) evidence: IndexMap<String, Evidence>,
    pub(super) conflicts: Vec<Conflict>,
    pub(super) errors: Vec<Violation>,
    /// The computed fields that have a value.
    computed: Vec<RecordFinding>,
}

/// Assembles the nodes of `asked`, the fields of a form without the computed ones, and computes these.
pub(super) fn assemble(
    schema: &FormSchema,
    asked: &[Field],
    nodes: Vec<Node>,
    conflicts: Vec<Conflict>,
) -> AssembledRecord {
    let mut out = AssembledRecord { conflicts, ..AssembledRecord::default() };
    out.record = out.parts(asked, nodes, "");
    let inapplicable = schema.clear_inapplicable(&mut out.record);
    if !inapplicable.is_empty() {
        out.evidence.retain(|pointer, _| !inapplicable.covers(pointer));
        out.conflicts.retain(|conflict| !inapplicable.covers(&conflict.path));
        out.errors.retain(|error| !inapplicable.covers(&error.path));
    }
    out.computed = schema.compute(&mut out.record);
    out
}

/// Adds the evidence of computed values and the broken rules. A value that a broken rule depends on is not accepted.
pub(super) fn apply_rules(schema: &FormSchema, out: &mut AssembledRecord) {
    // Once for each value: a record may have thousands of rows, each with a finding.
    let mut paths: Vec<String> = out.evidence.keys().map(|pointer| schema.definition_path(pointer)).collect();
    for computed in std::mem::take(&mut out.computed) {
        let evidence = computed_evidence(&computed, &out.evidence, &paths);
        paths.push(schema.definition_path(&computed.path));
        out.evidence.insert(computed.path, evidence);
    }
    let broken = schema.broken_rules(&out.record);
    for ((pointer, evidence), path) in out.evidence.iter_mut().zip(&paths) {
        if broken.iter().any(|rule| rule.depends_on(pointer, path)) {
            evidence.accepted = evidence.accepted.map(|_| false);
        }
    }
    out.errors.extend(broken.into_iter().map(|rule| Violation::new(&rule.path, rule.message)));
}

/// A computed value is as certain as the least certain of the values that it is computed from.
fn computed_evidence(
    computed: &RecordFinding,
    known: &IndexMap<String, Evidence>,
    paths: &[String],
) -> Evidence {
    let inputs = || {
        let all = known.iter().zip(paths);
        all.filter(|((pointer, _), path)| computed.depends_on(pointer, path)).map(|((_, input), _)| input)
    };
    let confidence = inputs().map(|input| input.confidence).fold(MAX_CONFIDENCE, f32::min);
    let accepted = inputs().filter_map(|input| input.accepted).reduce(|all, accepted| all && accepted);
    Evidence { accepted, ..Evidence::without_place(Support::Computed, confidence) }
}

impl AssembledRecord {
    /// The object of a list of pairs. Of pairs with one name the first is taken, and another value is told.
    fn map(&mut self, item: &Field, pairs: Vec<Node>, (field, path): (&str, &str)) -> Value {
        let mut object = Map::new();
        let NestedFields::Parts(parts) = NestedFields::of(item) else { return Value::Null };
        for pair in pairs {
            let Node::Group(nodes) = pair else { continue };
            let (mut name, mut value) = (None, None);
            for (part, node) in parts.iter().zip(nodes) {
                match node {
                    Node::Leaf(leaf) if part.name == KEY => name = leaf.value.as_str().map(str::to_owned),
                    node if part.name == VALUE => value = Some((part, node)),
                    _ => {}
                }
            }
            let Some(((part, node), name)) = value.zip(name.filter(|name| !name.trim().is_empty())) else {
                let message = format!("an entry of '{field}' has a value and no name");
                self.errors.push(Violation::new(path, message));
                continue;
            };
            let place = format!("{path}/{}", pointer_token(&name));
            if let Some(known) = object.get(&name) {
                if *known != node_value(NestedFields::of(part), node).unwrap_or_default() {
                    let message = format!("'{name}' stands twice with different values; the first is taken");
                    self.errors.push(Violation::new(&place, message));
                }
                continue;
            }
            let value = self.value(part, node, &place);
            object.insert(name, value);
        }
        Value::Object(object)
    }

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
            (Node::List { items, problem }, NestedFields::Items(item)) if field.map_value().is_some() => {
                self.errors.extend(problem.map(|message| Violation::new(path, message)));
                self.map(item, items, (&field.name, path))
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
