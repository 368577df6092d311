//! `POST /openai/v1/responses`: OpenAI's Responses interface, without stored responses.

mod body;
mod compaction;
mod compaction_text;
mod items;
mod record;
mod stream;
mod tools;

use actix_web::http::Method;
use actix_web::{HttpResponse, web};
use gen_core::GenerateError;
use serde_json::json;
use shared_core::new_id;

use self::body::ResponseBody;
use self::record::ResponseRecord;
use super::super::openapi::events;
use super::super::operation::Registry;
use super::super::request::{Caller, PictureBody};
use super::super::{HandlerResult, sse};
use super::completion::{Heading, unix_seconds};
use crate::app::AppState;
use runtime_tokio::SystemRng;

/// For the description.
const EXAMPLE: &str = "event: response.output_text.delta\ndata: {\"type\":\"response.output_text.delta\",\"item_id\":\
    \"msg_1\",\"output_index\":0,\"content_index\":0,\"delta\":\"4\",\"logprobs\":[],\"sequence_number\":4}\n\n";

/// Registers the operation of this folder.
pub(super) fn register(registry: &mut Registry) {
    registry
        .operation(
            Method::POST,
            "/openai/v1/responses",
            "create_response",
            "Asks a model, an agent or a knowledge base, as OpenAI's Responses do. Nothing is stored: the input is the \
             whole conversation.",
        )
        .for_restricted_keys()
        .body::<ResponseBody>()
        .example(|| json!({"model": "extractive@formwork", "input": "What is 2 + 2?"}))
        .answers::<ResponseRecord>()
        .example(|| {
            json!({
                "id": "resp_019c9e46d2f97b31b5a4c6e8d0f2b4a6", "object": "response", "created_at": 1_773_480_413,
                "completed_at": 1_773_480_414, "status": "completed", "error": null, "incomplete_details": null, "model": "extractive@formwork",
                "output": [{"type": "message", "id": "msg_1", "status": "completed", "role": "assistant",
                    "content": [{"type": "output_text", "text": "4", "annotations": [], "logprobs": []}]}],
                "previous_response_id": null, "store": false,
                "usage": {"input_tokens": 9, "input_tokens_details": {"cached_tokens": 0}, "output_tokens": 1,
                    "output_tokens_details": {"reasoning_tokens": 0}, "total_tokens": 10},
                "context": [], "warnings": []
            })
        })
        .also_answers(sse::STREAM, events(&stream::EVENTS), || json!(EXAMPLE))
        .fails(&[404, 422, 502, 504])
        .given_up_with_its_client()
        .to_once(create);
    compaction::register(registry);
}

async fn create(
    state: web::Data<AppState>,
    caller: Caller,
    PictureBody(wanted): PictureBody<ResponseBody>,
) -> HandlerResult {
    let now = state.clock.now();
    let heading = Heading {
        id: new_id("resp", now, &SystemRng),
        created: unix_seconds(now),
        model: wanted.model.clone(),
    };
    let (streamed, payer) = (wanted.stream.unwrap_or_default(), caller.payer());
    let record = ResponseRecord::begun(heading, wanted.echo(), wanted.warnings());
    let (request, places) = wanted.request(&state, &caller).await?;
    let in_body = |error: GenerateError| error.map_violations(|violation| places.relocate(violation));
    if streamed {
        let events = state.generate.stream(&payer, request).await.map_err(in_body)?;
        return Ok(stream::answer(&state.shutdown, state.clock.clone(), events, record));
    }
    let answer = state.generate.generate(&payer, request).await.map_err(in_body)?;
    Ok(HttpResponse::Ok().json(record.whole(answer, unix_seconds(state.clock.now()))))
}
