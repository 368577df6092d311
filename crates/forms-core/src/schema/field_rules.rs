//! Rules between the fields of a record, and fields that are computed from others.

use std::collections::HashMap;

use serde_json::{Map, Value};

use super::condition::depths;
use super::violations::{Violations, pointer_token};
use super::{MAX_DEPTH, MAX_FIELDS};
use crate::expression::{Expression, Kind, Scope, kind_of};

/// Most rules of a field. Bounds the time of a check; part of the interface (docs/forms.md).
pub const MAX_RULES: usize = 20;
/// Most characters of a rule's message.
const MAX_MESSAGE: usize = 1_000;

/// A condition that a record must fulfil, at the field that it stands at.
#[derive(Clone, Debug, PartialEq)]
pub struct FieldRule {
    /// The condition.
    pub check: Expression,
    /// Difference up to which numbers count as equal, from 0.
    pub tolerance: f64,
    /// What is told where it does not hold; `None` for a message made of the condition.
    pub message: Option<String>,
}

/// The rules of a definition. What is wrong with one is passed to `report` with its index and key.
pub(super) fn rules_of(
    definition: &Map<String, Value>,
    scopes: &[Scope<'_>],
    report: &mut dyn FnMut(String, String),
) -> Vec<FieldRule> {
    let Some(stated) = definition.get("rules") else { return Vec::new() };
    let Some(stated) = stated.as_array().filter(|list| list.len() <= MAX_RULES) else {
        report(String::new(), format!("'rules' must be a list of at most {MAX_RULES} rules"));
        return Vec::new();
    };
    let mut found = Vec::new();
    for (index, rule) in stated.iter().enumerate() {
        match rule_of(rule, scopes) {
            Ok(rule) => found.push(rule),
            Err((key, message)) => report(format!("/{index}{key}"), message),
        }
    }
    found
}

fn rule_of(rule: &Value, scopes: &[Scope<'_>]) -> Result<FieldRule, (&'static str, String)> {
    let (key, check) = match rule {
        Value::String(check) => ("", Some(check.as_str())),
        Value::Object(keys) => ("/check", keys.get("check").and_then(Value::as_str)),
        _ => ("", None),
    };
    let Some(check) = check else {
        let message = "a rule must be a condition, or an object with 'check', 'tolerance' and 'message'";
        return Err(("", message.to_owned()));
    };
    let (check, kind) = Expression::parse(check, scopes).map_err(|message| (key, message))?;
    if !matches!(kind, Kind::Bool) {
        return Err((key, format!("a rule must be a condition, such as a == b, not {}", kind.name())));
    }
    let tolerance = match rule.get("tolerance") {
        None => 0.0,
        Some(number) => number
            .as_f64()
            .filter(|number| number.is_finite() && *number >= 0.0)
            .ok_or_else(|| ("/tolerance", "'tolerance' must be a number from 0".to_owned()))?,
    };
    let message = match rule.get("message") {
        None => None,
        Some(Value::String(text)) if !text.trim().is_empty() && text.chars().nth(MAX_MESSAGE).is_none() => {
            Some(text.trim().to_owned())
        }
        Some(_) => {
            return Err(("/message", format!("'message' must be a text of 1 to {MAX_MESSAGE} characters")));
        }
    };
    Ok(FieldRule { check, tolerance, message })
}

/// The expression of a computed field, if there is one.
pub(super) fn computed_of(
    definition: &Map<String, Value>,
    path: &str,
    scopes: &[Scope<'_>],
) -> Option<Result<Expression, String>> {
    let stated = definition.get("computed")?;
    Some((|| {
        let source = stated.as_str().ok_or("'computed' must be an expression, written as a string")?;
        let (expression, kind) = Expression::parse(source, scopes)?;
        let own = kind_of(definition, path);
        if matches!(own, Kind::List(..) | Kind::Object(..)) {
            return Err(format!("'computed' does not go with {}", own.name()));
        }
        if definition.get("required").and_then(Value::as_bool) == Some(true) {
            return Err(
                "'computed' does not go with 'required'; the fields that it needs may be required".to_owned()
            );
        }
        match kind.matches(&own) {
            true => Ok(expression),
            false => Err(format!("the expression gives {}, and the field is {}", kind.name(), own.name())),
        }
    })())
}

/// The scopes of the fields of an object: its own fields, then those at the top of the form.
pub(super) fn scopes<'a>(
    form: &'a Map<String, Value>,
    fields: &'a Map<String, Value>,
    path: &str,
) -> Vec<Scope<'a>> {
    let own = Scope::of_fields(fields, path.to_owned());
    match path.is_empty() {
        true => vec![own],
        false => vec![own, Scope::of_fields(form, String::new())],
    }
}

/// Validates every `rules` and `computed` of a form.
pub(super) fn check_field_rules(check: &mut Violations, form: &Map<String, Value>) {
    let mut walk = RuleValidator { check, form, left: MAX_FIELDS, computed: Vec::new() };
    walk.fields(form, ("", ""), 1);
    walk.check_cycles();
}

/// Walks through a form, which may be any JSON.
struct RuleValidator<'a> {
    check: &'a mut Violations,
    form: &'a Map<String, Value>,
    /// Number of definitions still to be visited.
    left: usize,
    /// The computed fields: place of the definition, path, and paths of what they name.
    computed: Vec<(String, String, Vec<String>)>,
}

