//! A run's events as they happen, as server-sent events: `group` for each outcome, `progress` in between, then
//! `end`, or `error`. The connection never just ends.

use std::time::Duration;

use actix_web::http::{Method, header};
use actix_web::{HttpRequest, HttpResponse, web};
use bytes::Bytes;
use delta_core::{DeltaError, Run, RunEvent};
use futures_util::stream::{self, BoxStream, Stream, StreamExt as _};
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::record::{GroupRecord, RunRecord};
use super::{examples, run_id};
use crate::app::AppState;
use crate::http::generate_stream::STREAM;
use crate::http::lists::whole_number;
use crate::http::operation::Registry;
use crate::http::request::{Caller, Query, RequestId, Segments};
use crate::http::{ApiError, Handled, openapi, rules};

/// The header by which a client says which event it saw last.
const LAST: &str = "last-event-id";
/// While nothing happens, a comment is written this often, so that nobody on the way takes the connection for
/// dead; that the client has gone is noticed by writing too.
const SILENCE: Duration = Duration::from_secs(15);
/// A comment, which readers of events pass over.
const PULSE: &[u8] = b":\n\n";

pub(super) fn register(registry: &mut Registry) {
    registry
        .operation(
            Method::GET,
            "/v1/agent/{namespace}/workflow/delta/runs/{sid}/events",
            "follow_delta_run",
            "Follows a run by server-sent events: group for each outcome, progress with the run, and end with \
             the run when it is over, or error. Only events of groups have an id, which is their number.",
        )
        .query("after", rules::event(), "Only events after this one; the header Last-Event-ID goes before it.")
        .header("Last-Event-ID", rules::event(), "The last event that was seen; the stream goes on after it.")
        .raw_answer(STREAM, openapi::events(&["group", "progress", "end", "error"]))
        .example(json!(examples::EVENTS))
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
    RequestId(id): RequestId,
) -> Handled {
    let run = state.runs.get(&who.scope, &namespace, run_id(&sid)?).await?;
    let after = last_seen(&request, &query, &run)?;
    let mut head = HttpResponse::Ok();
    head.insert_header((header::CONTENT_TYPE, STREAM))
        .insert_header((header::CACHE_CONTROL, "no-store"))
        // Proxies that gather answers would keep the pieces back.
        .insert_header(("x-accel-buffering", "no"));
    if request.method() == Method::HEAD {
        // Nobody is to wait for the end of a run to learn nothing of it.
        return Ok(head.finish());
    }
    let mut stopping = state.stopping.subscribe();
    let events = state.runs.events(&who.scope, &run, after).take_until(async move {
        // A stream that is not at its end is begun again by its reader, with another server or the next.
        stopping.wait_for(|stopping| *stopping).await.map(drop).ok()
    });
    let events = events.boxed();
    Ok(head.streaming(written(events, id)))
}

/// The number of the event that the client saw last; 0 when it saw none.
fn last_seen(request: &HttpRequest, query: &EventsQuery, run: &Run) -> Result<u64, ApiError> {
    let invalid = |place: &str, name: &str| {
        let message = format!("'{name}' must be the number of an event of this run, 0 to {}", run.sequence);
        ApiError::invalid(place, message)
    };
    let known = |number: u64| (number <= run.sequence).then_some(number);
    if let Some(sent) = request.headers().get(LAST) {
        let digits = sent.to_str().ok().filter(|text| text.bytes().all(|byte| byte.is_ascii_digit()));
        let number = digits.and_then(|text| text.parse().ok()).and_then(known);
        return number.ok_or_else(|| invalid("Last-Event-ID", "Last-Event-ID"));
    }
    let Some(after) = query.after else { return Ok(0) };
    u64::try_from(after).ok().and_then(known).ok_or_else(|| invalid("?after", "after"))
}

type Events = BoxStream<'static, Result<RunEvent, DeltaError>>;

fn written(
    events: Events,
    request_id: String,
) -> impl Stream<Item = Result<Bytes, std::convert::Infallible>> {
    stream::unfold(Some((events, request_id)), |state| async move {
        let (mut events, request_id) = state?;
        let Ok(next) = tokio::time::timeout(SILENCE, events.next()).await else {
            return Some((Ok(Bytes::from_static(PULSE)), Some((events, request_id))));
        };
        match next? {
            Ok(RunEvent::Group(group)) => {
                let number = group.sequence;
                let text = event("group", number, &GroupRecord::from(group));
                Some((Ok(text), Some((events, request_id))))
            }
            Ok(RunEvent::Progress(run)) => {
                Some((Ok(event("progress", None, &RunRecord::from(run))), Some((events, request_id))))
            }
            Ok(RunEvent::End(run)) => Some((Ok(event("end", None, &RunRecord::from(run))), None)),
            Err(error) => Some((Ok(event("error", None, &ApiError::from(error).told(&request_id))), None)),
        }
    })
}

fn event(name: &str, number: Option<u64>, data: &impl Serialize) -> Bytes {
    let id = number.map(|number| format!("id: {number}\n")).unwrap_or_default();
    // JSON has no line breaks of its own. What cannot be written as JSON is a defect.
    let data = serde_json::to_string(data).unwrap_or_else(|error| {
        json!({"status": "failure", "code": "internal", "message": error.to_string()}).to_string()
    });
    format!("{id}event: {name}\ndata: {data}\n\n").into()
}
