//! Arithmetic checks between the values of a record: parts that add up to a total, quantity times price, a
//! running balance, a rate of an amount, a column whose sum is printed, and the order of dates.

use std::collections::{HashMap, HashSet};

use language::number;
use serde_json::Value;

use super::super::node::{NestedFields, Node, pointer_token};
use super::super::segment::Source;
use super::super::text::PrintConventions;
use crate::Field;
use crate::labels::FieldWords;

// The first four bound the time: triples grow with the cube.
/// Single numbers that are related to each other.
const MAX_NUMBERS: usize = 40;
/// Number columns of one list.
const MAX_COLUMNS: usize = 6;
/// Rows of one list.
const MAX_ROWS: usize = 2_000;
/// Bytes of a document whose numbers are read.
const ROOM: usize = 100_000;
/// Share of rows for which a relation must hold before the other rows count as violations. More than half, so
/// that the relation and not its violation is the rule. Chosen by hand; no measurement is recorded.
const MOST: f64 = 0.6;
/// Tolerance of products, in hundredths: rounding may shift them by one.
const SLACK: f64 = 1.01;

/// Half a hundredth: sums that differ by less are equal.
const HALF: f64 = 0.5;

/// By JSON pointer: the relations that hold for a value, minus those that it violates.
#[derive(Debug, Default)]
pub(super) struct ArithmeticChecks(HashMap<String, f32>);

/// A number in hundredths, with its pointer.
#[derive(Clone, Debug)]
struct PlacedNumber {
    path: String,
    value: f64,
}

impl ArithmeticChecks {
    pub(super) fn of(
        fields: &[Field],
        nodes: &[Node],
        sources: &[Source<'_>],
        printing: &PrintConventions<'_>,
    ) -> Self {
        let mut found = RecordNumbers::default();
        found.collect(fields, nodes, "");
        let mut sums = Self::default();
        sums.check_triples(&found.numbers);
        if !found.lists.is_empty() {
            let printed = printed_numbers(sources, printing);
            for list in &found.lists {
                sums.check_columns(list, &found.numbers, &printed);
            }
        }
        sums.check_date_order(&found.dates);
        sums
    }

    /// The balance of relations for a value, clamped to -1 to 2.
    pub(super) fn at(&self, path: &str) -> f32 {
        // More relations of one value depend on each other. The trees learn thresholds within these bounds.
        // Chosen by hand; no measurement is recorded.
        self.0.get(path).copied().unwrap_or_default().clamp(-1.0, 2.0)
    }

    fn add(&mut self, path: &str, count: f32) {
        *self.0.entry(path.to_owned()).or_default() += count;
    }

    /// Checks a + b = c, and a × b = c as a rate of an amount, among single numbers.
    fn check_triples(&mut self, numbers: &[PlacedNumber]) {
        let numbers = numbers.get(..MAX_NUMBERS.min(numbers.len())).unwrap_or_default();
        for (at, a) in numbers.iter().enumerate() {
            for b in numbers.iter().skip(at + 1) {
                for c in numbers.iter().filter(|c| c.path != a.path && c.path != b.path) {
                    let adds = (a.value + b.value - c.value).abs() < HALF;
                    // In hundredths: `c` is `a` percent of `b`; rates and amounts up to one prove nothing.
                    let rate = (a.value * b.value / 10_000.0 - c.value).abs() < SLACK
                        && a.value.abs() > 100.0
                        && b.value.abs() > 100.0;
                    // Amounts from a hundred on, or with cents. Chosen by hand; no measurement is recorded.
                    // Small whole numbers add up by coincidence.
                    let telling = [a, b, c].iter().all(|n| n.value != 0.0)
                        && [a, b, c].iter().any(|n| n.value.abs() >= 10_000.0 || n.value % 100.0 != 0.0);
                    if telling && (adds || rate) {
                        [a, b, c].iter().for_each(|n| self.add(&n.path, 1.0));
                    }
                }
            }
        }
    }

    fn check_columns(&mut self, list: &NumberList, singles: &[PlacedNumber], printed: &HashSet<i64>) {
        let columns = list.columns.get(..MAX_COLUMNS.min(list.columns.len())).unwrap_or_default();
        for column in columns {
            let sum: f64 = column.values().map(|n| n.value).sum();
            // Sums below one occur by chance. Chosen by hand; no measurement is recorded.
            if column.len() < 2 || sum.abs() < 100.0 {
                continue;
            }
            let same = |single: &&PlacedNumber| (single.value - sum).abs() < HALF;
            singles.iter().filter(same).for_each(|single| self.add(&single.path, 1.0));
            if printed.contains(&hundredths(sum)) || singles.iter().any(|single| same(&single)) {
                column.values().for_each(|n| self.add(&n.path, 1.0));
            }
        }
        let mut relate = |x: usize, y: usize, z: usize, holds: &dyn Fn(f64, f64, f64) -> bool| {
            let (Some(x), Some(y), Some(z)) = (columns.get(x), columns.get(y), columns.get(z)) else {
                return;
            };
            let rows: Vec<[&PlacedNumber; 3]> =
                x.iter().filter_map(|(row, a)| Some([a, y.get(row)?, z.get(row)?])).collect();
            let held = |row: &&[&PlacedNumber; 3]| holds(row[0].value, row[1].value, row[2].value);
            let count = rows.iter().filter(held).count();
            if count < 2 || (count as f64) < MOST * rows.len() as f64 {
                return;
            }
            for row in &rows {
                let sign = if held(&row) { 1.0 } else { -1.0 };
                row.iter().for_each(|n| self.add(&n.path, sign));
            }
        };
        for x in 0..columns.len() {
            for y in x + 1..columns.len() {
                for z in (0..columns.len()).filter(|z| *z != x && *z != y) {
                    // A factor of one makes the product trivial.
                    relate(x, y, z, &|a, b, c| {
                        (a * b / 100.0 - c).abs() < SLACK && a != 100.0 && b != 100.0 && c != 0.0
                    });
                    relate(x, y, z, &|a, b, c| (a + b - c).abs() < HALF && a != 0.0 && b != 0.0);
                }
            }
        }
        for x in 0..columns.len() {
            for z in (0..columns.len()).filter(|z| *z != x) {
                self.check_running_balance(columns.get(x), columns.get(z));
            }
        }
    }

    /// Checks that each row of `balances` is the previous one plus the row of `amounts`.
    fn check_running_balance(&mut self, amounts: Option<&NumberColumn>, balances: Option<&NumberColumn>) {
        let (Some(amounts), Some(balances)) = (amounts, balances) else { return };
        let steps: Vec<([&PlacedNumber; 3], bool)> = balances
            .iter()
            .filter_map(|(row, after)| {
                let before = balances.get(&row.checked_sub(1)?)?;
                let amount = amounts.get(row).filter(|amount| amount.value != 0.0)?;
                let holds = (before.value + amount.value - after.value).abs() < HALF;
                Some(([before, amount, after], holds))
            })
            .collect();
        let count = steps.iter().filter(|(_, holds)| *holds).count();
        if count < 2 || (count as f64) < MOST * steps.len() as f64 {
            return;
        }
        for (row, holds) in steps {
            row.iter().for_each(|n| self.add(&n.path, if holds { 1.0 } else { -1.0 }));
        }
    }

    /// Checks that due and end dates are not before dates of an issue, invoice, order, start or birth.
    fn check_date_order(&mut self, dates: &[(String, String, bool)]) {
        for (first, early, _) in dates.iter().filter(|(.., late)| !late) {
            for (last, late, _) in dates.iter().filter(|(.., late)| *late) {
                // Half: any two dates are in order every second time.
                let sign = if early <= late { 0.5 } else { -1.0 };
                self.add(first, sign);
                self.add(last, sign);
            }
        }
    }
}

/// The numbers of a column by row.
type NumberColumn = std::collections::BTreeMap<usize, PlacedNumber>;

#[derive(Debug, Default)]
struct NumberList {
    columns: Vec<NumberColumn>,
}

/// The numbers and dates of a record.
#[derive(Debug, Default)]
struct RecordNumbers {
    numbers: Vec<PlacedNumber>,
    lists: Vec<NumberList>,
    /// Pointer, date, and whether the field is one that comes later than others.
    dates: Vec<(String, String, bool)>,
}

impl RecordNumbers {
    fn collect(&mut self, fields: &[Field], nodes: &[Node], path: &str) {
        for (field, node) in fields.iter().zip(nodes) {
            let path = format!("{path}/{}", pointer_token(&field.name));
            match (node, NestedFields::of(field)) {
                (Node::Leaf(leaf), NestedFields::None) => {
                    if let Some(value) = number(&leaf.value) {
                        self.numbers.push(PlacedNumber { path, value });
                    } else if let Some((date, late)) = dated_value(field, &leaf.value) {
                        self.dates.push((path, date, late));
                    }
                }
                (Node::Group(nodes), NestedFields::Parts(fields)) => self.collect(fields, nodes, &path),
                (Node::List { items, .. }, NestedFields::Items(item)) => self.list(item, items, &path),
                _ => {}
            }
        }
    }

