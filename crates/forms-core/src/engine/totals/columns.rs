//! The numbers of entries by column, and their sums.

use language::number;
use serde_json::Value;

use super::super::node::Node;
use super::super::text::PrintConventions;

/// Bytes of a cell that may be a number. Longer ones are text. Chosen by hand; no measurement is recorded.
const MAX_NUMBER: usize = 40;
/// Numbers of a line that are compared. Bounds the time.
const MAX_AMOUNTS: usize = 20;
/// Amounts that differ by less are equal. Half a cent, and a fifth of that for binary fractions.
const SAME: f64 = 0.006;

/// The sums of the columns of a list.
#[derive(Clone, Debug, Default)]
pub(in super::super) struct ColumnSums {
    sums: Vec<f64>,
    /// The number of entries.
    pub(super) count: usize,
}

impl ColumnSums {
    /// Adds the numbers of an entry.
    pub(in super::super) fn add(&mut self, entry: &Node, printing: &PrintConventions<'_>) {
        self.count += 1;
        for (column, number) in amounts_of(entry, printing) {
            if self.sums.len() <= column {
                self.sums.resize(column + 1, 0.0);
            }
            if let Some(sum) = self.sums.get_mut(column) {
                *sum += number;
            }
        }
    }

    /// Whether a column's sum equals an amount.
    pub(in super::super) fn has_sum(&self, amount: f64) -> bool {
        amount.abs() > SAME && self.sums.iter().any(|sum| (sum - amount).abs() < SAME)
    }
}

/// The numbers of an entry, by column.
pub(super) fn amounts_of(entry: &Node, printing: &PrintConventions<'_>) -> Vec<(usize, f64)> {
    let Node::Group(cells) = entry else { return Vec::new() };
    let number = |cell: &Node| match cell {
        Node::Leaf(leaf) => match &leaf.value {
            Value::Number(number) => number.as_f64(),
            Value::String(text) if is_number(text) => printing.number(text),
            _ => None,
        },
        _ => None,
    };
    cells.iter().enumerate().filter_map(|(column, cell)| Some((column, number(cell)?))).collect()
}

/// Whether a text may be a number, unlike a name such as `VAT 20%`.
pub(super) fn is_number(text: &str) -> bool {
    text.len() <= MAX_NUMBER
        && text.chars().any(|c| c.is_ascii_digit())
        && !text.contains(char::is_alphabetic)
}

/// The numbers printed on a line.
pub(in super::super) fn amounts_on(line: &str, printing: &PrintConventions<'_>) -> Vec<f64> {
    let mut found = Vec::new();
    number::scan(line, 0..line.len(), |mention| {
        let number = line.get(mention.range.clone()).and_then(|printed| printing.number(printed));
        found.extend(number.filter(|_| !mention.part && found.len() < MAX_AMOUNTS));
    });
    found
}
