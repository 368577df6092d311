//! Agreement of a second reader with a value.

use std::collections::HashMap;

use language::fold::fold_letters;
use serde_json::Value;

use super::super::node::{NestedFields, Node};
use crate::Field;

/// The vote of a second reader on a value, with its own confidence, 0 to 1.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Vote {
    /// No value, or one that neither confirms nor contradicts it.
    Abstains,
    /// The same value.
    Agrees(f32),
    /// A different value.
    Disagrees(f32),
}

/// The confidence of a reader that states none, as most models do. The trees learn what it is worth. Chosen
/// by hand; no measurement is recorded.
const SURE: f32 = 0.8;

impl Vote {
    /// Combines this vote with that of another reader.
    pub(super) fn combined_with(self, other: Self) -> Self {
        let weight = |opinion: Self| match opinion {
            Self::Abstains => 0.0,
            Self::Agrees(sure) => sure.clamp(0.0, 1.0),
            Self::Disagrees(sure) => -sure.clamp(0.0, 1.0),
        };
        match (self, other) {
            (Self::Abstains, only) | (only, Self::Abstains) => only,
            _ => match (weight(self) + weight(other)).clamp(-1.0, 1.0) {
                sum if sum > 0.0 => Self::Agrees(sum),
                sum if sum < 0.0 => Self::Disagrees(-sum),
                _ => Self::Abstains,
            },
        }
    }
}

/// The second reading of one value.
#[derive(Clone, Copy, Debug)]
pub(super) enum CrossCheck<'w> {
    /// No second reading.
    Silent,
    /// A single value.
    Value(&'w Node),
    /// The values of its column: rows of two readings are not matched.
    Column(&'w ColumnValues),
}

/// The vote on `value`.
pub(super) fn vote_on(value: &Value, second: CrossCheck<'_>) -> Vote {
    match second {
        CrossCheck::Silent => Vote::Abstains,
        CrossCheck::Column(column) => {
            column.0.get(&comparison_key(value)).map_or(Vote::Abstains, |s| Vote::Agrees(*s))
        }
        CrossCheck::Value(Node::Leaf(leaf)) => {
            let sure = leaf.hint.map_or(SURE, |hint| hint.confidence);
            match relation(value, &leaf.value) {
                Relation::Same => Vote::Agrees(sure),
                Relation::Part => Vote::Abstains,
                // Its unit is read at a place, which the second reading does not have.
                Relation::Other if leaf.measure.is_some() => Vote::Abstains,
                Relation::Other => Vote::Disagrees(sure),
            }
        }
        CrossCheck::Value(_) => Vote::Abstains,
    }
}

enum Relation {
    Same,
    /// One contains the other, such as a name with and without its legal form.
    Part,
    Other,
}

fn relation(a: &Value, b: &Value) -> Relation {
    let (a, b) = (comparison_key(a), comparison_key(b));
    match () {
        () if a == b => Relation::Same,
        () if a.starts_with('t') && b.starts_with('t') && (a.contains(&b[1..]) || b.contains(&a[1..])) => {
            Relation::Part
        }
        () => Relation::Other,
    }
}

/// A key that is equal for equal values.
pub(super) fn comparison_key(value: &Value) -> String {
    match value {
        Value::String(text) => {
            let words = fold_letters(text);
            // What has no letters is told apart by its signs.
            if words.is_empty() { format!("s{text}") } else { format!("t{words}") }
        }
        Value::Number(number) => number.as_f64().map_or_else(|| format!("n{number}"), |n| format!("n{n}")),
        other => format!("o{other}"),
    }
}

/// The values of one column of a list, each with the reader's highest confidence.
#[derive(Debug, Default)]
pub(super) struct ColumnValues(HashMap<String, f32>);

/// The columns of a list. Rows of two readers seldom match one by one, so columns are compared.
#[derive(Debug)]
pub(super) enum ListColumns {
    Values(ColumnValues),
    Parts(Vec<ListColumns>),
    /// Nested lists are not compared.
    Lists,
}

impl ListColumns {
    pub(super) fn of(item: &Field, rows: &[Node]) -> Self {
        let mut columns = Self::empty(item);
        rows.iter().for_each(|row| columns.add(row));
        columns
    }

    fn empty(field: &Field) -> Self {
        match NestedFields::of(field) {
            NestedFields::None => Self::Values(ColumnValues::default()),
            NestedFields::Parts(parts) => Self::Parts(parts.iter().map(Self::empty).collect()),
            NestedFields::Items(_) => Self::Lists,
        }
    }

    fn add(&mut self, node: &Node) {
        match (self, node) {
            (Self::Values(ColumnValues(values)), Node::Leaf(leaf)) => {
                let sure = leaf.hint.map_or(SURE, |hint| hint.confidence);
                let known = values.entry(comparison_key(&leaf.value)).or_default();
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

    pub(super) fn values(&self) -> Option<&ColumnValues> {
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

    fn opinion(own: Value, second: Value) -> Vote {
        vote_on(&own, CrossCheck::Value(&leaf(second)))
    }

    #[test]
    fn the_same_in_other_words_agrees_and_a_part_of_it_says_nothing() {
        assert_eq!(opinion(json!("ACME GmbH"), json!("acme gmbh.")), Vote::Agrees(SURE));
        assert_eq!(opinion(json!(12), json!(12.0)), Vote::Agrees(SURE));
        assert_eq!(opinion(json!("ACME GmbH & Co"), json!("ACME GmbH")), Vote::Abstains);
        assert_eq!(opinion(json!("ACME"), json!("Bolt")), Vote::Disagrees(SURE));
        assert_eq!(opinion(json!(12), json!(13)), Vote::Disagrees(SURE));
        assert_eq!(opinion(json!(true), json!(false)), Vote::Disagrees(SURE));
        assert_eq!(vote_on(&json!(1), CrossCheck::Silent), Vote::Abstains);
    }
}
