//! Validates `when`: it refers to other fields of the form, with values that they can have, and without
//! cycles.

use std::collections::{HashMap, HashSet};

use gen_core::suggestions::{format_likely, likely};
use serde_json::{Map, Value};

use super::condition::depths;
use super::formats::has_type;
use super::violations::{Violations, pointer_token};
use super::{MAX_CONDITION_VALUES, MAX_CONDITIONS, MAX_DEPTH, MAX_ENUM, MAX_FIELDS, MAX_OPTION, TYPES};

/// Most fields of a cycle named in a message. Bounds the message. Chosen by hand; no measurement is recorded.
const MAX_NAMED: usize = 5;

/// Validates every `when` of a form.
pub(super) fn check_conditions(check: &mut Violations, form: &Map<String, Value>) {
    let mut walk = ConditionValidator { check, form, left: MAX_FIELDS };
    walk.fields(form, "", 1);
}

/// Walks through a form, which may be any JSON.
struct ConditionValidator<'a> {
    check: &'a mut Violations,
    /// The top-level fields.
    form: &'a Map<String, Value>,
    /// Number of definitions still to be visited.
    left: usize,
}

impl ConditionValidator<'_> {
    fn fields(&mut self, fields: &Map<String, Value>, path: &str, depth: usize) {
        for (name, definition) in fields {
            let path = format!("{path}/{}", pointer_token(name));
            let Some(definition) = self.enter(definition) else { continue };
            if let Some(when) = definition.get("when").and_then(Value::as_object) {
                self.check_when(when, (name, fields), &format!("{path}/when"));
            }
            self.check_nested(definition, &path, depth);
        }
        self.check_cycles(fields, path);
    }

    /// The definition as an object, unless the limit is reached.
    fn enter<'d>(&mut self, definition: &'d Value) -> Option<&'d Map<String, Value>> {
        self.left = self.left.checked_sub(1)?;
        definition.as_object()
    }

    /// Validates the fields nested in a definition.
    fn check_nested(&mut self, definition: &Map<String, Value>, path: &str, depth: usize) {
        if depth >= MAX_DEPTH {
            return;
        }
        match definition.get("type").and_then(Value::as_str) {
            Some("object") => {
                if let Some(Value::Object(parts)) = definition.get("properties") {
                    self.fields(parts, &format!("{path}/properties"), depth + 1);
                }
            }
            Some(kind @ ("array" | "map")) => {
                let key = if kind == "map" { "values" } else { "items" };
                let Some(item) = definition.get(key).and_then(|item| self.enter(item)) else { return };
                let path = format!("{path}/{key}");
                if item.contains_key("when") {
                    self.check.report(&format!("{path}/when"), format!("'when' does not go with '{key}'"));
                }
                self.check_nested(item, &path, depth + 1);
            }
            _ => {}
        }
    }

    /// Validates the `when` of the field `name`.
    fn check_when(
        &mut self,
        when: &Map<String, Value>,
        (name, siblings): (&str, &Map<String, Value>),
        path: &str,
    ) {
        if when.is_empty() || when.len() > MAX_CONDITIONS {
            self.check.report(path, format!("'when' must have 1 to {MAX_CONDITIONS} entries"));
            return;
        }
        for (other, values) in when {
            let token = pointer_token(other);
            let path = format!("{path}/{token}");
            let sibling = siblings.get(other);
            match sibling.or_else(|| self.form.get(other)) {
                None => {
                    let names = siblings.keys().chain(self.form.keys()).filter(|known| *known != name);
                    let suggestion = format_likely(likely(other, names.map(String::as_str)));
                    let rule = "'when' must name fields that stand beside this one or at the top of the form";
                    self.check.report(&path, format!("{rule}{suggestion}"));
                }
                Some(_) if sibling.is_some() && other == name => {
                    self.check.report(&path, "'when' must not name the field itself");
                }
                Some(definition) if definition.get("computed").is_some() => {
                    self.check.report(&path, "'when' must not name a computed field");
                }
                Some(definition) => self.values(definition, values, &path),
            }
        }
    }

    /// Validates the values of an entry, one or a list.
    fn values(&mut self, definition: &Value, values: &Value, path: &str) {
        let Some(other) = ReferencedField::of(definition) else { return };
        if matches!(other.kind, "array" | "object" | "money" | "map") {
            self.check.report(path, format!("'when' must not name a field of the type {}", other.kind));
            return;
        }
        let Some(list) = values.as_array() else {
            self.value(&other, values, path);
            return;
        };
        if list.is_empty() || list.len() > MAX_CONDITION_VALUES {
            let message = format!("an entry of 'when' must have 1 to {MAX_CONDITION_VALUES} values");
            self.check.report(path, message);
            return;
        }
        for (index, value) in list.iter().enumerate() {
            self.value(&other, value, &format!("{path}/{index}"));
        }
    }

    fn value(&mut self, other: &ReferencedField<'_>, value: &Value, path: &str) {
        // The empty string counts as no value.
        let fits = |text: &str| !text.is_empty() && text.chars().nth(MAX_OPTION).is_none();
        if !has_type(other.kind, value) {
            self.check.report(path, format!("a value of 'when' must be of the field's type, {}", other.kind));
        } else if value.as_str().is_some_and(|text| !fits(text)) {
            self.check.report(path, format!("a value of 'when' must have 1 to {MAX_OPTION} characters"));
        } else if !other.can_be(value) {
            self.check.report(path, "a value of 'when' must be one of the field's 'enum'");
        }
    }

    /// Reports cycles. Only siblings can form one: top-level fields cannot refer to nested ones.
    fn check_cycles(&mut self, fields: &Map<String, Value>, path: &str) {
        if fields.len() > MAX_FIELDS || !fields.values().any(|definition| definition.get("when").is_some()) {
            return;
        }
        let names: Vec<&str> = fields.keys().map(String::as_str).collect();
        let places: HashMap<&str, usize> = names.iter().enumerate().map(|(at, name)| (*name, at)).collect();
        let waits_for = |(at, definition): (usize, &Value)| -> Vec<usize> {
            let others = definition.get("when").and_then(Value::as_object).into_iter().flatten();
            let others =
                others.take(MAX_CONDITIONS).filter_map(|(name, _)| places.get(name.as_str()).copied());
            others.filter(|other| *other != at).collect()
        };
        let edges: Vec<Vec<usize>> = fields.values().enumerate().map(waits_for).collect();
        for circle in find_cycles(&edges) {
            let named: Vec<&str> = circle.iter().filter_map(|at| names.get(*at).copied()).collect();
            let Some(first) = named.first() else { continue };
            let shown: Vec<String> =
                named.iter().take(MAX_NAMED).map(|name| format!("'{}'", pointer_token(name))).collect();
            let more = if named.len() > MAX_NAMED { ", …" } else { "" };
            let message =
                format!("the conditions of {}{more} must not depend on each other", shown.join(", "));
            self.check.report(&format!("{path}/{}/when", pointer_token(first)), message);
        }
    }
}

