//! Tools that a model may call. The caller runs them: no tool is run here.

use serde_json::Value;

/// Maximum number of tools of a request, and of calls in an answer, as OpenAI takes.
pub const MAX_TOOLS: usize = 128;

/// A function that the model may call.
#[derive(Clone, Debug, PartialEq)]
pub struct Tool {
    /// Its name: 1 to 64 letters, digits, `_` and `-`.
    pub name: String,
    /// What it does and when to use it.
    pub description: Option<String>,
    /// JSON Schema of its arguments, an object.
    pub parameters: Value,
    /// Whether the vendor is to force the arguments into the schema; `None` for the vendor's own default. Vendors
    /// without such a switch ignore it.
    pub strict: Option<bool>,
}

/// Which tools the model may or must call.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum ToolChoice {
    /// The model decides.
    #[default]
    Auto,
    /// None of them.
    None,
    /// At least one.
    Required,
    /// The one with this name.
    Named(String),
}

/// The tools of a request.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ToolSet {
    /// The tools, at most [`MAX_TOOLS`].
    pub tools: Vec<Tool>,
    /// Which of them may or must be called.
    pub choice: ToolChoice,
    /// Whether one answer may have several calls; `None` for the vendor's own default.
    pub parallel: Option<bool>,
}

impl ToolSet {
    /// Whether there is a tool that the model may call.
    #[must_use]
    pub fn is_offered(&self) -> bool {
        !self.tools.is_empty() && self.choice != ToolChoice::None
    }
}

/// A call of a tool that the model asks for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ToolCall {
    /// Identifier, which the result repeats.
    pub id: String,
    /// Name of the tool. Models may invent one.
    pub name: String,
    /// The arguments as the model wrote them: a JSON object, unless the answer was cut or the model erred.
    pub arguments: String,
}

impl ToolCall {
    /// The arguments as a JSON object. Where they are none, the object has the text under `arguments`, for vendors
    /// that take objects alone.
    #[must_use]
    pub fn arguments_object(&self) -> Value {
        match serde_json::from_str(&self.arguments) {
            Ok(value @ Value::Object(_)) => value,
            _ if self.arguments.trim().is_empty() => serde_json::json!({}),
            _ => serde_json::json!({"arguments": self.arguments}),
        }
    }
}

/// A piece of a call in a streamed answer.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ToolCallDelta {
    /// Which call of the answer, from 0, without gaps.
    pub index: usize,
    /// Identifier of the call, in its first piece; empty in later ones.
    pub id: String,
    /// Name of the tool, in the first piece of its call; empty in later ones.
    pub name: String,
    /// Text to append to the arguments.
    pub arguments: String,
}

/// Assembles the calls of a streamed answer.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ToolCalls(Vec<ToolCall>);

impl ToolCalls {
    /// Adds the next piece. A piece of a call beyond [`MAX_TOOLS`] is dropped.
    pub fn push(&mut self, delta: &ToolCallDelta) {
        if delta.index >= MAX_TOOLS {
            return;
        }
        if self.0.len() <= delta.index {
            self.0.resize_with(delta.index + 1, ToolCall::default);
        }
        if let Some(call) = self.0.get_mut(delta.index) {
            call.id.push_str(&delta.id);
            call.name.push_str(&delta.name);
            call.arguments.push_str(&delta.arguments);
        }
    }

    /// The calls so far.
    #[must_use]
    pub fn as_slice(&self) -> &[ToolCall] {
        &self.0
    }

    /// The calls.
    #[must_use]
    pub fn into_vec(self) -> Vec<ToolCall> {
        self.0
    }
}

/// Whole calls as pieces of a stream, each with one piece.
pub fn deltas(calls: Vec<ToolCall>) -> impl Iterator<Item = ToolCallDelta> {
    calls.into_iter().enumerate().map(|(index, ToolCall { id, name, arguments })| ToolCallDelta {
        index,
        id,
        name,
        arguments,
    })
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn call(id: &str, name: &str, arguments: &str) -> ToolCall {
        ToolCall { id: id.into(), name: name.into(), arguments: arguments.into() }
    }

    #[test]
    fn pieces_of_several_calls_are_assembled_in_their_order() {
        let mut calls = ToolCalls::default();
        for (index, id, name, arguments) in [
            (0, "a", "one", ""),
            (0, "", "", "{\"x\""),
            (1, "b", "two", "{}"),
            (0, "", "", ":1}"),
            (128, "c", "", ""),
        ] {
            calls.push(&ToolCallDelta {
                index,
                id: id.into(),
                name: name.into(),
                arguments: arguments.into(),
            });
        }
        let whole = vec![call("a", "one", "{\"x\":1}"), call("b", "two", "{}")];
        assert_eq!(calls.as_slice(), whole);
        let mut again = ToolCalls::default();
        deltas(whole.clone()).for_each(|delta| again.push(&delta));
        assert_eq!(again.into_vec(), whole);
    }

    #[test]
    fn arguments_that_are_no_object_are_kept_in_one() {
        assert_eq!(call("", "", "{\"a\": 1}").arguments_object(), json!({"a": 1}));
        assert_eq!(call("", "", " ").arguments_object(), json!({}));
        for text in ["[1]", "{\"a\":", "null"] {
            assert_eq!(call("", "", text).arguments_object(), json!({"arguments": text}));
        }
    }

    #[test]
    fn tools_that_may_not_be_called_are_not_offered() {
        let tool = Tool { name: "a".into(), description: None, parameters: json!({}), strict: None };
        let mut set = ToolSet { tools: vec![tool], ..ToolSet::default() };
        assert!(set.is_offered());
        set.choice = ToolChoice::None;
        assert!(!set.is_offered() && !ToolSet::default().is_offered());
    }
}
