//! The messages of a chat completion, and the conversation that they are.

use gen_core::{HistoryMessage, ToolCall};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::Value;

use super::super::ApiError;
use super::tools::CallEntry;

/// A message of the conversation.
#[derive(Debug, Deserialize, JsonSchema)]
#[schemars(rename = "ChatCompletionMessage")]
pub(super) struct MessageBody {
    /// `system`, `developer`, `user`, `assistant` or `tool`.
    role: String,
    /// The text, or parts: `{"type": "text", "text"}` and, from the user, `{"type": "image_url", "image_url": {"url"}}` and
    /// `{"type": "file", "file": {"file_id"}}`. Null beside `tool_calls`.
    #[serde(default)]
    #[schemars(with = "Option<Value>")]
    content: Value,
    /// Calls of tools in a message of the assistant.
    #[serde(default)]
    tool_calls: Option<Vec<CallEntry>>,
    /// The id of the call that a tool's message answers.
    #[serde(default)]
    tool_call_id: Option<String>,
}

/// The conversation in the form of this server's own generation.
#[derive(Debug, Default)]
pub(super) struct Conversation {
    pub(super) system: Vec<String>,
    /// Before the prompt.
    pub(super) before: Vec<HistoryMessage>,
    /// The last message of the user.
    pub(super) prompt: HistoryMessage,
    /// Calls of tools and their results after the prompt.
    pub(super) after: Vec<HistoryMessage>,
    /// Files of all messages.
    pub(super) files: Vec<String>,
    pub(super) places: MessagePlaces,
}

/// Where the messages of a conversation stand in the body.
#[derive(Debug, Default)]
pub(super) struct MessagePlaces {
    /// Index of each message of the user, the model and tools.
    indices: Vec<usize>,
    /// Which of them is the prompt.
    question: usize,
}

impl MessagePlaces {
    /// The path in the body of a path in the generation.
    pub(super) fn path_of(&self, path: &str) -> String {
        let mut rest = path.trim_start_matches('/').splitn(3, '/');
        let (head, number, field) = (rest.next().unwrap_or_default(), rest.next(), rest.next());
        let number = number.and_then(|number| number.parse::<usize>().ok());
        let position = match (head, number) {
            ("prompt" | "images", _) => self.question,
            ("messages", Some(number)) => number,
            ("toolMessages", Some(number)) => self.question + 1 + number,
            _ => return path.to_owned(),
        };
        let at = self.indices.get(position).copied().unwrap_or_default();
        let field = field.and_then(|field| field.split('/').next()).filter(|field| *field != "images");
        format!("/messages/{at}/{}", field.unwrap_or("content"))
    }
}

impl Conversation {
    pub(super) fn read(messages: Vec<MessageBody>) -> Result<Self, ApiError> {
        let mut read = Self::default();
        let mut spoken: Vec<(usize, HistoryMessage)> = Vec::new();
        for (at, message) in messages.into_iter().enumerate() {
            let path = format!("/messages/{at}");
            let message = read.message(message, &path)?;
            match message.role.as_str() {
                "system" | "developer" => read.system.push(message.content),
                "user" | "assistant" | "tool" => spoken.push((at, message)),
                _ => {
                    let rule = "'role' must be system, developer, user, assistant or tool";
                    return Err(ApiError::invalid(format!("{path}/role"), rule));
                }
            }
        }
        check_results(&spoken)?;
        let ends_well = spoken.last().is_some_and(|(_, last)| last.role != "assistant");
        let question = spoken.iter().rposition(|(_, message)| message.role == "user");
        let Some(question) = question.filter(|_| ends_well) else {
            let rule =
                "the last of 'messages' must have the role 'user', or 'tool' after a message of the user";
            return Err(ApiError::invalid("/messages", rule));
        };
        let indices = spoken.iter().map(|(at, _)| *at).collect();
        read.places = MessagePlaces { indices, question };
        let mut spoken = spoken.into_iter().map(|(_, message)| message);
        read.before = spoken.by_ref().take(question).collect();
        read.prompt = spoken.next().unwrap_or_default();
        read.after = spoken.collect();
        Ok(read)
    }

