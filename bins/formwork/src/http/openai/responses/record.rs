//! The record of a response, whole and while it is streamed.

use gen_core::{Finish, GenerateAnswer, ToolCall, Usage};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Map, Value, json};

use super::super::completion::Heading;
use crate::http::citations::ContextRecord;

/// The answer as OpenAI's Responses interface describes it.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[schemars(rename = "OpenAiResponse")]
pub(super) struct ResponseRecord {
    /// Identifier of the answer.
    pub(super) id: String,
    /// `response`.
    object: &'static str,
    /// Seconds since 1970.
    created_at: i64,
    /// The same of its end; null while it is streamed, and where it is incomplete.
    completed_at: Option<i64>,
    /// `completed`, or `incomplete` where a limit or a filter ended it; `in_progress` while it is streamed.
    pub(super) status: &'static str,
    /// Null: a failure is an error answer.
    #[schemars(with = "Option<String>")]
    error: Option<()>,
    /// Why it is incomplete; else null.
    incomplete_details: Option<IncompleteDetails>,
    /// The request's model.
    model: String,
    /// A message with the text, and a `function_call` for each call of a function.
    #[schemars(with = "Vec<Map<String, Value>>")]
    pub(super) output: Vec<Value>,
    /// Null: nothing is stored.
    #[schemars(with = "Option<String>")]
    previous_response_id: Option<()>,
    /// False: nothing is stored.
    store: bool,
    /// Tokens of all attempts; null while the answer is streamed.
    usage: Option<ResponseUsage>,
    /// The passages that the answer is based on; `[n]` in its text cites them.
    #[schemars(with = "Vec<ContextRecord>")]
    context: Value,
    /// Parts of the request that had no effect, and models that failed before.
    warnings: Vec<String>,
    /// The settings of the request.
    #[serde(flatten)]
    echo: Map<String, Value>,
}

#[derive(Clone, Debug, Serialize, JsonSchema)]
#[schemars(rename = "ResponseIncompleteDetails")]
struct IncompleteDetails {
    /// `max_output_tokens` or `content_filter`.
    reason: &'static str,
}

/// Tokens of an answer.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[schemars(rename = "ResponseUsage")]
pub(super) struct ResponseUsage {
    /// Read by the model.
    input_tokens: u64,
    /// Which of them cost less.
    input_tokens_details: InputTokens,
    /// Written by the model.
    output_tokens: u64,
    /// Which of them are no text.
    output_tokens_details: OutputTokens,
    /// Both.
    total_tokens: u64,
}

#[derive(Clone, Debug, Serialize, JsonSchema)]
#[schemars(rename = "ResponseInputTokens")]
struct InputTokens {
    /// From the provider's cache.
    cached_tokens: u64,
}

#[derive(Clone, Debug, Serialize, JsonSchema)]
#[schemars(rename = "ResponseOutputTokens")]
struct OutputTokens {
    /// For thoughts of the model.
    reasoning_tokens: u64,
}

impl From<Usage> for ResponseUsage {
    fn from(usage: Usage) -> Self {
        Self {
            input_tokens: usage.input_tokens,
            input_tokens_details: InputTokens { cached_tokens: usage.cached_tokens },
            output_tokens: usage.output_tokens,
            output_tokens_details: OutputTokens { reasoning_tokens: usage.reasoning_tokens },
            total_tokens: usage.total(),
        }
    }
}

impl ResponseRecord {
    /// A response that has begun.
    pub(super) fn begun(heading: Heading, echo: Map<String, Value>, warnings: Vec<String>) -> Self {
        Self {
            id: heading.id,
            object: "response",
            created_at: heading.created,
            completed_at: None,
            status: "in_progress",
            error: None,
            incomplete_details: None,
            model: heading.model,
            output: Vec::new(),
            previous_response_id: None,
            store: false,
            usage: None,
            context: json!([]),
            warnings,
            echo,
        }
    }

    /// The response with its answer and these items, at the end. `now`: seconds since 1970.
    pub(super) fn finish(mut self, answer: GenerateAnswer, output: Vec<Value>, now: i64) -> Self {
        let reason = match answer.finish {
            Finish::Length => Some("max_output_tokens"),
            Finish::Refused => Some("content_filter"),
            Finish::Stop | Finish::ToolCalls | Finish::Other => None,
        };
        self.status = if reason.is_some() { "incomplete" } else { "completed" };
        self.completed_at = reason.is_none().then_some(now);
        self.incomplete_details = reason.map(|reason| IncompleteDetails { reason });
        self.output = output;
        self.usage = Some(answer.usage.into());
        self.context = json!(ContextRecord::all(answer.context, &answer.citations));
        self.warnings.extend(answer.warnings);
        self
    }

    /// The whole response to an answer.
    pub(super) fn whole(self, answer: GenerateAnswer, now: i64) -> Self {
        let text = Some(&answer.text).filter(|text| !text.is_empty() || answer.tool_calls.is_empty());
        let message = text.map(|text| {
            let part = text_part(text, annotations(&answer));
            output_message(&self.item_id("msg", 0), "completed", Some(part))
        });
        let first = usize::from(message.is_some());
        let calls = answer.tool_calls.iter().enumerate();
        let calls = calls.map(|(at, call)| output_call(&self.item_id("fc", first + at), "completed", call));
        let output = message.into_iter().chain(calls).collect();
        self.finish(answer, output, now)
    }

    /// Id of the item at a position of the output.
    pub(super) fn item_id(&self, prefix: &str, at: usize) -> String {
        let number = self.id.split_once('_').map_or("", |(_, number)| number);
        format!("{prefix}_{number}{at:02}")
    }
}

/// The citations of the text, each after the statement that it is for.
pub(super) fn annotations(answer: &GenerateAnswer) -> Vec<Value> {
    let cited = answer.citations.iter().filter_map(|citation| {
        let item = answer.context.iter().find(|item| item.n == citation.n)?;
        Some(json!({
            "type": "file_citation", "index": citation.end, "file_id": item.id, "filename": item.title
        }))
    });
    cited.collect()
}

/// A message of the model; `None` for one without content yet.
pub(super) fn output_message(id: &str, status: &str, part: Option<Value>) -> Value {
    let content: Vec<Value> = part.into_iter().collect();
    json!({"type": "message", "id": id, "status": status, "role": "assistant", "content": content})
}

/// The part of a message that has its text.
pub(super) fn text_part(text: &str, annotations: Vec<Value>) -> Value {
    json!({"type": "output_text", "text": text, "annotations": annotations, "logprobs": []})
}

/// A call of a function.
pub(super) fn output_call(id: &str, status: &str, call: &ToolCall) -> Value {
    json!({
        "type": "function_call", "id": id, "status": status, "call_id": call.id, "name": call.name,
        "arguments": call.arguments
    })
}
