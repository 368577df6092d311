//! Positions in the feed of changes: what a write tells, and what a search waits for.

use std::time::Duration;

use actix_web::HttpResponse;
use actix_web::http::header::{HeaderName, HeaderValue};
use gen_core::{IndexWait, WaitFor};
use kb_core::Item;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::Deserialize;
use serde_json::Value;

use crate::http::ApiError;

/// The header with the position of the last change of a request.
pub(in crate::http) const HEADER: &str = "X-Index-Position";
/// The same for responses.
const NAME: HeaderName = HeaderName::from_static("x-index-position");
/// Maximum seconds of a wait: it bounds how long a request holds its connection. A server that follows the
/// changes is behind by less, except while a large import is indexed. Chosen by hand; no measurement recorded.
const MAX_SECONDS: i64 = 10;
/// The default. Chosen by hand; no measurement recorded.
const DEFAULT_SECONDS: i64 = 2;

// The part of a request body that waits for the index. A documentation comment would describe the whole body.
#[derive(Debug, Deserialize, JsonSchema)]
pub(in crate::http) struct IndexWaitBody {
    /// The change to wait for: an `X-Index-Position` or `index_position` of an earlier response, or true for
    /// everything stored so far. The search waits for no other change. After `wait_seconds` it goes on
    /// without, and `warnings` says so.
    #[serde(default)]
    #[schemars(schema_with = "wait_for")]
    wait_for: Option<Value>,
    /// Maximum seconds of the wait; 2 when absent. Without `wait_for` it has no effect.
    // Any value, since serde does not tell where an error in a flattened struct is.
    #[schemars(with = "Option<i64>", range(min = 0, max = MAX_SECONDS))]
    wait_seconds: Option<Value>,
}

/// The schema of what can be waited for.
fn wait_for(_: &mut SchemaGenerator) -> Schema {
    json_schema!({"anyOf": [{"type": "integer", "minimum": 0}, {"type": ["boolean", "null"]}]})
}

impl IndexWaitBody {
    /// The wait that the request asks for.
    pub(in crate::http) fn wait(&self) -> Result<Option<IndexWait>, ApiError> {
        let until = match &self.wait_for {
            None | Some(Value::Null | Value::Bool(false)) => None,
            Some(Value::Bool(true)) => Some(WaitFor::Everything),
            Some(other) => Some(WaitFor::Position(position(other)?)),
        };
        let at_most = self.seconds()?;
        Ok(until.map(|until| IndexWait { until, at_most }))
    }

    fn seconds(&self) -> Result<Duration, ApiError> {
        let seconds = match &self.wait_seconds {
            None | Some(Value::Null) => Some(DEFAULT_SECONDS),
            Some(value) => whole(value).filter(|seconds| (0..=MAX_SECONDS).contains(seconds)),
        };
        let rule = || format!("'wait_seconds' must be an integer between 0 and {MAX_SECONDS}");
        let seconds = seconds.ok_or_else(|| ApiError::invalid("/wait_seconds", rule()))?;
        Ok(Duration::from_secs(seconds.unsigned_abs()))
    }
}

fn position(value: &Value) -> Result<i64, ApiError> {
    whole(value).ok_or_else(|| {
        ApiError::invalid("/wait_for", "'wait_for' must be true, or the position of an earlier response")
    })
}

/// An integer from 0. JSON has one kind of number: 3.0 is an integer, and one beyond 64 bits is the largest.
fn whole(value: &Value) -> Option<i64> {
    let number = value.as_f64().filter(|number| *number >= 0.0 && number.fract() == 0.0)?;
    Some(value.as_i64().unwrap_or(number as i64))
}

/// A position as responses have it: none is 0.
pub(super) fn of(position: i64) -> Option<i64> {
    Some(position).filter(|position| *position > 0)
}

/// The last position of items.
pub(in crate::http) fn last(items: &[Item]) -> Option<i64> {
    items.iter().map(|item| item.position).max().and_then(of)
}

/// The response with the header of a position, if there is one.
pub(in crate::http) fn told(mut response: HttpResponse, position: Option<i64>) -> HttpResponse {
    if let Some(position) = position {
        response.headers_mut().insert(NAME, HeaderValue::from(position));
    }
    response
}
