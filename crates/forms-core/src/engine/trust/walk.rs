//! Traversal of a record together with its form and a second reading of it.

use super::super::node::{NestedFields, Node, pointer_token};
use super::agreement::{CrossCheck, ListColumns};
use crate::Field;

/// A visited leaf.
#[derive(Debug)]
pub(super) struct VisitedLeaf<'w> {
    pub(super) field: &'w Field,
    /// JSON pointer into the record.
    pub(super) path: &'w str,
    /// The second reading of the value.
    pub(super) cross_check: CrossCheck<'w>,
    /// Whether it is an item of a list, or a member of one.
    pub(super) listed: bool,
}

/// Visits every leaf, in order.
pub(super) fn visit_leaves(
    fields: &[Field],
    nodes: &mut [Node],
    second: Option<&[Node]>,
    visit: &mut impl FnMut(VisitedLeaf<'_>, &mut Node),
) {
    let mut path = String::new();
    let second = second.map_or(CrossCheckCursor::Silent, CrossCheckCursor::Parts);
    visit_parts(fields, nodes, second, false, &mut path, visit);
}

/// The position in the second reading.
#[derive(Clone, Copy)]
enum CrossCheckCursor<'w> {
    Silent,
    /// The members of an object.
    Parts(&'w [Node]),
    One(&'w Node),
    Columns(&'w ListColumns),
}

fn visit_parts(
    fields: &[Field],
    nodes: &mut [Node],
    second: CrossCheckCursor<'_>,
    listed: bool,
    path: &mut String,
    visit: &mut impl FnMut(VisitedLeaf<'_>, &mut Node),
) {
    for (at, (field, node)) in fields.iter().zip(nodes).enumerate() {
        let length = path.len();
        path.push('/');
        path.push_str(&pointer_token(&field.name));
        let second = match second {
            CrossCheckCursor::Parts(parts) => {
                parts.get(at).map_or(CrossCheckCursor::Silent, CrossCheckCursor::One)
            }
            CrossCheckCursor::Columns(columns) => {
                columns.part(at).map_or(CrossCheckCursor::Silent, CrossCheckCursor::Columns)
            }
            CrossCheckCursor::One(_) | CrossCheckCursor::Silent => CrossCheckCursor::Silent,
        };
        visit_node(field, node, second, listed, path, visit);
        path.truncate(length);
    }
}

fn visit_node(
    field: &Field,
    node: &mut Node,
    second: CrossCheckCursor<'_>,
    listed: bool,
    path: &mut String,
    visit: &mut impl FnMut(VisitedLeaf<'_>, &mut Node),
) {
    match (node, NestedFields::of(field)) {
        (Node::Group(own), NestedFields::Parts(fields)) => {
            let second = match second {
                CrossCheckCursor::One(Node::Group(parts)) => CrossCheckCursor::Parts(parts),
                CrossCheckCursor::Columns(columns) => CrossCheckCursor::Columns(columns),
                _ => CrossCheckCursor::Silent,
            };
            visit_parts(fields, own, second, listed, path, visit);
        }
        (Node::List { items, .. }, NestedFields::Items(item)) => {
            let columns = match second {
                CrossCheckCursor::One(Node::List { items, .. }) => Some(ListColumns::of(item, items)),
                _ => None,
            };
            for (index, node) in items.iter_mut().enumerate() {
                let length = path.len();
                path.push_str(&format!("/{index}"));
                let second = columns.as_ref().map_or(CrossCheckCursor::Silent, CrossCheckCursor::Columns);
                visit_node(item, node, second, true, path, visit);
                path.truncate(length);
            }
        }
        (node @ Node::Leaf(_), NestedFields::None) => {
            let field = match &*node {
                Node::Leaf(leaf) => field.of_value(&leaf.value),
                _ => field,
            };
            let second = match second {
                CrossCheckCursor::One(node) => CrossCheck::Value(node),
                CrossCheckCursor::Columns(columns) => {
                    columns.values().map_or(CrossCheck::Silent, CrossCheck::Column)
                }
                CrossCheckCursor::Parts(_) | CrossCheckCursor::Silent => CrossCheck::Silent,
            };
            visit(VisitedLeaf { field, path, cross_check: second, listed }, node);
        }
        _ => {}
    }
}
