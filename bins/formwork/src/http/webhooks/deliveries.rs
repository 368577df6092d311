//! Deliveries of a webhook: list and resend.

use actix_web::http::Method;
use actix_web::{HttpResponse, web};
use schemars::JsonSchema;
use serde::Serialize;
use webhooks_core::{Delivery, DeliveryState, WebhookId};

use super::examples;
use crate::app::AppState;
use crate::http::HandlerResult;
use crate::http::lists::{AnyObject, List, ListMeta, ListQuery};
use crate::http::operation::Registry;
use crate::http::request::{Caller, Query, Segment, Segments};

/// The list of a webhook's deliveries.
const LIST: List = List { name: "deliveries", rows: 50 };

/// Registers the operations of this file.
pub(super) fn register(registry: &mut Registry) {
    registry
        .operation(
            Method::GET,
            "/v1/webhooks/{webhook_id}/deliveries",
            "list_webhook_deliveries",
            "Lists the deliveries of a webhook, newest first; of ended ones, the newest 1,000.",
        )
        .paged()
        .answers::<DeliveryList>()
        .example(examples::deliveries)
        .fails(&[404])
        .to(list_deliveries);
    registry
        .operation(
            Method::POST,
            "/v1/webhooks/{webhook_id}/deliveries/{delivery_id}/replay",
            "replay_webhook_delivery",
            "Resends a delivery under the same id, whether it was acknowledged or not.",
        )
        .answers::<DeliveryRecord>()
        .example(examples::pending)
        .fails(&[404, 409])
        .to(replay);
    registry
        .operation(
            Method::POST,
            "/v1/webhooks/{webhook_id}/test",
            "test_webhook",
            "Sends a test event `webhook.test`.",
        )
        .answers::<DeliveryRecord>()
        .example(examples::test)
        .fails(&[404, 409])
        .to(test);
}

#[derive(Serialize, JsonSchema)]
struct DeliveryRecord {
    /// The message's `webhook-id`.
    id: String,
    /// Such as `run.finished`.
    event: &'static str,
    #[schemars(extend("enum" = DeliveryState::ALL.map(DeliveryState::name)))]
    status: &'static str,
    /// Number of attempts.
    attempts: u32,
    /// HTTP status of the last answer; null when there was none.
    response_status: Option<u16>,
    /// Why the last attempt failed; null when it succeeded.
    error: Option<String>,
    /// Body of the message.
    payload: AnyObject,
    /// Time of the event: `YYYY-MM-DD hh:mm:ss`, UTC.
    created_timestamp: String,
    /// When it was acknowledged or given up; null while it is pending.
    ended_timestamp: Option<String>,
}

impl From<Delivery> for DeliveryRecord {
    fn from(delivery: Delivery) -> Self {
        Self {
            id: delivery.id(),
            event: delivery.event.name(),
            status: delivery.state.name(),
            attempts: delivery.attempts,
            response_status: delivery.last.status,
            error: delivery.last.error,
            payload: serde_json::from_str(&delivery.payload).unwrap_or_default(),
            created_timestamp: delivery.created.record_text(),
            ended_timestamp: delivery.ended.map(|ended| ended.record_text()),
        }
    }
}

#[derive(Serialize, JsonSchema)]
struct DeliveryList {
    deliveries: Vec<DeliveryRecord>,
    meta: ListMeta,
}

async fn list_deliveries(
    state: web::Data<AppState>,
    Caller(who): Caller,
    Segment(id): Segment,
    Query(query): Query<ListQuery>,
) -> HandlerResult {
    let request = query.page(&LIST)?;
    let page = state.webhooks.deliveries(&who.scope, &WebhookId(id), &request).await?;
    let meta = ListMeta::of(&LIST, &page, &request);
    let deliveries = page.map(DeliveryRecord::from).items;
    Ok(HttpResponse::Ok().json(DeliveryList { deliveries, meta }))
}

async fn replay(
    state: web::Data<AppState>,
    Caller(who): Caller,
    Segments(id, message): Segments,
) -> HandlerResult {
    let delivery = state.webhooks.replay(&who.scope, &WebhookId(id), &message).await?;
    Ok(HttpResponse::Ok().json(DeliveryRecord::from(delivery)))
}

async fn test(state: web::Data<AppState>, Caller(who): Caller, Segment(id): Segment) -> HandlerResult {
    let delivery = state.webhooks.send_test(&who.scope, &WebhookId(id)).await?;
    Ok(HttpResponse::Ok().json(DeliveryRecord::from(delivery)))
}
