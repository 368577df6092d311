//! The body of a chat completion, and the generation that it asks for.

use gen_core::{BaseQuery, GenerateRequest, HistoryMessage, MAX_ANSWER_TOKENS, MAX_STOP, MAX_STOPS};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Map, Value};

use super::super::ApiError;
use super::super::request::Caller;
use crate::app::AppState;

/// Parameters that change an answer and are not passed on; each gives a warning.
const IGNORED: [&str; 9] = [
    "audio",
    "frequency_penalty",
    "logit_bias",
    "logprobs",
    "modalities",
    "prediction",
    "presence_penalty",
    "reasoning_effort",
    "verbosity",
];

/// Parameters without which an answer would be wrong, so that a request with them is refused.
const REFUSED: [&str; 3] = ["tools", "functions", "web_search_options"];

/// The request as OpenAI's interface describes it. Parameters that are not listed have no effect.
#[derive(Debug, Deserialize, JsonSchema)]
#[schemars(rename = "ChatCompletionBody")]
pub(super) struct ChatBody {
    /// `model@provider`, `agent:<namespace>` for an agent, or `kb:<id>` for a knowledge base.
    pub(super) model: String,
    /// The conversation, oldest first. The last message is the user's.
    messages: Vec<MessageBody>,
    /// Whether the answer is streamed.
    #[serde(default)]
    pub(super) stream: Option<bool>,
    /// Options of a streamed answer.
    #[serde(default)]
    pub(super) stream_options: Option<StreamOptions>,
    /// Sampling temperature, 0 to 2.
    #[serde(default)]
    #[schemars(range(min = 0.0, max = 2.0))]
    temperature: Option<f64>,
    /// Share of the probability that tokens are sampled from.
    #[serde(default)]
    #[schemars(range(min = 0.0, max = 1.0))]
    top_p: Option<f64>,
    /// Seed of the sampling.
    #[serde(default)]
    seed: Option<i64>,
    /// Texts before which the answer ends: one, or an array of up to four.
    #[serde(default)]
    stop: Option<StopTexts>,
    /// Maximum number of output tokens.
    #[serde(default)]
    #[schemars(range(min = 1, max = MAX_ANSWER_TOKENS))]
    max_completion_tokens: Option<u64>,
    /// As `max_completion_tokens`, which takes precedence.
    #[serde(default)]
    #[schemars(range(min = 1, max = MAX_ANSWER_TOKENS))]
    max_tokens: Option<u64>,
    /// `{"type": "json_schema", "json_schema": {"name", "schema"}}`, `json_object` or `text`.
    #[serde(default)]
    #[schemars(with = "Option<Map<String, Value>>")]
    response_format: Option<Value>,
    /// Number of answers: 1.
    #[serde(default)]
    #[schemars(range(min = 1, max = 1))]
    n: Option<u64>,
    /// Everything else.
    #[serde(flatten)]
    others: Map<String, Value>,
}