/// The field that a condition refers to.
struct ReferencedField<'d> {
    /// Its type; a string with the format `date` counts as `date`.
    kind: &'d str,
    /// Its options as strings and as bits of numbers; `None` without an enum.
    options: Option<(HashSet<&'d str>, HashSet<u64>)>,
}

impl<'d> ReferencedField<'d> {
    /// `None` when the definition has no valid type.
    fn of(definition: &'d Value) -> Option<Self> {
        let text = |key: &str| definition.get(key).and_then(Value::as_str);
        let kind = match text("type")? {
            "string" if text("format") == Some("date") => "date",
            kind => kind,
        };
        let texts = |options: &'d Vec<Value>| options.iter().take(MAX_ENUM).filter_map(Value::as_str);
        let number = |text: &str| text.trim().parse::<f64>().ok().map(bits);
        let options = definition.get("enum").and_then(Value::as_array);
        let options =
            options.map(|options| (texts(options).collect(), texts(options).filter_map(number).collect()));
        TYPES.contains(&kind).then_some(Self { kind, options })
    }

    /// Whether a value of its type is among its options.
    fn can_be(&self, value: &Value) -> bool {
        self.options.as_ref().is_none_or(|(texts, numbers)| match value {
            Value::String(text) => texts.contains(text.as_str()),
            Value::Number(number) => number.as_f64().is_some_and(|number| numbers.contains(&bits(number))),
            _ => true,
        })
    }
}

