//! Tools of a generation, and the calls that models ask for.

use gen_core::{Tool, ToolCall, ToolChoice, ToolSet};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

/// Names of tools, as the vendors take them.
const TOOL_NAME: &str = "^[A-Za-z0-9_-]{1,64}$";

/// A function that the model may call, in every interface.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "Tool")]
pub(super) struct ToolBody {
    /// How the model calls it.
    #[schemars(extend("pattern" = TOOL_NAME))]
    name: String,
    /// What it does, and when to call it.
    #[serde(default)]
    description: Option<String>,
    /// JSON Schema of its arguments, of the type object; none when absent.
    #[serde(default)]
    parameters: Option<Map<String, Value>>,
    /// Whether the vendor forces the arguments into the schema, where it can; as the vendor decides when absent.
    #[serde(default)]
    strict: Option<bool>,
}

/// Which tools are called.
#[derive(Deserialize, JsonSchema)]
#[serde(
    untagged,
    expecting = "'toolChoice' must be auto, none, required, or an object with the name of a tool"
)]
#[schemars(rename = "ToolChoice")]
pub(super) enum ToolChoiceBody {
    /// By a rule.
    Mode(ToolMode),
    /// The one with this name.
    Named(ToolName),
}

/// A rule of which tools are called.
#[derive(Clone, Copy, Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub(super) enum ToolMode {
    /// The model decides.
    Auto,
    /// The model answers without them.
    None,
    /// At least one.
    Required,
}

/// The name of a tool.
#[derive(Deserialize, JsonSchema)]
pub(super) struct ToolName {
    /// As in `tools`.
    name: String,
}

/// A call of a tool.
#[derive(Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "ToolCall")]
pub(super) struct ToolCallBody {
    /// Identifier, which the result names.
    id: String,
    /// As in `tools`, unless the model invented it.
    #[schemars(extend("pattern" = TOOL_NAME))]
    name: String,
    /// The arguments as the model wrote them: the JSON text of an object, unless the answer was cut.
    arguments: String,
}

impl From<ToolBody> for Tool {
    fn from(ToolBody { name, description, parameters, strict }: ToolBody) -> Self {
        let none = || json!({"type": "object", "properties": {}});
        Self { name, description, parameters: parameters.map_or_else(none, Value::Object), strict }
    }
}

impl From<ToolCall> for ToolCallBody {
    fn from(ToolCall { id, name, arguments }: ToolCall) -> Self {
        Self { id, name, arguments }
    }
}

impl From<ToolCallBody> for ToolCall {
    fn from(ToolCallBody { id, name, arguments }: ToolCallBody) -> Self {
        Self { id, name, arguments }
    }
}

impl From<ToolMode> for ToolChoice {
    fn from(mode: ToolMode) -> Self {
        match mode {
            ToolMode::Auto => Self::Auto,
            ToolMode::None => Self::None,
            ToolMode::Required => Self::Required,
        }
    }
}

/// The tools of a request.
pub(super) fn tool_set(
    tools: Option<Vec<ToolBody>>,
    choice: Option<ToolChoiceBody>,
    parallel: Option<bool>,
) -> ToolSet {
    let choice = match choice {
        None => ToolChoice::Auto,
        Some(ToolChoiceBody::Mode(mode)) => mode.into(),
        Some(ToolChoiceBody::Named(named)) => ToolChoice::Named(named.name),
    };
    ToolSet { tools: tools.unwrap_or_default().into_iter().map(Tool::from).collect(), choice, parallel }
}
