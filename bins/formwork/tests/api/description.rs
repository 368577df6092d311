//! The description of the interface: whole, well-formed, and served as the program writes it.

use std::collections::HashSet;

use reqwest::Method;
use serde_json::{Map, Value};

use crate::kit::{Server, description, operations};

#[tokio::test(flavor = "multi_thread")]
async fn the_server_gives_its_description_to_anybody() {
    let server = Server::start();
    let answer = server.request(Method::GET, "/openapi.json").open().send().await;
    assert_eq!(&answer.ok(), description());
    let again = server.request(Method::GET, "/openapi.json").open().send().await;
    assert_eq!(again.body, answer.body, "the order of things does not change");
}

#[tokio::test(flavor = "multi_thread")]
async fn every_described_operation_is_there_and_takes_what_it_is_said_to_take() {
    let server = Server::start();
    let key = server.home.told(&["keys", "create", "--scope", "admin"]);
    for (method, path, operation) in operations() {
        let path = path.replace("{file_id}", "1").replace(['{', '}'], "");
        let answer = server.request(method.clone(), &path).key(&key).send().await;
        // No identity provider is in the settings of this server.
        let is_off = answer.status == 503 && answer.value()["code"] == "oidc_not_configured";
        assert!(is_off || !matches!(answer.status, 405 | 500..), "{method} {path}: {answer:?}");
        if answer.status >= 400 {
            assert_ne!(answer.value()["code"], "unknown_route", "{method} {path}");
        }
        if let Some(body) = operation["requestBody"]["content"].as_object() {
            let other = server.request(method.clone(), &path).key(&key).body("image/png", "x").send().await;
            // Operations for public keys refuse the secret one before they look at the body.
            match path.starts_with("/v1/public/") {
                true => other.fails(403, "public_key_needed"),
                false => other.fails(415, "unsupported_content_type"),
            };
            assert!((1..=2).contains(&body.len()), "{method} {path}");
        }
        for parameter in operation["parameters"].as_array().unwrap() {
            let name = parameter["name"].as_str().unwrap();
            // One text is also an array of one.
            let any_text = matches!(parameter["schema"]["type"].as_str(), Some("string" | "array"));
            if parameter["in"] == "query" && !any_text {
                let path = format!("{path}?{name}=odd");
                let odd = server.request(method.clone(), &path).key(&key).send().await;
                match path.starts_with("/v1/public/") {
                    true => odd.fails(403, "public_key_needed"),
                    false => odd.fails_at(400, "validation_failed", &format!("?{name}")),
                };
            }
        }
    }
}

/// The keys that OpenAPI 3.1 has for each of its objects, and those that must be there.
const SHAPES: [(&str, &[&str], &[&str]); 8] = [
    (
        "document",
        &["openapi", "info"],
        &[
            "jsonSchemaDialect",
            "servers",
            "paths",
            "webhooks",
            "components",
            "security",
            "tags",
            "externalDocs",
        ],
    ),
    ("info", &["title", "version"], &["summary", "description", "termsOfService", "contact", "license"]),
    (
        "operation",
        &["responses"],
        &[
            "tags",
            "summary",
            "description",
            "externalDocs",
            "operationId",
            "parameters",
            "requestBody",
            "callbacks",
            "deprecated",
            "security",
            "servers",
        ],
    ),
    (
        "parameter",
        &["name", "in"],
        &[
            "description",
            "required",
            "deprecated",
            "allowEmptyValue",
            "style",
            "explode",
            "allowReserved",
            "schema",
            "example",
            "examples",
            "content",
        ],
    ),
    ("request body", &["content"], &["description", "required"]),
    ("media type", &[], &["schema", "example", "examples", "encoding"]),
    ("response", &["description"], &["headers", "content", "links"]),
    (
        "components",
        &[],
        &[
            "schemas",
            "responses",
            "parameters",
            "examples",
            "requestBodies",
            "headers",
            "securitySchemes",
            "links",
            "callbacks",
            "pathItems",
        ],
    ),
];

fn shaped<'a>(kind: &str, value: &'a Value) -> &'a Map<String, Value> {
    let (_, required, optional) = SHAPES.iter().find(|(name, ..)| *name == kind).unwrap();
    let object = value.as_object().unwrap_or_else(|| panic!("{kind}: {value}"));
    for key in *required {
        assert!(object.contains_key(*key), "{kind} without '{key}': {value}");
    }
    for key in object.keys() {
        assert!(
            required.contains(&key.as_str()) || optional.contains(&key.as_str()) || key.starts_with("x-"),
            "{kind} with '{key}'"
        );
    }
    object
}

fn contents(value: &Value) {
    for (media, content) in value.as_object().unwrap() {
        assert!(media.contains('/'), "{media}");
        schema(&shaped("media type", content)["schema"]);
    }
}

