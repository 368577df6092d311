//! The tools of a response: functions, and searches of knowledge bases.

use gen_core::{BaseQuery, Tool, ToolChoice};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::http::generate_tools::{ToolBody, ToolMode};

/// What a model may use.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "type", rename_all = "snake_case")]
#[schemars(rename = "ResponseTool")]
pub(super) enum ToolEntry {
    /// A function that the model may call.
    Function(ToolBody),
    /// Knowledge bases that are searched before the model answers.
    FileSearch(FileSearch),
}

/// Knowledge bases that are searched with the last message of the user.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "ResponseFileSearch")]
pub(super) struct FileSearch {
    /// Ids of knowledge bases.
    vector_store_ids: Vec<String>,
    /// Maximum number of passages found in each.
    #[serde(default)]
    max_num_results: Option<usize>,
}

/// Which functions are called.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(
    untagged,
    expecting = "'tool_choice' must be auto, none, required, or an object with the type and the name of a function"
)]
#[schemars(rename = "ResponseToolChoice")]
pub(super) enum FunctionChoice {
    /// By a rule.
    Mode(ToolMode),
    /// One by its name.
    Named(NamedFunction),
}

/// A function by its name.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(tag = "type", rename_all = "lowercase")]
#[schemars(rename = "ResponseNamedFunction")]
pub(super) enum NamedFunction {
    /// One of `tools`.
    Function {
        /// As in `tools`.
        name: String,
    },
}

/// The functions, and the knowledge bases.
pub(super) fn sort(entries: Vec<ToolEntry>) -> (Vec<Tool>, Vec<BaseQuery>) {
    let (mut tools, mut bases) = (Vec::new(), Vec::new());
    for entry in entries {
        match entry {
            ToolEntry::Function(tool) => tools.push(tool.into()),
            ToolEntry::FileSearch(FileSearch { vector_store_ids, max_num_results }) => {
                let base = |id| BaseQuery { id, limit: max_num_results, ..BaseQuery::default() };
                bases.extend(vector_store_ids.into_iter().map(base));
            }
        }
    }
    (tools, bases)
}

impl ToolEntry {
    /// As the record of the answer repeats it.
    pub(super) fn echo(&self) -> Value {
        json!(self)
    }
}

impl FunctionChoice {
    pub(super) fn choice(&self) -> ToolChoice {
        match self {
            Self::Mode(mode) => (*mode).into(),
            Self::Named(NamedFunction::Function { name }) => ToolChoice::Named(name.clone()),
        }
    }

    /// As the record of the answer repeats it.
    pub(super) fn echo(&self) -> Value {
        match self.choice() {
            ToolChoice::Auto => json!("auto"),
            ToolChoice::None => json!("none"),
            ToolChoice::Required => json!("required"),
            ToolChoice::Named(name) => json!({"type": "function", "name": name}),
        }
    }
}
