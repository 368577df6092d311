//! Tools in the form of the Messages API.

use std::borrow::Cow;

use gen_core::{Tool, ToolChoice, ToolSet};
use serde_json::{Value, json};

use super::wire::{ToolChoiceParam, ToolParam};
use crate::call_ids;

/// The tools of a request and which of them to call.
pub(super) fn tools(set: &ToolSet) -> (Vec<ToolParam<'_>>, Option<ToolChoiceParam<'_>>) {
    let tools: Vec<_> = set.tools.iter().map(tool).collect();
    let alone = set.parallel.map(|parallel| !parallel);
    let (kind, name) = match &set.choice {
        ToolChoice::Auto if alone.is_none() => return (tools, None),
        ToolChoice::Auto => ("auto", None),
        ToolChoice::None => ("none", None),
        ToolChoice::Required => ("any", None),
        ToolChoice::Named(name) => ("tool", Some(name.as_str())),
    };
    let disable_parallel_tool_use = alone.filter(|_| kind != "none");
    let choice = (!tools.is_empty()).then_some(ToolChoiceParam { kind, name, disable_parallel_tool_use });
    (tools, choice)
}

/// The API requires a type of each schema.
fn tool(tool: &Tool) -> ToolParam<'_> {
    let mut input_schema = Cow::Borrowed(&tool.parameters);
    if let Value::Object(schema) = &tool.parameters
        && !schema.contains_key("type")
    {
        input_schema.to_mut()["type"] = json!("object");
    }
    let strict = tool.strict.filter(|strict| *strict);
    ToolParam { name: &tool.name, description: tool.description.as_deref(), input_schema, strict }
}

/// The id of a call as the API takes it, letters, digits, `_` and `-`: the call may be another vendor's.
pub(super) fn call_id(id: &str) -> Cow<'_, str> {
    let is_allowed = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-');
    let id = call_ids::without_signature(id);
    if id.chars().all(is_allowed) {
        return Cow::Borrowed(id);
    }
    Cow::Owned(id.chars().map(|c| if is_allowed(c) { c } else { '_' }).collect())
}