impl RuleValidator<'_> {
    /// `place` is the JSON pointer of the definitions, and the path of the fields.
    fn fields(&mut self, fields: &Map<String, Value>, place: (&str, &str), depth: usize) {
        for (name, definition) in fields {
            let token = pointer_token(name);
            let place = (format!("{}/{token}", place.0), format!("{}/{token}", place.1), place.1);
            self.left = self.left.saturating_sub(1);
            let Some(definition) = definition.as_object().filter(|_| self.left > 0) else { continue };
            let states = |key| definition.contains_key(key);
            if states("rules") || states("computed") {
                let scopes = scopes(self.form, fields, place.2);
                self.definition(definition, &scopes, (&place.0, &place.1));
            }
            self.nested(definition, (&place.0, &place.1), depth);
        }
        let is_computed = |definition: &Value| definition.get("computed").is_some();
        if !fields.is_empty() && fields.values().all(is_computed) {
            self.check.report(place.0, "at least one field beside computed ones is needed");
        }
    }

    fn definition(&mut self, definition: &Map<String, Value>, scopes: &[Scope<'_>], place: (&str, &str)) {
        let mut report = |at, message| self.check.report(&format!("{}/rules{at}", place.0), message);
        rules_of(definition, scopes, &mut report);
        match computed_of(definition, place.1, scopes) {
            Some(Ok(expression)) => {
                self.computed.push((place.0.to_owned(), place.1.to_owned(), expression.fields().to_vec()));
            }
            Some(Err(message)) => self.check.report(&format!("{}/computed", place.0), message),
            None => {}
        }
    }

    fn nested(&mut self, definition: &Map<String, Value>, place: (&str, &str), depth: usize) {
        if depth >= MAX_DEPTH {
            return;
        }
        if let Some(Value::Object(parts)) = definition.get("properties") {
            self.fields(parts, (&format!("{}/properties", place.0), place.1), depth + 1);
        }
        let is_map = definition.get("type").is_some_and(|kind| kind == "map");
        let below = if is_map { "values" } else { "items" };
        if let Some(Value::Object(item)) = definition.get(below) {
            let at = format!("{}/{below}", place.0);
            for key in ["rules", "computed"] {
                if item.contains_key(key) {
                    self.check.report(&format!("{at}/{key}"), format!("'{key}' does not go with '{below}'"));
                }
            }
            self.nested(item, (&at, place.1), depth + 1);
        }
    }

    /// Reports computed fields that need themselves.
    fn check_cycles(&mut self) {
        let paths: Vec<(&str, &[String])> =
            self.computed.iter().map(|(_, path, fields)| (path.as_str(), fields.as_slice())).collect();
        for (depth, (place, ..)) in computed_depths(&paths).into_iter().zip(&self.computed) {
            if depth.is_none() {
                let message = "the value needs a computed field that needs this one";
                self.check.report(&format!("{place}/computed"), message);
            }
        }
    }
}