    /// Whether it names documents or pictures that are not in it.
    pub(super) fn reads_documents(&self) -> bool {
        let mut pictures = self.before.iter().chain([&self.prompt]).flat_map(|message| &message.pictures);
        !self.files.is_empty() || pictures.any(|picture| !picture.starts_with("data:"))
    }

    fn message(&mut self, message: MessageBody, path: &str) -> Result<HistoryMessage, ApiError> {
        let MessageBody { role, content, tool_calls, tool_call_id } = message;
        let tool_calls: Vec<ToolCall> =
            tool_calls.unwrap_or_default().into_iter().map(ToolCall::from).collect();
        let mut message = HistoryMessage { role, tool_calls, tool_call_id, ..HistoryMessage::default() };
        let may_lack = !message.tool_calls.is_empty();
        if !(content.is_null() && may_lack) {
            self.content(content, &mut message, &format!("{path}/content"))?;
        }
        Ok(message)
    }

    /// The text and the pictures of a content; its files are added to the documents of the request.
    fn content(&mut self, content: Value, message: &mut HistoryMessage, path: &str) -> Result<(), ApiError> {
        let parts = match content {
            Value::String(text) => {
                message.content = text;
                return Ok(());
            }
            Value::Array(parts) => parts,
            _ => return Err(ApiError::invalid(path, "'content' must be a text or a list of parts")),
        };
        let mut texts = Vec::new();
        for (at, part) in parts.into_iter().enumerate() {
            match read_part(part) {
                Some(ContentPart::Text(text)) => texts.push(text),
                Some(ContentPart::Picture(url)) if message.role == "user" => message.pictures.push(url),
                Some(ContentPart::File(id)) => self.files.push(id),
                Some(ContentPart::Picture(_)) => {
                    let rule = "only messages of the user have parts of the type 'image_url'";
                    return Err(ApiError::invalid(format!("{path}/{at}"), rule));
                }
                None => {
                    let rule = "a part must be {\"type\": \"text\", \"text\": …}, {\"type\": \"image_url\", \"image_url\": \
                                {\"url\": …}} or {\"type\": \"file\", \"file\": {\"file_id\": …}}";
                    return Err(ApiError::invalid(format!("{path}/{at}"), rule));
                }
            }
        }
        message.content = texts.join("\n");
        Ok(())
    }
}

enum ContentPart {
    Text(String),
    /// A URL, a data URL, or a file id.
    Picture(String),
    /// A file id.
    File(String),
}

fn read_part(mut part: Value) -> Option<ContentPart> {
    let text = |value: &mut Value| match value.take() {
        Value::String(text) => Some(text),
        _ => None,
    };
    match part["type"].as_str()? {
        "text" => text(&mut part["text"]).map(ContentPart::Text),
        "image_url" => {
            let url = match &mut part["image_url"] {
                // Some clients leave out the object around it.
                Value::String(url) => Some(std::mem::take(url)),
                image => text(&mut image["url"]),
            };
            url.map(|url| ContentPart::Picture(file_id(&url).to_owned()))
        }
        "file" => text(&mut part["file"]["file_id"]).map(|id| ContentPart::File(file_id(&id).to_owned())),
        _ => None,
    }
}

/// That each result of a tool names a call before it.
fn check_results(spoken: &[(usize, HistoryMessage)]) -> Result<(), ApiError> {
    for (number, (at, message)) in
        spoken.iter().enumerate().filter(|(_, (_, message))| message.role == "tool")
    {
        let before = spoken.get(..number).unwrap_or_default();
        let mut calls = before.iter().flat_map(|(_, message)| &message.tool_calls);
        if !calls.any(|call| message.tool_call_id.as_ref() == Some(&call.id)) {
            let rule = "'tool_call_id' must be the id of a call in an earlier message of the assistant";
            return Err(ApiError::invalid(format!("/messages/{at}/tool_call_id"), rule));
        }
    }
    Ok(())
}

/// The id of a file, which clients of this interface expect to begin with `file-`.
fn file_id(id: &str) -> &str {
    id.strip_prefix("file-").unwrap_or(id)
}
