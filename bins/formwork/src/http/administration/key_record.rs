//! API keys as JSON.

use accounts_core::{ApiKey, KeyLimits, Money, Publication, Role, User};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use shared_core::Timestamp;

use crate::http::ApiError;
use crate::http::lists::AnyObject;

/// Limits of a key; only those that are set.
#[derive(Serialize, JsonSchema)]
pub(in crate::http) struct LimitsRecord {
    /// Model calls per minute, and requests of any kind per minute to this server.
    #[serde(skip_serializing_if = "Option::is_none")]
    requests_per_minute: Option<u32>,
    /// Model calls per day.
    #[serde(skip_serializing_if = "Option::is_none")]
    requests_per_day: Option<u64>,
    /// Input and output tokens per minute.
    #[serde(skip_serializing_if = "Option::is_none")]
    tokens_per_minute: Option<u64>,
    /// Input and output tokens per day.
    #[serde(skip_serializing_if = "Option::is_none")]
    tokens_per_day: Option<u64>,
    /// US dollars per minute.
    #[serde(skip_serializing_if = "Option::is_none")]
    cost_per_minute: Option<f64>,
    /// US dollars per day.
    #[serde(skip_serializing_if = "Option::is_none")]
    cost_per_day: Option<f64>,
}

/// The limits that are set; `None` without any.
pub(in crate::http) fn limits_record(limits: &KeyLimits) -> Option<LimitsRecord> {
    (!limits.is_empty()).then(|| LimitsRecord {
        requests_per_minute: limits.requests_per_minute,
        requests_per_day: limits.requests_per_day,
        tokens_per_minute: limits.tokens_per_minute,
        tokens_per_day: limits.tokens_per_day,
        cost_per_minute: limits.cost_per_minute.map(Money::dollars),
        cost_per_day: limits.cost_per_day.map(Money::dollars),
    })
}

/// Limits of a key; those that are absent are unlimited.
#[derive(Deserialize, JsonSchema)]
pub(super) struct LimitsBody {
    /// Model calls per minute, and requests of any kind per minute to this server.
    #[schemars(range(min = 1))]
    requests_per_minute: Option<u32>,
    /// Model calls per day.
    #[schemars(range(min = 1))]
    requests_per_day: Option<u64>,
    /// Input and output tokens per minute.
    #[schemars(range(min = 1))]
    tokens_per_minute: Option<u64>,
    /// Input and output tokens per day.
    #[schemars(range(min = 1))]
    tokens_per_day: Option<u64>,
    /// US dollars per minute.
    cost_per_minute: Option<f64>,
    /// US dollars per day.
    cost_per_day: Option<f64>,
}

impl LimitsBody {
    pub(super) fn read(self) -> Result<KeyLimits, ApiError> {
        Ok(KeyLimits {
            requests_per_minute: self.requests_per_minute,
            requests_per_day: self.requests_per_day,
            tokens_per_minute: self.tokens_per_minute,
            tokens_per_day: self.tokens_per_day,
            cost_per_minute: money("cost_per_minute", self.cost_per_minute)?,
            cost_per_day: money("cost_per_day", self.cost_per_day)?,
        })
    }
}

fn money(name: &str, dollars: Option<f64>) -> Result<Option<Money>, ApiError> {
    let parse = |dollars: f64| {
        let parsed = dollars.to_string().parse::<Money>();
        parsed.map_err(|error| ApiError::invalid(format!("/limits/{name}"), format!("'{name}': {error}")))
    };
    dollars.map(parse).transpose()
}

/// A key. Its secret is only shown when it is issued.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "ApiKeyRecord")]
pub(super) struct KeyRecord {
    id: String,
    /// Beginning of the secret.
    prefix: String,
    name: String,
    /// `issued` for a program, or `sign_in`.
    kind: &'static str,
    /// `read`, `write` or `admin`; the role of its member may narrow it.
    scope: &'static str,
    /// The member that it acts as.
    member: MemberRef,
    /// Ids of the knowledge bases that are all it may search; null without this restriction.
    bases: Option<Vec<String>>,
    /// What the metadata of a file must match for the key to find it; null for all files.
    filter: Option<AnyObject>,
    /// Namespace of the agent of a public key; null for a secret key.
    agent: Option<String>,
    /// Origins of the pages that may use a public key; null for a secret key.
    origins: Option<Vec<String>>,
    /// Name of the page of a public key, or null.
    page: Option<String>,
    /// The whole text of a public key, which is no secret; null for a secret key.
    public_key: Option<String>,
    /// Limits per minute and per day (UTC); null without limits of its own.
    limits: Option<LimitsRecord>,
    /// Id of the key that replaces it, or null.
    successor: Option<String>,
    /// `valid`, `expired` or `revoked`.
    state: &'static str,
    /// Expiry in RFC 3339, or null.
    expires: Option<String>,
    /// Time of its last use to the minute, in RFC 3339, or null.
    last_used: Option<String>,
    /// `YYYY-MM-DD hh:mm:ss`, UTC.
    created_timestamp: String,
}

/// A member by name.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct MemberRef {
    id: String,
    user_name: String,
    user_email: String,
}

impl MemberRef {
    /// The user with this id among `users`.
    pub(super) fn of(id: &str, users: &[User]) -> Self {
        let user = users.iter().find(|user| user.id.0 == id);
        Self {
            id: id.to_owned(),
            user_name: user.map(|user| user.name.clone()).unwrap_or_default(),
            user_email: user.map(|user| user.email.clone()).unwrap_or_default(),
        }
    }
}

impl KeyRecord {
    pub(super) fn of(key: ApiKey, users: &[User], now: Timestamp) -> Self {
        let state = match (key.revoked, key.expires) {
            (Some(_), _) => "revoked",
            (None, Some(end)) if end <= now => "expired",
            _ => "valid",
        };
        let (agent, origins, page) = match key.publication {
            Some(Publication { agent, origins, page }) => (Some(agent), Some(origins), page),
            None => (None, None, None),
        };
        Self {
            agent,
            origins,
            page,
            public_key: key.public_text,
            member: MemberRef::of(&key.user.0, users),
            kind: key.kind.name(),
            scope: key.scope.name(),
            limits: limits_record(&key.limits),
            expires: key.expires.map(Timestamp::rfc3339),
            last_used: key.last_used.map(Timestamp::rfc3339),
            created_timestamp: key.created.record_text(),
            id: key.id,
            prefix: key.prefix,
            name: key.name,
            bases: key.bases,
            filter: key.filter.and_then(object),
            successor: key.successor,
            state,
        }
    }
}

/// The members of a JSON object; `None` for another value.
pub(in crate::http) fn object(value: Value) -> Option<AnyObject> {
    match value {
        Value::Object(members) => Some(members),
        _ => None,
    }
}

/// The names of the roles, for schemas.
pub(super) fn roles() -> Value {
    json!(Role::ALL.map(Role::name))
}
