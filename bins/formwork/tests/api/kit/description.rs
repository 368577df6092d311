//! The server's description, and the check of requests and answers against it.

use std::collections::HashMap;
use std::io::Write as _;
use std::sync::{Arc, LazyLock};

use jsonschema::Validator;
use parking_lot::Mutex;
use reqwest::Method;
use serde_json::{Value, json};

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

/// Whether a path with its query is of this shape. What has no version is there under `/v1` as well.
fn fits(shape: &str, path: &str) -> bool {
    let path = path.split('?').next().unwrap();
    let path = path.strip_prefix("/v1").filter(|rest| rest.starts_with("/knowledgebase")).unwrap_or(path);
    if description()["paths"].get(path).is_some() {
        // A path without parameters goes before those that have some.
        return shape == path;
    }
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
        // These are there where they apply; an answer that is given again says where the work is told of in its
        // body alone.
        let replayed = name == "Location" && answer.headers.contains_key("idempotency-replayed");
        let optional = ["Link", "Retry-After", "Preference-Applied", "X-Index-Position", "X-Schema-Warning"];
        let needed = !replayed && !optional.contains(&name.as_str());
        assert!(!needed || answer.headers.contains_key(name), "{place} without {name}");
    }
    let Some(content) = response["content"].as_object() else {
        assert!(answer.body.is_empty() || answer.status == 206, "{place}: {:?}", answer.body);
        return;
    };
    let kind = answer.header("content-type");
    let bare = kind.split(';').next().unwrap_or_default();
    let (media, content) = content.get_key_value(bare).or_else(|| content.iter().next()).unwrap();
    if media == "application/json" {
        assert_eq!(kind, media, "{place}");
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
    let broken: Vec<String> =
        check(schema).iter_errors(value).map(|e| format!("{}: {e}", e.instance_path())).collect();
    assert!(broken.is_empty(), "{place}, against its description: {broken:?}\n{value}");
}

/// The check of a schema, made once for each.
fn check(schema: &Value) -> Arc<Validator> {
    static MADE: LazyLock<Mutex<HashMap<String, Arc<Validator>>>> = LazyLock::new(Mutex::default);
    let made = || {
        // References of the schema lead into the description.
        let mut whole = json!({"components": {"schemas": description()["components"]["schemas"]}});
        whole.as_object_mut().unwrap().extend(schema.as_object().unwrap().clone());
        Arc::new(jsonschema::draft202012::new(&whole).unwrap())
    };
    Arc::clone(MADE.lock().entry(schema.to_string()).or_insert_with(made))
}

/// What the server took was as the operation's description says.
pub(crate) fn check_taken(method: &Method, path: &str, body: &[u8]) {
    let Some((.., operation)) = operations().find(|(known, shape, _)| known == method && fits(shape, path))
    else {
        return;
    };
    let place = format!("{method} {path:.120} was taken");
    let taken = &operation["requestBody"]["content"]["application/json"];
    if taken.is_object() {
        matches(&taken["schema"], &serde_json::from_slice(body).unwrap(), &place);
    }
}

#[test]
fn the_check_of_answers_finds_what_is_wrong() {
    let fits = |schema: Value, value: Value| check(&schema).is_valid(&value);
    let list = json!({"type": "array", "items": {"$ref": "#/components/schemas/ErrorItem"}});
    assert!(fits(list.clone(), json!([{"path": "", "message": ""}])));
    for wrong in [json!([{"path": "", "message": 1}]), json!([{"path": ""}]), json!({})] {
        assert!(!fits(list.clone(), wrong));
    }
    assert!(!fits(json!({"type": ["string", "null"], "enum": ["a", null]}), json!("b")));
    assert!(!fits(json!({"additionalProperties": false}), json!({"a": 1})));
}
