//! Evaluations: runs over a set.

use actix_web::http::Method;
use actix_web::{HttpResponse, web};
use delta_core::RunId;
use evaluation_core::EvaluationOptions;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::examples;
use super::records::{EvaluationRecord, ScoresRecord};
use crate::app::AppState;
use crate::http::delta::{named_run, run_id};
use crate::http::idempotency::Effects;
use crate::http::lists::{List, ListMeta, ListQuery};
use crate::http::operation::Registry;
use crate::http::request::{Body, Caller, Query, Segment, Segments};
use crate::http::{HandlerResult, rules};

const PATH: &str = "/v1/evaluation_sets/{set_id}/evaluations";
/// The list of evaluations.
const LIST: List = List { name: "evaluations", rows: 50 };

pub(super) fn register(registry: &mut Registry) {
    registry
        .operation(
            Method::POST,
            PATH,
            "start_evaluation",
            "Starts a run of an agent over the groups of a set. Its responses are not among the agent's.",
        )
        .body::<StartEvaluation>()
        .example(examples::start)
        .answers::<EvaluationRecord>()
        .example(examples::evaluation)
        .fails(&[404, 409])
        .recovers(recover_evaluation)
        .to_once(start_evaluation);
    registry
        .operation(Method::GET, PATH, "list_evaluations", "Lists the evaluations of a set, newest first.")
        .paged()
        .answers::<EvaluationList>()
        .example(examples::evaluations)
        .fails(&[404])
        .to(list_evaluations);
    registry
        .operation(
            Method::GET,
            "/v1/evaluation_sets/{set_id}/evaluations/{sid}",
            "get_evaluation",
            "Retrieves the scores of an evaluation by its groups so far: accuracy, missing, invented and wrong values.",
        )
        .query("base", rules::id(), "An earlier evaluation to compare with.")
        .answers::<ScoresRecord>()
        .example(examples::scores)
        .fails(&[404])
        .to(get_evaluation);
}

#[derive(Deserialize, JsonSchema)]
struct StartEvaluation {
    /// The agent, whose form must be that of the set.
    namespace: String,
    /// `model@provider`; the agent's when absent.
    #[serde(rename = "modelId")]
    model_id: Option<String>,
    /// Version of the form, a draft too; the agent's when absent.
    form_version: Option<u32>,
}

#[derive(Serialize, JsonSchema)]
struct EvaluationList {
    evaluations: Vec<EvaluationRecord>,
    meta: ListMeta,
}

async fn start_evaluation(
    state: web::Data<AppState>,
    caller: Caller,
    Segment(id): Segment,
    Body(body): Body<StartEvaluation>,
) -> HandlerResult {
    let StartEvaluation { namespace, model_id, form_version } = body;
    let options = EvaluationOptions { model_id, form_version };
    let run = state.evaluations.start(&caller.payer(), &id, &namespace, options).await?;
    Ok(HttpResponse::Ok().json(EvaluationRecord::from(&run)))
}

/// The answer to a start that ended without one.
async fn recover_evaluation(
    state: web::Data<AppState>,
    Caller(who): Caller,
    Segment(id): Segment,
    effects: Effects,
) -> HandlerResult {
    let sid = RunId(effects.id("run")?.parse().unwrap_or_default());
    let scored = state.evaluations.report(&who.scope, &id, sid, None).await?;
    Ok(HttpResponse::Ok().json(EvaluationRecord::from(&scored.run)))
}

async fn list_evaluations(
    state: web::Data<AppState>,
    Caller(who): Caller,
    Segment(id): Segment,
    Query(query): Query<ListQuery>,
) -> HandlerResult {
    let request = query.page(&LIST)?;
    let page = state.evaluations.runs(&who.scope, &id, &request).await?;
    let meta = ListMeta::of(&LIST, &page, &request);
    let evaluations = page.items.iter().map(EvaluationRecord::from).collect();
    Ok(HttpResponse::Ok().json(EvaluationList { evaluations, meta }))
}

#[derive(Deserialize)]
struct ScoresQuery {
    base: Option<i64>,
}

async fn get_evaluation(
    state: web::Data<AppState>,
    Caller(who): Caller,
    Segments(id, sid): Segments,
    Query(query): Query<ScoresQuery>,
) -> HandlerResult {
    let base = query.base.map(|base| named_run("base", base)).transpose()?;
    let scored = state.evaluations.report(&who.scope, &id, run_id(&sid)?, base).await?;
    Ok(HttpResponse::Ok().json(ScoresRecord::from(scored)))
}
