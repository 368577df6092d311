//! Batch extraction: run it, and read what it kept.

use accounts_core::Principal;
use accounts_core::idempotency::{Attempt, IdempotencyError};
use actix_web::http::{Method, header};
use actix_web::{HttpRequest, HttpResponse, web};
use bytes::Bytes;
use delta_core::rules::{MAX_DESCRIPTION, MAX_URL};
use delta_core::{DeltaError, DocumentRef, Run, RunId, RunOptions};
use futures_util::Stream;
use gen_core::Payer;
use schemars::JsonSchema;
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::{Value, json};
use shared_core::Violation;

use super::delta_stream::{Wanted, responses, results};
use super::lists::{bounded, page_links, whole_number};
use super::once::{Begun, Once, mark_replayed};
use super::operation::Registry;
use super::request::{AnyBody, Caller, Query, Segment, flag, typed};
use super::{ApiError, Handled, examples, rules};
use crate::app::AppState;

const PATH: &str = "/v1/agent/{namespace}/workflow/delta";

/// Adds the operations of this file.
pub(super) fn register(registry: &mut Registry) {
    let groups = json!({
        "type": "array", "minItems": 1, "items": {"type": "array", "minItems": 1, "items": {
            "type": "object", "required": ["url"],
            "properties": {
                "description": {"type": ["string", "null"], "maxLength": MAX_DESCRIPTION},
                "url": {
                    "description": "An own file URL, a file id, or a web URL.",
                    "type": ["string", "integer"], "pattern": rules::NOT_BLANK, "maxLength": MAX_URL,
                    "minimum": 0, "maximum": u64::MAX
                }
            }
        }}
    });
    let body = schemars::json_schema!({
        "oneOf": [groups.clone(), {"type": "object", "required": ["files"], "properties": {"files": groups}}]
    });
    registry
        .operation(Method::POST, PATH, "run_delta", "Runs the agent over groups of documents.")
        .query("partial", rules::flag(), "Leave unreadable documents out instead of failing their group.")
        .query("evidence", rules::flag(), "Add the evidence of every value.")
        .query("fresh", rules::flag(), "Ask the model though identical work was done before.")
        .raw_body("application/json", body)
        .example(examples::groups())
        .answers::<RunAnswer>()
        .example(examples::run())
        .fails(&[404])
        .named()
        .to(run_delta);
    registry
        .operation(Method::GET, PATH, "list_delta_responses", "Retrieves the responses that the agent keeps.")
        .query("context", rules::flag(), "Add the parsed documents.")
        .query("meta", rules::flag(), "Add file names and durations.")
        .query("evidence", rules::flag(), "Add the evidence of every value.")
        .query("sid", rules::id(), "Only the responses of this run.")
        .query("page", rules::ordinal(), "Page, from 1; needs a limit.")
        .query("limit", rules::limit(), "Rows of a page, 1 to 100; all of them without it.")
        .raw_answer(
            "application/json",
            schemars::json_schema!({"type": "array", "items": {"type": "object"}}),
        )
        .example(examples::responses())
        .fails(&[404])
        .to(list_delta_responses);
}

/// The answer of a run. It is streamed while the groups are worked on.
#[derive(Serialize, JsonSchema)]
struct RunAnswer {
    /// Session id.
    sid: i64,
    /// One object for each successful group, in the order of the groups.
    results: Vec<super::lists::AnyObject>,
    /// Documents that failed, with `error` and the index of their `group`.
    failed: Vec<super::lists::AnyObject>,
    /// `total`, `successful`, `failed`, `duration` in seconds, `usage`.
    meta: super::lists::AnyObject,
    /// Rules that results break, parallel to `results`.
    errors: Vec<Vec<super::error::ErrorItem>>,
    /// By JSON pointer, parallel to `results`; when asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    evidence: Option<Vec<super::lists::AnyObject>>,
    /// Disagreements between documents, parallel to `results`; when asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    conflicts: Option<Vec<Vec<super::lists::AnyObject>>>,
}

#[derive(Deserialize)]
struct RunQuery {
    #[serde(default, deserialize_with = "flag")]
    partial: bool,
    #[serde(default, deserialize_with = "flag")]
    fresh: bool,
    #[serde(default, deserialize_with = "flag")]
    evidence: bool,
}

#[derive(Deserialize)]
struct DocumentInput {
    #[serde(default)]
    description: Option<String>,
    #[serde(deserialize_with = "reference")]
    url: String,
}

#[derive(Deserialize)]
struct Wrapped {
    files: Vec<Vec<DocumentInput>>,
}

/// A URL, or a file id as text or number.
fn reference<'de, D: Deserializer<'de>>(deserializer: D) -> Result<String, D::Error> {
    match Value::deserialize(deserializer)? {
        Value::String(text) => Ok(text),
        Value::Number(id) if id.is_u64() => Ok(id.to_string()),
        _ => Err(serde::de::Error::custom("'url' must be a string, or a file id")),
    }
}

/// The groups, and where they stand in the body.
fn groups(body: Value) -> Result<(Vec<Vec<DocumentRef>>, &'static str), ApiError> {
    only_objects(&body)?;
    let (groups, path): (Vec<Vec<DocumentInput>>, _) = match body {
        Value::Object(_) => (typed::<Wrapped>(body)?.files, "/files"),
        other => (typed(other)?, ""),
    };
    let document = |input: DocumentInput| DocumentRef {
        description: input.description.unwrap_or_default(),
        url: input.url,
    };
    Ok((groups.into_iter().map(|group| group.into_iter().map(document).collect()).collect(), path))
}

