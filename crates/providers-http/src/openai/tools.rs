//! Tools in OpenAI's form, and the calls in its answers.

use std::borrow::Cow;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};

use gen_core::{Tool, ToolCall, ToolCallDelta, ToolChoice, ToolSet};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::profile::Profile;
use crate::call_ids;
use crate::lenient::{Count, Scalar};

/// The parameters of a request that concern tools.
#[derive(Debug, Serialize)]
pub(super) struct ToolParams<'a> {
    tools: Vec<ToolParam<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    tool_choice: Option<ChoiceParam<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    parallel_tool_calls: Option<bool>,
}

#[derive(Debug, Serialize)]
struct ToolParam<'a> {
    #[serde(rename = "type")]
    kind: &'static str,
    function: FunctionParam<'a>,
}

#[derive(Debug, Serialize)]
struct FunctionParam<'a> {
    name: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    description: Option<&'a str>,
    parameters: &'a Value,
    #[serde(skip_serializing_if = "Option::is_none")]
    strict: Option<bool>,
}

#[derive(Debug, Serialize)]
#[serde(untagged)]
enum ChoiceParam<'a> {
    Mode(&'static str),
    Named {
        #[serde(rename = "type")]
        kind: &'static str,
        function: NameParam<'a>,
    },
}

#[derive(Debug, Serialize)]
struct NameParam<'a> {
    name: &'a str,
}

/// A call in a message of the conversation.
#[derive(Debug, Serialize)]
pub(super) struct CallParam<'a> {
    id: Cow<'a, str>,
    #[serde(rename = "type")]
    kind: &'static str,
    pub(super) function: CalledParam<'a>,
}

#[derive(Debug, Serialize)]
pub(super) struct CalledParam<'a> {
    name: &'a str,
    pub(super) arguments: &'a str,
}

impl<'a> CallParam<'a> {
    pub(super) fn new(id: Cow<'a, str>, name: &'a str, arguments: &'a str) -> Self {
        Self { id, kind: "function", function: CalledParam { name, arguments } }
    }
}

/// A call in an answer, or a piece of one in a stream.
#[derive(Debug, Default, Deserialize)]
pub(super) struct ToolCallEntry {
    #[serde(default)]
    index: Count,
    #[serde(default)]
    id: Scalar,
    #[serde(default)]
    function: Option<CalledFunction>,
}

#[derive(Debug, Default, Deserialize)]
struct CalledFunction {
    #[serde(default)]
    name: Scalar,
    /// A text. Some own servers write the object itself.
    #[serde(default)]
    arguments: Value,
}

/// The parameters for tools; `None` where there are none.
pub(super) fn tool_params<'a>(profile: &Profile, set: &'a ToolSet) -> Option<ToolParams<'a>> {
    let tool = |tool: &'a Tool| ToolParam {
        kind: "function",
        function: FunctionParam {
            name: &tool.name,
            description: tool.description.as_deref(),
            parameters: &tool.parameters,
            strict: tool.strict,
        },
    };
    let tool_choice = match &set.choice {
        ToolChoice::Auto => None,
        ToolChoice::None => Some(ChoiceParam::Mode("none")),
        ToolChoice::Required => Some(ChoiceParam::Mode(profile.requires_tool)),
        ToolChoice::Named(name) => {
            Some(ChoiceParam::Named { kind: "function", function: NameParam { name } })
        }
    };
    (!set.tools.is_empty()).then(|| ToolParams {
        tools: set.tools.iter().map(tool).collect(),
        tool_choice,
        parallel_tool_calls: set.parallel,
    })
}

/// The id of a call as the vendor takes it, since the call may be another vendor's. OpenAI takes 40 characters, Mistral
/// nine letters and digits. Others get it as it is, without the signature that Google's ids have.
pub(super) fn call_id<'a>(profile: &Profile, id: &'a str) -> Cow<'a, str> {
    let is_short = |id: &str| id.len() == 9 && id.bytes().all(|byte| byte.is_ascii_alphanumeric());
    if profile.short_call_ids && !is_short(id) {
        let mut hasher = DefaultHasher::new();
        id.hash(&mut hasher);
        return Cow::Owned(format!("{:09x}", hasher.finish() & 0xf_ffff_ffff));
    }
    let id = call_ids::without_signature(id);
    let most = profile.max_call_id.unwrap_or(id.len());
    Cow::Borrowed(id.get(..id.floor_char_boundary(most)).unwrap_or(id))
}

/// The calls of a complete answer.
pub(super) fn calls(entries: Vec<ToolCallEntry>) -> Vec<ToolCall> {
    let mut state = CallStream::default();
    let mut calls = gen_core::ToolCalls::default();
    for entry in entries {
        calls.push(&state.delta(ToolCallEntry { index: Count::default(), ..entry }, true));
    }
    calls.into_vec()
}

/// Numbers the pieces of the calls of a stream.
#[derive(Debug, Default)]
pub(super) struct CallStream {
    /// The vendor's index and id of each call.
    calls: Vec<(Option<u64>, String)>,
}

impl CallStream {
    /// The piece. A call begins with an index or an id that no call before had: some own servers give every call the
    /// index 0, others none. `is_whole`: every entry is a call of its own.
    pub(super) fn delta(&mut self, entry: ToolCallEntry, is_whole: bool) -> ToolCallDelta {
        let ToolCallEntry { index, id, function } = entry;
        let (index, id, function) = (index.0, id.text().unwrap_or_default(), function.unwrap_or_default());
        let known = self.calls.iter().rposition(|(number, name)| {
            let is_same = index.is_none() || *number == index;
            is_same && (id.is_empty() || *name == id)
        });
        let arguments = match function.arguments {
            Value::Null => String::new(),
            Value::String(text) => text,
            other => other.to_string(),
        };
        if let Some(index) = known.filter(|_| !is_whole) {
            return ToolCallDelta { index, arguments, ..ToolCallDelta::default() };
        }
        let at = self.calls.len();
        // A client needs an id to answer.
        let shown = if id.is_empty() { call_ids::new_id() } else { id.clone() };
        self.calls.push((index, id));
        ToolCallDelta { index: at, id: shown, name: function.name.text().unwrap_or_default(), arguments }
    }

    /// Whether there was a call.
    pub(super) fn is_empty(&self) -> bool {
        self.calls.is_empty()
    }
}
