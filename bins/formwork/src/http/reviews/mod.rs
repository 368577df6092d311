//! Reviews: doubtful values of batch extraction, and what people decide about them.

mod decisions;
mod examples;
mod records;

use actix_web::http::Method;
use actix_web::{HttpResponse, web};
use delta_core::RunId;
use delta_core::review::{Review, ReviewError, ReviewFilter, ReviewOrder, ReviewReason, ReviewState};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;
use shared_core::Scope;

use self::records::{ReviewDetails, ReviewRecord};
use super::agents::ReviewPolicyBody;
use super::delta::named_run;
use super::lists::{List, ListMeta, ListQuery, whole_number};
use super::operation::Registry;
use super::request::{Body, Caller, Query, Segment};
use super::{ApiError, HandlerResult, rules};
use crate::app::AppState;

/// The list of reviews.
const LIST: List = List { name: "reviews", rows: 50 };
/// The same by confidence. Its cursors are of another kind.
const LIST_BY_CONFIDENCE: List = List { name: "reviews_by_confidence", rows: 50 };

/// Registers the operations of this folder.
pub(super) fn register(registry: &mut Registry) {
    let named = |names: &[&str]| json!({"type": "string", "enum": names});
    registry
        .operation(
            Method::GET,
            "/v1/reviews",
            "list_reviews",
            "Lists the values that people review, newest first. An agent's 'review' says which values are queued.",
        )
        .paged()
        .query("namespace", rules::namespace(), "Only of this agent.")
        .query("sid", rules::id(), "Only of this run.")
        .query("state", named(&ReviewState::ALL.map(ReviewState::name)), "Only in this state.")
        .query("reason", named(&ReviewReason::ALL.map(ReviewReason::name)), "Only for this reason.")
        .query("field", rules::text(), "Only of this field: a JSON pointer without indexes, such as /lines/amount.")
        .query("assignee", rules::text(), "Only those that this person is to decide.")
        .query(
            "order",
            named(&["newest", "confidence"]),
            "newest first (the default), or by confidence: the lowest first, and values without one before all others. \
             A cursor holds for the order that it was made in.",
        )
        .answers::<ReviewList>()
        .example(examples::reviews)
        .fails(&[404])
        .to(list_reviews);
    registry
        .operation(
            Method::POST,
            "/v1/reviews",
            "queue_reviews",
            "Queues values of a stored run, such as one that began before its agent had rules of review. Values that \
             have a review are left out.",
        )
        .body::<QueueReviews>()
        .example(examples::queue)
        .answers::<QueuedReviews>()
        .example(|| json!({"queued": 3}))
        .fails(&[404])
        .to_once(queue_reviews);
    registry
        .operation(
            Method::GET,
            "/v1/reviews/{review_id}",
            "get_review",
            "Retrieves a review: the value, its evidence, other values that documents state, and its history.",
        )
        .answers::<ReviewDetails>()
        .example(examples::review)
        .fails(&[404])
        .to(get_review);
    decisions::register(registry);
}

#[derive(Deserialize)]
struct ReviewQuery {
    #[serde(default, deserialize_with = "whole_number")]
    page: Option<i64>,
    #[serde(default, deserialize_with = "whole_number")]
    limit: Option<i64>,
    cursor: Option<String>,
    namespace: Option<String>,
    sid: Option<i64>,
    state: Option<ReviewState>,
    reason: Option<ReviewReason>,
    field: Option<String>,
    assignee: Option<String>,
    #[serde(default)]
    order: OrderName,
}

#[derive(Clone, Copy, Default, Deserialize)]
#[serde(rename_all = "lowercase")]
enum OrderName {
    #[default]
    Newest,
    Confidence,
}

impl OrderName {
    fn list(self) -> (List, ReviewOrder) {
        match self {
            Self::Newest => (LIST, ReviewOrder::Newest),
            Self::Confidence => (LIST_BY_CONFIDENCE, ReviewOrder::Confidence),
        }
    }
}

#[derive(Serialize, JsonSchema)]
struct ReviewList {
    reviews: Vec<ReviewRecord>,
    meta: ListMeta,
}

/// A run whose values are queued.
#[derive(Deserialize, JsonSchema)]
struct QueueReviews {
    /// The agent.
    namespace: String,
    /// The run.
    sid: i64,
    /// Which values; those of the agent when absent, else the default.
    review: Option<ReviewPolicyBody>,
}

#[derive(Serialize, JsonSchema)]
struct QueuedReviews {
    /// Number of new reviews.
    queued: u64,
}

async fn list_reviews(
    state: web::Data<AppState>,
    Caller(who): Caller,
    Query(query): Query<ReviewQuery>,
) -> HandlerResult {
    let list =
        ListQuery { page: query.page, limit: query.limit, cursor: query.cursor, title: None, label: None };
    let (own, order) = query.order.list();
    let request = list.page(&own)?;
    let filter = ReviewFilter {
        agent_id: None,
        sid: query.sid.map(|sid| named_run("sid", sid)).transpose()?,
        state: query.state,
        reason: query.reason,
        field: query.field,
        assignee: query.assignee,
        group: None,
        order,
    };
    let page = state.reviews.list(&who.scope, query.namespace.as_deref(), filter, &request).await?;
    let meta = ListMeta::of(&own, &page, &request);
    Ok(HttpResponse::Ok().json(ReviewList { reviews: page.map(ReviewRecord::from).items, meta }))
}

async fn queue_reviews(
    state: web::Data<AppState>,
    Caller(who): Caller,
    Body(body): Body<QueueReviews>,
) -> HandlerResult {
    let policy = body.review.map(Into::into);
    let queued = state.reviews.queue(&who.scope, &body.namespace, RunId(body.sid), policy).await?;
    Ok(HttpResponse::Ok().json(QueuedReviews { queued }))
}

async fn get_review(state: web::Data<AppState>, Caller(who): Caller, Segment(id): Segment) -> HandlerResult {
    Ok(HttpResponse::Ok().json(ReviewDetails::from(state.reviews.get(&who.scope, &id).await?)))
}

/// Reviews by id, in the order of the ids.
async fn load(state: &AppState, scope: &Scope, ids: &[String]) -> Result<Vec<Review>, ApiError> {
    let mut reviews = Vec::with_capacity(ids.len());
    for id in ids {
        match state.reviews.get(scope, id).await {
            Ok(review) => reviews.push(review),
            // It was deleted with its run.
            Err(ReviewError::NotFound(_)) => {}
            Err(error) => return Err(error.into()),
        }
    }
    Ok(reviews)
}
