//! The answer for one field in a conversation, without documents and evidence.

use std::collections::HashMap;
use std::iter;

use language::printed_currency::meanings;
use serde_json::{Map, Value};

use super::coerce::{Coercion, RequiredFields};
use super::node::{NestedFields, Node};
use super::text::PrintConventions;
use crate::schema::{KEY, VALUE};
use crate::{Field, FieldType};

/// Coerces one answer for `field`, from a conversation or a model, into the field's type and checks its
/// rules, as the extraction engine does. `None` when the answer states that there is no value. Ambiguous
/// dates and numbers are read with the day first and a decimal point.
///
/// Lists and objects are read whole; a missing member is `null`. Conditions (`when`) and required members are
/// not checked.
///
/// # Errors
/// One sentence, when the answer is not of the field's type or breaks one of its rules. For a list or an
/// object it is the first of several problems.
pub fn read_answer(field: &Field, said: &Value) -> Result<Option<Value>, String> {
    let printing = PrintConventions::learn(iter::empty());
    let coercion = Coercion {
        printing: &printing,
        citations: HashMap::new(),
        documents: &[],
        cut_at: None,
        required: RequiredFields::None,
    };
    let node = coercion.answer(field, said);
    if matches!(field.kind, FieldType::Currency)
        && node == Node::Absent
        && said.as_str().is_some_and(is_shared_sign)
    {
        return Err(format!("'{}' must be a currency of ISO 4217; this one may be several", field.name));
    }
    let mut problems = Vec::new();
    node.problems(NestedFields::of(field), "", &mut problems);
    match problems.into_iter().next() {
        Some((_, problem)) => Err(problem),
        None => Ok(node_value(NestedFields::of(field), node)),
    }
}

fn is_shared_sign(text: &str) -> bool {
    meanings(text).len() > 1
}

/// The plain value of a node, with members in the form's written order.
pub(super) fn node_value(fields: NestedFields<'_>, node: Node) -> Option<Value> {
    match (node, fields) {
        (Node::Leaf(leaf), _) => Some(leaf.value),
        (Node::List { items, .. }, NestedFields::Items(item)) if item.is_pair => {
            let pair = |node: Node| {
                let pair = node_value(NestedFields::of(item), node)?;
                Some((pair.get(KEY)?.as_str()?.to_owned(), pair.get(VALUE).cloned().unwrap_or_default()))
            };
            Some(Value::Object(items.into_iter().filter_map(pair).collect()))
        }
        (Node::List { items, .. }, NestedFields::Items(item)) => {
            let item = NestedFields::of(item);
            Some(items.into_iter().map(|node| node_value(item, node).unwrap_or_default()).collect())
        }
        (Node::Group(nodes), NestedFields::Parts(parts)) => {
            let mut written: Vec<(&Field, Node)> = parts.iter().zip(nodes).collect();
            written.sort_by_key(|(part, _)| part.position);
            let part = |(part, node): (&Field, Node)| {
                (part.name.clone(), node_value(NestedFields::of(part), node).unwrap_or_default())
            };
            Some(Value::Object(written.into_iter().map(part).collect::<Map<_, _>>()))
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::FormSchema;

    fn read(definition: Value, said: Value) -> Result<Option<Value>, String> {
        let form = json!({"age": definition});
        let schema = FormSchema::parse(form.as_object().unwrap()).unwrap();
        read_answer(&schema.fields[0], &said)
    }

    #[test]
    fn an_answer_takes_the_type_of_its_field() {
        for (definition, said, value) in [
            (json!({"type": "date"}), json!("March 5th 2024"), json!("2024-03-05")),
            (json!({"type": "date"}), json!("05.03.2024"), json!("2024-03-05")),
            (json!({"type": "integer", "minimum": 18}), json!("18"), json!(18)),
            (json!({"type": "boolean"}), json!("yes"), json!(true)),
            (json!({"type": "string", "enum": ["", "Dog", "Cat"]}), json!("dog"), json!("Dog")),
            (json!({"type": "array", "items": {"type": "integer"}}), json!("1; 2"), json!([1, 2])),
            (
                json!({"type": "object", "properties": {"b": {"type": "number", "order": 2}, "a": {"type": "date", "order": 1}}}),
                json!({"a": "2024-01-02"}),
                json!({"b": null, "a": "2024-01-02"}),
            ),
        ] {
            assert_eq!(read(definition, said.clone()), Ok(Some(value)), "{said}");
        }
    }

    #[test]
    fn an_answer_that_says_nothing_is_nothing() {
        for said in [json!(null), json!(""), json!("n/a"), json!("-")] {
            assert_eq!(read(json!({"type": "integer"}), said), Ok(None));
        }
        let rows = json!({"type": "array", "minItems": 1, "items": {"type": "object", "properties": {"a": {"type": "date"}}}});
        assert_eq!(read(rows, json!([{"a": null}])), Ok(None));
        assert_eq!(read(json!({"type": "string", "enum": ["", "a"]}), json!("")), Ok(None));
    }

    #[test]
    fn an_answer_that_breaks_a_rule_is_told_in_one_sentence() {
        let rows = json!({"type": "array", "maxItems": 2, "items": {"type": "object", "properties": {
            "name": {"type": "string"}, "sum": {"type": "number", "maximum": 9}}}});
        for (definition, said, problem) in [
            (json!({"type": "integer", "minimum": 18}), json!(12), "'age' must be at least 18, not 12"),
            (json!({"type": "integer"}), json!("old"), "'age' must be a whole number, not 'old'"),
            (json!({"type": "boolean"}), json!({}), "'age' must be true or false, not an object"),
            (json!({"type": "date"}), json!("soon"), "'age' must be a date, not 'soon'"),
            (
                json!({"type": "object", "properties": {"a": {"type": "date"}}}),
                json!("x"),
                "'age' must be an object, not 'x'",
            ),
            (rows.clone(), json!([{"sum": 3}, {"name": "a", "sum": 10}]), "'sum' must be at most 9, not 10"),
            (rows, json!([{"sum": 3}, {"sum": 4}, {"sum": 5}]), "'age' must have at most 2 entries, not 3"),
        ] {
            assert_eq!(read(definition, said.clone()), Err(problem.to_owned()), "{said}");
        }
    }
}
