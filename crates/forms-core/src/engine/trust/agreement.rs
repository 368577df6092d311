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

/// How sure a reader is that does not say so, as other models do not.
const SURE: f32 = 0.8;

impl Opinion {
    /// This opinion and that of another reader.
    pub(super) fn and(self, other: Self) -> Self {
        let weight = |opinion: Self| match opinion {
            Self::Silent => 0.0,
            Self::Agrees(sure) => sure.clamp(0.0, 1.0),
            Self::Disagrees(sure) => -sure.clamp(0.0, 1.0),
        };
        match (self, other) {
            (Self::Silent, only) | (only, Self::Silent) => only,
            _ => match (weight(self) + weight(other)).clamp(-1.0, 1.0) {
                sum if sum > 0.0 => Self::Agrees(sum),
                sum if sum < 0.0 => Self::Disagrees(-sum),
                _ => Self::Silent,
            },
        }
    }
}

/// The opinion on `value`.
pub(super) fn of(value: &Value, second: Second<'_>) -> Opinion {
    match second {
        Second::Silent => Opinion::Silent,
        Second::Column(column) => column.0.get(&key(value)).map_or(Opinion::Silent, |s| Opinion::Agrees(*s)),
        Second::Value(Node::Leaf(leaf)) => {
            let sure = leaf.hint.map_or(SURE, |hint| hint.confidence);
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
pub(super) fn key(value: &Value) -> String {
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
                let sure = leaf.hint.map_or(SURE, |hint| hint.confidence);
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
        assert_eq!(opinion(json!("ACME GmbH"), json!("acme gmbh.")), Opinion::Agrees(SURE));
        assert_eq!(opinion(json!(12), json!(12.0)), Opinion::Agrees(SURE));
        assert_eq!(opinion(json!("ACME GmbH & Co"), json!("ACME GmbH")), Opinion::Silent);
        assert_eq!(opinion(json!("ACME"), json!("Bolt")), Opinion::Disagrees(SURE));
        assert_eq!(opinion(json!(12), json!(13)), Opinion::Disagrees(SURE));
        assert_eq!(opinion(json!(true), json!(false)), Opinion::Disagrees(SURE));
        assert_eq!(of(&json!(1), Second::Silent), Opinion::Silent);
    }
}
