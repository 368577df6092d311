//! The service itself: health, readiness, the caller, the models.

use std::time::Duration;

use actix_web::http::Method;
use actix_web::{HttpResponse, web};
use gen_core::{Price, Provider};
use kb_core::IndexLag;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use shared_core::{ErrorKind, Timestamp, Violation};

use super::administration::{LimitsRecord, limits_record, object};
use super::lists::AnyObject;
use super::operation::{Access, Registry};
use super::request::{Caller, Query};
use super::{ApiError, HandlerResult, examples, logos, rules};
use crate::app::AppState;

/// Registers the operations of this file.
pub(super) fn register(registry: &mut Registry) {
    registry
        .operation(Method::GET, "/health", "get_health", "Liveness: whether the process runs.")
        .access(Access::Open)
        .answers::<Health>()
        .example(examples::health)
        .to(get_health);
    registry
        .operation(
            Method::GET,
            "/ready",
            "get_ready",
            "Readiness: whether the database, the folder of file contents, the search index and the data folder work, \
             so that requests can be served. Answers within a second or little more.",
        )
        .access(Access::Open)
        .answers::<Ready>()
        .example(examples::ready)
        .fails(&[503])
        .to(get_ready);
    registry
        .operation(Method::GET, "/v1/me", "get_me", "The calling user and API key.")
        .for_restricted_keys()
        .answers::<Me>()
        .example(examples::me)
        .to(get_me);
    registry
        .operation(Method::GET, "/v1/models", "list_models", "The available models.")
        .for_restricted_keys()
        .query("provider", rules::provider(), "One of openai, anthropic, google, mistral, formwork.")
        .answers::<Vec<ModelRecord>>()
        .example(examples::models)
        .to(list_models);
}

#[derive(Serialize, JsonSchema)]
struct Health {
    /// `ok`.
    status: &'static str,
    /// Version of the program.
    version: &'static str,
}

const HEALTHY: Health = Health { status: "ok", version: env!("CARGO_PKG_VERSION") };

async fn get_health() -> HandlerResult {
    Ok(HttpResponse::Ok().json(HEALTHY))
}

/// The answer of a server that is ready.
#[derive(Serialize, JsonSchema)]
struct Ready {
    /// `ok`.
    status: &'static str,
    /// Version of the program.
    version: &'static str,
    /// What was checked.
    checks: Checks,
    /// How far the search index of this server follows the changes of knowledge bases; null when the database
    /// does not tell in time. An index that is behind does not make a server unready: searches wait for it.
    index: Option<IndexRecord>,
}

/// The state of the search index of this server.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "IndexState")]
struct IndexRecord {
    /// The position up to which searches see changes, as in `X-Index-Position`.
    position: i64,
    /// Number of changes after it.
    lag_changes: i64,
    /// Age of the first of them in seconds.
    lag_seconds: f64,
}

impl From<IndexLag> for IndexRecord {
    fn from(IndexLag { position, changes, seconds }: IndexLag) -> Self {
        Self { position, lag_changes: changes, lag_seconds: seconds }
    }
}

/// The parts that requests need. Where one is down, the answer is 503 and names it in `errors`.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "ReadinessChecks")]
struct Checks {
    /// `ok`: the database can be read and written.
    database: &'static str,
    /// `ok`: the folder of file contents can be written to, and its disk has room; or the bucket of file contents
    /// answers.
    blobs: &'static str,
    /// `ok`: the same of the search index.
    search_index: &'static str,
    /// `ok`: the same of the data folder.
    disk: &'static str,
}

const CHECKED: Checks = Checks { database: "ok", blobs: "ok", search_index: "ok", disk: "ok" };
/// Time limit of reading how far the index is, after the checks, which have the same.
const LAG_LIMIT: Duration = Duration::from_secs(1);

