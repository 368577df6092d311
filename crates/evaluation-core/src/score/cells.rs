//! A record and its truth as pairs of values.

use forms_core::{Field, FieldType, FormSchema};
use serde_json::{Map, Value};

use super::equality::{is_empty, is_same};
use super::rows::align;

/// How a value agrees with the truth.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CellOutcome {
    /// Both are the same value.
    Right,
    /// Both are without a value.
    Empty,
    /// Both have a value, and not the same.
    Wrong,
    /// The truth has a value, the record has none.
    Missing,
    /// The record has a value, the truth has none.
    Invented,
    /// The truth has a value, and the form of the run has no such field. Only in comparisons.
    Dropped,
}

impl CellOutcome {
    /// Whether the record says what the truth says.
    #[must_use]
    pub fn is_right(self) -> bool {
        matches!(self, Self::Right | Self::Empty)
    }

    /// The name in responses.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Right => "right",
            Self::Empty => "empty",
            Self::Wrong => "wrong",
            Self::Missing => "missing",
            Self::Invented => "invented",
            Self::Dropped => "dropped",
        }
    }
}

/// A value of a record beside the true one.
#[derive(Clone, Debug, PartialEq)]
pub struct Cell {
    /// JSON pointer into the true record; of an invented row of a list, into the record, with `+` before its index.
    pub path: String,
    /// The pointer without the indexes of lists.
    pub field: String,
    /// The true value.
    pub truth: Value,
    /// The value of the record.
    pub value: Value,
    /// How they agree.
    pub outcome: CellOutcome,
}

/// Pairs the values of a true record and a record, `None` where the documents gave none. Fields that the true record does
/// not have are not compared; null states that there is no value. Rows of lists are paired by their equal values.
#[must_use]
pub fn compare(
    form: &FormSchema,
    truth: &Map<String, Value>,
    record: Option<&Map<String, Value>>,
) -> Vec<Cell> {
    let mut cells = Vec::new();
    let place = Place { path: String::new(), field: String::new() };
    fields(&form.fields, truth, record, &place, &mut cells);
    cells
}

/// Where a value stands.
struct Place {
    path: String,
    field: String,
}

impl Place {
    fn member(&self, name: &str) -> Self {
        let token = name.replace('~', "~0").replace('/', "~1");
        Self { path: format!("{}/{token}", self.path), field: format!("{}/{token}", self.field) }
    }

    fn entry(&self, index: &str) -> Self {
        Self { path: format!("{}/{index}", self.path), field: self.field.clone() }
    }
}

fn fields(
    fields: &[Field],
    truth: &Map<String, Value>,
    record: Option<&Map<String, Value>>,
    place: &Place,
    cells: &mut Vec<Cell>,
) {
    for field in fields {
        if let Some(truth) = truth.get(&field.name) {
            let value = record.and_then(|record| record.get(&field.name)).unwrap_or(&Value::Null);
            pair(field, truth, value, &place.member(&field.name), cells);
        }
    }
}

fn pair(field: &Field, truth: &Value, value: &Value, place: &Place, cells: &mut Vec<Cell>) {
    match &field.kind {
        FieldType::Object(parts) => {
            let empty = Map::new();
            match (truth.as_object(), value.as_object()) {
                (Some(truth), value) => fields(parts, truth, value, place, cells),
                // Every member is stated to be without a value.
                (None, Some(value)) => {
                    let none = parts.iter().map(|part| (part.name.clone(), Value::Null)).collect();
                    fields(parts, &none, Some(value), place, cells);
                }
                (None, None) => fields(parts, &empty, None, place, cells),
            }
        }
        FieldType::Array(_) if field.map_value().is_some() => cells.push(cell(field, truth, value, place)),
        FieldType::Array(item) => list(item, truth, value, place, cells),
        _ => cells.push(cell(field, truth, value, place)),
    }
}

