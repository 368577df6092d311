//! The id of a call: a hash of everything that its answer depends on.

use gen_core::{ChatRequest, ModelId, Part, Role};
use sha2::{Digest as _, Sha256};
use shared_core::hex;

/// Lower-case hexadecimal SHA-256 of a model and its request. Every part is hashed with its length, so that
/// no two requests hash the same bytes.
pub(crate) fn call_id(model: &ModelId, request: &ChatRequest) -> String {
    let mut hash = CallHasher(Sha256::new());
    hash.text("formwork.call.1");
    hash.text(&model.to_string());
    hash.text(request.system.as_deref().unwrap_or_default());
    hash.count(request.messages.len());
    for message in &request.messages {
        hash.text(match message.role {
            Role::User => "user",
            Role::Assistant => "assistant",
        });
        hash.count(message.parts.len());
        for part in &message.parts {
            match part {
                Part::Text(text) => {
                    hash.text("text");
                    hash.text(text);
                }
                Part::Document { name, description, text } => {
                    hash.text("document");
                    hash.text(name);
                    hash.text(description.as_deref().unwrap_or_default());
                    hash.text(text);
                }
                Part::Picture(picture) => {
                    hash.text("picture");
                    hash.text(&picture.content_type);
                    hash.bytes(&picture.bytes);
                }
                Part::ToolCall(call) => {
                    hash.text("tool call");
                    [&call.id, &call.name, &call.arguments].into_iter().for_each(|text| hash.text(text));
                }
                Part::ToolResult { id, name, text } => {
                    hash.text("tool result");
                    [id, name, text].into_iter().for_each(|text| hash.text(text));
                }
            }
        }
    }
    // The order of properties is part of the schema: models answer in that order.
    let schema = request.response_schema.as_ref();
    hash.text(&schema.map(|schema| schema.schema.to_string()).unwrap_or_default());
    hash.text(&request.max_tokens.map(|tokens| tokens.to_string()).unwrap_or_default());
    hash.text(&request.temperature.map(|degree| degree.to_string()).unwrap_or_default());
    // Runs set none of these, so that their calls keep the ids that stored answers have.
    if request.top_p.is_some() || request.seed.is_some() || !request.stop.is_empty() {
        hash.text(&format!("{:?} {:?} {:?}", request.top_p, request.seed, request.stop));
    }
    if let Some(effort) = request.effort {
        hash.text(effort.name());
    }
    if !request.tools.tools.is_empty() {
        hash.text(&format!("{:?}", request.tools));
    }
    hash.hex()
}

struct CallHasher(Sha256);

impl CallHasher {
    fn count(&mut self, count: usize) {
        self.0.update((count as u64).to_le_bytes());
    }

    fn text(&mut self, text: &str) {
        self.bytes(text.as_bytes());
    }

    fn bytes(&mut self, bytes: &[u8]) {
        self.count(bytes.len());
        self.0.update(bytes);
    }

    fn hex(self) -> String {
        hex(&self.0.finalize())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use gen_core::{Message, ResponseSchema};
    use serde_json::json;

    #[test]
    fn the_same_call_has_the_same_name_and_every_difference_another() {
        let model: ModelId = "m@openai".parse().unwrap();
        let part = |name: &str, text: &str| Part::Document {
            name: name.into(),
            description: None,
            text: text.into(),
        };
        let asks = |parts: Vec<Part>| ChatRequest {
            system: Some("s".into()),
            messages: vec![Message { role: Role::User, parts }],
            response_schema: Some(ResponseSchema { name: "record".into(), schema: json!({"a": 1, "b": 2}) }),
            ..ChatRequest::default()
        };
        let base = asks(vec![part("a", "bc")]);
        let name = call_id(&model, &base);
        assert_eq!(name, call_id(&model, &base.clone()));
        assert!(name.len() == 64 && name.bytes().all(|b| b.is_ascii_hexdigit() && !b.is_ascii_uppercase()));
        let mut reordered = base.clone();
        reordered.response_schema =
            Some(ResponseSchema { name: "record".into(), schema: json!({"b": 2, "a": 1}) });
        let others = [
            asks(vec![part("ab", "c")]),
            asks(vec![part("a", "bc"), part("", "")]),
            asks(vec![Part::Text("bc".into())]),
            ChatRequest { max_tokens: Some(1), ..base.clone() },
            ChatRequest { system: None, ..base.clone() },
            ChatRequest { temperature: Some(0.0), ..base.clone() },
            ChatRequest { top_p: Some(0.0), ..base.clone() },
            ChatRequest { seed: Some(0), ..base.clone() },
            ChatRequest { stop: vec!["END".into()], ..base.clone() },
            reordered,
        ];
        let mut names: Vec<String> = others.iter().map(|request| call_id(&model, request)).collect();
        names.push(call_id(&"n@openai".parse().unwrap(), &base));
        names.push(name);
        let count = names.len();
        names.sort();
        names.dedup();
        assert_eq!(names.len(), count);
    }
}
