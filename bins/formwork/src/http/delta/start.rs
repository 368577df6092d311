//! Starts a run. The answer comes when the run is done, or as soon as it is stored.

use std::borrow::Cow;
use std::future::ready;

use actix_web::dev::Payload;
use actix_web::http::{Method, header};
use actix_web::{HttpRequest, HttpResponse, web};
use agents_core::AgentsError;
use delta_core::rules::{MAX_DESCRIPTION, MAX_URL};
use delta_core::{DeltaError, ExpandOptions, Expansion, Run, RunId, RunOptions, RunTarget};
use futures_util::future::LocalBoxFuture;
use gen_core::CallerContext;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::json;
use shared_core::{Scope, Violation};

use super::answer::{AnswerParts, stream_outcomes};
use super::groups::Groups;
use super::prefer::{self, RESPOND_ASYNC, prefers_async};
use super::record::{RunRecord, as_accepted, location};
use super::settings::{self, SettingsQuery};
use super::{PATH, examples};
use crate::app::AppState;
use crate::http::error::ErrorItem;
use crate::http::idempotency::{BegunRequest, Effects, Idempotency, mark_replayed, replay};
use crate::http::lists::AnyObject;
use crate::http::operation::Registry;
use crate::http::operation_parts::component;
use crate::http::request::{Caller, Input, Query, Segment, flag};
use crate::http::{ApiError, HandlerResult, rules};

pub(super) fn register(registry: &mut Registry) {
    let operation = registry
        .operation(
            Method::POST,
            PATH,
            "run_delta",
            "Runs the agent over groups of documents. With async, or Prefer: respond-async, it is answered \
             with 202 as soon as the run is stored.",
        )
        .query("partial", rules::flag(), "Leave unreadable documents out instead of failing their group.")
        .query("evidence", rules::flag(), "Add the evidence of every value.")
        .query("fresh", rules::flag(), "Ask the model even where a stored answer to identical work exists.")
        .query(
            "async",
            rules::flag(),
            "Answer before the work is done. Takes precedence over the header Prefer.",
        )
        .query("modelId", rules::text(), "The model, model@provider, instead of the agent's.")
        .query("form_version", rules::ordinal(), "Version of the agent's form, a draft too, instead of the agent's.")
        .query(
            "target",
            json!({"type": "string", "enum": RunTarget::ALL.map(RunTarget::name)}),
            "What gives one record: a group (the default), each document, each part (a document within a document), each \
             page, each row of the main table, or each section. The answer then has the sources of each record.",
        )
        .query(
            "classify",
            rules::flag(),
            "Find the form of each part among the forms of the agent. Default true if the agent has 'forms'.",
        )
        .query(
            "threshold",
            json!({"type": "number", "minimum": 0, "maximum": 1}),
            "The probability that the form of a part must have, default 0.5. Others are left out and told in 'warnings'.",
        );
    settings::describe(operation)
        .header("Prefer", rules::text(), "respond-async has the effect of async=true (RFC 7240).")
        .body::<DeltaBody>()
        .example(examples::groups)
        .answers::<RunAnswer>()
        .example(examples::answer)
        .accepts::<RunRecord>(examples::accepted)
        .fails(&[404])
        .manual_idempotency()
        .to(run_delta);
}

/// The groups of documents: an array, or an object with it.
pub(super) struct DeltaBody;

impl JsonSchema for DeltaBody {
    fn schema_name() -> Cow<'static, str> {
        "DeltaBody".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let document = json!({
            "type": "object", "required": ["url"],
            "properties": {
                "description": {"type": ["string", "null"], "maxLength": MAX_DESCRIPTION},
                "url": {
                    "description": "An own file URL, a file id, or a web URL.",
                    "type": ["string", "integer"], "pattern": rules::NOT_BLANK, "maxLength": MAX_URL,
                    "minimum": 0, "maximum": u64::MAX
                },
                "pages": rules::pages()
            }
        });
        let document = component(generator, "DeltaDocument", document);
        let groups = json!({
            "description": "Groups of documents; each group gives one record.",
            "type": "array", "minItems": 1, "items": {"type": "array", "minItems": 1, "items": document}
        });
        let named = json!({"type": "object", "required": ["files"], "properties": {"files": groups}});
        let named = component(generator, "DeltaGroups", named);
        json_schema!({"anyOf": [groups, named]})
    }
}