/// Bits of a number for hashing. Both zeros are equal.
fn bits(number: f64) -> u64 {
    (number + 0.0).to_bits()
}

/// Cycles of a graph, each starting at its lowest node. Not all cycles are found when they share nodes.
fn find_cycles(edges: &[Vec<usize>]) -> Vec<Vec<usize>> {
    let depths = depths(edges);
    let is_stuck = |at: &usize| depths.get(*at).is_some_and(Option::is_none);
    // A node on or before a cycle always has such a successor.
    let next = |at: usize| edges.get(at)?.iter().copied().find(is_stuck);
    let mut seen: HashSet<usize> = HashSet::new();
    let mut found = Vec::new();
    for start in (0..edges.len()).filter(is_stuck) {
        let mut way = Vec::new();
        let mut at = Some(start);
        while let Some(here) = at.filter(|here| !seen.contains(here)) {
            seen.insert(here);
            way.push(here);
            at = next(here);
        }
        let closes = at.and_then(|end| way.iter().position(|here| *here == end));
        if let Some(from) = closes {
            let mut circle = way.split_off(from);
            let lowest = circle.iter().enumerate().min_by_key(|(_, node)| **node).map_or(0, |(at, _)| at);
            circle.rotate_left(lowest);
            found.push(circle);
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::validate_schema;

    fn found(schema: &Value) -> Vec<(String, String)> {
        validate_schema(schema).into_iter().map(|violation| (violation.path, violation.message)).collect()
    }

    /// A form with a field of every kind, and one with this `when`.
    fn with(when: &Value) -> Value {
        json!({
            "flag": {"type": "boolean"}, "kind": {"type": "string", "enum": ["", "cat", "dog"]},
            "size": {"type": "number", "enum": ["1", "2.50"]}, "count": {"type": "integer"}, "day": {"type": "date"},
            "noted": {"type": "string", "format": "date"}, "mail": {"type": "email"}, "word": {"type": "string"},
            "rows": {"type": "array", "items": {"type": "string"}},
            "parts": {"type": "object", "properties": {"inner": {"type": "string"}}},
            "odd": {"type": "text"}, "it": {"type": "string", "when": when}
        })
    }

    #[test]
    fn a_condition_names_another_field_and_values_that_it_can_have() {
        for when in [
            json!({"flag": true}),
            json!({"flag": [true, false], "kind": "cat", "size": [1, 2.5], "count": [3, 4.0], "day": "2024-02-29"}),
            json!({"noted": "2024-02-29", "mail": ["a@b.co"], "word": "any"}),
        ] {
            let found = found(&with(&when));
            assert_eq!(found.len(), 1, "{when}: {found:?}");
            assert_eq!(found[0].0, "/odd/type");
        }
    }

    #[test]
    fn what_is_wrong_with_a_condition_is_told_with_its_place() {
        let (entries, own_type) =
            ("'when' must have 1 to 20 entries", "a value of 'when' must be of the field's type, ");
        let many: Map<String, Value> = (0..21).map(|n| (format!("f{n}"), json!(1))).collect();
        let long = "x".repeat(1_001);
        for (when, place, message) in [
            (json!(true), "", "'when' must be an object".to_owned()),
            (json!([]), "", "'when' must be an object".to_owned()),
            (json!({}), "", entries.to_owned()),
            (Value::Object(many), "", entries.to_owned()),
            (
                json!({"no/ne": 1}),
                "/no~1ne",
                "'when' must name fields that stand beside this one or at the top of the form".to_owned(),
            ),
            (
                json!({"inner": "x"}),
                "/inner",
                "'when' must name fields that stand beside this one or at the top of the form".to_owned(),
            ),
            (json!({"it": "x"}), "/it", "'when' must not name the field itself".to_owned()),
            (json!({"rows": ["x"]}), "/rows", "'when' must not name a field of the type array".to_owned()),
            (json!({"parts": "x"}), "/parts", "'when' must not name a field of the type object".to_owned()),
            (json!({"flag": "yes"}), "/flag", format!("{own_type}boolean")),
            (json!({"flag": null}), "/flag", format!("{own_type}boolean")),
            (json!({"kind": ["cat", 1]}), "/kind/1", format!("{own_type}string")),
            (json!({"count": [1.5]}), "/count/0", format!("{own_type}integer")),
            (json!({"size": "1"}), "/size", format!("{own_type}number")),
            (json!({"day": "soon"}), "/day", format!("{own_type}date")),
            (json!({"noted": "soon"}), "/noted", format!("{own_type}date")),
            (json!({"mail": "nobody"}), "/mail", format!("{own_type}email")),
            (json!({"word": {"is": "x"}}), "/word", format!("{own_type}string")),
            (json!({"word": [["x"]]}), "/word/0", format!("{own_type}string")),
            (json!({"word": []}), "/word", "an entry of 'when' must have 1 to 100 values".to_owned()),
            (
                json!({"word": vec!["x"; 101]}),
                "/word",
                "an entry of 'when' must have 1 to 100 values".to_owned(),
            ),
            (json!({"word": ""}), "/word", "a value of 'when' must have 1 to 1000 characters".to_owned()),
            (json!({"word": long}), "/word", "a value of 'when' must have 1 to 1000 characters".to_owned()),
            (
                json!({"kind": ["dog", "cow"]}),
                "/kind/1",
                "a value of 'when' must be one of the field's 'enum'".to_owned(),
            ),
            (json!({"size": 3}), "/size", "a value of 'when' must be one of the field's 'enum'".to_owned()),
        ] {
            let found: Vec<_> =
                found(&with(&when)).into_iter().filter(|(path, _)| path != "/odd/type").collect();
            assert_eq!(found, [(format!("/it/when{place}"), message)], "{when:.100}");
        }
    }

    #[test]
    fn a_condition_on_a_field_that_is_wrong_itself_is_no_further_mistake() {
        let found = found(&with(&json!({"odd": 1})));
        assert_eq!(found.len(), 1, "{found:?}");
    }

    #[test]
    fn conditions_that_depend_on_each_other_are_told_once() {
        let flag = |others: &[&str]| {
            let when: Map<String, Value> =
                others.iter().map(|name| ((*name).to_owned(), json!(true))).collect();
            json!({"type": "boolean", "when": when})
        };
        let form = json!({
            "z": flag(&["a"]), "a": flag(&["b"]), "b": flag(&["end", "a"]), "end": {"type": "boolean"},
            "in": {"type": "object", "properties": {"c": flag(&["d", "end"]), "d": flag(&["e"]), "e": flag(&["c"])}}
        });
        assert_eq!(
            found(&form),
            [
                (
                    "/in/properties/c/when".to_owned(),
                    "the conditions of 'c', 'd', 'e' must not depend on each other".to_owned()
                ),
                ("/a/when".to_owned(), "the conditions of 'a', 'b' must not depend on each other".to_owned()),
            ]
        );
        let chain: Map<String, Value> = (0..1_000)
            .map(|n| (format!("f{n}"), flag(&[format!("f{}", (n + 1) % 1_000).as_str()])))
            .collect();
        let found = found(&Value::Object(chain));
        let message = "the conditions of 'f0', 'f1', 'f2', 'f3', 'f4', … must not depend on each other";
        assert_eq!(found, [("/f0/when".to_owned(), message.to_owned())]);
    }

    #[test]
    fn rows_look_beside_themselves_first_and_entries_of_lists_have_no_condition() {
        let rows = |when: Value| {
            json!({
                "kind": {"type": "boolean"},
                "rows": {"type": "array", "items": {"type": "object", "properties": {
                    "kind": {"type": "string"}, "note": {"type": "string", "when": when}}}}
            })
        };
        assert_eq!(found(&rows(json!({"kind": "x"}))), []);
        assert_eq!(found(&rows(json!({"kind": true})))[0].0, "/rows/items/properties/note/when/kind");
        assert_eq!(found(&rows(json!({"rows": "x"})))[0].0, "/rows/items/properties/note/when/rows");
        let item = json!({"a": {"type": "boolean"}, "b": {"type": "array", "items": {"type": "string", "when": {"a": true}}}});
        assert_eq!(
            found(&item),
            [("/b/items/when".to_owned(), "'when' does not go with 'items'".to_owned())]
        );
    }
}
