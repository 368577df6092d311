//! A run's progress as server-sent events: `group` for each outcome, `progress` in between, then `end` or
//! `error`. A stream never ends without one of the last two.

use actix_web::http::Method;
use actix_web::{HttpRequest, web};
use bytes::Bytes;
use delta_core::{DeltaError, Run, RunEvent};
use futures_util::stream::StreamExt as _;
use serde::Deserialize;
use serde_json::json;

use super::record::{GroupRecord, RunRecord};
use super::{examples, run_id};
use crate::app::AppState;
use crate::http::lists::whole_number;
use crate::http::operation::Registry;
use crate::http::request::{Caller, Query, Segments};
use crate::http::sse::{self, STREAM, event};
use crate::http::{ApiError, HandlerResult, openapi, rules};
use crate::shutdown::ServerPhase;

/// Header with the number of the last event that a client received.
const LAST: &str = "last-event-id";

pub(super) fn register(registry: &mut Registry) {
    registry
        .operation(
            Method::GET,
            "/v1/agent/{namespace}/workflow/delta/runs/{sid}/events",
            "follow_delta_run",
            "Follows a run by server-sent events: group for each outcome, progress with the run, and end with \
             the run when it is over, or error. Only events of groups have an id, which is their number.",
        )
        .query("after", rules::event(), "Only events after this one. The header Last-Event-ID takes precedence.")
        .header("Last-Event-ID", rules::event(), "Number of the last event received. The stream resumes after it.")
        .raw_answer(STREAM, openapi::events(&["group", "progress", "end", "error"]))
        .example(|| json!(examples::EVENTS))
        .fails(&[404])
        .to(follow_delta_run);
}

#[derive(Deserialize)]
struct EventsQuery {
    #[serde(default, deserialize_with = "whole_number")]
    after: Option<i64>,
}

async fn follow_delta_run(
    state: web::Data<AppState>,
    Caller(who): Caller,
    Segments(namespace, sid): Segments,
    Query(query): Query<EventsQuery>,
    request: HttpRequest,
) -> HandlerResult {
    let run = state.runs.get(&who.scope, &namespace, run_id(&sid)?).await?;
    let after = last_seen(&request, &query, &run)?;
    let events = state.runs.events(&who.scope, &run, after).map(written);
    // The client reconnects, to another server or to the next process.
    let events = sse::until(state.shutdown.reached(ServerPhase::Draining), events);
    Ok(sse::answer(&request, events.boxed()))
}

/// The number of the last event that the client received; 0 when it received none.
fn last_seen(request: &HttpRequest, query: &EventsQuery, run: &Run) -> Result<u64, ApiError> {
    let invalid = |place: &str, name: &str| {
        let message = format!("'{name}' must be the number of an event of this run, 0 to {}", run.sequence);
        ApiError::invalid(place, message)
    };
    let known = |number: u64| (number <= run.sequence).then_some(number);
    let asked = match query.after {
        Some(after) => u64::try_from(after).ok().and_then(known).ok_or_else(|| invalid("?after", "after"))?,
        None => 0,
    };
    let Some(sent) = request.headers().get(LAST) else { return Ok(asked) };
    let digits = sent.to_str().ok().filter(|text| text.bytes().all(|byte| byte.is_ascii_digit()));
    let number = digits.and_then(|text| text.parse().ok()).and_then(known);
    number.ok_or_else(|| invalid("Last-Event-ID", "Last-Event-ID"))
}

fn written(told: Result<RunEvent, DeltaError>) -> Bytes {
    match told {
        Ok(RunEvent::Group(group)) => event("group", group.sequence, &GroupRecord::from(group)),
        Ok(RunEvent::Progress(run)) => event("progress", None, &RunRecord::from(run)),
        Ok(RunEvent::End(run)) => event("end", None, &RunRecord::from(run)),
        Err(error) => event("error", None, &ApiError::from(error).log_and_body()),
    }
}
