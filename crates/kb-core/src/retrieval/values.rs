//! Comparison of JSON values: equality, order, and sets. Pure.

use std::cmp::Ordering;
use std::collections::{HashMap, HashSet};

use serde_json::{Number, Value};

/// Whether two values are equal; numbers in any notation.
pub(super) fn equal(a: &Value, b: &Value) -> bool {
    match (a, b) {
        (Value::Number(a), Value::Number(b)) => numbers(a, b) == Some(Ordering::Equal),
        (a, b) => a == b,
    }
}

/// The order of two numbers or of two texts; `None` for other types.
pub(super) fn order(a: &Value, b: &Value) -> Option<Ordering> {
    match (a, b) {
        (Value::Number(a), Value::Number(b)) => numbers(a, b),
        (Value::String(a), Value::String(b)) => Some(a.cmp(b)),
        _ => None,
    }
}

/// Integers compare exactly.
fn numbers(a: &Number, b: &Number) -> Option<Ordering> {
    let whole = |number: &Number| number.as_i64().map(i128::from).or(number.as_u64().map(i128::from));
    match (whole(a), whole(b)) {
        (Some(a), Some(b)) => Some(a.cmp(&b)),
        _ => a.as_f64()?.partial_cmp(&b.as_f64()?),
    }
}

/// A set of values with constant-time lookup.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Values {
    /// Keyed by their value as a float, which equal numbers share.
    numbers: HashMap<u64, Vec<Value>>,
    others: HashSet<Value>,
}

impl Values {
    /// Whether one of them equals `value`.
    pub(super) fn contain(&self, value: &Value) -> bool {
        match value {
            Value::Number(number) => {
                let same = self.numbers.get(&bucket(number));
                same.is_some_and(|same| same.iter().any(|one| equal(one, value)))
            }
            other => self.others.contains(other),
        }
    }
}

impl FromIterator<Value> for Values {
    fn from_iter<T: IntoIterator<Item = Value>>(values: T) -> Self {
        let mut all = Self::default();
        for value in values {
            match &value {
                Value::Number(number) => all.numbers.entry(bucket(number)).or_default().push(value),
                _ => drop(all.others.insert(value)),
            }
        }
        all
    }
}

/// A hash key that equal numbers share.
fn bucket(number: &Number) -> u64 {
    // Both zeros are equal, but differ in their bits.
    number.as_f64().map_or(0, |float| if float == 0.0 { 0 } else { float.to_bits() })
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_set_contains_just_what_one_of_its_values_equals() {
        let all = [
            json!(null),
            json!(false),
            json!(0),
            json!(-0.0),
            json!(1),
            json!(1.5),
            json!(9_007_199_254_740_992_i64),
            json!(9_007_199_254_740_993_i64),
            json!(9_007_199_254_740_992.0),
            json!(u64::MAX),
            json!(1e300),
            json!(""),
            json!("1"),
            json!([1, "a"]),
            json!(["a", 1]),
            json!({"a": 1, "b": [null]}),
            json!({"b": [null], "a": 1}),
        ];
        for wanted in &all {
            let set: Values = [json!("else"), wanted.clone()].into_iter().collect();
            for value in &all {
                assert_eq!(set.contain(value), equal(value, wanted), "{value} in [{wanted}]");
            }
        }
        assert!(!Values::default().contain(&json!(null)));
    }
}
