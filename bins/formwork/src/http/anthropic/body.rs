//! The body of a request for a message, and the generation that it asks for.

use gen_core::{
    Effort, GenerateRequest, MAX_ANSWER_TOKENS, MAX_STOP, MAX_STOPS, MAX_TOOLS, Tool, ToolChoice, ToolSet,
};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Map, Value, json};

use super::blocks::{MessageEntry, conversation};
use crate::app::AppState;
use crate::http::ApiError;
use crate::http::openai::{Conversation, MessagePlaces, effort_of, refuse, without_effect};
use crate::http::request::Caller;

/// Parameters that change an answer and are not passed on; each gives a warning.
const IGNORED: [&str; 3] = ["top_k", "thinking", "context_management"];
/// Parameters without which an answer would be wrong, so that a request with them is refused.
const REFUSED: [&str; 2] = ["mcp_servers", "container"];
/// What says how an answer is written: `effort` and `format`.
const OUTPUT: &str = "output_config";

/// The request as Anthropic's interface describes it. Parameters that are not listed have no effect.
#[derive(Debug, Deserialize, JsonSchema)]
#[schemars(rename = "AnthropicMessageBody")]
pub(super) struct MessageBody {
    /// `model@provider`, `agent:<namespace>` for an agent, or `kb:<id>` for a knowledge base.
    pub(super) model: String,
    /// The conversation, oldest first. The last message is the user's.
    messages: Vec<MessageEntry>,
    /// Maximum number of output tokens; the model's own when absent.
    #[serde(default)]
    #[schemars(range(min = 1, max = MAX_ANSWER_TOKENS))]
    max_tokens: Option<u64>,
    /// System instructions.
    #[serde(default)]
    system: Option<SystemBody>,
    /// Whether the answer is streamed.
    #[serde(default)]
    pub(super) stream: Option<bool>,
    /// Sampling temperature, 0 to 2.
    #[serde(default)]
    #[schemars(range(min = 0.0, max = 2.0))]
    temperature: Option<f64>,
    /// Share of the probability that tokens are sampled from.
    #[serde(default)]
    #[schemars(range(min = 0.0, max = 1.0))]
    top_p: Option<f64>,
    /// Texts before which the answer ends.
    #[serde(default)]
    #[schemars(length(max = MAX_STOPS), inner(length(min = 1, max = MAX_STOP)))]
    stop_sequences: Option<Vec<String>>,
    /// Tools that the model may call.
    #[serde(default)]
    #[schemars(length(max = MAX_TOOLS))]
    tools: Option<Vec<ToolEntry>>,
    /// Which of them it calls.
    #[serde(default)]
    tool_choice: Option<ChoiceBody>,
    /// Everything else.
    #[serde(flatten)]
    others: Map<String, Value>,
}

/// A text, or blocks of text.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(untagged, expecting = "'system' must be a text or a list of blocks of text")]
#[schemars(rename = "AnthropicSystem")]
enum SystemBody {
    Text(String),
    Blocks(Vec<SystemBlock>),
}

#[derive(Debug, Deserialize, JsonSchema)]
#[schemars(rename = "AnthropicSystemBlock")]
struct SystemBlock {
    /// What the model is told.
    text: String,
}

/// A tool that the model may call.
#[derive(Debug, Deserialize, JsonSchema)]
#[schemars(rename = "AnthropicTool")]
struct ToolEntry {
    /// `custom`, or absent. Tools that Anthropic runs are not there.
    #[serde(rename = "type", default)]
    kind: Option<String>,
    /// How the model calls it.
    name: String,
    /// What it does, and when to call it.
    #[serde(default)]
    description: Option<String>,
    /// JSON Schema of its arguments, of the type object.
    #[serde(default)]
    input_schema: Option<Map<String, Value>>,
    /// Whether the vendor forces the arguments into the schema, where it can.
    #[serde(default)]
    strict: Option<bool>,
}

/// Which tools are called.
#[derive(Debug, Deserialize, JsonSchema)]
#[schemars(rename = "AnthropicToolChoice")]
struct ChoiceBody {
    /// `tool` needs a name.
    #[serde(rename = "type")]
    kind: ChoiceKind,
    /// One of `tools`.
    #[serde(default)]
    name: Option<String>,
    /// Whether one answer may have only one call.
    #[serde(default)]
    disable_parallel_tool_use: Option<bool>,
}

