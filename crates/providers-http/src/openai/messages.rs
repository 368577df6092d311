//! Messages in OpenAI's form.

use std::borrow::Cow;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use gen_core::{Media, Message, Part, Role, ToolCall};
use serde::Serialize;

use super::profile::Profile;
use super::tools::{CallParam, call_id};
use crate::prompt::DocumentNumbers;

/// One message of a request.
#[derive(Debug, Serialize)]
pub(super) struct ChatMessage<'a> {
    pub(super) role: &'static str,
    /// Absent where a message of the assistant has calls alone.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) content: Option<Content<'a>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) tool_calls: Vec<CallParam<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) tool_call_id: Option<Cow<'a, str>>,
}

/// A text, or parts where there are pictures: some own servers take texts alone.
#[derive(Debug, Serialize)]
#[serde(untagged)]
pub(super) enum Content<'a> {
    Text(Cow<'a, str>),
    Parts(Vec<ContentPart>),
}

#[derive(Debug, Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub(super) enum ContentPart {
    Text { text: String },
    ImageUrl { image_url: ImageUrl },
}

#[derive(Debug, Serialize)]
pub(super) struct ImageUrl {
    url: String,
}

impl<'a> ChatMessage<'a> {
    /// A message of text alone.
    pub(super) fn text(role: &'static str, text: impl Into<Cow<'a, str>>) -> Self {
        let content = Some(Content::Text(text.into()));
        Self { role, content, tool_calls: Vec::new(), tool_call_id: None }
    }

    /// Number of Unicode characters that the model reads.
    pub(super) fn characters(&self) -> u64 {
        let count = |text: &str| text.chars().count() as u64;
        let texts = match &self.content {
            None => 0,
            Some(Content::Text(text)) => count(text),
            Some(Content::Parts(parts)) => parts
                .iter()
                .map(|part| if let ContentPart::Text { text } = part { count(text) } else { 0 })
                .sum(),
        };
        texts + self.tool_calls.iter().map(|call| count(call.function.arguments)).sum::<u64>()
    }
}

/// The messages of a conversation. The result of each tool becomes a message of its own.
pub(super) fn chat_messages<'a>(profile: &Profile, messages: &'a [Message]) -> Vec<ChatMessage<'a>> {
    let mut numbers = DocumentNumbers::default();
    messages.iter().flat_map(|message| one_message(profile, message, &mut numbers)).collect()
}

fn one_message<'a>(
    profile: &Profile,
    message: &'a Message,
    numbers: &mut DocumentNumbers,
) -> Vec<ChatMessage<'a>> {
    let mut all = Vec::new();
    let mut pieces: Vec<Piece<'a>> = Vec::new();
    let mut tool_calls = Vec::new();
    for part in &message.parts {
        match part {
            Part::Text(text) => pieces.push(Piece::Text(Cow::Borrowed(text.as_str()))),
            Part::Document { name, description, text } => {
                pieces.push(Piece::Text(Cow::Owned(numbers.document(name, description.as_deref(), text))));
            }
            Part::Picture(picture) => pieces.push(Piece::Picture(picture)),
            Part::ToolCall(ToolCall { id, name, arguments }) => {
                tool_calls.push(CallParam::new(call_id(profile, id), name, arguments));
            }
            Part::ToolResult { id, text, .. } => all.push(ChatMessage {
                tool_call_id: Some(call_id(profile, id)),
                ..ChatMessage::text("tool", text.as_str())
            }),
        }
    }
    let role = match message.role {
        Role::User => "user",
        Role::Assistant => "assistant",
    };
    let is_empty = pieces.is_empty();
    let content = (!is_empty).then(|| content(pieces));
    if !is_empty || !tool_calls.is_empty() {
        all.push(ChatMessage { role, content, tool_calls, tool_call_id: None });
    }
    all
}

/// A part of the content, in the order of the message.
enum Piece<'a> {
    Text(Cow<'a, str>),
    Picture(&'a Media),
}

/// One text where there are no pictures, which older servers require; else parts in order.
fn content(pieces: Vec<Piece<'_>>) -> Content<'_> {
    let mut parts = Vec::new();
    let mut texts: Vec<Cow<'_, str>> = Vec::new();
    for piece in pieces {
        match piece {
            Piece::Text(text) => texts.push(text),
            Piece::Picture(picture) => {
                push_text(&mut parts, std::mem::take(&mut texts));
                let url = format!("data:{};base64,{}", picture.content_type, STANDARD.encode(&picture.bytes));
                parts.push(ContentPart::ImageUrl { image_url: ImageUrl { url } });
            }
        }
    }
    if parts.is_empty() {
        return Content::Text(joined(texts));
    }
    push_text(&mut parts, texts);
    Content::Parts(parts)
}

/// Adds texts that follow each other as one part; blank text is refused by some servers.
fn push_text(parts: &mut Vec<ContentPart>, texts: Vec<Cow<'_, str>>) {
    let text = joined(texts);
    if !text.trim().is_empty() {
        parts.push(ContentPart::Text { text: text.into_owned() });
    }
}

fn joined(mut texts: Vec<Cow<'_, str>>) -> Cow<'_, str> {
    if texts.len() == 1 { texts.remove(0) } else { Cow::Owned(texts.join("\n\n")) }
}