fn list(item: &Field, truth: &Value, value: &Value, place: &Place, cells: &mut Vec<Cell>) {
    let entries = |value: &'_ Value| value.as_array().cloned().unwrap_or_default();
    let (truth, value) = (entries(truth), entries(value));
    if truth.is_empty() && value.is_empty() {
        return cells.push(cell(item, &Value::Null, &Value::Null, place));
    }
    let pairs = align(item, &truth, &value);
    let mut used = vec![false; value.len()];
    for (index, (row, paired)) in truth.iter().zip(pairs).enumerate() {
        let found = paired.and_then(|found| {
            if let Some(used) = used.get_mut(found) {
                *used = true;
            }
            value.get(found)
        });
        pair(item, row, found.unwrap_or(&Value::Null), &place.entry(&index.to_string()), cells);
    }
    for (index, row) in value.iter().enumerate().filter(|(index, _)| used.get(*index) == Some(&false)) {
        let begin = cells.len();
        pair(item, &Value::Null, row, &place.entry(&format!("+{index}")), cells);
        // An invented row is wrong by what it states, not right by what it does not.
        let mut place = 0;
        cells.retain(|cell| {
            place += 1;
            place <= begin || cell.outcome != CellOutcome::Empty
        });
    }
}

fn cell(field: &Field, truth: &Value, value: &Value, place: &Place) -> Cell {
    let outcome = match (is_empty(truth), is_empty(value)) {
        (true, true) => CellOutcome::Empty,
        (true, false) => CellOutcome::Invented,
        (false, true) => CellOutcome::Missing,
        (false, false) if is_same(field, truth, value) => CellOutcome::Right,
        (false, false) => CellOutcome::Wrong,
    };
    Cell {
        path: place.path.clone(),
        field: place.field.clone(),
        truth: truth.clone(),
        value: value.clone(),
        outcome,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn outcomes(form: Value, truth: Value, record: Value) -> Vec<(String, &'static str)> {
        let form = FormSchema::parse(form.as_object().unwrap()).unwrap();
        let cells = compare(&form, truth.as_object().unwrap(), record.as_object());
        cells.into_iter().map(|cell| (cell.path, cell.outcome.name())).collect()
    }

    fn told(found: &[(String, &'static str)]) -> Vec<String> {
        found.iter().map(|(path, outcome)| format!("{path} {outcome}")).collect()
    }

    #[test]
    fn values_are_compared_by_what_they_mean_and_unlabelled_fields_are_not() {
        let text = json!({"type": "string"});
        let form = json!({
            "n": {"type": "number"}, "same": text, "other": text, "gone": text, "made": text, "none": text,
            "unknown": text, "who": {"type": "object", "properties": {"name": text, "city": text}}
        });
        let truth = json!({
            "n": 0.3, "same": "Ada  LTD", "other": "a", "gone": "b", "made": null, "none": "",
            "who": {"name": "Bo", "city": null}
        });
        let record = json!({
            "n": 0.1 + 0.2, "same": "ada ltd", "other": "c", "gone": null, "made": "d", "none": null,
            "unknown": "e", "who": null
        });
        assert_eq!(
            told(&outcomes(form, truth, record)),
            [
                "/n right",
                "/same right",
                "/other wrong",
                "/gone missing",
                "/made invented",
                "/none empty",
                "/who/name missing",
                "/who/city empty"
            ]
        );
    }

    #[test]
    fn rows_are_paired_by_their_values_and_a_row_too_many_is_invented() {
        let row = json!({"type": "object", "properties": {"a": {"type": "string"}, "n": {"type": "number"}}});
        let form = json!({"rows": {"type": "array", "items": row}, "tags": {"type": "array", "items": {"type": "string"}}});
        let truth = json!({
            "rows": [{"a": "x", "n": 1}, {"a": "y", "n": 2}, {"a": "z", "n": 3}], "tags": ["one", "two"]
        });
        let record = json!({
            "rows": [{"a": "z", "n": 3}, {"a": "q", "n": null}, {"a": "x", "n": 7}], "tags": ["TWO", "three"]
        });
        assert_eq!(
            told(&outcomes(form, truth, record)),
            [
                "/rows/0/a right",
                "/rows/0/n wrong",
                "/rows/1/a missing",
                "/rows/1/n missing",
                "/rows/2/a right",
                "/rows/2/n right",
                "/rows/+1/a invented",
                "/tags/0 missing",
                "/tags/1 right",
                "/tags/+1 invented"
            ]
        );
    }

    #[test]
    fn a_group_without_a_record_misses_what_is_stated() {
        let form = json!({"a": {"type": "string"}, "rows": {"type": "array", "items": {"type": "string"}}});
        let form = FormSchema::parse(form.as_object().unwrap()).unwrap();
        let truth = json!({"a": "x", "rows": ["y"]});
        let cells = compare(&form, truth.as_object().unwrap(), None);
        assert!(cells.len() == 2 && cells.iter().all(|cell| cell.outcome == CellOutcome::Missing));
    }
}
