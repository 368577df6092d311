//! Usage and cost of model calls.

use std::collections::HashMap;

use accounts_core::usage::{Day, Group, Grouping, ReportRow, Totals};
use accounts_core::{AccountsError, ApiKey, SIGN_IN_KEY_NAME};
use actix_web::http::Method;
use actix_web::{HttpResponse, web};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;
use shared_core::WorkspaceId;

use super::operation::Registry;
use super::request::{Caller, Query};
use super::{ApiError, HandlerResult, examples, rules};
use crate::app::AppState;

/// Registers the operation of this file.
pub(super) fn register(registry: &mut Registry) {
    registry
        .operation(
            Method::GET,
            "/v1/usage",
            "get_usage",
            "Usage and cost of the workspace's model calls, summed by model, key or day; at most 1,000 rows.",
        )
        .query("from", rules::day(), "First day (UTC), YYYY-MM-DD; 29 days before the last one by default.")
        .query("to", rules::day(), "Last day (UTC), YYYY-MM-DD; today by default. At most 366 days in all.")
        .query(
            "by",
            json!({"type": "string", "enum": ["model", "key", "day"]}),
            "Grouping of the rows: model (the default), key or day.",
        )
        .query("model", rules::text(), "Only this model, as model@provider.")
        .query("key", rules::text(), "Only this key, by its prefix (fw_ and eight characters).")
        .answers::<UsageReport>()
        .example(examples::usage)
        .to(get_usage);
}

#[derive(Deserialize)]
struct UsageQuery {
    from: Option<String>,
    to: Option<String>,
    by: Option<String>,
    model: Option<String>,
    key: Option<String>,
}

#[derive(Serialize, JsonSchema)]
struct UsageReport {
    /// Days in order; models and keys by known cost, highest first. At most 1,000 rows.
    usage: Vec<UsageRecord>,
    /// The sum over all rows, including rows beyond the limit.
    total: UsageSums,
    /// The first day.
    from: String,
    /// The last day.
    to: String,
}

/// A row. It has the member of its grouping.
#[derive(Serialize, JsonSchema)]
struct UsageRecord {
    /// The model, as model@provider.
    #[serde(skip_serializing_if = "Option::is_none")]
    model: Option<String>,
    /// Prefix of the key, or its id if it was that of a sign-in that has expired; empty for calls of the service itself.
    #[serde(skip_serializing_if = "Option::is_none")]
    key: Option<String>,
    /// The key's name.
    #[serde(skip_serializing_if = "Option::is_none")]
    name: Option<String>,
    /// The day, YYYY-MM-DD.
    #[serde(skip_serializing_if = "Option::is_none")]
    day: Option<String>,
    #[serde(flatten)]
    sums: UsageSums,
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct UsageSums {
    /// Number of model calls, including retries and failed calls.
    requests: u64,
    /// Input tokens.
    input_tokens: u64,
    /// Output tokens.
    output_tokens: u64,
    /// Input tokens from a provider's cache; part of `inputTokens`.
    cached_tokens: u64,
    /// Output tokens of reasoning, which are not shown; part of `outputTokens`.
    reasoning_tokens: u64,
    /// US dollars; null when the price of any call is unknown.
    cost: Option<f64>,
    /// Number of calls whose price is unknown.
    unpriced_requests: u64,
}

impl From<Totals> for UsageSums {
    fn from(totals: Totals) -> Self {
        Self {
            requests: totals.requests,
            input_tokens: totals.tokens.input,
            output_tokens: totals.tokens.output,
            cached_tokens: totals.tokens.cached,
            reasoning_tokens: totals.tokens.reasoning,
            cost: totals.whole_cost().map(accounts_core::Money::dollars),
            unpriced_requests: totals.unpriced,
        }
    }
}

async fn get_usage(
    state: web::Data<AppState>,
    caller: Caller,
    Query(asked): Query<UsageQuery>,
) -> HandlerResult {
    let by = grouping(asked.by.as_deref())?;
    let (from, to) = (day("from", asked.from.as_deref())?, day("to", asked.to.as_deref())?);
    let mut query = state.usage.query(from, to, by)?;
    let scope = caller.0.scope;
    query.model = asked.model;
    query.key = match asked.key {
        Some(named) => Some(key_id(&state, &scope.workspace, &named).await?),
        None => None,
    };
    let report = state.usage.report(&scope, &query).await?;
    let ids = report.rows.iter().filter_map(|row| match &row.group {
        Group::Key(id) => id.clone(),
        Group::Model(_) | Group::Day(_) => None,
    });
    let keys = state.accounts.keys_by_id(&scope.workspace, &ids.collect::<Vec<_>>()).await?;
    let keys: HashMap<&str, &ApiKey> = keys.iter().map(|key| (key.id.as_str(), key)).collect();
    Ok(HttpResponse::Ok().json(UsageReport {
        usage: report.rows.into_iter().map(|row| record(row, &keys)).collect(),
        total: report.total.into(),
        from: query.from.to_string(),
        to: query.to.to_string(),
    }))
}

fn grouping(by: Option<&str>) -> Result<Grouping, ApiError> {
    match by {
        None | Some("model") => Ok(Grouping::Model),
        Some("key") => Ok(Grouping::Key),
        Some("day") => Ok(Grouping::Day),
        Some(_) => Err(ApiError::invalid("?by", "'by' must be model, key or day")),
    }
}

fn day(name: &str, text: Option<&str>) -> Result<Option<Day>, ApiError> {
    let parse = |text: &str| {
        text.parse().map_err(|rule: accounts_core::usage::DayError| {
            ApiError::invalid(format!("?{name}"), format!("'{name}' {rule}"))
        })
    };
    text.map(parse).transpose()
}

/// The identifier of the key with this prefix or identifier.
async fn key_id(state: &AppState, workspace: &WorkspaceId, named: &str) -> Result<String, ApiError> {
    let rule = "'key' must be the beginning of one of the workspace's keys: fw_ and eight characters";
    match state.accounts.key(workspace, named).await {
        Ok(key) => Ok(key.id),
        Err(AccountsError::KeyNotFound) => Err(ApiError::invalid("?key", rule)),
        Err(error) => Err(error.into()),
    }
}

/// Prefix and name of a key. Only keys of sign-ins are ever deleted; their usage stays, under their ids.
fn key_names(id: Option<String>, keys: &HashMap<&str, &ApiKey>) -> (String, String) {
    let Some(id) = id else { return Default::default() };
    match keys.get(id.as_str()) {
        Some(key) => (key.prefix.clone(), key.name.clone()),
        None => (id, SIGN_IN_KEY_NAME.to_owned()),
    }
}

fn record(row: ReportRow, keys: &HashMap<&str, &ApiKey>) -> UsageRecord {
    let mut record = UsageRecord { model: None, key: None, name: None, day: None, sums: row.totals.into() };
    match row.group {
        Group::Model(model) => record.model = Some(model),
        Group::Day(day) => record.day = Some(day.to_string()),
        Group::Key(id) => {
            let (key, name) = key_names(id, keys);
            (record.key, record.name) = (Some(key), Some(name));
        }
    }
    record
}
