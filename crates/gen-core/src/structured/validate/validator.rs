//! Validates a value recursively along its schema.

use std::collections::HashSet;

use serde_json::{Map, Value};
use shared_core::Violation;

use super::super::keywords::{resolve, token};
use super::budget::Budget;
use super::{Patterns, scalars};

/// Maximum violations reported. Bounds the answer.
pub(super) const MAX_VIOLATIONS: usize = 100;

/// Maximum depth of schemas, references followed. Bounds the stack.
const MAX_LEVELS: usize = 200;

pub(super) struct Validator<'a> {
    root: &'a Value,
    budget: Budget<'a>,
    level: usize,
}

impl<'a> Validator<'a> {
    pub(super) fn new(root: &'a Value, patterns: &'a Patterns) -> Self {
        Self { root, budget: Budget::new(patterns), level: 0 }
    }

    /// Why the validation was aborted, if it was.
    pub(super) fn abort_violation(&self) -> Option<Violation> {
        self.budget.abort_reason.map(|why| Violation::new("", why))
    }

    /// Adds the violations of `schema` by `value` to `found`; `at` is the JSON pointer of the value.
    pub(super) fn check(&mut self, schema: &Value, value: &Value, at: &str, found: &mut Vec<Violation>) {
        if !self.budget.take_steps(1) || found.len() >= MAX_VIOLATIONS {
            return;
        }
        if self.level >= MAX_LEVELS {
            self.budget.abort_reason = Some("the schema refers to itself too deeply to be checked");
            return;
        }
        self.level += 1;
        match schema {
            Value::Bool(false) => found.push(Violation::new(at, "is not allowed")),
            Value::Object(rules) => self.rules(rules, value, at, found),
            _ => {}
        }
        self.level -= 1;
    }

    fn rules(&mut self, rules: &Map<String, Value>, value: &Value, at: &str, found: &mut Vec<Violation>) {
        if let Some(target) = rules.get("$ref").and_then(Value::as_str).and_then(|r| resolve(self.root, r)) {
            self.check(target, value, at, found);
        }
        let before = found.len();
        scalars::check(&mut self.budget, rules, value, at, found);
        // A value of the wrong type violates other rules too; one violation is enough.
        if found.len() > before && rules.contains_key("type") && !scalars::is_of_type(rules, value) {
            return;
        }
        match value {
            Value::Object(members) => self.object(rules, members, at, found),
            Value::Array(items) => self.list(rules, items, at, found),
            _ => {}
        }
        self.check_combinators(rules, value, at, found);
    }

    fn is_valid(&mut self, schema: &Value, value: &Value) -> bool {
        let mut found = Vec::new();
        self.check(schema, value, "", &mut found);
        found.is_empty()
    }

    fn check_combinators(
        &mut self,
        rules: &Map<String, Value>,
        value: &Value,
        at: &str,
        found: &mut Vec<Violation>,
    ) {
        let list = |keyword: &str| rules.get(keyword).and_then(Value::as_array);
        for part in list("allOf").into_iter().flatten() {
            self.check(part, value, at, found);
        }
        if let Some(branches) = list("anyOf") {
            let (fitting, closest) = self.alternatives(branches, value, at);
            if fitting == 0 {
                found.extend(closest);
            }
        }
        if let Some(branches) = list("oneOf") {
            match self.alternatives(branches, value, at) {
                (0, closest) => found.extend(closest),
                (1, _) => {}
                _ => found.push(Violation::new(at, "must fit exactly one of the alternatives, not several")),
            }
        }
        if let Some(not) = rules.get("not")
            && self.is_valid(not, value)
        {
            found.push(Violation::new(at, "must not fit the schema under 'not'"));
        }
        if let Some(condition) = rules.get("if") {
            let branch = if self.is_valid(condition, value) { "then" } else { "else" };
            if let Some(branch) = rules.get(branch) {
                self.check(branch, value, at, found);
            }
        }
    }

    /// The number of alternatives that match, and the violations of the closest one.
    fn alternatives(&mut self, branches: &[Value], value: &Value, at: &str) -> (usize, Vec<Violation>) {
        let mut fitting = 0;
        let mut closest: Option<Vec<Violation>> = None;
        for branch in branches {
            let mut broken = Vec::new();
            self.check(branch, value, at, &mut broken);
            fitting += usize::from(broken.is_empty());
            if self.is_of_type(branch, value)
                && closest.as_ref().is_none_or(|known| broken.len() < known.len())
            {
                closest = Some(broken);
            }
        }
        let none = || vec![Violation::new(at, "must fit one of the alternatives of the schema")];
        (fitting, closest.unwrap_or_else(none))
    }

    /// Whether a schema, with those that it refers to, allows the type of the value.
    fn is_of_type(&self, schema: &Value, value: &Value) -> bool {
        let mut schema = schema;
        for _ in 0..MAX_LEVELS {
            let Some(rules) = schema.as_object().filter(|rules| scalars::is_of_type(rules, value)) else {
                return false;
            };
            match rules.get("$ref").and_then(Value::as_str).and_then(|name| resolve(self.root, name)) {
                Some(target) => schema = target,
                None => return true,
            }
        }
        false
    }

