//! `POST /openai/v1/chat/completions`.

use actix_web::http::Method;
use actix_web::{HttpResponse, web};
use gen_core::{GenerateAnswer, GenerateError};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::json;
use shared_core::new_id;

use super::super::citations::ContextRecord;
use super::super::operation::Registry;
use super::super::request::{Caller, PictureBody};
use super::super::{HandlerResult, sse};
use super::chat_body::ChatBody;
use super::chat_stream;
use super::completion::{CompletionUsage, Heading, finish_reason, unix_seconds};
use super::tools::CallEntry;
use crate::app::AppState;
use runtime_tokio::SystemRng;

/// Registers the operation of this file.
pub(super) fn register(registry: &mut Registry) {
    registry
        .operation(
            Method::POST,
            "/openai/v1/chat/completions",
            "create_chat_completion",
            "Asks a model, an agent or a knowledge base, as OpenAI's chat completions do.",
        )
        .for_restricted_keys()
        .body::<ChatBody>()
        .example(|| json!({"model": "extractive@formwork", "messages": [{"role": "user", "content": "What is 2 + 2?"}]}))
        .answers::<ChatCompletion>()
        .example(|| {
            json!({
                "id": "chatcmpl_019c9e46d2f97b31b5a4c6e8d0f2b4a6", "object": "chat.completion", "created": 1_773_480_413,
                "model": "extractive@formwork",
                "choices": [{"index": 0, "message": {"role": "assistant", "content": "4", "refusal": null},
                    "logprobs": null, "finish_reason": "stop"}],
                "usage": {"prompt_tokens": 9, "completion_tokens": 1, "total_tokens": 10,
                    "prompt_tokens_details": {"cached_tokens": 0}},
                "context": [], "warnings": []
            })
        })
        .also_answers(sse::STREAM, chat_stream::schema(), || json!(chat_stream::EXAMPLE))
        .fails(&[404, 422, 502, 504])
        .given_up_with_its_client()
        .to_once(create);
}

/// The complete answer.
#[derive(Serialize, JsonSchema)]
pub(super) struct ChatCompletion {
    /// Identifier of the answer.
    id: String,
    /// `chat.completion`.
    object: &'static str,
    /// Seconds since 1970.
    created: i64,
    /// The request's model.
    model: String,
    /// One choice.
    choices: Vec<Choice>,
    /// Tokens of all attempts.
    usage: CompletionUsage,
    /// The passages that the answer is based on; `[n]` in its text cites them.
    context: Vec<ContextRecord>,
    /// Parts of the request that had no effect, and models that failed before.
    warnings: Vec<String>,
}

#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "ChatCompletionChoice")]
struct Choice {
    /// 0.
    index: u32,
    /// What the model said.
    message: Answer,
    /// Null.
    #[schemars(with = "Option<String>")]
    logprobs: Option<()>,
    /// `stop`, `length`, `content_filter` or `tool_calls`.
    finish_reason: &'static str,
}

#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "ChatCompletionAnswer")]
struct Answer {
    /// `assistant`.
    role: &'static str,
    /// The text; null where there are calls alone.
    content: Option<String>,
    /// Null.
    #[schemars(with = "Option<String>")]
    refusal: Option<()>,
    /// Calls of tools that the model asks for; absent when there are none.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    tool_calls: Vec<CallEntry>,
}

async fn create(
    state: web::Data<AppState>,
    caller: Caller,
    PictureBody(wanted): PictureBody<ChatBody>,
) -> HandlerResult {
    let now = state.clock.now();
    let heading = Heading {
        id: new_id("chatcmpl", now, &SystemRng),
        created: unix_seconds(now),
        model: wanted.model.clone(),
    };
    let (streamed, payer, warnings) = (wanted.stream.unwrap_or_default(), caller.payer(), wanted.warnings());
    let with_usage =
        wanted.stream_options.as_ref().and_then(|options| options.include_usage).unwrap_or_default();
    let (request, places) = wanted.request(&state, &caller).await?;
    let in_body = |error: GenerateError| error.map_violations(|violation| places.relocate(violation));
    if streamed {
        let events = state.generate.stream(&payer, request).await.map_err(in_body)?;
        return Ok(chat_stream::answer(&state.shutdown, events, heading, with_usage));
    }
    let answer = state.generate.generate(&payer, request).await.map_err(in_body)?;
    Ok(HttpResponse::Ok().json(ChatCompletion::of(answer, heading, warnings)))
}

impl ChatCompletion {
    fn of(answer: GenerateAnswer, heading: Heading, mut warnings: Vec<String>) -> Self {
        warnings.extend(answer.warnings);
        let tool_calls: Vec<CallEntry> = answer.tool_calls.into_iter().map(CallEntry::from).collect();
        let content = Some(answer.text).filter(|text| !text.is_empty() || tool_calls.is_empty());
        let message = Answer { role: "assistant", content, refusal: None, tool_calls };
        let finish_reason = finish_reason(answer.finish);
        Self {
            id: heading.id,
            object: "chat.completion",
            created: heading.created,
            model: heading.model,
            choices: vec![Choice { index: 0, message, logprobs: None, finish_reason }],
            usage: answer.usage.into(),
            context: ContextRecord::all(answer.context, &answer.citations),
            warnings,
        }
    }
}
