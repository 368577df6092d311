//! `POST /openai/v1/responses/compact`: a conversation becomes an item with its summary, by which the next request continues
//! it.

use actix_web::http::Method;
use actix_web::{HttpResponse, web};
use gen_core::{GenerateError, GenerateRequest, HistoryMessage, ModelId};
use runtime_tokio::SystemRng;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};
use shared_core::new_id;

use super::super::completion::unix_seconds;
use super::super::parameters::refuse;
use super::compaction_text::write;
use super::items::{InputBody, conversation};
use super::record::ResponseUsage;
use crate::app::AppState;
use crate::http::operation::Registry;
use crate::http::request::{Caller, PictureBody};
use crate::http::{ApiError, HandlerResult};

/// What the model is asked.
const ASKED: &str = "Summarize the conversation above for a model that continues it without having seen it: what the user \
    wants, what was said, found and decided, with all names, numbers and dates, and what is still open. Write in the \
    language of the conversation, and answer only the summary.";

/// Registers the operation of this file.
pub(super) fn register(registry: &mut Registry) {
    registry
        .operation(
            Method::POST,
            "/openai/v1/responses/compact",
            "compact_response",
            "Summarizes a conversation in an item, with which the next `input` begins instead. Nothing is stored.",
        )
        .body::<CompactionBody>()
        .example(|| json!({"model": "gpt-6-luna@openai", "input": "The launch is on Tuesday."}))
        .answers::<CompactionRecord>()
        .example(|| {
            json!({
                "id": "resp_019c9e46d2f97b31b5a4c6e8d0f2b4a6", "object": "response.compaction",
                "created_at": 1_773_480_413,
                "output": [{"type": "compaction", "id": "cmp_019c9e46d2f97b31b5a4c6e8d0f2b4a6",
                    "encrypted_content": "U3VtbWFyeQ=="}],
                "usage": {"input_tokens": 90, "input_tokens_details": {"cached_tokens": 0}, "output_tokens": 12,
                    "output_tokens_details": {"reasoning_tokens": 0}, "total_tokens": 102},
                "warnings": []
            })
        })
        .fails(&[404, 422, 502, 504])
        .given_up_with_its_client()
        .to_once(compact);
}

/// The conversation that is summarized. Parameters that are not listed have no effect.
#[derive(Debug, Deserialize, JsonSchema)]
#[schemars(rename = "ResponseCompactionBody")]
struct CompactionBody {
    /// `model@provider`, or `agent:<namespace>` for an agent; not the built-in model.
    model: String,
    /// The conversation, oldest first.
    input: InputBody,
    /// System instructions.
    #[serde(default)]
    instructions: Option<String>,
    /// Everything else.
    #[serde(flatten)]
    others: Map<String, Value>,
}

/// The item that stands for the conversation.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "ResponseCompaction")]
struct CompactionRecord {
    /// Identifier of the answer.
    id: String,
    /// `response.compaction`.
    object: &'static str,
    /// Seconds since 1970.
    created_at: i64,
    /// One item.
    output: Vec<CompactionItem>,
    /// Tokens of all attempts.
    usage: ResponseUsage,
    /// Models that failed before.
    warnings: Vec<String>,
}

#[derive(Serialize, JsonSchema)]
#[schemars(rename = "ResponseCompactionItem")]
struct CompactionItem {
    /// `compaction`.
    #[serde(rename = "type")]
    kind: &'static str,
    /// Identifier of the item.
    id: String,
    /// The summary, encoded and not encrypted.
    encrypted_content: String,
}

async fn compact(
    state: web::Data<AppState>,
    caller: Caller,
    PictureBody(wanted): PictureBody<CompactionBody>,
) -> HandlerResult {
    let CompactionBody { model, input, instructions, others } = wanted;
    refuse(&["previous_response_id"], &others)?;
    let mut conversation = conversation(input)?;
    if conversation.spoken.is_empty() {
        return Err(ApiError::invalid("/input", "'input' must have a message"));
    }
    conversation.system.splice(0..0, instructions.filter(|text| !text.is_empty()));
    let last = conversation.spoken.last().map_or(0, |(at, _)| *at);
    conversation.spoken.push((last, HistoryMessage::text("user", ASKED)));
    let settings = GenerateRequest { model_id: model, ..GenerateRequest::default() };
    let (request, places) = conversation.into_request("input", &state, &caller, settings).await?;
    if request.model_id.parse().is_ok_and(|model: ModelId| model.is_extractive()) {
        return Err(ApiError::invalid(
            "/model",
            "'model' must not be the built-in model, which summarizes nothing",
        ));
    }
    let in_body = |error: GenerateError| error.map_violations(|violation| places.relocate(violation));
    let answer = state.generate.generate(&caller.payer(), request).await.map_err(in_body)?;
    let now = state.clock.now();
    let item = CompactionItem {
        kind: "compaction",
        id: new_id("cmp", now, &SystemRng),
        encrypted_content: write(&answer.text),
    };
    Ok(HttpResponse::Ok().json(CompactionRecord {
        id: new_id("resp", now, &SystemRng),
        object: "response.compaction",
        created_at: unix_seconds(now),
        output: vec![item],
        usage: answer.usage.into(),
        warnings: answer.warnings,
    }))
}
