//! Whether a second reading says the same of a value.

use std::collections::HashMap;

use serde_json::Value;

use super::super::node::{Fields, Node};
use super::super::text::fold::folded;
use super::walk::Second;
use crate::Field;

/// What a second reader says of a value, and how sure it is of itself, 0 to 1.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Opinion {
    /// Nothing, or something that neither confirms nor denies it.
    Silent,
    /// The same.
    Agrees(f32),
    /// Something else.
    Disagrees(f32),
}

/// The opinion on `value`.
pub(super) fn of(value: &Value, second: Second<'_>) -> Opinion {
    match second {
        Second::Silent => Opinion::Silent,
        Second::Column(column) => column.0.get(&key(value)).map_or(Opinion::Silent, |s| Opinion::Agrees(*s)),
        Second::Value(Node::Leaf(leaf)) => {
            let sure = leaf.hint.map_or(0.5, |hint| hint.confidence);
            match relation(value, &leaf.value) {
                Relation::Same => Opinion::Agrees(sure),
                Relation::Part => Opinion::Silent,
                Relation::Other => Opinion::Disagrees(sure),
            }
        }
        Second::Value(_) => Opinion::Silent,
    }
}

enum Relation {
    Same,
    /// One is a part of the other, such as a name with and without its legal form.
    Part,
    Other,
}

fn relation(a: &Value, b: &Value) -> Relation {
    let (a, b) = (key(a), key(b));
    match () {
        () if a == b => Relation::Same,
        () if a.starts_with('t') && b.starts_with('t') && (a.contains(&b[1..]) || b.contains(&a[1..])) => {
            Relation::Part
        }
        () => Relation::Other,
    }
}

/// What two values that say the same have in common.
fn key(value: &Value) -> String {
    match value {
        Value::String(text) => {
            let words = folded(text);
            // What has no letters is told apart by its signs.
            if words.is_empty() { format!("s{text}") } else { format!("t{words}") }
        }
        Value::Number(number) => number.as_f64().map_or_else(|| format!("n{number}"), |n| format!("n{n}")),
        other => format!("o{other}"),
    }
}

/// The values of one column of a list, each with how sure the reader is of it at best.
#[derive(Debug, Default)]
pub(super) struct Column(HashMap<String, f32>);

/// The columns of a list: rows of two readings seldom match one by one.
#[derive(Debug)]
pub(super) enum Columns {
    Values(Column),
    Parts(Vec<Columns>),
    /// Lists in lists are not compared.
    Lists,
}

impl Columns {
    pub(super) fn of(item: &Field, rows: &[Node]) -> Self {
        let mut columns = Self::empty(item);
        rows.iter().for_each(|row| columns.add(row));
        columns
    }

    fn empty(field: &Field) -> Self {
        match Fields::of(field) {
            Fields::None => Self::Values(Column::default()),
            Fields::Parts(parts) => Self::Parts(parts.iter().map(Self::empty).collect()),
            Fields::Items(_) => Self::Lists,
        }
    }

    fn add(&mut self, node: &Node) {
        match (self, node) {
            (Self::Values(Column(values)), Node::Leaf(leaf)) => {
                let sure = leaf.hint.map_or(0.5, |hint| hint.confidence);
                let known = values.entry(key(&leaf.value)).or_default();
                *known = known.max(sure);
            }
            (Self::Parts(columns), Node::Group(parts)) => {
                columns.iter_mut().zip(parts).for_each(|(column, part)| column.add(part));
            }
            _ => {}
        }
    }

    pub(super) fn part(&self, at: usize) -> Option<&Self> {
        match self {
            Self::Parts(columns) => columns.get(at),
            Self::Values(_) | Self::Lists => None,
        }
    }

    pub(super) fn values(&self) -> Option<&Column> {
        match self {
            Self::Values(column) => Some(column),
            Self::Parts(_) | Self::Lists => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::node::Leaf;
    use super::*;
    use serde_json::json;

    fn leaf(value: Value) -> Node {
        Node::Leaf(Box::new(Leaf::new(value)))
    }

    fn opinion(own: Value, second: Value) -> Opinion {
        of(&own, Second::Value(&leaf(second)))
    }

    #[test]
    fn the_same_in_other_words_agrees_and_a_part_of_it_says_nothing() {
        assert_eq!(opinion(json!("ACME GmbH"), json!("acme gmbh.")), Opinion::Agrees(0.5));
        assert_eq!(opinion(json!(12), json!(12.0)), Opinion::Agrees(0.5));
        assert_eq!(opinion(json!("ACME GmbH & Co"), json!("ACME GmbH")), Opinion::Silent);
        assert_eq!(opinion(json!("ACME"), json!("Bolt")), Opinion::Disagrees(0.5));
        assert_eq!(opinion(json!(12), json!(13)), Opinion::Disagrees(0.5));
        assert_eq!(opinion(json!(true), json!(false)), Opinion::Disagrees(0.5));
        assert_eq!(of(&json!(1), Second::Silent), Opinion::Silent);
    }
}
