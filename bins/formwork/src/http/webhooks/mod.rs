//! Webhooks: URLs that receive the events of a workspace.

mod deliveries;
mod examples;

use actix_web::http::Method;
use actix_web::{HttpResponse, web};
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Serialize};
use serde_json::json;
use webhooks_core::{EventKind, MAX_DESCRIPTION, MAX_URL, NewWebhook, Webhook, WebhookId};

use super::HandlerResult;
use super::examples::done;
use super::idempotency::Effects;
use super::lists::{Done, List, ListMeta, ListQuery};
use super::operation::Registry;
use super::request::{Body, Caller, Query, Segment};
use crate::app::AppState;

/// The list of webhooks.
const LIST: List = List { name: "webhooks", rows: 50 };
/// One webhook.
const ONE: &str = "/v1/webhooks/{webhook_id}";

/// Registers the operations of this folder.
pub(super) fn register(registry: &mut Registry) {
    registry
        .operation(
            Method::POST,
            "/v1/webhooks",
            "create_webhook",
            "Creates a webhook. Messages are signed as the Standard Webhooks specification defines. The secret is shown once.",
        )
        .body::<CreateWebhook>()
        .example(examples::new_webhook)
        .answers::<CreatedWebhook>()
        .example(examples::created_webhook)
        .fails(&[409])
        .recovers(recover_webhook)
        .to_once(create_webhook);
    registry
        .operation(Method::GET, "/v1/webhooks", "list_webhooks", "Lists webhooks, newest first.")
        .paged()
        .answers::<WebhookList>()
        .example(examples::webhooks)
        .to(list_webhooks);
    registry
        .operation(Method::GET, ONE, "get_webhook", "Retrieves a webhook.")
        .answers::<WebhookRecord>()
        .example(examples::webhook)
        .fails(&[404])
        .to(get_webhook);
    registry
        .operation(
            Method::DELETE,
            ONE,
            "delete_webhook",
            "Deletes a webhook with its deliveries. Pending deliveries are not sent.",
        )
        .answers::<Done>()
        .example(|| done("The webhook was deleted."))
        .fails(&[404])
        .to(delete_webhook);
    deliveries::register(registry);
}

#[derive(Deserialize, JsonSchema)]
struct CreateWebhook {
    /// URL that messages are sent to. The fetch rules of the server must allow it.
    #[schemars(length(min = 1, max = MAX_URL))]
    url: String,
    /// Subscribed events; all when absent.
    #[serde(default)]
    #[schemars(schema_with = "wanted_events")]
    events: Option<Vec<String>>,
    /// Purpose of the webhook.
    #[serde(default)]
    #[schemars(length(max = MAX_DESCRIPTION))]
    description: Option<String>,
}

fn event_names(_: &mut SchemaGenerator) -> Schema {
    json_schema!({
        "type": "array", "minItems": 1, "items": {"type": "string", "enum": EventKind::ALL.map(EventKind::name)},
    })
}

fn wanted_events(generator: &mut SchemaGenerator) -> Schema {
    let mut schema = event_names(generator);
    schema.insert("type".to_owned(), json!(["array", "null"]));
    schema
}

#[derive(Serialize, JsonSchema)]
struct WebhookRecord {
    id: String,
    url: String,
    #[schemars(schema_with = "event_names")]
    events: Vec<&'static str>,
    description: String,
    /// Whether messages are sent to it.
    enabled: bool,
    /// Why it is disabled; null while it is enabled.
    disabled_reason: Option<String>,
    /// `YYYY-MM-DD hh:mm:ss`, UTC.
    created_timestamp: String,
}

#[derive(Serialize, JsonSchema)]
struct CreatedWebhook {
    #[serde(flatten)]
    webhook: WebhookRecord,
    /// Secret that signs messages: `whsec_` and Base64. It is only shown once.
    secret: String,
}

impl From<Webhook> for CreatedWebhook {
    fn from(webhook: Webhook) -> Self {
        let secret = webhook.secret.expose().to_owned();
        Self { webhook: webhook.into(), secret }
    }
}

#[derive(Serialize, JsonSchema)]
struct WebhookList {
    webhooks: Vec<WebhookRecord>,
    meta: ListMeta,
}

impl From<Webhook> for WebhookRecord {
    fn from(webhook: Webhook) -> Self {
        Self {
            id: webhook.id.0,
            url: webhook.url,
            events: webhook.events.iter().map(|kind| kind.name()).collect(),
            description: webhook.description,
            enabled: webhook.disabled.is_none(),
            disabled_reason: webhook.disabled,
            created_timestamp: webhook.created.record_text(),
        }
    }
}

async fn create_webhook(
    state: web::Data<AppState>,
    Caller(who): Caller,
    Body(new): Body<CreateWebhook>,
) -> HandlerResult {
    let CreateWebhook { url, events, description } = new;
    let new = NewWebhook { url, events, description: description.unwrap_or_default() };
    let webhook = state.webhooks.create(&who.scope, new).await?;
    Ok(HttpResponse::Ok().json(CreatedWebhook::from(webhook)))
}

/// The answer to a creation that ended without one.
async fn recover_webhook(state: web::Data<AppState>, Caller(who): Caller, effects: Effects) -> HandlerResult {
    let id = WebhookId(effects.id("webhook")?.to_owned());
    let webhook = state.webhooks.get(&who.scope, &id).await?;
    Ok(HttpResponse::Ok().json(CreatedWebhook::from(webhook)))
}

async fn list_webhooks(
    state: web::Data<AppState>,
    Caller(who): Caller,
    Query(query): Query<ListQuery>,
) -> HandlerResult {
    let request = query.page(&LIST)?;
    let page = state.webhooks.list(&who.scope, &request).await?;
    let meta = ListMeta::of(&LIST, &page, &request);
    let webhooks = page.map(WebhookRecord::from).items;
    Ok(HttpResponse::Ok().json(WebhookList { webhooks, meta }))
}

async fn get_webhook(state: web::Data<AppState>, Caller(who): Caller, Segment(id): Segment) -> HandlerResult {
    let webhook = state.webhooks.get(&who.scope, &WebhookId(id)).await?;
    Ok(HttpResponse::Ok().json(WebhookRecord::from(webhook)))
}

async fn delete_webhook(
    state: web::Data<AppState>,
    Caller(who): Caller,
    Segment(id): Segment,
) -> HandlerResult {
    state.webhooks.delete(&who.scope, &WebhookId(id)).await?;
    Ok(HttpResponse::Ok().json(Done::new("The webhook was deleted.")))
}
