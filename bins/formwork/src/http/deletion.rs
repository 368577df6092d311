//! Selects what a DELETE removes: by a JSON body, or by the query, because many clients cannot send a body
//! with DELETE.

use actix_web::HttpRequest;
use actix_web::dev::Payload;
use futures_util::future::LocalBoxFuture;
use schemars::JsonSchema;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use super::ApiError;
use super::body::{json_bytes, object, parsed};
use super::operation::OperationBuilder;
use super::request::{Input, Query, app_state, flag};
use super::rules;

/// A body that selects what is deleted.
pub(super) trait Named: DeserializeOwned + Default + JsonSchema + 'static {
    /// The names of the list in the body and in the query.
    const LISTS: &'static [&'static str];
    /// Adds the selection of the query. `all` is `None` when the query does not set it.
    fn add(&mut self, named: Vec<String>, all: Option<bool>);
}

/// The selection: the union of body and query.
pub(super) struct Deletion<T>(pub(super) T);

#[derive(Deserialize)]
struct AllQuery {
    #[serde(default, deserialize_with = "some_flag")]
    delete_all: Option<bool>,
}

fn some_flag<'de, D: serde::Deserializer<'de>>(deserializer: D) -> Result<Option<bool>, D::Error> {
    flag(deserializer).map(Some)
}

impl<T: Named> Input for Deletion<T> {
    fn read<'a>(
        request: &'a HttpRequest,
        payload: &'a mut Payload,
    ) -> LocalBoxFuture<'a, Result<Self, ApiError>> {
        Box::pin(async move {
            let state = app_state(request)?;
            let Query(AllQuery { delete_all }) = Query::<AllQuery>::read(request, payload).await?;
            let bytes = json_bytes(request, payload, &state.limits).await?;
            let mut wanted = if bytes.is_empty() { T::default() } else { object(parsed(&bytes)?)? };
            let pairs = form_urlencoded::parse(request.query_string().as_bytes());
            let named = pairs.filter(|(name, _)| T::LISTS.contains(&name.as_ref()));
            wanted.add(named.map(|(_, id)| id.into_owned()).collect(), delete_all);
            Ok(Self(wanted))
        })
    }
}

/// The condition of a body that deletes everything. As `if` and `else`, the rules leave the body one object
/// with two optional fields for code generators.
pub(super) fn of_all() -> Value {
    json!({"required": ["delete_all"], "properties": {"delete_all": {"const": true}}})
}

/// The rule of any other body: it names ids in this list.
pub(super) fn of_some(list: &str, most: usize) -> Value {
    json!({"required": [list], "properties": {list: {"type": "array", "minItems": 1, "maxItems": most}}})
}

/// Documents the query and the body of a DELETE operation.
pub(super) fn described<T: Named>(described: OperationBuilder<'_>) -> OperationBuilder<'_> {
    let ids = || json!({"type": "array", "items": rules::text()});
    T::LISTS
        .iter()
        .fold(described, |described, list| {
            described.query(list, ids(), "As in the body. Repeat it for further ids.")
        })
        .query("delete_all", rules::flag(), "As in the body.")
        .body::<T>()
        .without_body_too()
}
