//! Detects schemas that no finite value matches, as they require themselves.

use serde_json::Value;

use super::keywords::resolve;

// They bound time and stack.
/// Maximum schemas that are visited; a schema with more counts as finite.
const MAX_LOOKS: u32 = 20_000;
/// Maximum depth of the search.
const MAX_DEPTH: usize = 200;

/// Whether every value of the schema would have to contain another value of it without end. In doubt the
/// answer is no, as answers are validated anyway.
pub(super) fn is_endless(root: &Value) -> bool {
    !FinitenessCheck { root, within: Vec::new(), looks: 0 }.ends(root)
}

struct FinitenessCheck<'s> {
    root: &'s Value,
    /// The schemas on the path to the current one.
    within: Vec<*const Value>,
    looks: u32,
}

impl<'s> FinitenessCheck<'s> {
    /// Whether some finite value matches the schema.
    fn ends(&mut self, schema: &'s Value) -> bool {
        let place = std::ptr::from_ref(schema);
        if self.within.contains(&place) {
            return false;
        }
        self.looks += 1;
        if self.looks > MAX_LOOKS || self.within.len() >= MAX_DEPTH {
            return true;
        }
        self.within.push(place);
        let ends = self.every_part_ends(schema);
        self.within.pop();
        ends
    }

    fn every_part_ends(&mut self, schema: &'s Value) -> bool {
        if schema.get("enum").is_some() || schema.get("const").is_some() {
            return true;
        }
        let target = schema.get("$ref").and_then(Value::as_str).and_then(|name| resolve(self.root, name));
        let held = match schema.get("type").and_then(Value::as_str) {
            Some("object") => self.required_end(schema),
            Some("array") => self.items_end(schema),
            // Without a type, or with several, a value may be a scalar.
            _ => true,
        };
        held && target.is_none_or(|target| self.ends(target))
            && list(schema, "allOf").all(|part| self.ends(part))
            && self.one_ends(schema, "anyOf")
            && self.one_ends(schema, "oneOf")
    }

    fn required_end(&mut self, schema: &'s Value) -> bool {
        let properties = schema.get("properties");
        let required = list(schema, "required").filter_map(Value::as_str);
        required.filter_map(|name| properties?.get(name)).all(|part| self.ends(part))
    }

    fn items_end(&mut self, schema: &'s Value) -> bool {
        let none = schema.get("minItems").and_then(Value::as_u64).unwrap_or_default() == 0;
        none || schema.get("items").is_none_or(|items| self.ends(items))
    }

    fn one_ends(&mut self, schema: &'s Value, keyword: &str) -> bool {
        schema.get(keyword).is_none() || list(schema, keyword).any(|branch| self.ends(branch))
    }
}

fn list<'s>(schema: &'s Value, keyword: &str) -> impl Iterator<Item = &'s Value> + use<'s> {
    schema.get(keyword).and_then(Value::as_array).into_iter().flatten()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn what_requires_itself_never_ends() {
        let chain = |second: Value| {
            json!({"$defs": {"b": second}, "type": "object", "required": ["a"],
                "properties": {"a": {"$ref": "#/$defs/b"}}})
        };
        let back = json!({"type": "object", "required": ["c"], "properties": {"c": {"$ref": "#"}}});
        assert!(is_endless(&chain(back.clone())));
        let list = |least: u32| json!({"type": "array", "minItems": least, "items": {"$ref": "#"}});
        assert!(is_endless(&chain(list(1))) && !is_endless(&chain(list(0))));
        let either = |other: Value| json!({"anyOf": [{"$ref": "#"}, other]});
        assert!(is_endless(&chain(either(back))) && !is_endless(&chain(either(json!({"type": "null"})))));
    }

    #[test]
    fn what_may_be_left_out_or_be_simpler_ends() {
        for schema in [
            json!({"type": "object", "properties": {"a": {"$ref": "#"}}}),
            json!({"type": ["object", "null"], "required": ["a"], "properties": {"a": {"$ref": "#"}}}),
            json!({"required": ["a"], "properties": {"a": {"$ref": "#"}}}),
            json!({"type": "object", "required": ["a"], "properties": {"b": {"$ref": "#"}}}),
            json!({"type": "string"}),
            json!(true),
        ] {
            assert!(!is_endless(&schema), "{schema}");
        }
    }
}
