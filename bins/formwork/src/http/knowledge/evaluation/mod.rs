//! Evaluation of a knowledge base: sets of questions, and how well searches find their answers.

mod examples;
mod questions;
mod scores;

use actix_web::http::Method;
use actix_web::{HttpResponse, web};
use evaluation_core::retrieval::{MAX_SETTINGS, RetrievalSettings};
use kb_core::rules::MAX_RESULTS;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use self::questions::{QuestionSetBody, QuestionSetRecord};
use self::scores::RetrievalEvaluationRecord;
use super::rerank::RerankBody;
use super::restrictions::{self, MetaFilter};
use super::search;
use crate::app::AppState;
use crate::http::examples::done;
use crate::http::idempotency::Effects;
use crate::http::lists::{Done, List, ListMeta, ListQuery};
use crate::http::operation::{Access, Registry};
use crate::http::request::{Body, Caller, Query, Segment, Segments};
use crate::http::{ApiError, HandlerResult};

const SETS: &str = "/knowledgebase/{knowledgeId}/evaluation_sets";
const ONE: &str = "/knowledgebase/{knowledgeId}/evaluation_sets/{evaluation_set_id}";
/// The list of sets.
const LIST: List = List { name: "question_sets", rows: 50 };
/// Default number of results of a question.
const RESULTS: usize = 10;

pub(super) fn register(registry: &mut Registry) {
    registry
        .operation(
            Method::POST,
            SETS,
            "create_question_set",
            "Creates a set of questions to a knowledge base with the places of their answers, by which its searches are \
             evaluated.",
        )
        .under_v1_too()
        .body::<QuestionSetBody>()
        .example(examples::new_set)
        .answers::<QuestionSetRecord>()
        .example(examples::set)
        .fails(&[404])
        .recovers(recover_question_set)
        .to_once(create_question_set);
    registry
        .operation(
            Method::GET,
            SETS,
            "list_question_sets",
            "Lists the sets of questions to a knowledge base, newest first, without their questions.",
        )
        .under_v1_too()
        .paged()
        .answers::<QuestionSetList>()
        .example(examples::sets)
        .fails(&[404])
        .to(list_question_sets);
    registry
        .operation(Method::GET, ONE, "get_question_set", "Retrieves a set with its questions.")
        .under_v1_too()
        .answers::<QuestionSetRecord>()
        .example(examples::set)
        .fails(&[404])
        .to(get_question_set);
    registry
        .operation(Method::PUT, ONE, "replace_question_set", "Replaces the name and all questions of a set.")
        .under_v1_too()
        .body::<QuestionSetBody>()
        .example(examples::new_set)
        .answers::<QuestionSetRecord>()
        .example(examples::set)
        .fails(&[404])
        .to(replace_question_set);
    registry
        .operation(Method::DELETE, ONE, "delete_question_set", "Deletes a set.")
        .under_v1_too()
        .answers::<Done>()
        .example(|| done("The evaluation set was deleted."))
        .fails(&[404])
        .to(delete_question_set);
    registry
        .operation(
            Method::POST,
            "/knowledgebase/{knowledgeId}/evaluation_sets/{evaluation_set_id}/evaluate",
            "evaluate_question_set",
            "Searches the questions of a set with one or two settings, and tells how well their answers are found. After \
             a minute, the questions that were asked so far are evaluated. Nothing is stored.",
        )
        .under_v1_too()
        .access(Access::Read)
        .body::<EvaluateBody>()
        .example(examples::settings)
        .answers::<RetrievalEvaluationRecord>()
        .example(examples::evaluation)
        .fails(&[404])
        .given_up_with_its_client()
        .to(evaluate_question_set);
}

#[derive(Serialize, JsonSchema)]
struct QuestionSetList {
    sets: Vec<QuestionSetRecord>,
    meta: ListMeta,
}

#[derive(Deserialize, JsonSchema)]
#[schemars(rename = "EvaluateQuestionSet")]
struct EvaluateBody {
    /// The settings of the searches. Two are compared.
    #[schemars(length(min = 1, max = MAX_SETTINGS))]
    settings: Vec<SettingsBody>,
}