async fn get_ready(state: web::Data<AppState>) -> HandlerResult {
    let outages = state.readiness.outages().await;
    if outages.is_empty() {
        let lag = tokio::time::timeout(LAG_LIMIT, state.knowledge_work.indexer.lag()).await;
        let index = lag.ok().and_then(Result::ok).map(IndexRecord::from);
        let Health { status, version } = HEALTHY;
        return Ok(HttpResponse::Ok().json(Ready { status, version, checks: CHECKED, index }));
    }
    let down: Vec<_> =
        outages.iter().map(|outage| Violation::new(outage.part.id(), outage.sentence())).collect();
    let message = down.iter().map(|part| part.message.as_str()).collect::<Vec<_>>().join("; ");
    tracing::warn!(message, "not ready");
    Err(ApiError::new(ErrorKind::Saturated, "not_ready", message).with_further(down))
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Me {
    user_name: String,
    user_email: String,
    /// `owner`, `member` or `viewer`.
    role: &'static str,
    workspace: String,
    key: KeyRecord,
}

#[derive(Serialize, JsonSchema)]
#[schemars(rename = "CallerKey")]
struct KeyRecord {
    /// Prefix of the key.
    prefix: String,
    /// `read`, `write` or `admin`.
    scope: &'static str,
    /// Expiry in RFC 3339, or null.
    expires: Option<String>,
    /// Limits per minute and per day (UTC); null without limits of its own.
    limits: Option<LimitsRecord>,
    /// Ids of the knowledge bases that are all it may search; absent without this restriction.
    #[serde(skip_serializing_if = "Option::is_none")]
    bases: Option<Vec<String>>,
    /// What the metadata of a file must match for the key to find it; absent without a filter.
    #[serde(skip_serializing_if = "Option::is_none")]
    filter: Option<AnyObject>,
}

async fn get_me(caller: Caller) -> HandlerResult {
    let Caller(principal) = caller;
    let key = KeyRecord {
        prefix: principal.key_prefix,
        scope: principal.key_scope.name(),
        expires: principal.key_expires.map(Timestamp::rfc3339),
        limits: limits_record(&principal.limits),
        bases: principal.key_bases,
        filter: principal.key_filter.and_then(object),
    };
    let (name, email) = (principal.author.name, principal.author.email);
    Ok(HttpResponse::Ok().json(Me {
        user_name: name,
        user_email: email,
        role: principal.role.name(),
        workspace: principal.workspace_name,
        key,
    }))
}

#[derive(Deserialize)]
struct ModelsQuery {
    provider: Option<String>,
}

#[derive(Serialize, JsonSchema)]
struct ModelRecord {
    /// `model@provider`.
    #[serde(rename = "modelId")]
    model_id: String,
    /// Display name.
    name: String,
    /// The provider's name for it.
    model: String,
    /// Display name of the provider.
    provider: &'static str,
    /// URL of a logo.
    logo: String,
    /// Kind of the model by input and output, such as `text-to-text`.
    #[serde(rename = "type")]
    kind: &'static str,
    /// Maximum input in tokens; null when unknown.
    #[serde(rename = "contextTokens")]
    context_tokens: Option<u32>,
    /// Maximum output in tokens; null when unknown.
    #[serde(rename = "outputTokens")]
    output_tokens: Option<u32>,
    /// Whether it takes pictures; null when only a call can tell.
    vision: Option<bool>,
    /// Prices; null when unknown.
    price: Option<PriceRecord>,
}

/// Prices in US dollars.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "ModelPrice")]
struct PriceRecord {
    /// A million input tokens.
    input: f64,
    /// A million output tokens.
    output: f64,
    /// A million input tokens from the provider's cache; null for that of `input`.
    cached: Option<f64>,
    /// A picture, for models that bill by picture; else null.
    picture: Option<f64>,
}

impl From<Price> for PriceRecord {
    fn from(price: Price) -> Self {
        // Prices are in billionths of a dollar, far below what a float has exactly.
        let dollars = |units: u64| units as f64 / 1e9;
        Self {
            input: dollars(price.input),
            output: dollars(price.output),
            cached: price.cached.map(dollars),
            picture: price.picture.map(dollars),
        }
    }
}

async fn list_models(state: web::Data<AppState>, Query(query): Query<ModelsQuery>) -> HandlerResult {
    let wanted = match query.provider.as_deref() {
        None => None,
        Some(id) => Some(Provider::from_id(id).ok_or_else(|| {
            let rule = format!("'provider' must be one of {}", Provider::ALL.map(Provider::id).join(", "));
            ApiError::invalid("?provider", rule)
        })?),
    };
    let models = state
        .generation
        .models()
        .await
        .into_iter()
        .filter(|model| wanted.is_none_or(|w| w == model.id.provider));
    let records: Vec<ModelRecord> = models
        .map(|model| ModelRecord {
            context_tokens: model.context_tokens,
            output_tokens: model.output_tokens,
            vision: state.generation.vision(&model.id),
            price: model.price.map(PriceRecord::from),
            model_id: model.id.to_string(),
            name: model.name,
            model: model.id.model,
            provider: model.id.provider.display_name(),
            logo: logos::url(&state.public_url, model.id.provider),
            kind: model.kind.id(),
        })
        .collect();
    let total = records.len().to_string();
    Ok(HttpResponse::Ok().insert_header(("x-total-count", total)).json(records))
}