/// Derived readers would take an array for a document, its items for the fields in order.
fn only_objects(body: &Value) -> Result<(), ApiError> {
    let (groups, path) = body.get("files").map_or((body, ""), |files| (files, "/files"));
    for (g, group) in groups.as_array().into_iter().flatten().enumerate() {
        for (d, document) in group.as_array().into_iter().flatten().enumerate() {
            if !document.is_object() {
                let path = format!("{path}/{g}/{d}");
                let message = format!("'{path}' must be an object with 'url' and 'description'");
                return Err(ApiError::invalid(path, message));
            }
        }
    }
    Ok(())
}

/// Tells where the broken rules stand in the body as it was sent.
fn placed(error: DeltaError, path: &str) -> ApiError {
    match error {
        DeltaError::Invalid(found) => {
            let found = found.into_iter().map(|v| Violation::new(format!("{path}{}", v.path), v.message));
            DeltaError::Invalid(found.collect()).into()
        }
        other => other.into(),
    }
}

async fn run_delta(
    state: web::Data<AppState>,
    caller: Caller,
    Segment(namespace): Segment,
    Query(query): Query<RunQuery>,
    AnyBody(body): AnyBody,
    once: Once,
) -> Handled {
    let attempt = match once.begin(&[body.to_string().as_bytes()]).await? {
        Begun::Unnamed => None,
        Begun::First(attempt) => Some(attempt),
        Begun::Done(note) => {
            return answer_again(&state, caller.0, &namespace, &note.body, query.evidence).await;
        }
    };
    let payer = caller.payer();
    let options = RunOptions { partial: query.partial, fresh: query.fresh };
    let started = start(&state, &payer, &namespace, options, body).await;
    remember(&once, attempt, &started).await;
    Ok(streamed(results(&state, caller.0.scope, started?, query.evidence)))
}

async fn start(
    state: &AppState,
    payer: &Payer,
    namespace: &str,
    options: RunOptions,
    body: Value,
) -> Result<Run, ApiError> {
    let (groups, path) = groups(body)?;
    state.runs.start(payer, namespace, groups, options).await.map_err(|error| placed(error, path))
}

/// Keeps the run's number under the request's key: from it, the answer can be made again.
async fn remember(once: &Once, attempt: Option<Attempt>, started: &Result<Run, ApiError>) {
    let Some(attempt) = attempt else { return };
    match started {
        Ok(run) => once.keep_note(&attempt, run.sid.0.to_string()).await,
        Err(_) => once.release(&attempt).await,
    }
}

/// The answer of a run that an earlier request with the same key started.
async fn answer_again(
    state: &AppState,
    who: Principal,
    namespace: &str,
    note: &[u8],
    evidence: bool,
) -> Handled {
    let sid = std::str::from_utf8(note).ok().and_then(|text| text.parse().ok()).unwrap_or_default();
    let run = state.runs.get(&who.scope, namespace, RunId(sid)).await?;
    if !run.state.is_over() {
        return Err(ApiError::from(IdempotencyError::Running).retry_after(1));
    }
    let mut answer = streamed(results(state, who.scope, run, evidence));
    mark_replayed(&mut answer);
    Ok(answer)
}

fn streamed(body: impl Stream<Item = Result<Bytes, std::io::Error>> + 'static) -> HttpResponse {
    HttpResponse::Ok().content_type("application/json").streaming(body)
}

#[derive(Deserialize)]
struct ResponsesQuery {
    #[serde(default, deserialize_with = "flag")]
    context: bool,
    #[serde(default, deserialize_with = "flag")]
    meta: bool,
    #[serde(default, deserialize_with = "flag")]
    evidence: bool,
    sid: Option<i64>,
    #[serde(default, deserialize_with = "whole_number")]
    page: Option<i64>,
    #[serde(default, deserialize_with = "whole_number")]
    limit: Option<i64>,
    format: Option<String>,
}

impl ResponsesQuery {
    /// Rows to pass over, and rows to give.
    fn cut(&self) -> Result<(u64, Option<u64>), ApiError> {
        if self.format.as_deref().is_some_and(|format| format != "json") {
            return Err(ApiError::invalid("?format", "'format' must be json"));
        }
        let (page, limit) = bounded(self.page, self.limit)?;
        match (page.unwrap_or(1), limit) {
            (2.., None) => Err(ApiError::invalid("?limit", "'page' needs 'limit'")),
            (_, None) => Ok((0, None)),
            (page, Some(limit)) => Ok((u64::from(page - 1) * u64::from(limit), Some(u64::from(limit)))),
        }
    }
}

async fn list_delta_responses(
    state: web::Data<AppState>,
    Caller(who): Caller,
    Segment(namespace): Segment,
    Query(query): Query<ResponsesQuery>,
    request: HttpRequest,
) -> Handled {
    let (skip, limit) = query.cut()?;
    let (total, stored) = state.runs.responses(&who.scope, &namespace, query.sid.map(RunId), skip).await?;
    let wanted = Wanted { context: query.context, meta: query.meta, evidence: query.evidence };
    let mut answer = HttpResponse::Ok();
    answer.content_type("application/json").insert_header(("x-total-count", total.to_string()));
    if let Some(link) = limit.and_then(|limit| page_links(&request, skip / limit + 1, total.div_ceil(limit)))
    {
        answer.insert_header((header::LINK, link));
    }
    Ok(answer.streaming(responses(&state, who.scope, stored, limit, wanted)))
}