    fn list(&mut self, item: &Field, items: &[Node], path: &str) {
        let NestedFields::Parts(fields) = NestedFields::of(item) else { return };
        let mut list = NumberList::default();
        for (at, field) in fields.iter().enumerate() {
            let cell = |(row, node): (usize, &Node)| {
                let Node::Group(parts) = node else { return None };
                let Some(Node::Leaf(leaf)) = parts.get(at) else { return None };
                let path = format!("{path}/{row}/{}", pointer_token(&field.name));
                Some((row, PlacedNumber { path, value: number(&leaf.value)? }))
            };
            let column: NumberColumn = items.iter().take(MAX_ROWS).enumerate().filter_map(cell).collect();
            if !column.is_empty() {
                list.columns.push(column);
            }
        }
        self.lists.push(list);
    }
}

fn number(value: &Value) -> Option<f64> {
    value.as_f64().map(|value| value * 100.0)
}

fn hundredths(value: f64) -> i64 {
    value.round() as i64
}

/// A date, and whether its field is one that comes later than others.
fn dated_value(field: &Field, value: &Value) -> Option<(String, bool)> {
    let text = value.as_str().filter(|text| text.len() == 10 && text.as_bytes().get(4) == Some(&b'-'))?;
    let words = FieldWords::new(&field.name, field.description.as_deref().unwrap_or_default());
    let late = ["due", "end"].iter().any(|concept| words.has(concept));
    let early = ["start", "issue", "birth", "invoice", "order"].iter().any(|concept| words.has(concept));
    (late || early).then(|| (text.to_owned(), late))
}

/// Every number printed in the documents, in hundredths.
fn printed_numbers(sources: &[Source<'_>], printing: &PrintConventions<'_>) -> HashSet<i64> {
    let mut found = HashSet::new();
    for source in sources {
        let text = source.text();
        let end = text.floor_char_boundary(ROOM.min(text.len()));
        number::scan(text, 0..end, |mention| {
            if let Some(value) = text.get(mention.range).and_then(|printed| printing.number(printed)) {
                found.insert(hundredths(value * 100.0));
            }
        });
    }
    found
}