/// The answer of a run, streamed while the groups are processed.
#[derive(Serialize, JsonSchema)]
struct RunAnswer {
    /// Session id.
    sid: i64,
    /// One object per successful group, in the order of the groups.
    results: Vec<AnyObject>,
    /// Documents that failed, with `error` (`class`, `code`, `message`) and the index of their `group`.
    failed: Vec<AnyObject>,
    /// `total`, `successful`, `failed`, `duration` in seconds, `usage`, and the run's `state`.
    meta: AnyObject,
    /// Rules that results violate, parallel to `results`.
    errors: Vec<Vec<ErrorItem>>,
    /// Evidence by JSON pointer, parallel to `results`; with `?evidence=true`.
    #[serde(skip_serializing_if = "Option::is_none")]
    evidence: Option<Vec<AnyObject>>,
    /// Disagreements between documents, parallel to `results`; with `?evidence=true`.
    #[serde(skip_serializing_if = "Option::is_none")]
    conflicts: Option<Vec<Vec<AnyObject>>>,
    /// The group of each result and its documents with their `pages`, and `row` or `section`, parallel to `results`; with
    /// `?target`, except `group`, and with classification, which adds `form_id`, `form_version`, `probability` and
    /// `evidence`.
    #[serde(skip_serializing_if = "Option::is_none")]
    sources: Option<Vec<AnyObject>>,
    /// Documents with pages that were not read or not seen, and documents that an earlier place of the run has, too: `code`,
    /// `message`, `document`, `file`, its `index` in its group, `pages` or `duplicate_of`, and the index of the `group`. And
    /// documents that were left out, with their place in the `request`, `form_id` and `probability`.
    warnings: Vec<AnyObject>,
}

#[derive(Deserialize)]
struct RunQuery {
    #[serde(default, deserialize_with = "flag")]
    partial: bool,
    #[serde(default, deserialize_with = "flag")]
    evidence: bool,
    #[serde(default, deserialize_with = "flag")]
    fresh: bool,
    #[serde(rename = "modelId")]
    model_id: Option<String>,
    form_version: Option<u32>,
    target: Option<String>,
    #[serde(default, deserialize_with = "some_flag")]
    classify: Option<bool>,
    threshold: Option<f64>,
    #[serde(default, rename = "async", deserialize_with = "some_flag")]
    respond_async: Option<bool>,
}

fn some_flag<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<bool>, D::Error> {
    flag(deserializer).map(Some)
}

/// The options of a run from the query and the header `Prefer`.
pub(super) struct RunRequestOptions {
    pub(super) options: RunOptions,
    pub(super) how: ExpandOptions,
    evidence: bool,
    at_once: ResponseMode,
}

/// When the answer is sent: after the work or before it.
#[derive(Clone, Copy, PartialEq)]
enum ResponseMode {
    No,
    Yes,
    /// Asynchronous because of the header, which the answer confirms with `Preference-Applied`.
    Preferred,
}

impl Input for RunRequestOptions {
    fn read<'a>(
        request: &'a HttpRequest,
        payload: &'a mut Payload,
    ) -> LocalBoxFuture<'a, Result<Self, ApiError>> {
        Box::pin(async move {
            let Query(query) = Query::<RunQuery>::read(request, payload).await?;
            let at_once = match query.respond_async {
                Some(true) => ResponseMode::Yes,
                None if prefers_async(request) => ResponseMode::Preferred,
                Some(false) | None => ResponseMode::No,
            };
            let Query(settings) = Query::<SettingsQuery>::read(request, payload).await?;
            let options = RunOptions {
                settings: settings.settings()?,
                partial: query.partial,
                fresh: query.fresh,
                model_id: query.model_id,
                form_version: query.form_version,
                ..RunOptions::default()
            };
            let how = ExpandOptions {
                target: query.target.as_deref().map(target).transpose()?,
                classify: query.classify,
                threshold: query.threshold,
                model_id: options.model_id.clone(),
                budget: options.settings.budget,
                estimate: false,
            };
            ready(Ok(Self { options, how, evidence: query.evidence, at_once })).await
        })
    }
}

