//! Evaluation sets: groups of documents with true records, and how well runs extract them.

mod examples;
mod groups;
pub(in crate::http) mod records;
mod runs;
mod values;

use std::collections::BTreeMap;

use actix_web::http::Method;
use actix_web::{HttpResponse, web};
use evaluation_core::{MAX_SET_NAME, NewEvaluationSet};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use self::records::SetRecord;
use super::HandlerResult;
use super::examples::done;
use super::idempotency::Effects;
use super::lists::{Done, List, ListMeta, ListQuery};
use super::operation::Registry;
use super::request::{Body, Caller, Query, Segment};
use crate::app::AppState;

/// The list of sets.
const LIST: List = List { name: "evaluation_sets", rows: 50 };
/// One set.
const ONE: &str = "/v1/evaluation_sets/{set_id}";

/// Registers the operations of this folder.
pub(super) fn register(registry: &mut Registry) {
    registry
        .operation(
            Method::POST,
            "/v1/evaluation_sets",
            "create_evaluation_set",
            "Creates a set of groups of documents with true records, by which extraction is evaluated.",
        )
        .body::<CreateSet>()
        .example(examples::new_set)
        .answers::<SetRecord>()
        .example(examples::set)
        .fails(&[404])
        .recovers(recover_set)
        .to_once(create_evaluation_set);
    registry
        .operation(Method::GET, "/v1/evaluation_sets", "list_evaluation_sets", "Lists sets, newest first.")
        .paged()
        .answers::<SetList>()
        .example(examples::sets)
        .to(list_evaluation_sets);
    registry
        .operation(Method::GET, ONE, "get_evaluation_set", "Retrieves a set.")
        .answers::<SetRecord>()
        .example(examples::set)
        .fails(&[404])
        .to(get_evaluation_set);
    registry
        .operation(
            Method::DELETE,
            ONE,
            "delete_evaluation_set",
            "Deletes a set with its groups. Its runs stay, without scores.",
        )
        .answers::<Done>()
        .example(|| done("The evaluation set was deleted."))
        .fails(&[404])
        .to(delete_evaluation_set);
    groups::register(registry);
    runs::register(registry);
    values::register(registry);
}

#[derive(Deserialize, JsonSchema)]
struct CreateSet {
    #[schemars(length(min = 1, max = MAX_SET_NAME))]
    name: String,
    /// The form whose fields the true records have.
    form_id: String,
    /// Weights of fields, by their JSON pointer without indexes, such as /lines/amount. 1 for others; 0 leaves a field
    /// out of the accuracy.
    #[schemars(extend("additionalProperties" = {"type": "number", "minimum": 0, "maximum": 1000}))]
    weights: Option<BTreeMap<String, f64>>,
}

#[derive(Serialize, JsonSchema)]
struct SetList {
    sets: Vec<SetRecord>,
    meta: ListMeta,
}

async fn create_evaluation_set(
    state: web::Data<AppState>,
    Caller(who): Caller,
    Body(new): Body<CreateSet>,
) -> HandlerResult {
    let CreateSet { name, form_id, weights } = new;
    let new = NewEvaluationSet { name, form_id, weights: weights.unwrap_or_default() };
    let set = state.evaluations.create(&who.scope, &who.author, new).await?;
    Ok(HttpResponse::Ok().json(SetRecord::from(set)))
}

/// The answer to a creation that ended without one.
async fn recover_set(state: web::Data<AppState>, Caller(who): Caller, effects: Effects) -> HandlerResult {
    let set = state.evaluations.get(&who.scope, effects.id("evaluation_set")?).await?;
    Ok(HttpResponse::Ok().json(SetRecord::from(set)))
}

async fn list_evaluation_sets(
    state: web::Data<AppState>,
    Caller(who): Caller,
    Query(query): Query<ListQuery>,
) -> HandlerResult {
    let request = query.page(&LIST)?;
    let page = state.evaluations.list(&who.scope, &request).await?;
    let meta = ListMeta::of(&LIST, &page, &request);
    Ok(HttpResponse::Ok().json(SetList { sets: page.map(SetRecord::from).items, meta }))
}

async fn get_evaluation_set(
    state: web::Data<AppState>,
    Caller(who): Caller,
    Segment(id): Segment,
) -> HandlerResult {
    Ok(HttpResponse::Ok().json(SetRecord::from(state.evaluations.get(&who.scope, &id).await?)))
}

async fn delete_evaluation_set(
    state: web::Data<AppState>,
    Caller(who): Caller,
    Segment(id): Segment,
) -> HandlerResult {
    state.evaluations.delete(&who.scope, &id).await?;
    Ok(HttpResponse::Ok().json(Done::new("The evaluation set was deleted.")))
}
