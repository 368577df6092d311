//! Usage and cost of model calls.

use std::collections::HashMap;

use accounts_core::ApiKey;
use accounts_core::usage::{Day, Group, Grouping, ReportRow, Totals};
use actix_web::http::Method;
use actix_web::{HttpResponse, web};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

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
    /// Prefix of the key; empty for calls of the service itself.
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
    let keys = if asked.key.is_some() || by == Grouping::Key {
        state.accounts.keys(&scope.workspace).await?
    } else {
        Vec::new()
    };
    query.model = asked.model;
    query.key = asked.key.map(|named| key_id(&keys, &named)).transpose()?;
    let report = state.usage.report(&scope, &query).await?;
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
fn key_id(keys: &[ApiKey], named: &str) -> Result<String, ApiError> {
    let found = keys.iter().find(|key| key.prefix == named || key.id == named);
    let rule = "'key' must be the beginning of one of the workspace's keys: fw_ and eight characters";
    found.map(|key| key.id.clone()).ok_or_else(|| ApiError::invalid("?key", rule))
}

fn record(row: ReportRow, keys: &HashMap<&str, &ApiKey>) -> UsageRecord {
    let mut record = UsageRecord { model: None, key: None, name: None, day: None, sums: row.totals.into() };
    match row.group {
        Group::Model(model) => record.model = Some(model),
        Group::Day(day) => record.day = Some(day.to_string()),
        Group::Key(id) => {
            let key = keys.get(id.as_deref().unwrap_or_default());
            record.key = Some(key.map_or_else(String::new, |key| key.prefix.clone()));
            record.name = Some(key.map_or_else(String::new, |key| key.name.clone()));
        }
    }
    record
}
