//! `POST /anthropic/v1/messages`.

use actix_web::http::Method;
use actix_web::{HttpResponse, web};
use gen_core::GenerateError;
use serde_json::json;
use shared_core::new_id;

use super::body::MessageBody;
use super::record::MessageRecord;
use super::stream;
use crate::app::AppState;
use crate::http::openapi::events;
use crate::http::operation::Registry;
use crate::http::request::{Caller, PictureBody};
use crate::http::{HandlerResult, sse};
use runtime_tokio::SystemRng;

/// For the description.
const EXAMPLE: &str = "event: content_block_delta\ndata: {\"type\":\"content_block_delta\",\"index\":0,\"delta\":\
    {\"type\":\"text_delta\",\"text\":\"4\"}}\n\n";

/// Registers the operation of this file.
pub(super) fn register(registry: &mut Registry) {
    registry
        .operation(
            Method::POST,
            "/anthropic/v1/messages",
            "create_message",
            "Asks a model, an agent or a knowledge base, as Anthropic's messages do. The key may also be in `x-api-key`.",
        )
        .for_restricted_keys()
        .body::<MessageBody>()
        .example(|| {
            json!({"model": "extractive@formwork", "max_tokens": 100,
                "messages": [{"role": "user", "content": "What is 2 + 2?"}]})
        })
        .answers::<MessageRecord>()
        .example(|| {
            json!({
                "id": "msg_019c9e46d2f97b31b5a4c6e8d0f2b4a6", "type": "message", "role": "assistant",
                "model": "extractive@formwork", "content": [{"type": "text", "text": "4"}],
                "stop_reason": "end_turn", "stop_sequence": null,
                "usage": {"input_tokens": 9, "cache_read_input_tokens": 0, "cache_creation_input_tokens": 0,
                    "output_tokens": 1},
                "context": [], "warnings": []
            })
        })
        .also_answers(sse::STREAM, events(&stream::EVENTS), || json!(EXAMPLE))
        .fails(&[404, 422, 502, 504])
        .given_up_with_its_client()
        .to_once(create);
}

async fn create(
    state: web::Data<AppState>,
    caller: Caller,
    PictureBody(wanted): PictureBody<MessageBody>,
) -> HandlerResult {
    let id = new_id("msg", state.clock.now(), &SystemRng);
    let (streamed, payer) = (wanted.stream.unwrap_or_default(), caller.payer());
    let record = MessageRecord::begun(id, wanted.model.clone(), wanted.warnings());
    let (request, places) = wanted.request(&state, &caller).await?;
    let in_body = |error: GenerateError| error.map_violations(|violation| places.relocate(violation));
    if streamed {
        let events = state.generate.stream(&payer, request).await.map_err(in_body)?;
        return Ok(stream::answer(&state.shutdown, events, record));
    }
    let answer = state.generate.generate(&payer, request).await.map_err(in_body)?;
    Ok(HttpResponse::Ok().json(record.finish(answer)))
}
