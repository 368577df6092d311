//! The operations of the server, as tools and resources call them.

use std::collections::HashMap;
use std::sync::LazyLock;

use actix_web::body::to_bytes_limited;
use actix_web::dev::Payload;
use actix_web::http::header;
use actix_web::test::TestRequest;
use actix_web::{HttpMessage as _, HttpRequest, HttpResponse};
use bytes::Bytes;
use serde_json::{Map, Value};
use shared_core::ErrorKind;

use super::arguments::{Target, target};
use super::exchange::Exchange;
use crate::http::ApiError;
use crate::http::audited::RequestId;
use crate::http::body::parsed;
use crate::http::idempotency::unread;
use crate::http::middleware::call_within;
use crate::http::operation::{Entry, Registry};
use crate::http::registered;

/// Maximum size in bytes of an answer that becomes the result of a tool.
const MAX_ANSWER: usize = 16 << 20;

/// The operations by their ids, and the schemas that they reference.
pub(super) struct Catalogue {
    entries: HashMap<&'static str, Entry>,
    pub(super) definitions: Map<String, Value>,
}

/// Built once: the description of all operations.
pub(super) static CATALOGUE: LazyLock<Catalogue> = LazyLock::new(|| {
    let (entries, definitions) = registered(Registry::describing()).into_catalogue();
    let entries = entries.into_iter().map(|entry| (entry.0.id, entry)).collect();
    Catalogue { entries, definitions }
});

impl Catalogue {
    /// An operation.
    ///
    /// # Errors
    /// When there is none with this id, which is a defect.
    pub(super) fn entry(&self, id: &str) -> Result<&Entry, ApiError> {
        let missing =
            || ApiError::new(ErrorKind::Internal, "internal", format!("there is no operation {id}"));
        self.entries.get(id).ok_or_else(missing)
    }
}

/// Calls an operation with arguments for its path, query and JSON body. Returns its answer as JSON.
///
/// # Errors
/// Those of the operation.
pub(super) async fn call(
    exchange: &Exchange,
    id: &str,
    arguments: Map<String, Value>,
) -> Result<Value, ApiError> {
    let (operation, _) = CATALOGUE.entry(id)?;
    let (target, rest) = target(operation, arguments)?;
    let body = operation.body.is_some().then(|| Bytes::from(Value::Object(rest).to_string()));
    send(exchange, id, target, body.map(|body| ("application/json".to_owned(), body))).await
}

/// Calls an operation with a body of some content type. Returns its answer as JSON.
///
/// # Errors
/// Those of the operation, and when its answer is too large.
pub(super) async fn send(
    exchange: &Exchange,
    id: &str,
    target: Target,
    body: Option<(String, Bytes)>,
) -> Result<Value, ApiError> {
    let (operation, endpoint) = CATALOGUE.entry(id)?;
    let (kind, payload) = match body {
        Some((kind, bytes)) => (Some(kind), unread(bytes)),
        None => (None, Payload::None),
    };
    let mut request = TestRequest::with_uri(&target.uri).method(operation.method.clone());
    for (name, value) in target.segments {
        request = request.param(name, value);
    }
    if let Some(kind) = kind {
        request = request.insert_header((header::CONTENT_TYPE, kind));
    }
    let request = inner(exchange, request);
    read(call_within(request, payload, endpoint.clone()).await?).await
}

/// A request within the one that carries the message: of the same caller, from the same address.
fn inner(exchange: &Exchange, request: TestRequest) -> HttpRequest {
    let outer = &exchange.http;
    let request = match outer.peer_addr() {
        Some(address) => request.peer_addr(address),
        None => request,
    };
    let request = request.app_data(exchange.state.clone()).to_http_request();
    request.extensions_mut().insert(exchange.caller.clone());
    if let Some(RequestId(id)) = outer.extensions().get::<RequestId>() {
        request.extensions_mut().insert(RequestId(id.clone()));
    }
    request
}

async fn read(answer: HttpResponse) -> Result<Value, ApiError> {
    let bytes = match to_bytes_limited(answer.into_body(), MAX_ANSWER).await {
        Ok(Ok(bytes)) => bytes,
        Ok(Err(error)) => {
            let message = format!("an answer ended before it was complete: {error}");
            return Err(ApiError::new(ErrorKind::Internal, "internal", message));
        }
        Err(_too_large) => {
            let message = "the result is too large; ask for fewer rows or documents at once";
            return Err(ApiError::new(ErrorKind::TooLarge, "result_too_large", message));
        }
    };
    parsed(&bytes)
}
