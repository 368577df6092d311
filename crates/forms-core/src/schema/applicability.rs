//! Decides which fields of a record apply.

use std::collections::HashSet;

use serde_json::{Map, Value};

use super::violations::pointer_token;
use super::{Field, FieldType, FormSchema};

/// JSON pointers of the fields that do not apply in a record.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct InapplicableFields {
    known: HashSet<String>,
    ordered: Vec<String>,
}

impl InapplicableFields {
    /// Whether all fields apply.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.known.is_empty()
    }

    /// The pointers; a field comes before those that depend on it.
    pub fn pointers(&self) -> impl Iterator<Item = &str> {
        self.ordered.iter().map(String::as_str)
    }

    /// Whether a JSON pointer is, or is inside, a field that does not apply.
    #[must_use]
    pub fn covers(&self, pointer: &str) -> bool {
        let ends = pointer.match_indices('/').map(|(at, _)| at).skip(1).chain([pointer.len()]);
        !self.is_empty()
            && ends.into_iter().any(|end| pointer.get(..end).is_some_and(|own| self.known.contains(own)))
    }
}

impl FormSchema {
    /// Sets fields that do not apply to `null`, so that no other field depends on their values. Returns their
    /// pointers. In objects and rows, siblings take precedence over top-level fields.
    pub fn clear_inapplicable(&self, record: &mut Map<String, Value>) -> InapplicableFields {
        let mut found = InapplicableFields::default();
        if is_conditional(&self.fields) {
            found.clear_top_level(&self.fields, record);
        }
        found
    }
}

/// Whether any of the fields, or of their nested fields, has conditions.
fn is_conditional(fields: &[Field]) -> bool {
    any_field(fields, |field| !field.when.is_empty())
}

/// Whether a test holds for any of the fields, or of their nested fields.
pub(super) fn any_field(fields: &[Field], test: fn(&Field) -> bool) -> bool {
    fields.iter().any(|field| test(field) || any_field(parts_of(field), test))
}

/// The fields nested in a field; for a list, those of its items.
fn parts_of(field: &Field) -> &[Field] {
    match &field.kind {
        FieldType::Object(parts) => parts,
        FieldType::Array(item) => parts_of(item),
        _ => &[],
    }
}

/// The fields with conditions; a field comes before those that depend on it.
fn dependency_order(fields: &[Field]) -> Vec<&Field> {
    let mut conditional: Vec<&Field> = fields.iter().filter(|field| !field.when.is_empty()).collect();
    conditional.sort_by_key(|field| field.dependency_depth);
    conditional
}

impl InapplicableFields {
    fn clear_top_level(&mut self, fields: &[Field], record: &mut Map<String, Value>) {
        self.clear(&dependency_order(fields), record, None, "");
        for field in fields.iter().filter(|field| is_conditional(parts_of(field))) {
            // The nested value is taken out to borrow the record. No condition can refer to lists and
            // objects.
            let Some(value) = record.get_mut(&field.name) else { continue };
            let mut value = value.take();
            self.clear_nested(field, &mut value, record, &format!("/{}", pointer_token(&field.name)));
            record.insert(field.name.clone(), value);
        }
    }

    /// Sets the fields of `conditional` that do not apply to `null` in one object. `top` is the top level of
    /// the record, when that is another object.
    fn clear(
        &mut self,
        conditional: &[&Field],
        object: &mut Map<String, Value>,
        top: Option<&Map<String, Value>>,
        path: &str,
    ) {
        for field in conditional {
            if field.applies(object, top.unwrap_or(object)) {
                continue;
            }
            object.get_mut(&field.name).into_iter().for_each(|value| *value = Value::Null);
            let pointer = format!("{path}/{}", pointer_token(&field.name));
            self.ordered.push(pointer.clone());
            self.known.insert(pointer);
        }
    }

    /// Visits an object, or the items of a list.
    fn clear_nested(&mut self, field: &Field, value: &mut Value, top: &Map<String, Value>, path: &str) {
        match (&field.kind, value) {
            (FieldType::Object(parts), Value::Object(object)) => {
                self.clear(&dependency_order(parts), object, Some(top), path);
                for part in parts.iter().filter(|part| is_conditional(parts_of(part))) {
                    if let Some(value) = object.get_mut(&part.name) {
                        self.clear_nested(part, value, top, &format!("{path}/{}", pointer_token(&part.name)));
                    }
                }
            }
            (FieldType::Array(item), Value::Array(values)) => {
                for (index, value) in values.iter_mut().enumerate() {
                    self.clear_nested(item, value, top, &format!("{path}/{index}"));
                }
            }
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    /// The record without what does not apply, and the pointers of that, sorted.
    fn cleared(form: &Value, record: &Value) -> (Value, Vec<String>) {
        let schema = FormSchema::parse(form.as_object().unwrap()).unwrap();
        let mut record = record.as_object().unwrap().clone();
        let found = schema.clear_inapplicable(&mut record);
        let mut pointers: Vec<String> = found.pointers().map(str::to_owned).collect();
        pointers.sort();
        (Value::Object(record), pointers)
    }

    #[test]
    fn what_does_not_apply_is_null_and_nothing_depends_on_it() {
        let form = json!({
            "c": {"type": "boolean", "when": {"b": true}},
            "b": {"type": "boolean", "when": {"a": true}},
            "a": {"type": "boolean"}
        });
        let all = json!({"c": true, "b": true, "a": true});
        assert_eq!(cleared(&form, &all), (all, vec![]));
        let record = json!({"c": true, "b": true, "a": false});
        let pointers = vec!["/b".to_owned(), "/c".to_owned()];
        assert_eq!(cleared(&form, &record), (json!({"c": null, "b": null, "a": false}), pointers));
    }

    #[test]
    fn rows_and_objects_are_decided_one_by_one() {
        let form = json!({
            "international": {"type": "boolean"},
            "seller/buyer": {"type": "object", "when": {"international": true}, "properties": {"vat": {"type": "string"}}},
            "order": {"type": "object", "properties": {
                "rows": {"type": "array", "items": {"type": "object", "properties": {
                    "kind": {"type": "string", "enum": ["goods", "service"]},
                    "weight": {"type": "number", "when": {"kind": "goods"}},
                    "customs": {"type": "string", "when": {"international": true, "kind": "goods"}}
                }}}
            }}
        });
        let record = json!({
            "international": false,
            "seller/buyer": {"vat": "1"},
            "order": {"rows": [
                {"kind": "goods", "weight": 2, "customs": "x"}, {"kind": "service", "weight": 3, "customs": "x"}, null
            ]}
        });
        let (record, pointers) = cleared(&form, &record);
        let rows = json!([
            {"kind": "goods", "weight": 2, "customs": null}, {"kind": "service", "weight": null, "customs": null}, null
        ]);
        assert_eq!(record, json!({"international": false, "seller/buyer": null, "order": {"rows": rows}}));
        let expected =
            ["/order/rows/0/customs", "/order/rows/1/customs", "/order/rows/1/weight", "/seller~1buyer"];
        assert_eq!(pointers, expected);
    }

    #[test]
    fn a_place_is_covered_by_what_it_lies_in() {
        let known = HashSet::from(["/a".to_owned(), "/b/0/c".to_owned()]);
        let found = InapplicableFields { known, ordered: Vec::new() };
        for (pointer, is_covered) in [
            ("/a", true),
            ("/a/b", true),
            ("/ab", false),
            ("/b/0", false),
            ("/b/0/c", true),
            ("", false),
            ("/", false),
        ] {
            assert_eq!(found.covers(pointer), is_covered, "{pointer}");
        }
    }
}
