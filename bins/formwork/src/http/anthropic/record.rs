//! The record of a message, whole and while it is streamed.

use gen_core::{Finish, GenerateAnswer, Usage};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Map, Value, json};

use crate::http::citations::ContextRecord;

/// The answer as Anthropic's interface describes it, with what this server adds.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[schemars(rename = "AnthropicMessage")]
pub(super) struct MessageRecord {
    /// Identifier of the answer.
    id: String,
    /// `message`.
    #[serde(rename = "type")]
    kind: &'static str,
    /// `assistant`.
    role: &'static str,
    /// The request's model.
    model: String,
    /// The text, then a block for each call of a tool.
    content: Vec<ContentBlock>,
    /// `end_turn`, `max_tokens`, `tool_use` or `refusal`; null while the answer is streamed.
    stop_reason: Option<&'static str>,
    /// Null: which of the texts ended the answer is not known.
    #[schemars(with = "Option<String>")]
    stop_sequence: Option<()>,
    /// Tokens of all attempts.
    usage: MessageUsage,
    /// The passages that the answer is based on; `[n]` in its text cites them.
    #[schemars(with = "Vec<ContextRecord>")]
    context: Value,
    /// Parts of the request that had no effect, and models that failed before.
    warnings: Vec<String>,
}

/// A part of the answer.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[serde(tag = "type", rename_all = "snake_case")]
#[schemars(rename = "AnthropicContentBlock")]
enum ContentBlock {
    /// What the model said.
    Text {
        /// With `[n]` after what a passage states.
        text: String,
    },
    /// A call of a tool that the model asks for.
    ToolUse {
        /// Identifier.
        id: String,
        /// As in `tools`, unless the model invented it.
        name: String,
        /// The arguments; those that are no object stand under `arguments`.
        #[schemars(with = "Map<String, Value>")]
        input: Value,
    },
}

/// Tokens of an answer.
#[derive(Clone, Debug, Default, Serialize, JsonSchema)]
#[schemars(rename = "AnthropicUsage")]
pub(super) struct MessageUsage {
    /// Input that is not from the provider's cache.
    input_tokens: u64,
    /// Input from the provider's cache.
    cache_read_input_tokens: u64,
    /// 0: what the provider's cache takes is part of the input.
    cache_creation_input_tokens: u64,
    /// Also those of reasoning, which is not shown.
    output_tokens: u64,
}

impl From<Usage> for MessageUsage {
    fn from(usage: Usage) -> Self {
        Self {
            input_tokens: usage.input_tokens.saturating_sub(usage.cached_tokens),
            cache_read_input_tokens: usage.cached_tokens,
            cache_creation_input_tokens: 0,
            output_tokens: usage.output_tokens,
        }
    }
}

impl MessageRecord {
    /// A message that has begun.
    pub(super) fn begun(id: String, model: String, warnings: Vec<String>) -> Self {
        Self {
            id,
            kind: "message",
            role: "assistant",
            model,
            content: Vec::new(),
            stop_reason: None,
            stop_sequence: None,
            usage: MessageUsage::default(),
            context: json!([]),
            warnings,
        }
    }

    /// The whole message.
    pub(super) fn finish(mut self, answer: GenerateAnswer) -> Self {
        let GenerateAnswer { text, tool_calls, finish, usage, context, citations, warnings, .. } = answer;
        if !text.is_empty() {
            self.content.push(ContentBlock::Text { text });
        }
        self.content.extend(tool_calls.into_iter().map(|call| {
            let input = call.arguments_object();
            ContentBlock::ToolUse { id: call.id, name: call.name, input }
        }));
        self.stop_reason = Some(stop_reason(finish));
        self.usage = usage.into();
        self.context = json!(ContextRecord::all(context, &citations));
        self.warnings.extend(warnings);
        self
    }

    /// The end of a streamed message, as the event of its change.
    pub(super) fn change(&self) -> Value {
        json!({
            "delta": {"stop_reason": self.stop_reason, "stop_sequence": self.stop_sequence},
            "usage": self.usage, "context": self.context, "warnings": self.warnings
        })
    }
}

fn stop_reason(finish: Finish) -> &'static str {
    match finish {
        Finish::Stop | Finish::Other => "end_turn",
        Finish::Length => "max_tokens",
        Finish::ToolCalls => "tool_use",
        Finish::Refused => "refusal",
    }
}