/// For each computed field, given by its path and the paths that it names, the longest chain of computed fields before
/// it; `None` in a cycle.
pub(super) fn computed_depths(fields: &[(&str, &[String])]) -> Vec<Option<usize>> {
    let places: HashMap<&str, usize> = fields.iter().enumerate().map(|(at, (path, _))| (*path, at)).collect();
    let edges: Vec<Vec<usize>> = fields
        .iter()
        .map(|(_, named)| named.iter().filter_map(|path| places.get(path.as_str()).copied()).collect())
        .collect();
    depths(&edges)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use crate::validate_schema;

    fn found(schema: serde_json::Value) -> Vec<(String, String)> {
        validate_schema(&schema).into_iter().map(|violation| (violation.path, violation.message)).collect()
    }

    #[test]
    fn rules_and_computed_fields_are_checked_when_a_form_is_stored() {
        let schema = json!({
            "rows": {"type": "array", "rules": ["rows.count() > 0"], "items": {"type": "object", "properties": {
                "amount": {"type": "number", "computed": "count * price", "rules": ["amount < net", "price > limit"]},
                "count": {"type": "integer"}, "price": {"type": "number"}}}},
            "net": {"type": "number", "rules": ["net", {"check": "net > 0", "tolerance": -1},
                {"check": "net > 0", "message": " "}, {"tolerance": 1}, 7]},
            "gross": {"type": "number", "computed": "net + tax", "required": true},
            "label": {"type": "string", "computed": "net * 2"},
            "paid": {"type": "boolean", "rules": "paid", "when": {"sum": 1}},
            "sum": {"type": "number", "computed": "rows.sum(amount)"},
            "list": {"type": "array", "computed": "net", "items": {"type": "string", "rules": ["net > 0"]}}
        });
        let expected = [
            ("/rows/items/properties/amount/rules/1", "'limit' is not a field here"),
            ("/net/rules/0", "a rule must be a condition, such as a == b, not a number"),
            ("/net/rules/1/tolerance", "'tolerance' must be a number from 0"),
            ("/net/rules/2/message", "'message' must be a text of 1 to 1000 characters"),
            (
                "/net/rules/3",
                "a rule must be a condition, or an object with 'check', 'tolerance' and 'message'",
            ),
            (
                "/net/rules/4",
                "a rule must be a condition, or an object with 'check', 'tolerance' and 'message'",
            ),
            ("/gross/computed", "'tax' is not a field here"),
            ("/label/computed", "the expression gives a number, and the field is a text"),
            ("/paid/rules", "'rules' must be a list of at most 20 rules"),
            ("/list/computed", "'computed' does not go with a list"),
            ("/list/items/rules", "'rules' does not go with 'items'"),
            ("/paid/when/sum", "'when' must not name a computed field"),
        ];
        let mut expected: Vec<(String, String)> =
            expected.iter().map(|(path, message)| ((*path).to_owned(), (*message).to_owned())).collect();
        let mut found = found(schema);
        found.sort();
        expected.sort();
        assert_eq!(found, expected);
    }

    #[test]
    fn computed_fields_must_not_need_themselves() {
        let message = "the value needs a computed field that needs this one";
        let schema = json!({
            "a": {"type": "number", "computed": "b + 1"}, "b": {"type": "number", "computed": "rows.sum(c)"},
            "rows": {"type": "array", "items": {"type": "object", "properties": {
                "c": {"type": "number", "computed": "a * d"}, "d": {"type": "number"}}}},
            "e": {"type": "number", "computed": "e"}, "f": {"type": "number", "computed": "d"}, "d": {"type": "number"}
        });
        let paths: Vec<String> =
            found(schema).into_iter().filter(|(_, told)| told == message).map(|(path, _)| path).collect();
        assert_eq!(paths, ["/a/computed", "/b/computed", "/rows/items/properties/c/computed", "/e/computed"]);
        let all = json!({"a": {"type": "number", "computed": "1"}});
        assert_eq!(
            found(all),
            [(String::new(), "at least one field beside computed ones is needed".to_owned())]
        );
    }
}
