//! Conditions of fields: a field may apply only when other fields have certain values.

use serde_json::{Map, Value};

/// One entry of a field's `when`: the values that another field must have.
#[derive(Clone, Debug, PartialEq)]
pub struct Condition {
    /// Name of the other field: a sibling, else a top-level field.
    pub field: String,
    /// The allowed values, at least one.
    pub values: Vec<Value>,
}

impl Condition {
    /// Whether `value` is one of the allowed values. `None` and `null` never are.
    pub(super) fn holds(&self, value: Option<&Value>) -> bool {
        value.is_some_and(|value| self.values.iter().any(|wanted| is_value(wanted, value)))
    }
}

/// Longest path below each node of a graph: 0 without edges. `None` for nodes that lead into a cycle.
pub(super) fn depths(edges: &[Vec<usize>]) -> Vec<Option<usize>> {
    let mut above: Vec<Vec<usize>> = vec![Vec::new(); edges.len()];
    for (node, below) in edges.iter().enumerate() {
        for other in below {
            if let Some(above) = above.get_mut(*other) {
                above.push(node);
            }
        }
    }
    let mut open: Vec<usize> = edges.iter().map(Vec::len).collect();
    let mut depths: Vec<Option<usize>> = open.iter().map(|open| (*open == 0).then_some(0)).collect();
    let mut done: Vec<usize> = (0..edges.len()).filter(|node| open.get(*node) == Some(&0)).collect();
    let mut next = 0;
    while let Some(node) = done.get(next).copied() {
        next += 1;
        let depth = depths.get(node).copied().flatten().unwrap_or_default();
        for waiting in above.get(node).into_iter().flatten() {
            let Some(open) = open.get_mut(*waiting) else { continue };
            *open -= 1;
            // Nodes are completed in order of depth, so the last one below is the deepest.
            if *open == 0 {
                depths.get_mut(*waiting).into_iter().for_each(|own| *own = Some(depth + 1));
                done.push(*waiting);
            }
        }
    }
    depths
}

/// The conditions of a definition's `when`, and for each whether it refers to a sibling.
pub(super) fn conditions(
    definition: &Map<String, Value>,
    siblings: &Map<String, Value>,
) -> (Vec<Condition>, Vec<bool>) {
    let entries = definition.get("when").and_then(Value::as_object).into_iter().flatten();
    let condition = |(name, values): (&String, &Value)| {
        let values = match values {
            Value::Array(values) => values.clone(),
            value => vec![value.clone()],
        };
        (Condition { field: name.clone(), values }, siblings.contains_key(name))
    };
    entries.map(condition).unzip()
}

/// Whether a value equals an allowed one.
fn is_value(wanted: &Value, value: &Value) -> bool {
    match (wanted, value) {
        (Value::Null, _) => false,
        (Value::Number(wanted), Value::Number(value)) => {
            wanted == value || (wanted.is_f64() || value.is_f64()) && wanted.as_f64() == value.as_f64()
        }
        _ => wanted == value,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::{Field, FieldType, FormSchema};

    fn schema(form: &Value) -> FormSchema {
        FormSchema::parse(form.as_object().unwrap()).unwrap()
    }

    fn named<'f>(fields: &'f [Field], name: &str) -> &'f Field {
        fields.iter().find(|field| field.name == name).unwrap()
    }

    #[test]
    fn a_field_applies_where_all_conditions_hold() {
        let form = json!({
            "kind": {"type": "string", "enum": ["cat", "dog", "fish"]},
            "count": {"type": "number"},
            "indoors": {"type": "boolean"},
            "collar": {"type": "string", "when": {"kind": ["cat", "dog"], "count": 2, "indoors": false}}
        });
        let schema = schema(&form);
        let collar = named(&schema.fields, "collar");
        let applies = |record: Value| {
            let record = record.as_object().unwrap().clone();
            collar.applies(&record, &record)
        };
        assert!(applies(json!({"kind": "cat", "count": 2, "indoors": false})));
        assert!(applies(json!({"kind": "dog", "count": 2.0, "indoors": false})));
        for record in [
            json!({"kind": "fish", "count": 2, "indoors": false}),
            json!({"kind": "Cat", "count": 2, "indoors": false}),
            json!({"kind": "cat", "count": 2.5, "indoors": false}),
            json!({"kind": "cat", "count": "2", "indoors": false}),
            json!({"kind": "cat", "count": 2, "indoors": null}),
            json!({"kind": "cat", "count": 2}),
            json!({}),
        ] {
            assert!(!applies(record.clone()), "{record}");
        }
        assert!(named(&schema.fields, "kind").applies(&Map::new(), &Map::new()), "no condition");
    }

    #[test]
    fn large_whole_numbers_are_told_apart() {
        let big = json!(9_007_199_254_740_993_u64);
        assert!(is_value(&big, &big) && !is_value(&big, &json!(9_007_199_254_740_992_u64)));
    }

    #[test]
    fn a_sibling_goes_before_a_field_at_the_top_even_where_it_has_no_value() {
        let form = json!({
            "paid": {"type": "boolean"},
            "urgent": {"type": "boolean"},
            "rows": {"type": "array", "items": {"type": "object", "properties": {
                "paid": {"type": "boolean"},
                "paid_on": {"type": "date", "when": {"paid": true}},
                "reason": {"type": "string", "when": {"urgent": true}}
            }}}
        });
        let schema = schema(&form);
        let FieldType::Array(item) = &named(&schema.fields, "rows").kind else { panic!("a list") };
        let FieldType::Object(parts) = &item.kind else { panic!("of objects") };
        let top = json!({"paid": true, "urgent": true}).as_object().unwrap().clone();
        let row = |row: Value| row.as_object().unwrap().clone();
        let paid_on = named(parts, "paid_on");
        assert!(paid_on.applies(&row(json!({"paid": true})), &Map::new()));
        assert!(!paid_on.applies(&row(json!({"paid": false})), &top));
        assert!(!paid_on.applies(&Map::new(), &top));
        assert!(named(parts, "reason").applies(&Map::new(), &top));
        assert!(!named(parts, "reason").applies(&row(json!({"urgent": true})), &Map::new()));
    }
}
