//! One record from several answers: the best evidence wins, disagreements are kept, lists are joined.

use serde_json::Value;

use super::coerce;
use super::node::{Fields, Leaf, Node, pointer_token};
use super::text::fold::folded;
use crate::{Conflict, ConflictValue, Evidence, Field};

/// Rows at a seam that are compared.
const MAX_SEAM: usize = 500;

/// Merges the answers, each parallel to `fields`, in the order of the documents.
pub(super) fn merge(fields: &[Field], answers: Vec<Vec<Node>>) -> (Vec<Node>, Vec<Conflict>) {
    let mut conflicts = Vec::new();
    let nodes = parts(fields, answers, "", &mut conflicts);
    (nodes, conflicts)
}

fn parts(fields: &[Field], answers: Vec<Vec<Node>>, path: &str, conflicts: &mut Vec<Conflict>) -> Vec<Node> {
    let mut columns: Vec<_> = answers.into_iter().map(Vec::into_iter).collect();
    let merge_field = |field: &Field| {
        let nodes: Vec<Node> = columns.iter_mut().filter_map(Iterator::next).collect();
        let path = format!("{path}/{}", pointer_token(&field.name));
        node(field, nodes, &path, conflicts)
    };
    fields.iter().map(merge_field).collect()
}

fn node(field: &Field, nodes: Vec<Node>, path: &str, conflicts: &mut Vec<Conflict>) -> Node {
    let mut failed = None;
    let (mut leaves, mut groups, mut lists) = (Vec::new(), Vec::new(), Vec::new());
    for node in nodes {
        match node {
            Node::Absent => {}
            Node::Failed(message) => failed = failed.or(Some(message)),
            Node::Leaf(leaf) => leaves.push(*leaf),
            Node::Group(parts) => groups.push(parts),
            Node::List { items, problem } => lists.push((items, problem)),
        }
    }
    match Fields::of(field) {
        Fields::None if !leaves.is_empty() => leaf(leaves, path, conflicts),
        Fields::Parts(fields) if !groups.is_empty() => Node::Group(parts(fields, groups, path, conflicts)),
        Fields::Items(_) if !lists.is_empty() => list(field, lists),
        _ => failed.map_or(Node::Absent, Node::Failed),
    }
}

/// The value with the best evidence, the first of equals.
fn leaf(mut leaves: Vec<Leaf>, path: &str, conflicts: &mut Vec<Conflict>) -> Node {
    let mut best = 0;
    for (index, leaf) in leaves.iter().enumerate() {
        if confidence(leaf) > leaves.get(best).map_or(0.0, confidence) {
            best = index;
        }
    }
    let winner = leaves.remove(best.min(leaves.len() - 1));
    let mut distinct: Vec<&Leaf> = vec![&winner];
    for leaf in &leaves {
        if !distinct.iter().any(|known| is_same(&known.value, &leaf.value)) {
            distinct.push(leaf);
        }
    }
    if distinct.len() > 1 {
        let side = |leaf: &&Leaf| {
            Some(ConflictValue { value: leaf.value.clone(), evidence: leaf.evidence.clone()? })
        };
        conflicts
            .push(Conflict { path: path.to_owned(), values: distinct.iter().filter_map(side).collect() });
    }
    Node::Leaf(Box::new(winner))
}

fn confidence(leaf: &Leaf) -> f32 {
    leaf.evidence.as_ref().map_or(0.0, |evidence: &Evidence| evidence.confidence)
}

/// Items one list after the other; what the end of one and the beginning of the next have in common
/// stands once.
fn list(field: &Field, mut lists: Vec<(Vec<Node>, Option<String>)>) -> Node {
    if lists.len() == 1
        && let Some((items, problem)) = lists.pop()
    {
        return Node::List { items, problem };
    }
    let mut joined: Vec<Node> = Vec::new();
    for (items, _) in lists {
        let common = common(&joined, &items);
        joined.extend(items.into_iter().skip(common));
    }
    let problem = coerce::count_rule(field, joined.len());
    Node::List { items: joined, problem }
}

fn common(before: &[Node], after: &[Node]) -> usize {
    let most = before.len().min(after.len()).min(MAX_SEAM);
    let fits =
        |count: &usize| before.iter().skip(before.len() - count).zip(after).all(|(a, b)| is_same_node(a, b));
    (1..=most).rev().find(fits).unwrap_or(0)
}

fn is_same_node(a: &Node, b: &Node) -> bool {
    match (a, b) {
        (Node::Leaf(a), Node::Leaf(b)) => is_same(&a.value, &b.value),
        (Node::Absent, Node::Absent) => true,
        (Node::Group(a), Node::Group(b)) => {
            a.len() == b.len() && a.iter().zip(b).all(|(a, b)| is_same_node(a, b))
        }
        (Node::List { items: a, .. }, Node::List { items: b, .. }) => {
            a.len() == b.len() && a.iter().zip(b).all(|(a, b)| is_same_node(a, b))
        }
        _ => false,
    }
}

/// Whether two values say the same: numbers by value, texts without case, spaces and punctuation.
fn is_same(a: &Value, b: &Value) -> bool {
    match (a, b) {
        (Value::Number(a), Value::Number(b)) => a == b || a.as_f64() == b.as_f64(),
        (Value::String(a), Value::String(b)) => a == b || (folded(a) == folded(b) && !folded(a).is_empty()),
        _ => a == b,
    }
}
