//! The messages before the prompt, and those after it: calls of tools and their results.

use shared_core::Violation;

use super::request::{GenerateLimits, GenerateRequest, HistoryMessage};
use super::tools::check_call;
use crate::{Message, Part, Role};

/// A picture of one of the messages.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct PictureRef {
    /// Index of its message among all that the model reads.
    pub(super) message: usize,
    /// File id, URL or data URL.
    pub(super) reference: String,
    /// JSON pointer of the reference in the request.
    pub(super) path: String,
}

/// The conversation around the prompt.
#[derive(Clone, Debug, Default)]
pub(super) struct Conversation {
    /// Before the prompt.
    pub(super) before: Vec<Message>,
    /// After the prompt: calls of tools and their results.
    pub(super) after: Vec<Message>,
    pub(super) pictures: Vec<PictureRef>,
}

impl Conversation {
    /// Reads the messages before and after the prompt.
    pub(super) fn read(
        request: &GenerateRequest,
        limits: &GenerateLimits,
        wrong: &mut Vec<Violation>,
    ) -> Self {
        let GenerateRequest { messages, tool_messages, .. } = request;
        if messages.len() + tool_messages.len() > limits.messages {
            let rule = format!("'messages' has at most {} entries", limits.messages);
            wrong.push(Violation::new("/messages", rule));
            return Self::default();
        }
        check_messages(request, limits, wrong);
        let mut conversation = Self::default();
        for (at, message) in messages.iter().enumerate() {
            let read = part_of(message, names_of(messages.get(..at).unwrap_or_default()));
            let index = add(&mut conversation.before, read);
            conversation.refer(index, &message.pictures, &format!("/messages/{at}"));
        }
        conversation.refer(conversation.before.len(), &request.pictures, "");
        for (at, message) in tool_messages.iter().enumerate() {
            let read = part_of(message, names_of(tool_messages.get(..at).unwrap_or_default()));
            add(&mut conversation.after, read);
        }
        conversation
    }

    fn refer(&mut self, message: usize, pictures: &[String], path: &str) {
        let found = pictures.iter().enumerate().map(|(number, reference)| PictureRef {
            message,
            reference: reference.clone(),
            path: format!("{path}/images/{number}"),
        });
        self.pictures.extend(found);
    }
}

/// The author and the parts of a message. `names`: the tool that the call with an id asks for.
fn part_of(message: &HistoryMessage, names: impl Fn(&str) -> String) -> Message {
    let text = (!message.content.trim().is_empty()).then(|| Part::Text(message.content.clone()));
    match message.role.as_str() {
        "tool" => {
            let id = message.tool_call_id.clone().unwrap_or_default();
            let (name, text) = (names(&id), message.content.clone());
            Message { role: Role::User, parts: vec![Part::ToolResult { id, name, text }] }
        }
        "assistant" => {
            let calls = message.tool_calls.iter().cloned().map(Part::ToolCall);
            Message { role: Role::Assistant, parts: text.into_iter().chain(calls).collect() }
        }
        _ => Message { role: Role::User, parts: text.into_iter().collect() },
    }
}

/// Adds a message, and returns the index of the one that has its parts. Vendors want the results of all calls of an
/// answer in one message.
fn add(messages: &mut Vec<Message>, message: Message) -> usize {
    let has_results = |last: &&mut Message| matches!(last.parts.last(), Some(Part::ToolResult { .. }));
    match messages.last_mut().filter(|_| message.role == Role::User).filter(has_results) {
        Some(last) => last.parts.extend(message.parts),
        None => messages.push(message),
    }
    messages.len() - 1
}

/// The name of the tool that a call in the messages asks for, by the id of the call; else empty.
fn names_of(messages: &[HistoryMessage]) -> impl Fn(&str) -> String {
    move |id| {
        let call = messages.iter().rev().flat_map(|message| &message.tool_calls).find(|call| call.id == id);
        call.map(|call| call.name.clone()).unwrap_or_default()
    }
}

fn check_messages(request: &GenerateRequest, limits: &GenerateLimits, wrong: &mut Vec<Violation>) {
    let mut room = limits.text_chars;
    for (name, messages) in [("messages", &request.messages), ("toolMessages", &request.tool_messages)] {
        for (at, message) in messages.iter().enumerate() {
            let path = format!("/{name}/{at}");
            check_message(message, names_of(messages.get(..at).unwrap_or_default()), &path, wrong);
            if name == "toolMessages" && message.role == "user" {
                let rule = "a message after the prompt must have the role 'assistant' or 'tool'";
                wrong.push(Violation::new(format!("{path}/role"), rule));
            }
            let texts = message.tool_calls.iter().map(|call| &call.arguments).chain([&message.content]);
            for text in texts {
                let length = text.chars().take(room + 1).count();
                if length > room {
                    let rule = format!("'messages' have at most {} characters in all", limits.text_chars);
                    wrong.push(Violation::new("/messages", rule));
                    return;
                }
                room -= length;
            }
        }
    }
    if request.tool_messages.last().is_some_and(|last| last.role != "tool") {
        let rule = "the last of 'toolMessages' must have the role 'tool'";
        wrong.push(Violation::new(format!("/toolMessages/{}/role", request.tool_messages.len() - 1), rule));
    }
}

fn check_message(
    message: &HistoryMessage,
    names: impl Fn(&str) -> String,
    path: &str,
    wrong: &mut Vec<Violation>,
) {
    let mut report = |field: &str, rule: &str| wrong.push(Violation::new(format!("{path}/{field}"), rule));
    if !["user", "assistant", "tool"].contains(&message.role.as_str()) {
        let rule = "'role' must be 'user', 'assistant' or 'tool'; instructions go into 'system'";
        return report("role", rule);
    }
    let has_more = match message.role.as_str() {
        "user" => !message.pictures.is_empty(),
        "assistant" => !message.tool_calls.is_empty(),
        _ => true,
    };
    if message.content.trim().is_empty() && !has_more {
        report("content", "'content' must not be empty");
    }
    if message.role != "user" && !message.pictures.is_empty() {
        report("images", "only messages of the user have 'images'");
    }
    if message.role != "assistant" && !message.tool_calls.is_empty() {
        report("toolCalls", "only messages of the assistant have 'toolCalls'");
    }
    if message.role == "tool" && names(message.tool_call_id.as_deref().unwrap_or_default()).is_empty() {
        report("toolCallId", "'toolCallId' must be the id of a call in an earlier message of the assistant");
    }
    for (number, call) in message.tool_calls.iter().enumerate() {
        wrong.extend(check_call(call, &format!("{path}/toolCalls/{number}")));
    }
}
