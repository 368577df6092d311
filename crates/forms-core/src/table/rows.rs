//! Table rows.

use serde_json::{Map, Value};

use super::columns::{ColumnNode, ColumnTree};
use super::{Cell, TableLayout};
/// A row with one cell per column of its table.
#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    /// Index of its table.
    pub table: usize,
    /// Its cells.
    pub cells: Vec<Cell>,
}

impl TableLayout {
    /// The rows of a record: one of the first table, with the cells `before` and `behind` around those of the
    /// fields, then those of its lists, in order.
    #[must_use]
    pub fn rows(&self, record: &Map<String, Value>, before: Vec<Cell>, behind: Vec<Cell>) -> Vec<Row> {
        let key: Vec<Cell> = before.first().cloned().into_iter().collect();
        let (mut cells, mut below) = (before, Vec::new());
        fill_cells(&self.fields, Some(record), &key, &mut cells, &mut below);
        if self.rest {
            cells.push(self.unmapped_fields(record));
        }
        cells.extend(behind);
        below.insert(0, Row { table: 0, cells });
        below
    }

    /// Fields, or parts of them, without a column, as JSON.
    fn unmapped_fields(&self, record: &Map<String, Value>) -> Cell {
        let rest: Map<String, Value> = record
            .iter()
            .filter(|(name, value)| !shows(&self.fields, name, value))
            .map(|(name, value)| (name.clone(), value.clone()))
            .collect();
        if rest.is_empty() { Cell::Empty } else { Cell::Text(Value::Object(rest).to_string()) }
    }
}

/// Appends a cell for each column of `nodes`, and the rows of nested lists. `keys` are the key cells of those
/// rows.
fn fill_cells(
    nodes: &ColumnTree,
    object: Option<&Map<String, Value>>,
    keys: &[Cell],
    cells: &mut Vec<Cell>,
    below: &mut Vec<Row>,
) {
    for (name, node) in nodes {
        let value = object.and_then(|object| object.get(name)).unwrap_or(&Value::Null);
        if node.column {
            cells.push(if node.is_elsewhere(value) {
                Cell::Empty
            } else {
                Cell::from_value(value, node.date)
            });
        }
        fill_cells(&node.parts, value.as_object(), keys, cells, below);
        let (Some(rows), Value::Array(items)) = (&node.rows, value) else { continue };
        for (item, number) in items.iter().zip(1_u64..) {
            let mut keys = keys.to_vec();
            keys.push(Cell::Number(number.into()));
            let mut cells = keys.clone();
            let at = below.len();
            fill_cells(&rows.fields, item.as_object(), &keys, &mut cells, below);
            below.insert(at, Row { table: rows.table, cells });
        }
    }
}

/// Whether the columns show the value completely.
fn shows(nodes: &ColumnTree, name: &str, value: &Value) -> bool {
    value.is_null() || nodes.get(name).is_some_and(|node| node.shows(value))
}

impl ColumnNode {
    fn shows(&self, value: &Value) -> bool {
        let whole = |nodes: &ColumnTree, object: &Map<String, Value>| {
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

    /// Whether the value is shown by other columns or another table instead of its own column. Versions of a
    /// form may differ in that.
    fn is_elsewhere(&self, value: &Value) -> bool {
        match value {
            Value::Object(_) => !self.parts.is_empty(),
            Value::Array(items) => self.rows.is_some() && items.iter().all(Value::is_object),
            _ => false,
        }
    }
}
