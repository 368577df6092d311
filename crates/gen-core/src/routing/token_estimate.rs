//! Estimates of tokens, for providers that report no usage.

use crate::{ChatRequest, Message, Part, ToolCall, ToolSet};

/// Characters per token: the vendors' own rule of thumb for English.
const CHARS_PER_TOKEN: u64 = 4;

/// Estimated tokens of `chars` characters.
pub(crate) fn tokens(chars: u64) -> u64 {
    chars.div_ceil(CHARS_PER_TOKEN)
}

/// Unicode characters of a text.
pub(crate) fn chars(text: &str) -> u64 {
    text.chars().count() as u64
}

/// Estimated input tokens of a request, over all its parts, by the vendors' rule of thumb of four characters.
#[must_use]
pub fn input(request: &ChatRequest) -> u64 {
    let system = request.system.as_deref().map_or(0, chars);
    let schema = request.response_schema.as_ref().map_or(0, |schema| chars(&schema.schema.to_string()));
    let messages: u64 = request.messages.iter().map(message).sum();
    let texts = tokens(system + schema + tools(&request.tools) + messages);
    let parts = request.messages.iter().flat_map(|message| &message.parts);
    texts + picture_tokens(parts.filter(|part| matches!(part, Part::Picture(_))).count() as u64)
}

/// Unicode characters of the descriptions of tools.
fn tools(set: &ToolSet) -> u64 {
    let tool = |tool: &crate::Tool| {
        let description = tool.description.as_deref().map_or(0, chars);
        chars(&tool.name) + description + chars(&tool.parameters.to_string())
    };
    set.tools.iter().map(tool).sum()
}

fn message(message: &Message) -> u64 {
    let part = |part: &Part| match part {
        Part::Text(text) => chars(text),
        Part::Document { name, description, text } => {
            chars(name) + description.as_deref().map_or(0, chars) + chars(text)
        }
        Part::Picture(_) => 0,
        Part::ToolCall(ToolCall { name, arguments, .. }) => chars(name) + chars(arguments),
        Part::ToolResult { name, text, .. } => chars(name) + chars(text),
    };
    message.parts.iter().map(part).sum()
}

/// Tokens per second of speech, as Gemini's models generate and bill (its documentation of audio).
const SPEECH_TOKENS: u64 = 25;
/// Spoken characters per second: 150 English words per minute, with their spaces.
const SPOKEN_CHARS: u64 = 15;
/// Tokens of an image of up to 1,024 by 1,024 pixels, as Gemini's models generate and bill (its documentation
/// of images); of one that a model sees too, which vendors count between 258 and some 1,600.
pub const PICTURE_TOKENS: u64 = 1_290;

/// Estimated output tokens of a spoken text.
pub(crate) fn speech_tokens(text: &str) -> u64 {
    chars(text).saturating_mul(SPEECH_TOKENS).div_ceil(SPOKEN_CHARS)
}

/// Estimated output tokens of images.
pub(crate) fn picture_tokens(pictures: u64) -> u64 {
    pictures.saturating_mul(PICTURE_TOKENS)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{ResponseSchema, Role};

    #[test]
    fn input_tokens_are_a_quarter_of_the_characters_of_all_parts_rounded_up() {
        let document =
            Part::Document { name: "ab".into(), description: Some("cd".into()), text: "éé".into() };
        let request = ChatRequest {
            system: Some("1234".into()),
            messages: vec![Message { role: Role::User, parts: vec![Part::Text("12345".into()), document] }],
            ..ChatRequest::default()
        };
        assert_eq!(input(&request), 4);
        let schema = Some(ResponseSchema { name: "n".into(), schema: serde_json::json!({"a": 1}) });
        assert_eq!(input(&ChatRequest { response_schema: schema, ..request }), 6);
        assert_eq!(input(&ChatRequest::default()), 0);
    }
}
