//! Lists within a part of a form: finding them, and building a form of one list alone.

use super::super::node::{NestedFields, Node, pointer_token};
use crate::{Field, FieldType};

/// A list of a part: the path of its node, and the pointer of its value in an answer.
pub(super) struct ListLocation {
    pub(super) path: Vec<usize>,
    pub(super) pointer: String,
}

/// Finds lists of objects with several members that are not nested in other lists.
pub(super) fn find_lists(
    fields: &[Field],
    nodes: &[Node],
    above: &ListLocation,
    out: &mut Vec<ListLocation>,
) {
    for (index, (field, node)) in fields.iter().zip(nodes).enumerate() {
        let mut path = above.path.clone();
        path.push(index);
        let at = ListLocation { path, pointer: format!("{}/{}", above.pointer, pointer_token(&field.name)) };
        match (NestedFields::of(field), node) {
            (NestedFields::Parts(fields), Node::Group(nodes)) => find_lists(fields, nodes, &at, out),
            (NestedFields::Items(item), Node::List { .. }) => {
                if matches!(NestedFields::of(item), NestedFields::Parts(parts) if parts.len() > 1) {
                    out.push(at);
                }
            }
            _ => {}
        }
    }
}

/// The field at a path, and a copy of the topmost field that contains nothing else.
pub(super) fn field_at<'f>(fields: &'f [Field], path: &[usize]) -> Option<(&'f Field, Field)> {
    let (first, rest) = path.split_first()?;
    let field = fields.get(*first)?;
    if rest.is_empty() {
        return Some((field, field.clone()));
    }
    let NestedFields::Parts(parts) = NestedFields::of(field) else { return None };
    let (inner, only) = field_at(parts, rest)?;
    Some((inner, Field { kind: FieldType::Object(vec![only]), ..field.clone() }))
}

pub(super) fn pointer_of(fields: &[Field], path: &[usize]) -> String {
    let Some((field, rest)) = path.split_first().and_then(|(first, rest)| Some((fields.get(*first)?, rest)))
    else {
        return String::new();
    };
    let own = format!("/{}", pointer_token(&field.name));
    match NestedFields::of(field) {
        NestedFields::Parts(parts) => own + &pointer_of(parts, rest),
        _ => own,
    }
}

pub(super) fn node_at<'n>(nodes: &'n mut [Node], path: &[usize]) -> Option<&'n mut Node> {
    let (first, rest) = path.split_first()?;
    let node = nodes.get_mut(*first)?;
    if rest.is_empty() {
        return Some(node);
    }
    match node {
        Node::Group(parts) => node_at(parts, rest),
        _ => None,
    }
}
