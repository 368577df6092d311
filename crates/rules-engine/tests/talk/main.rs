//! The built-in model in conversation, on papers written for these tests.

#![allow(clippy::unwrap_used, clippy::print_stdout, reason = "a test fails by it, and tells its figures")]

mod papers;
mod talking;

use gen_core::{ChatRequest, Message, Part, Role};
use rules_engine::answer;

/// A document.
pub(crate) fn document(name: &str, text: &str) -> Part {
    Part::Document { name: name.into(), description: None, text: text.into() }
}

/// Something that is said.
pub(crate) fn say(role: Role, parts: Vec<Part>) -> Message {
    Message { role, parts }
}

/// A question about documents.
pub(crate) fn request(texts: &[&str], prompt: &str) -> ChatRequest {
    let mut parts: Vec<Part> = texts.iter().map(|text| document("document", text)).collect();
    parts.push(Part::Text(prompt.into()));
    ChatRequest { messages: vec![say(Role::User, parts)], ..ChatRequest::default() }
}

/// The answer to a question about documents.
pub(crate) fn ask(texts: &[&str], prompt: &str) -> String {
    answer(&request(texts, prompt)).unwrap().text
}
