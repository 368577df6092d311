//! Validation of tools, and of the calls that models make of them.

use std::collections::HashSet;

use serde_json::Value;
use shared_core::Violation;

use super::request::GenerateLimits;
use crate::{MAX_TOOLS, ModelChoice, ModelKind, Tool, ToolCall, ToolChoice, ToolSet};

/// Maximum length of a name, as OpenAI and Anthropic take.
const MAX_NAME: usize = 64;
/// Maximum bytes of the id of a call. Google's ids hold a signature of some kilobytes. Bounds the memory.
const MAX_ID: usize = 65_536;

/// What is wrong with the tools of a request.
pub(super) fn check_tools(set: &ToolSet, limits: &GenerateLimits) -> Vec<Violation> {
    let mut wrong = Vec::new();
    if set.tools.len() > MAX_TOOLS {
        return vec![Violation::new("/tools", format!("'tools' has at most {MAX_TOOLS} entries"))];
    }
    let mut names = HashSet::new();
    let mut room = limits.text_chars;
    for (at, tool) in set.tools.iter().enumerate() {
        if !is_name(&tool.name) {
            let rule = format!("'name' must have 1 to {MAX_NAME} letters, digits, '_' or '-'");
            wrong.push(Violation::new(format!("/tools/{at}/name"), rule));
        } else if !names.insert(tool.name.as_str()) {
            wrong
                .push(Violation::new(format!("/tools/{at}/name"), "two tools must not have the same 'name'"));
        }
        if !matches!(&tool.parameters, Value::Object(schema) if is_schema_of_object(schema)) {
            let rule = "'parameters' must be a JSON Schema of the type object";
            wrong.push(Violation::new(format!("/tools/{at}/parameters"), rule));
        }
        match room.checked_sub(length(tool)) {
            Some(left) => room = left,
            None => {
                let rule = format!("'tools' have at most {} bytes in all", limits.text_chars);
                wrong.push(Violation::new("/tools", rule));
                return wrong;
            }
        }
    }
    match &set.choice {
        ToolChoice::Named(name) if !names.contains(name.as_str()) => {
            wrong.push(Violation::new("/toolChoice", "'toolChoice' must name one of 'tools'"));
        }
        ToolChoice::Required if set.tools.is_empty() => {
            wrong.push(Violation::new("/toolChoice", "'toolChoice' requires a tool, and 'tools' is empty"));
        }
        _ => {}
    }
    wrong
}

/// That a model of the choice calls no tools.
pub(super) fn check_models(set: &ToolSet, choice: &ModelChoice, kind: ModelKind) -> Option<Violation> {
    let incapable = choice.iter().find(|model| kind != ModelKind::TextToText || model.is_extractive());
    let model = incapable.filter(|_| set.is_offered())?;
    Some(Violation::new("/tools", format!("'tools' is not supported: {model} calls no tools")))
}

/// What is wrong with a call of the conversation.
pub(super) fn check_call(call: &ToolCall, path: &str) -> Vec<Violation> {
    let mut wrong = Vec::new();
    if call.id.is_empty() || call.id.len() > MAX_ID {
        let rule = format!("'id' must have 1 to {MAX_ID} bytes");
        wrong.push(Violation::new(format!("{path}/id"), rule));
    }
    if !is_name(&call.name) {
        let rule = format!("'name' must have 1 to {MAX_NAME} letters, digits, '_' or '-'");
        wrong.push(Violation::new(format!("{path}/name"), rule));
    }
    wrong
}

/// One sentence for each tool that the model called and that was not offered.
pub(super) fn invented_calls(set: &ToolSet, calls: &[ToolCall]) -> Vec<String> {
    let is_offered = |call: &&ToolCall| set.tools.iter().any(|tool| tool.name == call.name);
    let invented = calls.iter().filter(|call| !is_offered(call));
    invented.map(|call| format!("the model called '{}', which is not one of 'tools'", call.name)).collect()
}

fn is_name(name: &str) -> bool {
    let is_allowed = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-');
    (1..=MAX_NAME).contains(&name.len()) && name.bytes().all(is_allowed)
}

fn is_schema_of_object(schema: &serde_json::Map<String, Value>) -> bool {
    schema.get("type").is_none_or(|kind| kind == "object")
}

/// Bytes of the texts that the model reads of a tool.
fn length(tool: &Tool) -> usize {
    tool.name.len() + tool.description.as_ref().map_or(0, String::len) + tool.parameters.to_string().len()
}
