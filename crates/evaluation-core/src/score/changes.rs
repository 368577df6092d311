//! Two runs side by side.

use std::collections::{BTreeMap, HashMap};

use super::cells::Cell;
use super::form_changes::FormChanges;
use super::report::weight;
use super::statistics::sign_test;

/// A value that two runs give differently.
#[derive(Clone, Debug, PartialEq)]
pub struct Change {
    /// Index of the group.
    pub group: u32,
    /// The value of the earlier run; `None` where only the later run has a row there.
    pub before: Option<Cell>,
    /// The value of the later run; `None` where only the earlier run has a row there.
    pub after: Option<Cell>,
}

impl Change {
    /// Whether the later run is right where the earlier was not.
    #[must_use]
    pub fn is_better(&self) -> bool {
        !is_right(self.before.as_ref()) && is_right(self.after.as_ref())
    }

    /// Whether the earlier run was right where the later is not.
    #[must_use]
    pub fn is_worse(&self) -> bool {
        is_right(self.before.as_ref()) && !is_right(self.after.as_ref())
    }
}

/// A row that is not there is right: the truth does not have it either.
fn is_right(cell: Option<&Cell>) -> bool {
    cell.is_none_or(|cell| cell.outcome.is_right())
}

/// How the values of two runs differ.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Comparison {
    /// Values that became right, of fields with a weight.
    pub better: u64,
    /// Values that became wrong, of fields with a weight.
    pub worse: u64,
    /// Values that are another wrong value.
    pub other: u64,
    /// The values that became right or wrong, by field.
    pub fields: BTreeMap<String, FieldChange>,
    /// How the fields of the later run's form differ.
    pub form: FormChanges,
}

/// How the values of a field differ.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FieldChange {
    /// Values that became right.
    pub better: u64,
    /// Values that became wrong.
    pub worse: u64,
}

impl Comparison {
    /// Adds the changes of a group. Returns them in the order of the later run, then those that only the earlier had.
    pub fn add_group(
        &mut self,
        group: u32,
        before: Vec<Cell>,
        after: Vec<Cell>,
        weights: &BTreeMap<String, f64>,
    ) -> Vec<Change> {
        let order: Vec<String> = before.iter().map(|cell| cell.path.clone()).collect();
        let mut known: HashMap<String, Cell> =
            before.into_iter().map(|cell| (cell.path.clone(), cell)).collect();
        let later = after.into_iter().map(|cell| (known.remove(&cell.path), Some(cell))).collect::<Vec<_>>();
        let earlier = order.iter().filter_map(|path| Some((Some(known.remove(path)?), None)));
        let pairs = later.into_iter().chain(earlier.collect::<Vec<_>>());
        let mut changes = Vec::new();
        for (before, after) in pairs {
            let is_same = before.as_ref().zip(after.as_ref()).is_some_and(|(before, after)| {
                before.value == after.value || before.outcome.is_right() && after.outcome.is_right()
            });
            if is_same {
                continue;
            }
            let change = Change { group, before, after };
            self.count(&change, weights);
            changes.push(change);
        }
        changes
    }

    fn count(&mut self, change: &Change, weights: &BTreeMap<String, f64>) {
        let Some(cell) = change.after.as_ref().or(change.before.as_ref()) else { return };
        if weight(weights, &cell.field) <= 0.0 {
            return;
        }
        if !change.is_better() && !change.is_worse() {
            self.other += 1;
            return;
        }
        let field = self.fields.entry(cell.field.clone()).or_default();
        match change.is_better() {
            true => (self.better, field.better) = (self.better + 1, field.better + 1),
            false => (self.worse, field.worse) = (self.worse + 1, field.worse + 1),
        }
    }

    /// The probability of so many values that became wrong, if the runs were equally good.
    #[must_use]
    pub fn chance(&self) -> f64 {
        sign_test(self.worse, self.better)
    }

    /// Whether the later run is worse: its form drops a field, or its values are worse with 95 % certainty.
    #[must_use]
    pub fn is_worse(&self) -> bool {
        !self.form.dropped.is_empty() || self.has_worse_values()
    }

    /// Whether its values are worse, with 95 % certainty.
    #[must_use]
    pub fn has_worse_values(&self) -> bool {
        self.worse > self.better && self.chance() < 0.05
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::score::CellOutcome;
    use serde_json::{Value, json};

    fn cell(path: &str, value: Value, outcome: CellOutcome) -> Cell {
        Cell { path: path.into(), field: path.into(), truth: json!(1), value, outcome }
    }

    #[test]
    fn each_changed_value_is_told_once_with_its_direction() {
        let (right, wrong) = (CellOutcome::Right, CellOutcome::Wrong);
        let before = vec![
            cell("/a", json!(1), right),
            cell("/b", json!(2), wrong),
            cell("/c", json!(3), wrong),
            cell("/d", json!("X"), right),
            cell("/r/+0", json!(5), CellOutcome::Invented),
        ];
        let after = vec![
            cell("/a", json!(9), wrong),
            cell("/b", json!(1), right),
            cell("/c", json!(4), wrong),
            cell("/d", json!("x"), right),
        ];
        let mut comparison = Comparison::default();
        let changes = comparison.add_group(3, before, after, &BTreeMap::new());
        let told: Vec<(bool, bool)> = changes.iter().map(|one| (one.is_better(), one.is_worse())).collect();
        assert_eq!(told, [(false, true), (true, false), (false, false), (true, false)]);
        assert_eq!((comparison.better, comparison.worse, comparison.other), (2, 1, 1));
        let of = |field: &str| comparison.fields.get(field).map(|field| (field.better, field.worse));
        assert_eq!(["/a", "/b", "/c"].map(of), [Some((0, 1)), Some((1, 0)), None]);
        assert!(!comparison.is_worse());
        assert!(Comparison { worse: 5, ..Comparison::default() }.is_worse());
    }

    #[test]
    fn fields_without_weight_change_without_counting() {
        let weights = BTreeMap::from([("/a".to_owned(), 0.0)]);
        let mut comparison = Comparison::default();
        let before = vec![cell("/a", json!(1), CellOutcome::Right)];
        let after = vec![cell("/a", Value::Null, CellOutcome::Missing)];
        assert_eq!(comparison.add_group(0, before, after, &weights).len(), 1);
        assert_eq!(comparison, Comparison::default());
    }
}
