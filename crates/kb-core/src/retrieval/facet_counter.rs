//! Counts the values of a field. Pure.

use std::cmp::Reverse;
use std::collections::{HashMap, HashSet};

use serde_json::Value;

use super::field_name::FieldName;
use super::values::order;
use crate::ItemAttributes;
use crate::service::rules::MAX_FACET_VALUES;

/// Maximum bytes of a text that is counted. Protects memory.
const MAX_TEXT: usize = 512;
/// Maximum bytes of the distinct values of a field. Protects memory.
const MAX_BYTES: usize = 1 << 20;
/// Bytes that a value takes beside its text, roughly.
const OVERHEAD: usize = 64;

/// The values of a field with the number of matching items that have them.
#[derive(Clone, Debug, PartialEq)]
pub struct Facet {
    /// The field's name, as requested.
    pub field: String,
    /// The most frequent first; equal counts in the order of the values.
    pub values: Vec<FacetValue>,
    /// Whether some values are missing: there are more than 100, or they are long or very many.
    pub truncated: bool,
}

/// A value of a facet.
#[derive(Clone, Debug, PartialEq)]
pub struct FacetValue {
    /// A text, a number or a truth value.
    pub value: Value,
    /// Number of items that have it.
    pub count: u64,
}

/// Counts the values of a field over items. An item counts once for each of its values.
#[derive(Debug)]
pub(super) struct FacetCounter {
    field: String,
    name: FieldName,
    counts: HashMap<Value, u64>,
    /// Bytes that further values may have.
    room: usize,
    truncated: bool,
}

impl FacetCounter {
    pub(super) fn new(field: String, name: FieldName) -> Self {
        Self { field, name, counts: HashMap::new(), room: MAX_BYTES, truncated: false }
    }

    /// Counts the values of an item; returns how many were visited.
    pub(super) fn add(&mut self, item: &ItemAttributes) -> u64 {
        let (scalars, steps) = self.name.with_values(item, |values| {
            values.iter().filter_map(|value| scalar(value)).collect::<HashSet<Value>>()
        });
        scalars.into_iter().for_each(|value| self.count(value));
        steps
    }

    fn count(&mut self, value: Value) {
        if let Some(count) = self.counts.get_mut(&value) {
            *count += 1;
            return;
        }
        let bytes = value.as_str().map_or(0, str::len);
        match self.room.checked_sub(bytes + OVERHEAD) {
            Some(room) if bytes <= MAX_TEXT => {
                self.room = room;
                self.counts.insert(value, 1);
            }
            _ => self.truncated = true,
        }
    }

    /// The most frequent values.
    pub(super) fn facet(self) -> Facet {
        let mut values: Vec<FacetValue> =
            self.counts.into_iter().map(|(value, count)| FacetValue { value, count }).collect();
        values.sort_by(|a, b| {
            let text = |value: &Value| value.to_string();
            let by_value =
                || order(&a.value, &b.value).unwrap_or_else(|| text(&a.value).cmp(&text(&b.value)));
            Reverse(a.count).cmp(&Reverse(b.count)).then_with(by_value)
        });
        let truncated = self.truncated || values.len() > MAX_FACET_VALUES;
        values.truncate(MAX_FACET_VALUES);
        Facet { field: self.field, values, truncated }
    }
}

/// A text, number or truth value; whole numbers in one notation.
fn scalar(value: &Value) -> Option<Value> {
    match value {
        Value::String(_) | Value::Bool(_) => Some(value.clone()),
        Value::Number(number) => {
            let whole = number.as_f64().filter(|_| number.is_f64()).filter(|float| float.fract() == 0.0);
            // Within this range a float has no rounding error.
            let whole = whole.filter(|float| float.abs() < 9_007_199_254_740_992.0);
            Some(whole.map_or_else(|| value.clone(), |float| Value::from(float as i64)))
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;
    use shared_core::Timestamp;

    use super::*;
    use crate::{ItemId, Source};

    fn item(meta: &Value) -> ItemAttributes {
        let time = Timestamp::from_micros(0).unwrap();
        ItemAttributes {
            number: 1,
            id: ItemId("item_1".into()),
            name: "t".into(),
            meta: meta.as_object().cloned().unwrap(),
            source: Source::Text,
            language: None,
            created: time,
            updated: time,
        }
    }

    fn counted(field: &str, metas: &[Value]) -> Facet {
        let mut counter = FacetCounter::new(field.to_owned(), FieldName::parse(field).unwrap());
        for meta in metas {
            counter.add(&item(meta));
        }
        counter.facet()
    }

    fn pairs(facet: &Facet) -> Vec<(Value, u64)> {
        facet.values.iter().map(|one| (one.value.clone(), one.count)).collect()
    }

    #[test]
    fn an_item_counts_once_for_each_of_its_values_and_equal_numbers_are_one() {
        let metas = [
            json!({"a": [1, 1.0, "x", ["y"], null]}),
            json!({"a": 1}),
            json!({"a": 2}),
            json!({"a": {"b": 3}}),
            json!({}),
            json!({"a": true}),
        ];
        let facet = counted("a", &metas);
        assert_eq!(pairs(&facet)[0], (json!(1), 2));
        let mut rest: Vec<String> = pairs(&facet)[1..].iter().map(|(value, _)| value.to_string()).collect();
        rest.sort();
        assert_eq!(rest, ["\"x\"", "2", "true"]);
        assert!(!facet.truncated);
        assert_eq!(pairs(&counted("a.b", &metas)), [(json!(3), 1)]);
        assert_eq!(pairs(&counted("$source", &metas)), [(json!("text"), 6)]);
        assert_eq!(pairs(&counted("$language", &metas)), []);
    }

    #[test]
    fn values_that_are_too_many_or_too_long_are_left_out_and_it_is_told() {
        let many: Vec<Value> = (0..150).map(|n| json!({"n": n / 3 * 3})).collect();
        assert!(!counted("n", &many).truncated);
        let many: Vec<Value> = (0..150).map(|n| json!({ "n": n })).collect();
        let facet = counted("n", &many);
        assert_eq!((facet.values.len(), facet.truncated), (100, true));
        assert_eq!(pairs(&facet)[99], (json!(99), 1));
        assert!(counted("n", &[json!({"n": "x".repeat(600)})]).truncated);
        let huge: Vec<Value> = (0..20_000).map(|n| json!({ "n": n })).collect();
        let mut counter = FacetCounter::new("n".into(), FieldName::parse("n").unwrap());
        for meta in &huge {
            counter.add(&item(meta));
        }
        assert!(counter.counts.len() <= MAX_BYTES / OVERHEAD && counter.facet().truncated);
    }
}
