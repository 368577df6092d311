//! Scores by field.

use std::collections::BTreeMap;

use indexmap::IndexMap;

use super::cells::{Cell, CellOutcome};
use super::statistics::{Interval, wilson};

/// The counts of a field.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FieldScore {
    /// Values that were compared.
    pub values: u64,
    /// Those that are right, with the rightly empty ones.
    pub right: u64,
    /// Those that are rightly empty.
    pub empty: u64,
    /// Those that differ from the truth.
    pub wrong: u64,
    /// Those that the record does not have.
    pub missing: u64,
    /// Those that the truth does not have.
    pub invented: u64,
}

impl FieldScore {
    fn add(&mut self, outcome: CellOutcome) {
        self.values += 1;
        self.right += u64::from(outcome.is_right());
        match outcome {
            CellOutcome::Right => {}
            CellOutcome::Empty => self.empty += 1,
            CellOutcome::Wrong => self.wrong += 1,
            CellOutcome::Missing | CellOutcome::Dropped => self.missing += 1,
            CellOutcome::Invented => self.invented += 1,
        }
    }

    /// The share of right values; `None` without any.
    #[must_use]
    pub fn accuracy(&self) -> Option<Interval> {
        wilson(self.right as f64, self.values as f64)
    }
}

/// Sums of scores while groups are read.
#[derive(Clone, Debug, Default)]
pub struct Scores {
    fields: IndexMap<String, FieldScore>,
    groups: u64,
    failed: u64,
    whole: u64,
}

/// The scores of a run.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Report {
    /// By field, in the order of the form.
    pub fields: IndexMap<String, FieldScore>,
    /// The share of right values over all fields by their weights; `None` without any.
    pub accuracy: Option<Interval>,
    /// Groups that have an outcome.
    pub groups: u64,
    /// Groups that failed.
    pub failed: u64,
    /// Groups all of whose values are right, among fields with a weight.
    pub whole: u64,
}

impl Scores {
    /// Adds the values of a group; `has_record`: whether it succeeded.
    pub fn add_group(&mut self, cells: &[Cell], has_record: bool) {
        self.add_weighted_group(cells, has_record, &BTreeMap::new());
    }

    /// As [`Scores::add_group`]; fields of weight 0 do not count for whether the group is whole.
    pub fn add_weighted_group(&mut self, cells: &[Cell], has_record: bool, weights: &BTreeMap<String, f64>) {
        self.groups += 1;
        self.failed += u64::from(!has_record);
        let counts = |cell: &&Cell| weight(weights, &cell.field) > 0.0;
        self.whole +=
            u64::from(has_record && cells.iter().filter(counts).all(|cell| cell.outcome.is_right()));
        for cell in cells {
            self.fields.entry(cell.field.clone()).or_default().add(cell.outcome);
        }
    }

    /// The report; `weights` by field, 1 where there is none.
    #[must_use]
    pub fn report(self, weights: &BTreeMap<String, f64>) -> Report {
        let (mut right, mut all, mut squares) = (0.0, 0.0, 0.0);
        for (field, score) in &self.fields {
            let weight = weight(weights, field);
            right += weight * score.right as f64;
            all += weight * score.values as f64;
            squares += weight * weight * score.values as f64;
        }
        // The effective number of Kish (1965): weights that differ make the share less certain.
        let effective = if squares > 0.0 { all * all / squares } else { 0.0 };
        let accuracy = if all > 0.0 { wilson(right / all * effective, effective) } else { None };
        Report { fields: self.fields, accuracy, groups: self.groups, failed: self.failed, whole: self.whole }
    }
}

pub(super) fn weight(weights: &BTreeMap<String, f64>, field: &str) -> f64 {
    weights.get(field).copied().unwrap_or(1.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::Value;

    fn cell(field: &str, outcome: CellOutcome) -> Cell {
        Cell { path: field.into(), field: field.into(), truth: Value::Null, value: Value::Null, outcome }
    }

    #[test]
    fn fields_count_by_their_weight_and_those_of_weight_zero_not_at_all() {
        let mut scores = Scores::default();
        let weights = BTreeMap::from([("/note".to_owned(), 0.0), ("/total".to_owned(), 3.0)]);
        let add = |scores: &mut Scores, cells: &[Cell], has| scores.add_weighted_group(cells, has, &weights);
        let right = CellOutcome::Right;
        add(
            &mut scores,
            &[cell("/total", right), cell("/day", right), cell("/note", CellOutcome::Wrong)],
            true,
        );
        add(&mut scores, &[cell("/total", CellOutcome::Missing), cell("/day", CellOutcome::Empty)], false);
        let report = scores.report(&weights);
        assert_eq!((report.groups, report.failed, report.whole), (2, 1, 1));
        let total = report.fields["/total"];
        assert_eq!((total.values, total.right, total.missing), (2, 1, 1));
        assert_eq!((report.fields["/day"].right, report.fields["/day"].empty), (2, 1));
        // 3 + 1 + 1 of 3 + 3 + 1 + 1.
        assert!((report.accuracy.unwrap().value - 5.0 / 8.0).abs() < 1e-9);
    }
}
