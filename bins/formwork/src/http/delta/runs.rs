//! Runs: list, retrieve, cancel, and retry failed groups.

use actix_web::http::{Method, header};
use actix_web::{HttpResponse, web};
use delta_core::Run;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use shared_core::{Page, PageRequest, Position};

use super::left_out::LeftOutRecord;
use super::record::{GroupRecord, RunDetails, RunRecord, location};
use super::{examples, run_id};
use crate::app::AppState;
use crate::http::lists::{Done, List, ListMeta, ListQuery, page_window, whole_number};
use crate::http::operation::Registry;
use crate::http::request::{Caller, Query, Segment, Segments};
use crate::http::{HandlerResult, rules};

/// The list of runs.
const LIST: List = List { name: "runs", rows: 50 };
/// The groups of a run. Their pages need no cursor, because no group is inserted later.
const GROUPS: List = List { name: "groups", rows: 50 };

pub(super) fn register(registry: &mut Registry) {
    let one = "/v1/agent/{namespace}/workflow/delta/runs/{sid}";
    registry
        .operation(
            Method::GET,
            "/v1/agent/{namespace}/workflow/delta/runs",
            "list_delta_runs",
            "Lists the agent's runs, newest first.",
        )
        .paged()
        .query("label", rules::text(), "Only runs with this label.")
        .answers::<RunList>()
        .example(examples::runs)
        .fails(&[404])
        .to(list_delta_runs);
    registry
        .operation(
            Method::GET,
            one,
            "get_delta_run",
            "Retrieves a run: its progress and a page of its groups.",
        )
        .query("page", rules::ordinal(), "Page of the groups, from 1.")
        .query("limit", rules::limit(), "Groups of a page, 1 to 100.")
        .answers::<RunDetails>()
        .example(examples::details)
        .fails(&[404])
        .to(get_delta_run);
    registry
        .operation(
            Method::DELETE,
            one,
            "cancel_delta_run",
            "Cancels a run. Finished groups keep their results; the others fail as cancelled.",
        )
        .answers::<Done>()
        .example(examples::cancelled)
        .fails(&[404, 409])
        .to(cancel_delta_run);
    registry
        .operation(
            Method::POST,
            "/v1/agent/{namespace}/workflow/delta/runs/{sid}/retry",
            "retry_delta_run",
            "Retries the failed groups of a run.",
        )
        .accepts::<RunRecord>(examples::retried)
        .fails(&[400, 404, 409, 413])
        .recovers(recover_retried_run)
        .to_once(retry_delta_run);
}

#[derive(Serialize, JsonSchema)]
struct RunList {
    /// Newest first.
    runs: Vec<RunRecord>,
    meta: ListMeta,
}

#[derive(Deserialize)]
struct GroupsQuery {
    #[serde(default, deserialize_with = "whole_number")]
    page: Option<i64>,
    #[serde(default, deserialize_with = "whole_number")]
    limit: Option<i64>,
}

async fn list_delta_runs(
    state: web::Data<AppState>,
    Caller(who): Caller,
    Segment(namespace): Segment,
    Query(query): Query<ListQuery>,
) -> HandlerResult {
    let request = query.page(&LIST)?;
    let page = state.runs.list(&who.scope, &namespace, query.label.as_deref(), &request).await?;
    let meta = ListMeta::of(&LIST, &page, &request);
    let runs = page.items.into_iter().map(RunRecord::from).collect();
    Ok(HttpResponse::Ok().json(RunList { runs, meta }))
}

async fn get_delta_run(
    state: web::Data<AppState>,
    Caller(who): Caller,
    Segments(namespace, sid): Segments,
    Query(query): Query<GroupsQuery>,
) -> HandlerResult {
    let (page, limit) = page_window(query.page, query.limit)?;
    let (page, limit) = (page.unwrap_or(1), limit.unwrap_or(GROUPS.rows));
    let run = state.runs.get(&who.scope, &namespace, run_id(&sid)?).await?;
    let from = (page - 1).saturating_mul(limit);
    let items = state.runs.groups(&who.scope, &run, from, limit).await?;
    let page_request = PageRequest { position: Position::Number(page), limit };
    let page = Page { items, total: u64::from(run.total), next: None };
    let meta = ListMeta::of(&GROUPS, &page, &page_request);
    let groups = page.items.into_iter().map(GroupRecord::from).collect();
    let left_out = run.plan.classification.as_ref().map(|found| found.left_out.clone());
    let left_out_documents = left_out.map(|found| found.into_iter().map(LeftOutRecord::from).collect());
    Ok(HttpResponse::Ok().json(RunDetails { run: run.into(), left_out_documents, groups, meta }))
}

async fn cancel_delta_run(
    state: web::Data<AppState>,
    Caller(who): Caller,
    Segments(namespace, sid): Segments,
) -> HandlerResult {
    let run = state.runs.cancel(&who.scope, &namespace, run_id(&sid)?).await?;
    Ok(HttpResponse::Ok().json(Done::new(format!("Run {} was cancelled.", run.sid.0))))
}

async fn retry_delta_run(
    state: web::Data<AppState>,
    Caller(who): Caller,
    Segments(namespace, sid): Segments,
) -> HandlerResult {
    Ok(accepted(&namespace, state.runs.retry(&who.scope, &namespace, run_id(&sid)?).await?))
}

/// The answer to a retry that ended without one.
async fn recover_retried_run(
    state: web::Data<AppState>,
    Caller(who): Caller,
    Segments(namespace, sid): Segments,
) -> HandlerResult {
    Ok(accepted(&namespace, state.runs.get(&who.scope, &namespace, run_id(&sid)?).await?))
}

fn accepted(namespace: &str, run: Run) -> HttpResponse {
    let location = location(namespace, &run);
    HttpResponse::Accepted().insert_header((header::LOCATION, location)).json(RunRecord::from(run))
}
