//! The body of a chat completion, and the generation that it asks for.

use gen_core::{Effort, GenerateRequest, MAX_ANSWER_TOKENS, MAX_STOP, MAX_STOPS, MAX_TOOLS};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Map, Value};

use super::super::ApiError;
use super::super::request::Caller;
use super::conversation::MessagePlaces;
use super::messages::{MessageBody, conversation};
use super::parameters::{effort_of, refuse, without_effect};
use super::tools::{ToolChoiceEntry, ToolEntry, tool_set};
use crate::app::AppState;

/// Parameters that change an answer and are not passed on; each gives a warning.
const IGNORED: [&str; 8] = [
    "audio",
    "frequency_penalty",
    "logit_bias",
    "logprobs",
    "modalities",
    "prediction",
    "presence_penalty",
    "verbosity",
];

/// How much the model may reason. `low`, `medium` and `high` are passed on, other degrees are ignored.
const EFFORT: &str = "reasoning_effort";

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
#[serde(untagged, expecting = "'stop' must be a text or a list of texts")]
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
        let mut warnings = without_effect(&IGNORED, &self.others);
        if self.effort().is_none() {
            warnings.extend(without_effect(&[EFFORT], &self.others));
        }
        warnings
    }

    fn effort(&self) -> Option<Effort> {
        effort_of(self.others.get(EFFORT))
    }

    /// The generation that is asked for, and where its messages stand in the body.
    pub(super) async fn request(
        self,
        state: &AppState,
        caller: &Caller,
    ) -> Result<(GenerateRequest, MessagePlaces), ApiError> {
        self.check()?;
        let settings = GenerateRequest {
            effort: self.effort(),
            model_id: self.model,
            tools: tool_set(self.tools, self.tool_choice, self.parallel_tool_calls),
            temperature: self.temperature,
            top_p: self.top_p,
            seed: self.seed,
            stop: self.stop.map(StopTexts::into_list).unwrap_or_default(),
            max_tokens: self.max_completion_tokens.or(self.max_tokens),
            response_format: self.response_format.filter(|format| !format.is_null()),
            ..GenerateRequest::default()
        };
        conversation(self.messages)?.into_request("messages", state, caller, settings).await
    }

    fn check(&self) -> Result<(), ApiError> {
        if self.n.is_some_and(|n| n != 1) {
            return Err(ApiError::invalid("/n", "'n' must be 1"));
        }
        refuse(&REFUSED, &self.others)
    }
}