/// Keywords of JSON Schema that the description may use, with the shape of each.
fn schema(value: &Value) {
    let Value::Object(parts) = value else {
        assert!(value.is_boolean(), "{value}");
        return;
    };
    for (keyword, rule) in parts {
        let fits = match keyword.as_str() {
            "$ref" => resolves(rule.as_str().unwrap()),
            "type" => kinds(rule),
            "title" | "description" | "format" | "pattern" | "contentMediaType" => rule.is_string(),
            "minimum" | "maximum" => rule.is_number(),
            "minLength" | "maxLength" | "minItems" | "maxItems" | "minProperties" | "maxProperties" => {
                rule.is_u64()
            }
            "uniqueItems" => rule.is_boolean(),
            "const" | "default" => true,
            "enum" => rule.as_array().is_some_and(|options| !options.is_empty()),
            "required" => rule.as_array().is_some_and(|names| names.iter().all(Value::is_string)),
            "properties" | "patternProperties" => {
                rule.as_object().unwrap().values().for_each(schema);
                true
            }
            "discriminator" => {
                rule["mapping"].as_object().unwrap().values().all(|target| resolves(target.as_str().unwrap()))
            }
            "items" | "additionalProperties" | "propertyNames" | "not" | "if" | "else" | "x-event" => {
                schema(rule);
                true
            }
            "anyOf" | "oneOf" | "allOf" => {
                rule.as_array().unwrap().iter().for_each(schema);
                !rule.as_array().unwrap().is_empty()
            }
            other => panic!("the keyword '{other}' is not expected: {value}"),
        };
        assert!(fits, "'{keyword}': {value}");
    }
}

fn resolves(target: &str) -> bool {
    description().pointer(target.strip_prefix('#').unwrap()).is_some()
}

fn kinds(rule: &Value) -> bool {
    let known = |kind: &Value| {
        ["object", "array", "string", "number", "integer", "boolean", "null"].iter().any(|name| kind == name)
    };
    rule.as_array().map_or_else(|| known(rule), |kinds| kinds.iter().all(known))
}

#[test]
fn the_description_has_the_shape_of_openapi_3_1() {
    let document = shaped("document", description());
    assert!(document["openapi"].as_str().unwrap().starts_with("3.1."));
    shaped("info", &document["info"]);
    let components = shaped("components", &document["components"]);
    for (name, one) in components["schemas"].as_object().unwrap() {
        // A digit at the end tells that two types have one name.
        assert!(name.bytes().all(|b| b.is_ascii_alphabetic()), "{name}");
        schema(one);
    }
    let schemes = components["securitySchemes"].as_object().unwrap();
    let mut ids = HashSet::new();
    for (method, path, operation) in operations() {
        assert!(
            path.starts_with('/')
                && [Method::GET, Method::POST, Method::PUT, Method::DELETE].contains(&method)
        );
        let parts = shaped("operation", operation);
        assert!(ids.insert(operation["operationId"].as_str().unwrap()), "{path} {method}");
        for requirement in operation["security"].as_array().unwrap() {
            assert!(requirement.as_object().unwrap().keys().all(|name| schemes.contains_key(name)));
        }
        parameters(path, &parts["parameters"]);
        if let Some(body) = parts.get("requestBody") {
            contents(&shaped("request body", body)["content"]);
        }
        for (status, response) in parts["responses"].as_object().unwrap() {
            let number: u16 = status.parse().unwrap();
            let response = shaped("response", response);
            assert_eq!(
                number >= 400,
                response.get("content").is_some_and(|c| c.to_string().contains("ErrorBody")),
                "{path} {status}"
            );
            let headers = response["headers"].as_object().unwrap();
            assert!(headers.contains_key("X-Request-Id"));
            for header in headers.values() {
                let target = header["$ref"].as_str().unwrap().strip_prefix('#').unwrap();
                schema(&description().pointer(target).unwrap()["schema"]);
            }
            if let Some(content) = response.get("content") {
                contents(content);
            }
        }
    }
    assert!(ids.len() > 20);
}

fn parameters(path: &str, parameters: &Value) {
    let mut named = HashSet::new();
    for parameter in parameters.as_array().unwrap() {
        let parts = shaped("parameter", parameter);
        schema(&parts["schema"]);
        assert!(parts["description"].as_str().is_some_and(|text| text.ends_with('.')), "{path}: {parameter}");
        let (name, place) = (parts["name"].as_str().unwrap(), parts["in"].as_str().unwrap());
        assert!(named.insert((place, name)), "{path}: {name} twice");
        assert_eq!(place == "path", path.contains(&format!("{{{name}}}")), "{path}: {name}");
        assert!(place != "path" || parts["required"] == true);
    }
    let segments = path.split('/').filter(|segment| segment.starts_with('{'));
    assert_eq!(segments.count(), named.iter().filter(|(place, _)| *place == "path").count(), "{path}");
}