/// One text, or several.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(untagged)]
enum StopTexts {
    One(#[schemars(length(min = 1, max = MAX_STOP))] String),
    Several(#[schemars(length(max = MAX_STOPS), inner(length(min = 1, max = MAX_STOP)))] Vec<String>),
}

impl StopTexts {
    fn into_list(self) -> Vec<String> {
        match self {
            Self::One(text) => vec![text],
            Self::Several(texts) => texts,
        }
    }
}

/// Options of a streamed answer.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[schemars(rename = "ChatCompletionStreamOptions")]
pub(super) struct StreamOptions {
    /// Whether a last chunk has the usage.
    #[serde(default)]
    pub(super) include_usage: Option<bool>,
}

/// A message of the conversation.
#[derive(Debug, Deserialize, JsonSchema)]
#[schemars(rename = "ChatCompletionMessage")]
struct MessageBody {
    /// `system`, `developer`, `user` or `assistant`.
    role: String,
    /// The text, or parts: `{"type": "text", "text"}` and, from the user, `{"type": "file", "file": {"file_id"}}`.
    #[serde(default)]
    #[schemars(with = "Option<Value>")]
    content: Value,
}

/// The conversation in the form of this server's own generation.
#[derive(Debug, Default)]
struct Conversation {
    system: Vec<String>,
    messages: Vec<HistoryMessage>,
    files: Vec<String>,
}

impl ChatBody {
    /// The parameters without effect, one sentence each.
    pub(super) fn warnings(&self) -> Vec<String> {
        let given = |name: &&&str| self.others.get(**name).is_some_and(|value| !value.is_null());
        IGNORED.iter().filter(given).map(|name| format!("'{name}' has no effect here")).collect()
    }

    /// The generation that is asked for. An agent gives its model, instructions and knowledge bases.
    pub(super) async fn request(
        self,
        state: &AppState,
        caller: &Caller,
    ) -> Result<GenerateRequest, ApiError> {
        self.check()?;
        let conversation = Conversation::read(self.messages)?;
        let mut messages = conversation.messages;
        let Some(prompt) = messages.pop().filter(|last| last.role == "user") else {
            return Err(ApiError::invalid("/messages", "the last of 'messages' must have the role 'user'"));
        };
        let mut system = conversation.system;
        let (model_id, knowledge, instructions) = target(state, caller, self.model).await?;
        if !instructions.is_empty() {
            system.insert(0, instructions);
        }
        caller.check_bases(knowledge.iter().map(String::as_str))?;
        if caller.0.key_bases.is_some() && !conversation.files.is_empty() {
            return Err(ApiError::restricted_key(
                "the API key may search knowledge bases only, and read no documents",
            ));
        }
        Ok(GenerateRequest {
            model_id,
            prompt: prompt.content,
            system: Some(system.join("\n\n")).filter(|text| !text.is_empty()),
            messages,
            knowledge: knowledge.iter().map(|id| BaseQuery::from(id.as_str())).collect(),
            urls: conversation.files,
            temperature: self.temperature,
            top_p: self.top_p,
            seed: self.seed,
            stop: self.stop.map(StopTexts::into_list).unwrap_or_default(),
            max_tokens: self.max_completion_tokens.or(self.max_tokens),
            response_format: self.response_format.filter(|format| !format.is_null()),
            ..GenerateRequest::default()
        })
    }

    fn check(&self) -> Result<(), ApiError> {
        if self.n.is_some_and(|n| n != 1) {
            return Err(ApiError::invalid("/n", "'n' must be 1"));
        }
        let refused = REFUSED.iter().find(|name| match self.others.get(**name) {
            Some(Value::Array(entries)) => !entries.is_empty(),
            given => given.is_some_and(|value| !value.is_null()),
        });
        match refused {
            Some(name) => Err(ApiError::invalid(format!("/{name}"), format!("'{name}' is not supported"))),
            None => Ok(()),
        }
    }
}

/// The model of a request, its knowledge bases, and its instructions.
async fn target(
    state: &AppState,
    caller: &Caller,
    model: String,
) -> Result<(String, Vec<String>, String), ApiError> {
    let scope = &caller.0.scope;
    if let Some(namespace) = model.strip_prefix("agent:") {
        if caller.0.key_bases.is_some() {
            return Err(ApiError::restricted_key(
                "the API key may search knowledge bases only, and use no agent",
            ));
        }
        let agent = state.agents.get(scope, namespace).await?;
        let bases = state.agents.bases_of(scope, &agent).await?;
        return Ok((state.agents.model_of(&agent)?.to_string(), bases, agent.instructions));
    }
    if let Some(base) = model.strip_prefix("kb:") {
        return Ok((state.agents.default_model().to_string(), vec![base.to_owned()], String::new()));
    }
    Ok((model, Vec::new(), String::new()))
}

impl Conversation {
    fn read(messages: Vec<MessageBody>) -> Result<Self, ApiError> {
        let mut read = Self::default();
        for (at, MessageBody { role, content }) in messages.into_iter().enumerate() {
            let path = format!("/messages/{at}");
            let content = read.text(content, &format!("{path}/content"))?;
            match role.as_str() {
                "system" | "developer" => read.system.push(content),
                "user" | "assistant" => read.messages.push(HistoryMessage { role, content }),
                _ => {
                    let rule = "'role' must be system, developer, user or assistant";
                    return Err(ApiError::invalid(format!("{path}/role"), rule));
                }
            }
        }
        Ok(read)
    }

    /// The text of a content; its files are added to the documents of the request.
    fn text(&mut self, content: Value, path: &str) -> Result<String, ApiError> {
        let parts = match content {
            Value::String(text) => return Ok(text),
            Value::Array(parts) => parts,
            _ => return Err(ApiError::invalid(path, "'content' must be a text or a list of parts")),
        };
        let mut texts = Vec::new();
        for (at, part) in parts.iter().enumerate() {
            match (part["type"].as_str(), part["text"].as_str(), part["file"]["file_id"].as_str()) {
                (Some("text"), Some(text), _) => texts.push(text.to_owned()),
                (Some("file"), _, Some(id)) => self.files.push(file_id(id).to_owned()),
                _ => {
                    let rule = "a part must be {\"type\": \"text\", \"text\": …} or {\"type\": \"file\", \"file\": \
                                {\"file_id\": …}}";
                    return Err(ApiError::invalid(format!("{path}/{at}"), rule));
                }
            }
        }
        Ok(texts.join("\n"))
    }
}

/// The id of a file, which clients of this interface expect to begin with `file-`.
fn file_id(id: &str) -> &str {
    id.strip_prefix("file-").unwrap_or(id)
}
