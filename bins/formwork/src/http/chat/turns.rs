//! A message to an agent.

use std::sync::Arc;

use accounts_core::idempotency::RecordedResponse;
use actix_web::http::Method;
use actix_web::{HttpResponse, web};
use agents_core::chat::{AgentChatRequest, AnswerObserver};
use gen_core::{BaseQuery, ContextOptions, MAX_CONTEXT_TOKENS, MAX_REFERENCE, MAX_TOP_K};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;
use store_diesel::RequestEffect;

use super::responses::{Answer, answer};
use super::{examples, streaming};
use crate::app::AppState;
use crate::http::file_ref::FileRef;
use crate::http::knowledge::index_position::IndexWaitBody;
use crate::http::knowledge_ref::KnowledgeRef;
use crate::http::openapi::events;
use crate::http::operation::Registry;
use crate::http::request::{Body, Caller, Query, Segment};
use crate::http::rules::{self, NOT_BLANK};
use crate::http::sse;
use crate::http::{ApiError, HandlerResult};

/// Registers the operation of this file.
pub(super) fn register(registry: &mut Registry) {
    registry
        .operation(
            Method::POST,
            "/v1/agent/{namespace}/chat",
            "chat",
            "Sends a message to an agent. An agent with a form asks for its fields and fills them from what is said and from \
             documents; with response_format json, it answers the record at once. Without a form it talks. With \
             stream, the answer is server-sent events: delta with a text, then done with the whole answer, or error.",
        )
        .query("evidence", rules::flag(), "Add the evidence of every value to a record.")
        .body::<ChatBody>()
        .example(examples::message)
        .answers::<Answer>()
        .example(examples::guided)
        .also_answers(sse::STREAM, events(&["delta", "done", "error"]), || json!(examples::EVENTS))
        .fails(&[404, 409, 422, 502, 504])
        .to_once(chat);
}

#[derive(Deserialize, JsonSchema)]
struct ChatBody {
    /// The user's message.
    #[schemars(extend("pattern" = NOT_BLANK))]
    message: String,
    /// The session to continue; absent to start a new one.
    #[schemars(length(max = MAX_REFERENCE))]
    session_id: Option<String>,
    /// File ids and URLs of documents to fill the form from or to ask about.
    urls: Option<Vec<FileRef>>,
    /// The knowledge bases of this message and their search options. They replace the agent's.
    knowledge: Option<Vec<KnowledgeRef>>,
    #[serde(flatten)]
    wait: IndexWaitBody,
    /// `json` to get a record immediately.
    response_format: Option<Format>,
    /// Whether the answer is streamed.
    stream: Option<bool>,
    /// Maximum number of tokens of all passages of the context together.
    #[serde(rename = "maxContextTokens", alias = "max_context_tokens")]
    #[schemars(range(min = 1, max = MAX_CONTEXT_TOKENS))]
    max_context_tokens: Option<u64>,
    /// Maximum number of passages of the context.
    #[serde(rename = "topK", alias = "top_k")]
    #[schemars(range(min = 1, max = MAX_TOP_K))]
    top_k: Option<u64>,
    /// Minimum `score` of a passage.
    #[serde(rename = "minScore", alias = "min_score")]
    #[schemars(range(min = 0.0, max = 1.0))]
    min_score: Option<f64>,
}

#[derive(Clone, Copy, Deserialize, JsonSchema, PartialEq, Eq)]
#[serde(rename_all = "lowercase")]
#[schemars(rename = "ChatFormat")]
enum Format {
    /// The form's fields as JSON.
    Json,
    /// A conversation.
    Text,
}

#[derive(Deserialize)]
struct RequestExtras {
    #[serde(default)]
    evidence: bool,
}

impl ChatBody {
    fn request(self) -> Result<AgentChatRequest, ApiError> {
        Ok(AgentChatRequest {
            wait: self.wait.wait()?,
            message: self.message,
            session_id: self.session_id.filter(|id| !id.is_empty()),
            starts_session: false,
            urls: self.urls.unwrap_or_default().into_iter().map(|reference| reference.0).collect(),
            knowledge: self.knowledge.map(|bases| bases.into_iter().map(BaseQuery::from).collect()),
            json: self.response_format == Some(Format::Json),
            context: ContextOptions {
                max_tokens: self.max_context_tokens,
                top_k: self.top_k,
                min_score: self.min_score,
            },
            observer: None,
        })
    }
}

/// Keeps the answer under the idempotency key of the request in the transaction that stores the exchange.
fn recorder(streamed: bool, with_evidence: bool) -> Option<AnswerObserver> {
    let effect = RequestEffect::current()?;
    Some(AnswerObserver(Arc::new(move |said| {
        let (content_type, body) = match streamed {
            true => (sse::STREAM, streaming::complete_body(said.clone(), with_evidence)),
            false => {
                let answer = answer(said.clone(), with_evidence);
                ("application/json", serde_json::to_vec(&answer).unwrap_or_default())
            }
        };
        effect.set_response(RecordedResponse { status: 200, content_type: content_type.to_owned(), body });
    })))
}

async fn chat(
    state: web::Data<AppState>,
    caller: Caller,
    Segment(namespace): Segment,
    Query(extras): Query<RequestExtras>,
    Body(body): Body<ChatBody>,
) -> HandlerResult {
    let (streamed, payer) = (body.stream.unwrap_or_default(), caller.payer());
    let author = &caller.0.author;
    let request = AgentChatRequest { observer: recorder(streamed, extras.evidence), ..body.request()? };
    if !streamed {
        let said = state.chat.chat(&payer, author, &namespace, request).await?;
        return Ok(HttpResponse::Ok().json(answer(said, extras.evidence)));
    }
    let said = state.chat.stream(&payer, author, &namespace, request).await?;
    Ok(streaming::events(&state, said, extras.evidence))
}