#[derive(Clone, Copy, Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
#[schemars(inline)]
enum ChoiceKind {
    Auto,
    Any,
    Tool,
    None,
}

impl MessageBody {
    /// The parameters without effect, one sentence each.
    pub(super) fn warnings(&self) -> Vec<String> {
        without_effect(&IGNORED, &self.others)
    }

    /// The generation that is asked for, and where its messages stand in the body.
    pub(super) async fn request(
        self,
        state: &AppState,
        caller: &Caller,
    ) -> Result<(GenerateRequest, MessagePlaces), ApiError> {
        let (conversation, settings) = self.parts()?;
        conversation.into_request("messages", state, caller, settings).await
    }

    /// The same without the documents, which are read only to be answered from.
    pub(super) async fn texts(
        self,
        state: &AppState,
        caller: &Caller,
    ) -> Result<(GenerateRequest, MessagePlaces), ApiError> {
        let (mut conversation, settings) = self.parts()?;
        conversation.files.clear();
        conversation.into_request("messages", state, caller, settings).await
    }

    fn parts(self) -> Result<(Conversation, GenerateRequest), ApiError> {
        refuse(&REFUSED, &self.others)?;
        let settings = GenerateRequest {
            effort: self.effort(),
            response_format: self.response_format(),
            model_id: self.model,
            tools: tool_set(self.tools.unwrap_or_default(), self.tool_choice)?,
            temperature: self.temperature,
            top_p: self.top_p,
            stop: self.stop_sequences.unwrap_or_default(),
            max_tokens: self.max_tokens,
            ..GenerateRequest::default()
        };
        let mut conversation = conversation(self.messages)?;
        match self.system {
            None => {}
            Some(SystemBody::Text(text)) => conversation.system.push(text),
            Some(SystemBody::Blocks(blocks)) => {
                conversation.system.extend(blocks.into_iter().map(|block| block.text));
            }
        }
        conversation.system.retain(|text| !text.trim().is_empty());
        Ok((conversation, settings))
    }

    fn effort(&self) -> Option<Effort> {
        effort_of(self.others.get(OUTPUT)?.get("effort"))
    }

    /// The format in the words of this server's own generation, which wants a name.
    fn response_format(&self) -> Option<Value> {
        let format = self.others.get(OUTPUT)?.get("format").filter(|format| !format.is_null())?;
        let mut format = format.clone();
        if let Some(fields) = format.as_object_mut() {
            fields.entry("name").or_insert_with(|| json!("answer"));
        }
        Some(format)
    }
}

/// The tools of a request.
fn tool_set(entries: Vec<ToolEntry>, choice: Option<ChoiceBody>) -> Result<ToolSet, ApiError> {
    let mut tools = Vec::with_capacity(entries.len());
    for (at, ToolEntry { kind, name, description, input_schema, strict }) in entries.into_iter().enumerate() {
        if kind.is_some_and(|kind| kind != "custom") {
            let rule = "'type' must be custom: tools that Anthropic runs are not there";
            return Err(ApiError::invalid(format!("/tools/{at}/type"), rule));
        }
        let none = || json!({"type": "object", "properties": {}});
        tools.push(Tool {
            name,
            description,
            parameters: input_schema.map_or_else(none, Value::Object),
            strict,
        });
    }
    let Some(ChoiceBody { kind, name, disable_parallel_tool_use }) = choice else {
        return Ok(ToolSet { tools, ..ToolSet::default() });
    };
    let choice = match (kind, name) {
        (ChoiceKind::Auto, _) => ToolChoice::Auto,
        (ChoiceKind::Any, _) => ToolChoice::Required,
        (ChoiceKind::None, _) => ToolChoice::None,
        (ChoiceKind::Tool, Some(name)) => ToolChoice::Named(name),
        (ChoiceKind::Tool, None) => {
            return Err(ApiError::invalid("/tool_choice/name", "'name' is a required property"));
        }
    };
    Ok(ToolSet { tools, choice, parallel: disable_parallel_tool_use.map(|disabled| !disabled) })
}
