//! The body of a chat completion, and the generation that it asks for.

use gen_core::{BaseQuery, GenerateRequest, MAX_ANSWER_TOKENS, MAX_STOP, MAX_STOPS, MAX_TOOLS};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Map, Value};

use super::super::ApiError;
use super::super::request::Caller;
use super::messages::{Conversation, MessageBody, MessagePlaces};
use super::tools::{ToolChoiceEntry, ToolEntry, tool_set};
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
const REFUSED: [&str; 3] = ["functions", "function_call", "web_search_options"];

/// The request as OpenAI's interface describes it. Parameters that are not listed have no effect.
#[derive(Debug, Deserialize, JsonSchema)]
#[schemars(rename = "ChatCompletionBody")]
pub(super) struct ChatBody {
    /// `model@provider`, `agent:<namespace>` for an agent, or `kb:<id>` for a knowledge base.
    pub(super) model: String,
    /// The conversation, oldest first. The last message is the user's, or the result of a tool.
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
    /// Functions that the model may call.
    #[serde(default)]
    #[schemars(length(max = MAX_TOOLS))]
    tools: Option<Vec<ToolEntry>>,
    /// Which of them it calls: `auto`, `none`, `required`, or one by its name.
    #[serde(default)]
    tool_choice: Option<ToolChoiceEntry>,
    /// Whether one answer may have several calls.
    #[serde(default)]
    parallel_tool_calls: Option<bool>,
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

impl ChatBody {
    /// The parameters without effect, one sentence each.
    pub(super) fn warnings(&self) -> Vec<String> {
        let given = |name: &&&str| self.others.get(**name).is_some_and(|value| !value.is_null());
        IGNORED.iter().filter(given).map(|name| format!("'{name}' has no effect here")).collect()
    }

    /// The generation that is asked for, and where its parts stand in the body. An agent gives its model, instructions
    /// and knowledge bases.
    pub(super) async fn request(
        self,
        state: &AppState,
        caller: &Caller,
    ) -> Result<(GenerateRequest, MessagePlaces), ApiError> {
        self.check()?;
        let conversation = Conversation::read(self.messages)?;
        let reads = conversation.reads_documents();
        let mut system = conversation.system;
        let (model_id, knowledge, instructions) = target(state, caller, self.model).await?;
        if !instructions.is_empty() {
            system.insert(0, instructions);
        }
        caller.check_bases(knowledge.iter().map(String::as_str))?;
        if caller.0.key_bases.is_some() && reads {
            return Err(ApiError::restricted_key(
                "the API key may search knowledge bases only, and read no documents",
            ));
        }
        let places = conversation.places;
        let request = GenerateRequest {
            model_id,
            prompt: conversation.prompt.content,
            pictures: conversation.prompt.pictures,
            tool_messages: conversation.after,
            tools: tool_set(self.tools, self.tool_choice, self.parallel_tool_calls),
            system: Some(system.join("\n\n")).filter(|text| !text.is_empty()),
            messages: conversation.before,
            knowledge: knowledge.iter().map(|id| BaseQuery::from(id.as_str())).collect(),
            urls: conversation.files,
            temperature: self.temperature,
            top_p: self.top_p,
            seed: self.seed,
            stop: self.stop.map(StopTexts::into_list).unwrap_or_default(),
            max_tokens: self.max_completion_tokens.or(self.max_tokens),
            response_format: self.response_format.filter(|format| !format.is_null()),
            ..GenerateRequest::default()
        };
        Ok((request, places))
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