    fn object(
        &mut self,
        rules: &Map<String, Value>,
        members: &Map<String, Value>,
        at: &str,
        found: &mut Vec<Violation>,
    ) {
        let map = |keyword: &str| rules.get(keyword).and_then(Value::as_object);
        let properties = map("properties");
        for name in
            rules.get("required").and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str)
        {
            if !members.contains_key(name) {
                found.push(Violation::new(at, format!("'{name}' is a required property")));
            }
        }
        for (name, value) in members {
            let at = format!("{at}/{}", token(name));
            let own = properties.and_then(|properties| properties.get(name));
            let mut is_known = own.is_some();
            own.into_iter().for_each(|schema| self.check(schema, value, &at, found));
            for (text, schema) in map("patternProperties").into_iter().flatten() {
                if self.budget.matches(text, name) {
                    is_known = true;
                    self.check(schema, value, &at, found);
                }
            }
            match rules.get("additionalProperties") {
                Some(Value::Bool(false)) if !is_known => {
                    found.push(Violation::new(&at, format!("'{name}' is not a property of the schema")));
                }
                Some(schema) if !is_known => self.check(schema, value, &at, found),
                _ => {}
            }
            if let Some(names) = rules.get("propertyNames")
                && !self.is_valid(names, &Value::String(name.clone()))
            {
                found.push(Violation::new(&at, format!("'{name}' is not an allowed name of a property")));
            }
        }
        self.dependents(rules, members, at, found);
        let count = members.len() as f64;
        scalars::bound(
            rules,
            "minProperties",
            at,
            found,
            |least| count >= least,
            "must have at least",
            "properties",
        );
        scalars::bound(
            rules,
            "maxProperties",
            at,
            found,
            |most| count <= most,
            "must have at most",
            "properties",
        );
    }

    fn dependents(
        &mut self,
        rules: &Map<String, Value>,
        members: &Map<String, Value>,
        at: &str,
        found: &mut Vec<Violation>,
    ) {
        let map = |keyword: &str| rules.get(keyword).and_then(Value::as_object).into_iter().flatten();
        for (name, others) in map("dependentRequired").filter(|(name, _)| members.contains_key(*name)) {
            for other in others.as_array().into_iter().flatten().filter_map(Value::as_str) {
                if !members.contains_key(other) {
                    found.push(Violation::new(at, format!("'{other}' is required if '{name}' is present")));
                }
            }
        }
        for (_, schema) in map("dependentSchemas").filter(|(name, _)| members.contains_key(*name)) {
            self.check(schema, &Value::Object(members.clone()), at, found);
        }
    }

    fn list(&mut self, rules: &Map<String, Value>, items: &[Value], at: &str, found: &mut Vec<Violation>) {
        let first = rules.get("prefixItems").and_then(Value::as_array).map_or(&[][..], Vec::as_slice);
        for (index, item) in items.iter().enumerate() {
            if let Some(schema) = first.get(index).or_else(|| rules.get("items")) {
                self.check(schema, item, &format!("{at}/{index}"), found);
            }
        }
        let count = items.len() as f64;
        scalars::bound(rules, "minItems", at, found, |least| count >= least, "must have at least", "entries");
        scalars::bound(rules, "maxItems", at, found, |most| count <= most, "must have at most", "entries");
        if rules.get("uniqueItems") == Some(&Value::Bool(true)) {
            let mut seen = HashSet::new();
            let texts = items.iter().map(scalars::canonical);
            // Steps by what a comparison costs: a hash of 16 bytes counts as one, as do 1,024 bytes for a
            // pattern of eight. Chosen by hand; no measurement is recorded.
            let steps = texts.map(|text| (text.len() / 16 + 1, seen.insert(text))).collect::<Vec<_>>();
            self.budget.take_steps(steps.iter().map(|(steps, _)| steps).sum());
            if steps.iter().any(|(_, is_new)| !is_new) {
                found.push(Violation::new(at, "must not have duplicate entries"));
            }
        }
        self.check_contains(rules, items, at, found);
    }

    fn check_contains(
        &mut self,
        rules: &Map<String, Value>,
        items: &[Value],
        at: &str,
        found: &mut Vec<Violation>,
    ) {
        let Some(schema) = rules.get("contains") else { return };
        let fitting = items.iter().filter(|item| self.is_valid(schema, item)).count() as f64;
        let bound = |keyword: &str| rules.get(keyword).and_then(Value::as_f64);
        let least = bound("minContains").unwrap_or(1.0);
        if fitting < least || bound("maxContains").is_some_and(|most| fitting > most) {
            found.push(Violation::new(at, "has too few or too many entries that match 'contains'"));
        }
    }
}
