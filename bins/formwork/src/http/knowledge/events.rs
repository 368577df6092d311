//! The processing of a knowledge base as server-sent events: `progress` when its contents change, `file` for
//! each changed item, then `end` or `error`. A stream never ends without one of the last two.

use actix_web::http::Method;
use actix_web::{HttpRequest, web};
use bytes::Bytes;
use futures_util::stream::StreamExt as _;
use kb_core::{BaseEvent, BaseId, KnowledgeError};
use serde_json::json;

use super::bases::record;
use super::examples;
use super::record::FileProgress;
use crate::app::AppState;
use crate::http::operation::Registry;
use crate::http::request::{Caller, Segment};
use crate::http::sse::{self, STREAM, event};
use crate::http::{ApiError, HandlerResult, openapi};
use crate::shutdown::ServerPhase;

pub(super) fn register(registry: &mut Registry) {
    registry
        .operation(
            Method::GET,
            "/knowledgebase/{knowledgeId}/events",
            "follow_knowledge_base",
            "Follows the work on a knowledge base by server-sent events: progress with the knowledge base whenever \
             its counts have changed, file with what changed of a file (its state, error and progress; of more than \
             100 at once, the last 100), and end with the knowledge base when nothing is left to do, or error.",
        )
        .under_v1_too()
        .raw_answer(STREAM, openapi::events(&["progress", "file", "end", "error"]))
        .example(|| json!(examples::EVENTS))
        .fails(&[404])
        .to(follow_knowledge_base);
}

async fn follow_knowledge_base(
    state: web::Data<AppState>,
    Caller(who): Caller,
    Segment(id): Segment,
    request: HttpRequest,
) -> HandlerResult {
    let base = state.knowledge.get(&who.scope, &BaseId(id)).await?;
    let events = state.knowledge.events(&who.scope, base);
    let app = state.clone();
    let events = events.map(move |event| written(&app, event));
    // The client reconnects, to another server or to the next process.
    let events = sse::until(state.shutdown.reached(ServerPhase::Draining), events);
    Ok(sse::answer(&request, events.boxed()))
}

fn written(state: &AppState, told: Result<BaseEvent, KnowledgeError>) -> Bytes {
    match told {
        Ok(BaseEvent::Progress(base)) => event("progress", None, &record(state, base)),
        Ok(BaseEvent::Item(item)) => event("file", None, &FileProgress::from(item)),
        Ok(BaseEvent::End(base)) => event("end", None, &record(state, base)),
        Err(error) => event("error", None, &ApiError::from(error).log_and_body()),
    }
}
