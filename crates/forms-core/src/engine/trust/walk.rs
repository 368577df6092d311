//! Walks a record beside its form and a second reading of it.

use super::super::node::{Fields, Node, pointer_token};
use super::agreement;
use crate::Field;

/// Where a walk stands.
#[derive(Debug)]
pub(super) struct Seen<'w> {
    pub(super) field: &'w Field,
    /// JSON pointer into the record.
    pub(super) path: &'w str,
    /// What the second reading has there.
    pub(super) second: Second<'w>,
    /// Whether it is an item of a list, or a part of one.
    pub(super) listed: bool,
}

/// What a second reading says of a value.
#[derive(Clone, Copy, Debug)]
pub(super) enum Second<'w> {
    /// Nothing.
    Silent,
    /// One value.
    Value(&'w Node),
    /// A list that is not row by row the same: the values of its column.
    Column(&'w agreement::Column),
}

/// Visits every single value, in order.
pub(super) fn leaves(
    fields: &[Field],
    nodes: &mut [Node],
    second: Option<&[Node]>,
    visit: &mut impl FnMut(Seen<'_>, &mut Node),
) {
    let mut path = String::new();
    let second = second.map_or(Rest::Silent, Rest::Parts);
    parts(fields, nodes, second, false, &mut path, visit);
}

/// The second reading from here on.
#[derive(Clone, Copy)]
enum Rest<'w> {
    Silent,
    /// Beside the parts of an object.
    Parts(&'w [Node]),
    One(&'w Node),
    Columns(&'w agreement::Columns),
}

fn parts(
    fields: &[Field],
    nodes: &mut [Node],
    second: Rest<'_>,
    listed: bool,
    path: &mut String,
    visit: &mut impl FnMut(Seen<'_>, &mut Node),
) {
    for (at, (field, node)) in fields.iter().zip(nodes).enumerate() {
        let length = path.len();
        path.push('/');
        path.push_str(&pointer_token(&field.name));
        let second = match second {
            Rest::Parts(parts) => parts.get(at).map_or(Rest::Silent, Rest::One),
            Rest::Columns(columns) => columns.part(at).map_or(Rest::Silent, Rest::Columns),
            Rest::One(_) | Rest::Silent => Rest::Silent,
        };
        one(field, node, second, listed, path, visit);
        path.truncate(length);
    }
}

fn one(
    field: &Field,
    node: &mut Node,
    second: Rest<'_>,
    listed: bool,
    path: &mut String,
    visit: &mut impl FnMut(Seen<'_>, &mut Node),
) {
    match (node, Fields::of(field)) {
        (Node::Group(own), Fields::Parts(fields)) => {
            let second = match second {
                Rest::One(Node::Group(parts)) => Rest::Parts(parts),
                Rest::Columns(columns) => Rest::Columns(columns),
                _ => Rest::Silent,
            };
            parts(fields, own, second, listed, path, visit);
        }
        (Node::List { items, .. }, Fields::Items(item)) => {
            let columns = match second {
                Rest::One(Node::List { items, .. }) => Some(agreement::Columns::of(item, items)),
                _ => None,
            };
            for (index, node) in items.iter_mut().enumerate() {
                let length = path.len();
                path.push_str(&format!("/{index}"));
                let second = columns.as_ref().map_or(Rest::Silent, Rest::Columns);
                one(item, node, second, true, path, visit);
                path.truncate(length);
            }
        }
        (node @ Node::Leaf(_), Fields::None) => {
            let second = match second {
                Rest::One(node) => Second::Value(node),
                Rest::Columns(columns) => columns.values().map_or(Second::Silent, Second::Column),
                Rest::Parts(_) | Rest::Silent => Second::Silent,
            };
            visit(Seen { field, path, second, listed }, node);
        }
        _ => {}
    }
}
