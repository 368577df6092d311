//! `POST /anthropic/v1/messages/count_tokens`: an estimate, without a call of the model.

use actix_web::http::Method;
use actix_web::{HttpResponse, web};
use gen_core::{GenerateError, GenerateRequest, HistoryMessage, estimate_tokens};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::json;

use super::body::MessageBody;
use crate::app::AppState;
use crate::http::HandlerResult;
use crate::http::operation::{Access, Registry};
use crate::http::request::{Caller, PictureBody};

/// Registers the operation of this file.
pub(super) fn register(registry: &mut Registry) {
    registry
        .operation(
            Method::POST,
            "/anthropic/v1/messages/count_tokens",
            "count_message_tokens",
            "Estimates the input tokens of a message: of its texts and tools, without pictures, documents and passages of \
             knowledge bases.",
        )
        .access(Access::Read)
        .body::<MessageBody>()
        .example(|| {
            json!({"model": "extractive@formwork", "messages": [{"role": "user", "content": "What is 2 + 2?"}]})
        })
        .answers::<TokenCount>()
        .example(|| json!({"input_tokens": 9}))
        .fails(&[404])
        .to(count);
}

/// Tokens of a request.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "AnthropicTokenCount")]
struct TokenCount {
    /// Of texts and tools.
    input_tokens: usize,
}

async fn count(
    state: web::Data<AppState>,
    caller: Caller,
    PictureBody(wanted): PictureBody<MessageBody>,
) -> HandlerResult {
    let (request, places) = wanted.texts(&state, &caller).await?;
    let in_body = |error: GenerateError| error.map_violations(|violation| places.relocate(violation));
    state.generate.validate(&request).map_err(in_body)?;
    Ok(HttpResponse::Ok().json(TokenCount { input_tokens: tokens(&request) }))
}

fn tokens(request: &GenerateRequest) -> usize {
    let said = |message: &HistoryMessage| {
        let calls = message.tool_calls.iter();
        estimate_tokens(&message.content)
            + calls.map(|call| estimate_tokens(&call.name) + estimate_tokens(&call.arguments)).sum::<usize>()
    };
    let tools = request.tools.tools.iter().map(|tool| {
        let description = tool.description.as_deref().unwrap_or_default();
        estimate_tokens(&tool.name)
            + estimate_tokens(description)
            + estimate_tokens(&tool.parameters.to_string())
    });
    estimate_tokens(&request.prompt)
        + estimate_tokens(request.system.as_deref().unwrap_or_default())
        + request.messages.iter().chain(&request.tool_messages).map(said).sum::<usize>()
        + tools.sum::<usize>()
}
