//! The built-in model on documents of many trades, written for these tests: what it must find, and what
//! it must leave empty.

#![allow(clippy::unwrap_used, reason = "a test fails by it")]

mod business;
mod hostile;
mod letters;
mod orders;
mod papers;
mod tables;

use gen_core::{ChatAnswer, ChatRequest, Message, Part, ResponseSchema, Role};
use rules_engine::answer;
use serde_json::{Value, json};

/// Asks for the properties of an object, given as `name: schema`.
pub(crate) fn ask(texts: &[&str], properties: &Value) -> ChatAnswer {
    let document =
        |text: &&str| Part::Document { name: "document".into(), description: None, text: (*text).into() };
    let request = ChatRequest {
        messages: vec![Message { role: Role::User, parts: texts.iter().map(document).collect() }],
        response_schema: Some(ResponseSchema {
            name: "form".into(),
            schema: json!({ "type": "object", "properties": properties }),
        }),
        ..ChatRequest::default()
    };
    answer(&request).unwrap()
}

/// Checks the record, and that each citation holds the value it is for.
pub(crate) fn check(text: &str, properties: &Value, expected: &Value) {
    let answer = ask(&[text], properties);
    let record: Value = serde_json::from_str(&answer.text).unwrap();
    assert_eq!(&record, expected, "\nin\n{text}");
    let characters: Vec<char> = text.chars().collect();
    for citation in &answer.citations {
        let quote: String = characters[citation.start..citation.end].iter().collect();
        assert!(!quote.trim().is_empty(), "{citation:?}");
        assert!((0.0..=1.0).contains(&citation.confidence), "{citation:?}");
        if let Some(Value::String(value)) = record.pointer(&citation.pointer) {
            let bare = |text: &str| text.chars().filter(|c| c.is_alphanumeric()).collect::<String>();
            let ends = |text: &str| {
                let words: Vec<&str> = text.split_whitespace().collect();
                words.first().zip(words.last()).map(|(first, last)| (bare(first), bare(last)))
            };
            // A date, a code or an option may be given in other words than it is printed in.
            let converted = value.len() <= 6 || value.len() == 10 && value.as_bytes()[4] == b'-';
            assert!(converted || ends(&quote) == ends(value), "{quote} for {value}");
        }
    }
}

/// A string that may be absent.
pub(crate) fn text(description: &str) -> Value {
    json!({ "type": ["string", "null"], "description": description })
}

/// A field of a type that may be absent.
pub(crate) fn typed(kind: &str) -> Value {
    json!({ "type": [kind, "null"] })
}

/// A date that may be absent.
pub(crate) fn date() -> Value {
    json!({ "type": ["string", "null"], "format": "date" })
}
