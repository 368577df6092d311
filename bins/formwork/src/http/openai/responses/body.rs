//! The body of a response request.

use gen_core::{Effort, GenerateRequest, MAX_ANSWER_TOKENS, MAX_TOOLS, ToolChoice, ToolSet};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Map, Value, json};

use super::super::conversation::MessagePlaces;
use super::super::parameters::{effort_of, refuse, without_effect};
use super::items::{InputBody, conversation};
use super::tools::{FunctionChoice, ToolEntry, sort};
use crate::app::AppState;
use crate::http::ApiError;
use crate::http::request::Caller;

/// Parameters that change an answer and are not passed on; each gives a warning.
const IGNORED: [&str; 4] = ["max_tool_calls", "prompt_cache_key", "top_logprobs", "truncation"];

/// Parameters without which an answer would be wrong, so that a request with them is refused: nothing is stored here.
const REFUSED: [&str; 4] = ["background", "previous_response_id", "conversation", "prompt"];

/// The request as OpenAI's Responses interface describes it. Parameters that are not listed have no effect.
#[derive(Debug, Deserialize, JsonSchema)]
#[schemars(rename = "ResponseBody")]
pub(super) struct ResponseBody {
    /// `model@provider`, `agent:<namespace>` for an agent, or `kb:<id>` for a knowledge base.
    pub(super) model: String,
    /// The question, or the conversation, oldest first. The last item is the user's, or the result of a function.
    input: InputBody,
    /// System instructions.
    #[serde(default)]
    pub(super) instructions: Option<String>,
    /// Whether the answer is streamed.
    #[serde(default)]
    pub(super) stream: Option<bool>,
    /// Sampling temperature, 0 to 2.
    #[serde(default)]
    #[schemars(range(min = 0.0, max = 2.0))]
    pub(super) temperature: Option<f64>,
    /// Share of the probability that tokens are sampled from.
    #[serde(default)]
    #[schemars(range(min = 0.0, max = 1.0))]
    pub(super) top_p: Option<f64>,
    /// Maximum number of output tokens.
    #[serde(default)]
    #[schemars(range(min = 1, max = MAX_ANSWER_TOKENS))]
    pub(super) max_output_tokens: Option<u64>,
    /// The format of the text.
    #[serde(default)]
    pub(super) text: Option<TextBody>,
    /// Functions that the model may call, and knowledge bases to search.
    #[serde(default)]
    #[schemars(length(max = MAX_TOOLS))]
    tools: Option<Vec<ToolEntry>>,
    /// Which of them it calls: `auto`, `none`, `required`, or one by its name.
    #[serde(default)]
    tool_choice: Option<FunctionChoice>,
    /// Whether one answer may have several calls.
    #[serde(default)]
    parallel_tool_calls: Option<bool>,
    /// Everything else.
    #[serde(flatten)]
    others: Map<String, Value>,
}

/// The format of the text.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[schemars(rename = "ResponseText")]
pub(super) struct TextBody {
    /// `{"type": "json_schema", "name", "schema"}`, `json_object` or `text`.
    #[serde(default)]
    #[schemars(with = "Option<Map<String, Value>>")]
    pub(super) format: Option<Value>,
}

impl ResponseBody {
    /// The parameters without effect, one sentence each.
    pub(super) fn warnings(&self) -> Vec<String> {
        let mut warnings = without_effect(&IGNORED, &self.others);
        if self.effort().is_none() {
            warnings.extend(without_effect(&["reasoning"], &self.others));
        }
        warnings
    }

    /// The degree in `reasoning`; others than ours have no effect.
    fn effort(&self) -> Option<Effort> {
        effort_of(self.others.get("reasoning").and_then(|reasoning| reasoning.get("effort")))
    }

    /// The settings that the record of the answer repeats.
    pub(super) fn echo(&self) -> Map<String, Value> {
        let format = self.text.as_ref().and_then(|text| text.format.clone());
        let metadata = self.others.get("metadata").filter(|value| value.is_object()).cloned();
        let echo = json!({
            "instructions": self.instructions, "max_output_tokens": self.max_output_tokens,
            // Where the request has none, the vendor's own apply, which are told as those of OpenAI's interface.
            "temperature": self.temperature.unwrap_or(1.0), "top_p": self.top_p.unwrap_or(1.0),
            "metadata": metadata.unwrap_or_else(|| json!({})),
            "text": {"format": format.filter(|format| !format.is_null()).unwrap_or_else(|| json!({"type": "text"}))},
            "tools": self.tools.iter().flatten().map(ToolEntry::echo).collect::<Vec<_>>(),
            "tool_choice": self.tool_choice.as_ref().map_or_else(|| json!("auto"), FunctionChoice::echo),
            "parallel_tool_calls": self.parallel_tool_calls.unwrap_or(true),
            "reasoning": {"effort": self.effort().map(Effort::name), "summary": null}
        });
        // Parameters that have no effect.
        let unused = json!({
            "presence_penalty": 0.0, "frequency_penalty": 0.0, "top_logprobs": 0, "truncation": "disabled",
            "max_tool_calls": null, "background": false, "service_tier": "default", "safety_identifier": null,
            "prompt_cache_key": null
        });
        let parts = [echo, unused].into_iter().filter_map(|part| part.as_object().cloned());
        parts.flatten().collect()
    }

    /// The generation that is asked for, and where its messages stand in the body.
    pub(super) async fn request(
        self,
        state: &AppState,
        caller: &Caller,
    ) -> Result<(GenerateRequest, MessagePlaces), ApiError> {
        refuse(&REFUSED, &self.others)?;
        let effort = self.effort();
        let choice = self.tool_choice.as_ref().map_or(ToolChoice::Auto, FunctionChoice::choice);
        let (tools, knowledge) = sort(self.tools.unwrap_or_default());
        let settings = GenerateRequest {
            effort,
            model_id: self.model,
            tools: ToolSet { tools, choice, parallel: self.parallel_tool_calls },
            knowledge,
            temperature: self.temperature,
            top_p: self.top_p,
            max_tokens: self.max_output_tokens,
            response_format: self.text.and_then(|text| text.format).filter(|format| !format.is_null()),
            ..GenerateRequest::default()
        };
        let mut conversation = conversation(self.input)?;
        conversation.system.splice(0..0, self.instructions.filter(|text| !text.is_empty()));
        conversation.into_request("input", state, caller, settings).await
    }
}
