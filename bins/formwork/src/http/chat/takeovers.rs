//! A person answers a conversation in place of the agent.

use actix_web::http::Method;
use actix_web::{HttpResponse, web};
use schemars::JsonSchema;
use serde::Deserialize;

use super::examples;
use super::session_records::{MessageRecord, SessionRecord};
use super::sessions::session_record;
use crate::app::AppState;
use crate::http::HandlerResult;
use crate::http::operation::Registry;
use crate::http::request::{Body, Caller, Segments};
use crate::http::rules::NOT_BLANK;

const TAKEOVER: &str = "/v1/agent/{namespace}/sessions/{session_id}/takeover";
const MESSAGES: &str = "/v1/agent/{namespace}/sessions/{session_id}/messages";

/// Registers the operations of this file.
pub(super) fn register(registry: &mut Registry) {
    registry
        .operation(
            Method::POST,
            TAKEOVER,
            "take_over_session",
            "Takes a conversation over from its agent: messages of the user are stored and get no answer of it, \
             until the conversation is given back.",
        )
        .answers::<SessionRecord>()
        .example(examples::taken_over)
        .fails(&[404, 409])
        .to(take_over);
    registry
        .operation(
            Method::DELETE,
            TAKEOVER,
            "give_back_session",
            "Gives a conversation back to its agent, which repeats its open question or summary.",
        )
        .answers::<SessionRecord>()
        .example(examples::given_back)
        .fails(&[404, 409])
        .to(give_back);
    registry
        .operation(
            Method::POST,
            MESSAGES,
            "write_session_message",
            "Writes to the user in place of the agent. The caller must have taken the conversation over.",
        )
        .body::<PersonMessage>()
        .example(|| serde_json::json!({"content": "I am Ada. Which port is it, please?"}))
        .answers::<MessageRecord>()
        .example(examples::person_message)
        .fails(&[404, 409])
        .to_once(write);
}

/// A message of a person.
#[derive(Deserialize, JsonSchema)]
#[schemars(rename = "PersonMessage")]
struct PersonMessage {
    /// Its text, as Markdown.
    #[schemars(extend("pattern" = NOT_BLANK))]
    content: String,
}

async fn take_over(
    state: web::Data<AppState>,
    Caller(who): Caller,
    Segments(namespace, id): Segments,
) -> HandlerResult {
    let session = state.chat.take_over(&who.scope, &who.author, &namespace, &id).await?;
    Ok(HttpResponse::Ok().json(session_record(&state, &who.scope, &namespace, &session).await?))
}

async fn give_back(
    state: web::Data<AppState>,
    Caller(who): Caller,
    Segments(namespace, id): Segments,
) -> HandlerResult {
    let session = state.chat.give_back(&who.scope, &namespace, &id).await?;
    Ok(HttpResponse::Ok().json(session_record(&state, &who.scope, &namespace, &session).await?))
}

async fn write(
    state: web::Data<AppState>,
    Caller(who): Caller,
    Segments(namespace, id): Segments,
    Body(body): Body<PersonMessage>,
) -> HandlerResult {
    let place = (namespace.as_str(), id.as_str());
    let turn = state.chat.write_as_person(&who.scope, &who.author, place, &body.content).await?;
    Ok(HttpResponse::Ok().json(MessageRecord::from(turn)))
}