/// What gives one record, by its name.
fn target(name: &str) -> Result<RunTarget, ApiError> {
    let names = RunTarget::ALL.map(RunTarget::name).join(", ");
    RunTarget::of_name(name)
        .ok_or_else(|| ApiError::invalid("?target", format!("'target' must be one of {names}")))
}

/// Rewrites the pointers of violations to the body as it was sent.
pub(super) fn relocate_violations(error: DeltaError, path: &str) -> ApiError {
    match error {
        DeltaError::Invalid(found) => {
            let found = found.into_iter().map(|v| Violation::new(format!("{path}{}", v.path), v.message));
            DeltaError::Invalid(found.collect()).into()
        }
        DeltaError::Agents(AgentsError::UnknownModel([violation])) if violation.path == "/modelId" => {
            DeltaError::Agents(AgentsError::UnknownModel([Violation::new("?modelId", violation.message)]))
                .into()
        }
        other => other.into(),
    }
}

async fn run_delta(
    state: web::Data<AppState>,
    caller: Caller,
    Segment(namespace): Segment,
    run_options: RunRequestOptions,
    groups: Groups,
    once: Idempotency,
) -> HandlerResult {
    let (payer, sent) = (caller.payer(), groups.sent.clone());
    let start = start(&state, &payer, &namespace, &run_options, groups);
    let (run, is_started_again) = match once.begin(&[&sent]).await? {
        BegunRequest::Unnamed => (start.await?, false),
        BegunRequest::First(attempt) => {
            let run = once.recording(&attempt, start).await;
            // The answer is built from the run each time.
            once.release(&attempt).await;
            (run?, false)
        }
        BegunRequest::Recovered(attempt, effects) => {
            let run = find_started_run(&state, &caller.0.scope, &namespace, &effects).await;
            once.release(&attempt).await;
            (run?, true)
        }
        BegunRequest::Done(answer) => return Ok(replay(answer)),
    };
    let mut answer = answer(&state, caller.0.scope, &namespace, run, &run_options);
    if is_started_again {
        mark_replayed(&mut answer);
    }
    Ok(answer)
}

async fn start(
    state: &AppState,
    payer: &CallerContext,
    namespace: &str,
    RunRequestOptions { options, how, .. }: &RunRequestOptions,
    groups: Groups,
) -> Result<Run, ApiError> {
    let (groups, path) = groups.parse(&state.limits)?;
    let start = async {
        let Expansion { groups, classification, .. } =
            state.runs.expand(payer, namespace, groups, how).await?;
        let options = RunOptions { classification, ..options.clone() };
        state.runs.start(payer, namespace, groups, options).await
    };
    start.await.map_err(|error| relocate_violations(error, path))
}

/// The run that an earlier request with the same key started.
async fn find_started_run(
    state: &AppState,
    scope: &Scope,
    namespace: &str,
    effects: &Effects,
) -> Result<Run, ApiError> {
    let sid = effects.id("run")?.parse().unwrap_or_default();
    Ok(state.runs.get(scope, namespace, RunId(sid)).await?)
}

/// The answer of a stored run: its record, or its outcomes as they finish.
fn answer(
    state: &AppState,
    scope: Scope,
    namespace: &str,
    run: Run,
    run_options: &RunRequestOptions,
) -> HttpResponse {
    if run_options.at_once == ResponseMode::No {
        let target = run_options.how.target;
        let is_divided = target.is_some_and(|target| target != RunTarget::Group);
        let sources = is_divided || run.plan.classification.is_some();
        let parts = AnswerParts { evidence: run_options.evidence, sources };
        return stream_outcomes(state, scope, run, parts);
    }
    let mut answer = HttpResponse::Accepted();
    answer
        .insert_header((header::LOCATION, location(namespace, &run)))
        .insert_header((header::VARY, prefer::HEADER));
    if run_options.at_once == ResponseMode::Preferred {
        answer.insert_header(("preference-applied", RESPOND_ASYNC));
    }
    answer.json(RunRecord::from(as_accepted(run)))
}