/// Settings of searches, as in searches of the knowledge base.
#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "RetrievalSettings")]
struct SettingsBody {
    /// Lexical, semantic or hybrid search. Default: hybrid where the knowledge base has vectors, else lexical.
    #[schemars(extend("enum" = restrictions::modes()))]
    mode: Option<String>,
    /// Maximum number of results of a question; 10 when absent.
    #[schemars(range(min = 1, max = MAX_RESULTS))]
    limit: Option<i64>,
    /// Minimum lexical or semantic score of a result. A question without any result is refused.
    #[schemars(range(min = 0.0, max = 1.0))]
    min_score: Option<f32>,
    /// Reranks the results; as the knowledge base says when absent.
    rerank: Option<RerankBody>,
    /// Filter by the meta of the files.
    #[schemars(with = "Option<MetaFilter>")]
    filter: Option<Value>,
}

impl SettingsBody {
    fn settings(self, at: usize) -> Result<RetrievalSettings, ApiError> {
        let path = format!("/settings/{at}/mode");
        Ok(RetrievalSettings {
            mode: self.mode.as_deref().map(|name| search::mode(name, &path)).transpose()?,
            // The service rejects out-of-range values with the rule.
            limit: self.limit.map_or(RESULTS, |limit| usize::try_from(limit).unwrap_or(usize::MAX)),
            min_score: self.min_score,
            rerank: self.rerank.map(Into::into),
            filter: self.filter.filter(|filter| !filter.is_null()),
        })
    }
}

async fn create_question_set(
    state: web::Data<AppState>,
    Caller(who): Caller,
    Segment(base): Segment,
    Body(body): Body<QuestionSetBody>,
) -> HandlerResult {
    let new = body.into();
    let set = state.retrieval.create(&who.scope, &who.author, &base, &new).await?;
    Ok(HttpResponse::Ok().json(QuestionSetRecord::with_questions(set, new.questions)))
}

/// The answer to a creation that ended without one.
async fn recover_question_set(
    state: web::Data<AppState>,
    Caller(who): Caller,
    Segment(base): Segment,
    effects: Effects,
) -> HandlerResult {
    let (set, questions) = state.retrieval.get(&who.scope, &base, effects.id("evaluation_set")?).await?;
    Ok(HttpResponse::Ok().json(QuestionSetRecord::with_questions(set, questions)))
}

async fn list_question_sets(
    state: web::Data<AppState>,
    Caller(who): Caller,
    Segment(base): Segment,
    Query(query): Query<ListQuery>,
) -> HandlerResult {
    let request = query.page(&LIST)?;
    let page = state.retrieval.list(&who.scope, &base, &request).await?;
    let meta = ListMeta::of(&LIST, &page, &request);
    let sets = page.map(QuestionSetRecord::from).items;
    Ok(HttpResponse::Ok().json(QuestionSetList { sets, meta }))
}

async fn get_question_set(
    state: web::Data<AppState>,
    Caller(who): Caller,
    Segments(base, id): Segments,
) -> HandlerResult {
    let (set, questions) = state.retrieval.get(&who.scope, &base, &id).await?;
    Ok(HttpResponse::Ok().json(QuestionSetRecord::with_questions(set, questions)))
}

async fn replace_question_set(
    state: web::Data<AppState>,
    Caller(who): Caller,
    Segments(base, id): Segments,
    Body(body): Body<QuestionSetBody>,
) -> HandlerResult {
    let new = body.into();
    let set = state.retrieval.replace(&who.scope, &base, &id, &new).await?;
    Ok(HttpResponse::Ok().json(QuestionSetRecord::with_questions(set, new.questions)))
}

async fn delete_question_set(
    state: web::Data<AppState>,
    Caller(who): Caller,
    Segments(base, id): Segments,
) -> HandlerResult {
    state.retrieval.delete(&who.scope, &base, &id).await?;
    Ok(HttpResponse::Ok().json(Done::new("The evaluation set was deleted.")))
}

async fn evaluate_question_set(
    state: web::Data<AppState>,
    caller: Caller,
    Segments(base, id): Segments,
    Body(body): Body<EvaluateBody>,
) -> HandlerResult {
    let settings = body.settings.into_iter().enumerate().map(|(at, settings)| settings.settings(at));
    let settings: Vec<RetrievalSettings> = settings.collect::<Result<_, _>>()?;
    let evaluation = state.retrieval.evaluate(&caller.payer(), &base, &id, &settings).await?;
    Ok(HttpResponse::Ok().json(RetrievalEvaluationRecord::from(evaluation)))
}
