//! Tools of a chat completion, and the calls in its answer.

use gen_core::{ToolCall, ToolCallDelta, ToolChoice, ToolSet};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::super::generate_tools::{ToolBody, ToolMode};

/// The only kind of tools.
const FUNCTION: &str = "function";

/// A tool that the model may call.
#[derive(Debug, Deserialize, JsonSchema)]
#[schemars(rename = "ChatCompletionTool")]
pub(super) struct ToolEntry {
    /// `function`.
    #[serde(rename = "type")]
    #[schemars(with = "FunctionKind")]
    _kind: FunctionKind,
    /// How it is called, and with what.
    function: ToolBody,
}

/// The kind of a tool.
#[derive(Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
#[schemars(inline)]
enum FunctionKind {
    #[default]
    Function,
}

/// Which tools are called.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(
    untagged,
    expecting = "'tool_choice' must be auto, none, required, or an object with the type and the name of a function"
)]
#[schemars(rename = "ChatCompletionToolChoice")]
pub(super) enum ToolChoiceEntry {
    /// By a rule.
    Mode(ToolMode),
    /// One by its name.
    Named(NamedTool),
}

#[derive(Debug, Deserialize, JsonSchema)]
#[schemars(rename = "ChatCompletionNamedTool")]
pub(super) struct NamedTool {
    /// `function`.
    #[serde(rename = "type")]
    #[schemars(with = "FunctionKind")]
    _kind: FunctionKind,
    /// One of `tools`.
    function: FunctionName,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[schemars(rename = "ChatCompletionFunctionName")]
struct FunctionName {
    /// As in `tools`.
    name: String,
}

/// A call of a tool.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "ChatCompletionToolCall")]
pub(super) struct CallEntry {
    /// Identifier.
    id: String,
    /// `function`.
    #[serde(rename = "type", default)]
    kind: FunctionKind,
    /// The function and its arguments.
    function: CalledFunction,
}

#[derive(Debug, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "ChatCompletionCalledFunction")]
struct CalledFunction {
    /// As in `tools`, unless the model invented it.
    name: String,
    /// The arguments as the model wrote them, the text of a JSON object.
    #[serde(default)]
    arguments: String,
}

impl From<CallEntry> for ToolCall {
    fn from(CallEntry { id, function: CalledFunction { name, arguments }, .. }: CallEntry) -> Self {
        Self { id, name, arguments }
    }
}

impl From<ToolCall> for CallEntry {
    fn from(ToolCall { id, name, arguments }: ToolCall) -> Self {
        Self { id, kind: FunctionKind::Function, function: CalledFunction { name, arguments } }
    }
}

/// The tools of a request.
pub(super) fn tool_set(
    tools: Option<Vec<ToolEntry>>,
    choice: Option<ToolChoiceEntry>,
    parallel: Option<bool>,
) -> ToolSet {
    let choice = match choice {
        None => ToolChoice::Auto,
        Some(ToolChoiceEntry::Mode(mode)) => mode.into(),
        Some(ToolChoiceEntry::Named(named)) => ToolChoice::Named(named.function.name),
    };
    let tools = tools.unwrap_or_default().into_iter().map(|tool| tool.function.into());
    ToolSet { tools: tools.collect(), choice, parallel }
}

/// A piece of a call, as the `delta` of a chunk.
pub(super) fn call_delta(delta: &ToolCallDelta) -> Value {
    let ToolCallDelta { index, id, name, arguments } = delta;
    let call = match id.is_empty() {
        true => json!({"index": index, "function": {"arguments": arguments}}),
        false => json!({
            "index": index, "id": id, "type": FUNCTION, "function": {"name": name, "arguments": arguments}
        }),
    };
    json!({"tool_calls": [call]})
}
