//! What people read of the interface: the description in `docs`, its examples, and the reference page.

use serde_json::{Value, json};

use crate::kit::{Home, description, matches, operations};

#[test]
fn the_documented_description_is_current() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/openapi.json");
    let documented = std::fs::read_to_string(path).unwrap();
    assert!(
        documented == formwork::http::openapi::document_text(),
        "run: formwork openapi > docs/openapi.json"
    );
    assert_eq!(Home::new("").told(&["openapi"]), documented.trim());
}

/// Fails where a content has no example, or one that its schema does not take.
fn exampled(contents: &Value, place: &str) {
    for (media, content) in contents.as_object().unwrap() {
        let failure = content.pointer("/examples/failure/$ref").map(|name| {
            let name = name.as_str().unwrap().trim_start_matches('#');
            &description().pointer(name).unwrap_or_else(|| panic!("{place}: {name}"))["value"]
        });
        let example = content.get("example").or(failure);
        let example = example.unwrap_or_else(|| panic!("{place} has no example of its {media}"));
        matches(&content["schema"], example, &format!("the example of {place}"));
    }
}

#[test]
fn every_body_and_every_answer_has_an_example_that_its_schema_takes() {
    for (method, path, operation) in operations() {
        if let Some(body) = operation.get("requestBody") {
            exampled(&body["content"], &format!("the body of {method} {path}"));
        }
        for (status, response) in operation["responses"].as_object().unwrap() {
            let content = response.get("content");
            let has_none = ["204", "206", "304"].contains(&status.as_str());
            assert_eq!(content.is_none(), has_none, "{method} {path} {status}");
            if let Some(content) = content {
                exampled(content, &format!("{method} {path} {status}"));
            }
        }
    }
}

#[test]
fn the_failures_that_are_shown_have_codes_that_are_documented() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/errors.md");
    let documented = std::fs::read_to_string(path).unwrap();
    let failures = description()["components"]["examples"].as_object().unwrap();
    for (name, failure) in failures {
        let status = name.strip_prefix("Failure").unwrap();
        let code = failure["value"]["code"].as_str().unwrap();
        let row = documented.lines().find(|line| line.contains(&format!("`{code}`")));
        assert!(row.is_some_and(|row| row.contains(&format!("| {status} |"))), "{name}: {code}");
    }
    assert_eq!(failures["Failure401"]["value"]["status"], json!("failure"));
}
