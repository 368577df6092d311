//! The server's description, and a small check of answers against it: the keywords that the
//! description uses, and a failure for any other, so that none goes unchecked.

use std::io::Write as _;
use std::sync::LazyLock;

use reqwest::Method;
use serde_json::{Map, Value};

use super::Answer;

static DESCRIPTION: LazyLock<Value> = LazyLock::new(formwork::http::openapi::document);

/// The description as the program writes it.
pub(crate) fn description() -> &'static Value {
    &DESCRIPTION
}

/// Every operation: method, path, and what is said of it.
pub(crate) fn operations() -> impl Iterator<Item = (Method, &'static str, &'static Value)> {
    description()["paths"].as_object().unwrap().iter().flat_map(|(path, item)| {
        let methods = item.as_object().unwrap().iter();
        methods.map(move |(method, operation)| {
            (method.to_uppercase().parse().unwrap(), path.as_str(), operation)
        })
    })
}

/// Whether a path with its query is of this shape.
fn fits(shape: &str, path: &str) -> bool {
    let path = path.split('?').next().unwrap();
    let (shape, path): (Vec<&str>, Vec<&str>) = (shape.split('/').collect(), path.split('/').collect());
    shape.len() == path.len()
        && shape
            .iter()
            .zip(path)
            .all(|(wanted, found)| (wanted.starts_with('{') && !found.is_empty()) || *wanted == found)
}

/// The status is documented for the operation, and the body is as its schema says.
pub(crate) fn check_answer(method: &Method, path: &str, answer: &Answer) {
    let asked = if method == Method::HEAD { &Method::GET } else { method };
    let place = format!("{method} {path:.120} answered {}", answer.status);
    let Some((_, shape, operation)) =
        operations().find(|(method, shape, _)| method == asked && fits(shape, path))
    else {
        // No operation: the path is unknown, has other methods, or tells them.
        assert!(matches!(answer.status, 204 | 404 | 405), "{place}");
        return;
    };
    record(asked, shape, answer.status);
    let response = &operation["responses"][answer.status.to_string()];
    assert!(response.is_object(), "{place}, which is not documented: {:?}", answer.body);
    for name in response["headers"].as_object().unwrap().keys() {
        // These two are there where they apply.
        let needed = !["Link", "Retry-After"].contains(&name.as_str());
        assert!(!needed || answer.headers.contains_key(name), "{place} without {name}");
    }
    let Some(content) = response["content"].as_object() else {
        assert!(answer.body.is_empty() || answer.status == 206, "{place}: {:?}", answer.body);
        return;
    };
    let (media, content) = content.iter().next().unwrap();
    if media == "application/json" {
        assert_eq!(answer.header("content-type"), media, "{place}");
        if method != Method::HEAD {
            matches(&content["schema"], &answer.value(), &place);
        }
    }
}

/// Notes which answer was seen, for `cargo xtask coverage`, where it told a folder for that.
#[allow(clippy::disallowed_methods, reason = "tests are told by the environment where their record goes")]
fn record(method: &Method, shape: &str, status: u16) {
    let Ok(folder) = std::env::var("FORMWORK_SEEN") else { return };
    let path = std::path::Path::new(&folder).join(std::process::id().to_string());
    let mut file = std::fs::OpenOptions::new().append(true).create(true).open(path).unwrap();
    file.write_all(format!("{method} {shape} {status}\n").as_bytes()).unwrap();
}

/// Fails where the value is not as the schema says.
pub(crate) fn matches(schema: &Value, value: &Value, place: &str) {
    if let Err(rule) = check(schema, value, "") {
        panic!("{place}, against its description: {rule}\n{value}");
    }
}

fn check(schema: &Value, value: &Value, at: &str) -> Result<(), String> {
    let Value::Object(schema) = schema else {
        return if schema == &Value::Bool(true) { Ok(()) } else { Err(format!("{at}: never valid")) };
    };
    schema.iter().try_for_each(|(keyword, rule)| keyword_holds(schema, keyword, rule, value, at))
}

fn keyword_holds(
    schema: &Map<String, Value>,
    keyword: &str,
    rule: &Value,
    value: &Value,
    at: &str,
) -> Result<(), String> {
    let holds = match keyword {
        "title" | "description" | "format" | "default" => true,
        "$ref" => {
            let target = description().pointer(rule.as_str().unwrap().trim_start_matches('#')).unwrap();
            return check(target, value, at);
        }
        "type" => match rule {
            Value::Array(kinds) => kinds.iter().any(|kind| is(kind.as_str().unwrap(), value)),
            kind => is(kind.as_str().unwrap(), value),
        },
        "minimum" => value.as_f64().is_none_or(|number| number >= rule.as_f64().unwrap()),
        "const" => value == rule,
        "enum" => rule.as_array().unwrap().contains(value),
        "required" => {
            let names = rule.as_array().unwrap().iter().map(|name| name.as_str().unwrap());
            let missing: Vec<&str> =
                names.filter(|name| value.is_object() && value.get(name).is_none()).collect();
            return missing.is_empty().then_some(()).ok_or(format!("{at}: misses {missing:?}"));
        }
        "properties" => {
            let parts = rule.as_object().unwrap().iter();
            return parts
                .filter_map(|(name, part)| Some((name, part, value.get(name)?)))
                .try_for_each(|(name, part, value)| check(part, value, &format!("{at}/{name}")));
        }
        "additionalProperties" => {
            let known = schema.get("properties").and_then(Value::as_object);
            let other = value.as_object().into_iter().flatten();
            return other
                .filter(|(name, _)| known.is_none_or(|known| !known.contains_key(*name)))
                .try_for_each(|(name, value)| check(rule, value, &format!("{at}/{name}")));
        }
        "items" => {
            let mut items = value.as_array().into_iter().flatten();
            return items.try_for_each(|item| check(rule, item, &format!("{at}/*")));
        }
        "anyOf" => rule.as_array().unwrap().iter().any(|one| check(one, value, at).is_ok()),
        "oneOf" => rule.as_array().unwrap().iter().filter(|one| check(one, value, at).is_ok()).count() == 1,
        other => panic!("the check does not know the keyword '{other}'"),
    };
    holds.then_some(()).ok_or_else(|| format!("{at}: '{keyword}' {rule} does not hold"))
}

fn is(kind: &str, value: &Value) -> bool {
    match kind {
        "object" => value.is_object(),
        "array" => value.is_array(),
        "string" => value.is_string(),
        "boolean" => value.is_boolean(),
        "null" => value.is_null(),
        "number" => value.is_number(),
        "integer" => value.is_i64() || value.is_u64(),
        other => panic!("'{other}' is no type"),
    }
}

#[test]
fn the_check_of_answers_finds_what_is_wrong() {
    use serde_json::json;
    let list = json!({"type": "array", "items": {"$ref": "#/components/schemas/ErrorItem"}});
    assert!(check(&list, &json!([{"path": "", "message": ""}]), "").is_ok());
    assert!(check(&list, &json!([{"path": "", "message": 1}]), "").is_err());
    assert!(check(&list, &json!([{"path": ""}]), "").is_err());
    assert!(check(&list, &json!({}), "").is_err());
    assert!(check(&json!({"type": ["string", "null"], "enum": ["a", null]}), &json!("b"), "").is_err());
    assert!(check(&json!({"additionalProperties": false}), &json!({"a": 1}), "").is_err());
}
