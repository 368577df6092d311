//! Responses as rows.

use forms_core::Evidence;
use serde_json::{Map, Number, Value, json};

use super::columns::{Node, Nodes};
use super::{Cell, Layout};
use crate::{Response, StoredResponse};

/// A row with as many cells as its table has columns.
#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    /// Index of its table.
    pub table: usize,
    /// Its cells.
    pub cells: Vec<Cell>,
}

impl Layout {
    /// The rows of a response: one of the first table, and those of its lists in their order. `context` is
    /// the text of its documents, where it is wanted.
    #[must_use]
    pub fn rows(&self, stored: &StoredResponse, context: Option<String>) -> Vec<Row> {
        let response = &stored.response;
        let gid = Cell::Text(response.gid.clone());
        let mut cells = vec![gid.clone(), Cell::Number(stored.sid.0.into())];
        let mut below = Vec::new();
        fill(&self.fields, Some(&response.record), &[gid], &mut cells, &mut below);
        if self.rest {
            cells.push(self.rest_of(&response.record));
        }
        if self.extras.meta {
            cells.extend(meta(response));
        }
        match self.evidence_table {
            Some(table) => below.extend(evidence(response, table)),
            None if self.extras.evidence => cells.push(Cell::Text(json!(response.evidence).to_string())),
            None => {}
        }
        if self.extras.context {
            cells.push(Cell::text(context.as_deref()));
        }
        below.insert(0, Row { table: 0, cells });
        below
    }

    /// The fields that have no column, or parts without one, as JSON.
    fn rest_of(&self, record: &Map<String, Value>) -> Cell {
        let rest: Map<String, Value> = record
            .iter()
            .filter(|(name, value)| !shows(&self.fields, name, value))
            .map(|(name, value)| (name.clone(), value.clone()))
            .collect();
        if rest.is_empty() { Cell::Empty } else { Cell::Text(Value::Object(rest).to_string()) }
    }
}

/// Adds a cell for each column of `nodes`, and the rows of lists below them. `keys` say whose rows they are.
fn fill(
    nodes: &Nodes,
    object: Option<&Map<String, Value>>,
    keys: &[Cell],
    cells: &mut Vec<Cell>,
    below: &mut Vec<Row>,
) {
    for (name, node) in nodes {
        let value = object.and_then(|object| object.get(name)).unwrap_or(&Value::Null);
        if node.column {
            cells.push(if node.is_elsewhere(value) { Cell::Empty } else { Cell::of(value, node.date) });
        }
        fill(&node.parts, value.as_object(), keys, cells, below);
        let (Some(rows), Value::Array(items)) = (&node.rows, value) else { continue };
        for (item, number) in items.iter().zip(1_u64..) {
            let mut keys = keys.to_vec();
            keys.push(Cell::Number(number.into()));
            let mut cells = keys.clone();
            let at = below.len();
            fill(&rows.fields, item.as_object(), &keys, &mut cells, below);
            below.insert(at, Row { table: rows.table, cells });
        }
    }
}

/// Whether columns show the whole of a value.
fn shows(nodes: &Nodes, name: &str, value: &Value) -> bool {
    value.is_null() || nodes.get(name).is_some_and(|node| node.shows(value))
}

impl Node {
    fn shows(&self, value: &Value) -> bool {
        let whole = |nodes: &Nodes, object: &Map<String, Value>| {
            object.iter().all(|(name, value)| shows(nodes, name, value))
        };
        match (value, &self.rows) {
            (Value::Object(object), _) if !self.parts.is_empty() => whole(&self.parts, object),
            (Value::Array(items), Some(rows)) if self.is_elsewhere(value) => {
                items.iter().filter_map(Value::as_object).all(|item| whole(&rows.fields, item))
            }
            _ => self.column,
        }
    }

    /// Whether a value stands in columns beside its own, or in another table. It can be one or the other
    /// where versions of a form differ.
    fn is_elsewhere(&self, value: &Value) -> bool {
        match value {
            Value::Object(_) => !self.parts.is_empty(),
            Value::Array(items) => self.rows.is_some() && items.iter().all(Value::is_object),
            _ => false,
        }
    }
}

fn meta(response: &Response) -> [Cell; 5] {
    [
        Cell::joined(response.sources.iter().map(|source| source.name.as_str())),
        Cell::seconds(response.generation_duration),
        Cell::seconds(response.scraping_duration),
        Cell::seconds(response.total_duration),
        Cell::text(response.reused_from.as_deref()),
    ]
}

fn evidence(response: &Response, table: usize) -> impl Iterator<Item = Row> {
    let record = Value::Object(response.record.clone());
    response.evidence.iter().map(move |(path, evidence)| {
        let mut cells = vec![Cell::Text(response.gid.clone()), Cell::Text(path.clone())];
        cells.push(Cell::of(record.pointer(path).unwrap_or(&Value::Null), false));
        cells.extend(place(evidence));
        Row { table, cells }
    })
}

fn place(evidence: &Evidence) -> [Cell; 7] {
    let count = |number: Option<usize>| Cell::count(number.and_then(|number| u64::try_from(number).ok()));
    // As it is printed, not the nearest double of the nearest float.
    let confidence = evidence.confidence.to_string().parse().ok().and_then(Number::from_f64);
    [
        Cell::text(evidence.document.as_deref()),
        Cell::count(evidence.page.map(u64::from)),
        Cell::text(evidence.quote.as_deref()),
        count(evidence.start),
        count(evidence.end),
        Cell::of(&json!(evidence.support), false),
        confidence.map_or(Cell::Empty, Cell::Number),
    ]
}
