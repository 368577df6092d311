//! Which row of a list is which row of the true list.

use std::collections::{HashMap, VecDeque};

use forms_core::{Field, FieldType};
use serde_json::Value;

use super::equality::{is_empty, is_same};

/// Pairs of rows that are compared at most. Bounds time; longer rests are compared with the rows around their place.
const MAX_PAIRS: usize = 1_000_000;

/// For each true row the index of its row, or `None`: first rows that are the same, then the pairs with the most equal
/// values. Rows without an equal value are not paired.
pub(super) fn align(item: &Field, truth: &[Value], rows: &[Value]) -> Vec<Option<usize>> {
    let mut paired = vec![None; truth.len()];
    let mut free = vec![true; rows.len()];
    let mut same: HashMap<String, VecDeque<usize>> = HashMap::new();
    for (index, row) in rows.iter().enumerate() {
        same.entry(row.to_string()).or_default().push_back(index);
    }
    for (row, paired) in truth.iter().zip(&mut paired) {
        if let Some(index) = same.get_mut(&row.to_string()).and_then(VecDeque::pop_front) {
            *paired = Some(index);
            if let Some(free) = free.get_mut(index) {
                *free = false;
            }
        }
    }
    let open: Vec<usize> = (0..truth.len()).filter(|index| paired.get(*index) == Some(&None)).collect();
    let left: Vec<usize> = (0..rows.len()).filter(|index| free.get(*index) == Some(&true)).collect();
    for (_, _, true_row, row) in candidates(item, truth, rows, &open, &left) {
        if let (Some(slot @ None), Some(free @ true)) = (paired.get_mut(true_row), free.get_mut(row)) {
            *slot = Some(row);
            *free = false;
        }
    }
    paired
}

/// Pairs with an equal value, the best first: most equal values, then the smallest distance.
fn candidates(
    item: &Field,
    truth: &[Value],
    rows: &[Value],
    open: &[usize],
    left: &[usize],
) -> Vec<(std::cmp::Reverse<usize>, usize, usize, usize)> {
    let reach = MAX_PAIRS / open.len().max(1) / 2;
    let mut found = Vec::new();
    for (place, true_row) in open.iter().enumerate() {
        let first = if left.len() <= reach * 2 { 0 } else { place.saturating_sub(reach) };
        for row in left.iter().skip(first).take(reach.saturating_mul(2).max(1)) {
            let (Some(known), Some(other)) = (truth.get(*true_row), rows.get(*row)) else { continue };
            let equal = equal_values(item, known, other);
            if equal > 0 {
                found.push((std::cmp::Reverse(equal), true_row.abs_diff(*row), *true_row, *row));
            }
        }
    }
    found.sort_unstable();
    found
}

/// The number of values that two rows share.
fn equal_values(item: &Field, left: &Value, right: &Value) -> usize {
    match &item.kind {
        FieldType::Object(parts) => {
            let member = |row: &'_ Value, part: &Field| row.get(&part.name).cloned().unwrap_or_default();
            parts.iter().map(|part| equal_values(part, &member(left, part), &member(right, part))).sum()
        }
        FieldType::Array(_) => usize::from(!is_empty(left) && left == right),
        _ => usize::from(!is_empty(left) && !is_empty(right) && is_same(item, left, right)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use forms_core::FormSchema;
    use serde_json::json;

    #[test]
    fn two_thousand_rows_are_paired_in_any_order() {
        let row = json!({"type": "object", "properties": {"a": {"type": "string"}, "n": {"type": "number"}}});
        let form = json!({"rows": {"type": "array", "items": row}});
        let form = FormSchema::parse(form.as_object().unwrap()).unwrap();
        let FieldType::Array(item) = &form.fields[0].kind else { panic!() };
        let truth: Vec<Value> = (0..2_000).map(|n| json!({"a": format!("row {n}"), "n": n})).collect();
        let mut rows: Vec<Value> = truth.iter().rev().cloned().collect();
        rows[7]["a"] = json!("another name");
        let paired = align(item, &truth, &rows);
        assert!(paired.iter().enumerate().all(|(index, row)| *row == Some(1_999 - index)));
    }
}
