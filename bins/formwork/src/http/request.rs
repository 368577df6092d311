//! Reads requests: JSON bodies, queries and the caller. Every failure is an [`ApiError`] that names the field
//! and the rule.

use std::future::ready;
use std::time::{Duration, Instant};

use accounts_core::Principal;
use actix_web::dev::Payload;
use actix_web::error::PayloadError;
use actix_web::http::header;
use actix_web::{HttpMessage as _, HttpRequest, web};
use bytes::Bytes;
use futures_util::future::LocalBoxFuture;
use futures_util::stream::{self, Stream, StreamExt as _};
use gen_core::CallerContext;
use kb_core::{KnowledgeError, check_filter};
use serde::de::DeserializeOwned;
use serde::{Deserialize as _, Deserializer};
use serde_json::{Value, json};
use shared_core::ErrorKind;

pub use super::body::{
    AnyBody, Body, OptionalBody, PictureBody, check_encoding, deserialize_at, read_json_body,
};
pub use super::handler::Input;
use super::{ApiError, anthropic};
use crate::app::AppState;

/// The caller. Every operation that needs a key has one.
#[derive(Clone, Debug)]
pub struct Caller(pub Principal);

impl Caller {
    /// The account that model calls are charged to.
    #[must_use]
    pub fn payer(&self) -> CallerContext {
        CallerContext { scope: self.0.scope.clone(), key: Some(self.0.key_id.clone()) }
    }

    /// Checks that the key may search these knowledge bases.
    ///
    /// # Errors
    /// 403 when the key is restricted to others.
    pub fn check_bases<'a>(&self, bases: impl IntoIterator<Item = &'a str>) -> Result<(), ApiError> {
        let Some(allowed) = &self.0.key_bases else { return Ok(()) };
        match bases.into_iter().find(|base| !allowed.iter().any(|allowed| allowed == base)) {
            None => Ok(()),
            Some(_) => Err(ApiError::restricted_key("the API key may not search this knowledge base")),
        }
    }

    /// The filter of a search by the key: what its own filter and this one, at `path` of the request, both match.
    ///
    /// # Errors
    /// 400 for a wrong filter.
    pub fn narrowed(&self, filter: Option<Value>, path: &str) -> Result<Option<Value>, ApiError> {
        let Some(own) = &self.0.key_filter else { return Ok(filter) };
        let Some(filter) = filter else { return Ok(Some(own.clone())) };
        check_filter(&filter, path).map_err(KnowledgeError::Invalid)?;
        Ok(Some(json!({"and": [own, filter]})))
    }
}

impl Input for Caller {
    fn read<'a>(request: &'a HttpRequest, _: &'a mut Payload) -> LocalBoxFuture<'a, Result<Self, ApiError>> {
        let found = request.extensions().get::<Self>().cloned();
        Box::pin(ready(found.ok_or_else(|| {
            ApiError::new(ErrorKind::Internal, "internal", "an operation asked for its caller without a key")
        })))
    }
}

impl Input for HttpRequest {
    fn read<'a>(request: &'a HttpRequest, _: &'a mut Payload) -> LocalBoxFuture<'a, Result<Self, ApiError>> {
        Box::pin(ready(Ok(request.clone())))
    }
}

impl Input for web::Data<AppState> {
    fn read<'a>(request: &'a HttpRequest, _: &'a mut Payload) -> LocalBoxFuture<'a, Result<Self, ApiError>> {
        Box::pin(ready(app_state(request).cloned()))
    }
}

/// The application state of the request.
pub(super) fn app_state(request: &HttpRequest) -> Result<&web::Data<AppState>, ApiError> {
    request
        .app_data::<web::Data<AppState>>()
        .ok_or_else(|| ApiError::new(ErrorKind::Internal, "internal", "the application state is missing"))
}

/// The raw body, not yet read.
pub struct RawBody(Payload);

impl RawBody {
    /// The body as it arrives.
    #[must_use]
    pub fn payload(self) -> Payload {
        self.0
    }

    /// The body as it arrives. A pause longer than `patience` is an error, and so are fewer than `least_rate` bytes a
    /// second over this time.
    pub fn pieces(
        self,
        patience: Duration,
        least_rate: u64,
    ) -> impl Stream<Item = Result<Bytes, PayloadError>> {
        let late = || PayloadError::Io(std::io::ErrorKind::TimedOut.into());
        let window = (Instant::now(), 0_u64);
        stream::unfold((self.0, window), move |(mut payload, (start, bytes))| async move {
            let piece = match tokio::time::timeout(patience, payload.next()).await {
                Ok(piece) => piece?,
                Err(_elapsed) => Err(late()),
            };
            let bytes = bytes + piece.as_ref().map_or(0, |piece| piece.len() as u64);
            let elapsed = start.elapsed();
            if elapsed < patience {
                return Some((piece, (payload, (start, bytes))));
            }
            let is_slow = bytes < least_rate.saturating_mul(elapsed.as_secs());
            let piece = if is_slow { piece.and(Err(late())) } else { piece };
            Some((piece, (payload, (Instant::now(), 0))))
        })
        .fuse()
    }
}

impl std::fmt::Debug for RawBody {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("RawBody")
    }
}

impl Input for RawBody {
    fn read<'a>(_: &'a HttpRequest, payload: &'a mut Payload) -> LocalBoxFuture<'a, Result<Self, ApiError>> {
        Box::pin(ready(Ok(Self(payload.take()))))
    }
}

/// The first parameter of the path.
#[derive(Debug)]
pub struct Segment(pub String);

impl Input for Segment {
    fn read<'a>(request: &'a HttpRequest, _: &'a mut Payload) -> LocalBoxFuture<'a, Result<Self, ApiError>> {
        Box::pin(ready(Ok(Self(segment(request, 0)))))
    }
}

/// The first two parameters of the path.
#[derive(Debug)]
pub struct Segments(pub String, pub String);

impl Input for Segments {
    fn read<'a>(request: &'a HttpRequest, _: &'a mut Payload) -> LocalBoxFuture<'a, Result<Self, ApiError>> {
        Box::pin(ready(Ok(Self(segment(request, 0), segment(request, 1)))))
    }
}

/// The path parameter at this index, decoded.
fn segment(request: &HttpRequest, index: usize) -> String {
    request.match_info().iter().nth(index).map(|(_, value)| decode(value)).unwrap_or_default()
}

/// Decodes percent-encoding. A result that is not UTF-8 matches nothing.
fn decode(segment: &str) -> String {
    let mut bytes = Vec::with_capacity(segment.len());
    let mut rest = segment.as_bytes();
    while let Some((&byte, tail)) = rest.split_first() {
        let hex = tail.get(..2).and_then(|pair| std::str::from_utf8(pair).ok());
        match hex.and_then(|pair| u8::from_str_radix(pair, 16).ok()) {
            Some(decoded) if byte == b'%' => {
                bytes.push(decoded);
                rest = tail.get(2..).unwrap_or_default();
            }
            _ => {
                bytes.push(byte);
                rest = tail;
            }
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

/// The query. Unknown parameters are ignored.
#[derive(Debug)]
pub struct Query<T>(pub T);

impl<T: DeserializeOwned + 'static> Input for Query<T> {
    fn read<'a>(request: &'a HttpRequest, _: &'a mut Payload) -> LocalBoxFuture<'a, Result<Self, ApiError>> {
        Box::pin(ready(query(request.query_string()).map(Self)))
    }
}

fn query<T: DeserializeOwned>(text: &str) -> Result<T, ApiError> {
    let pairs: Vec<(String, String)> = serde_urlencoded::from_str(text).map_err(|error| {
        ApiError::new(ErrorKind::Invalid, "malformed_query", format!("the query cannot be read: {error}"))
    })?;
    // Of a repeated parameter the last one counts.
    let unique: std::collections::BTreeMap<String, String> = pairs.into_iter().collect();
    let encoded = serde_urlencoded::to_string(&unique).unwrap_or_default();
    let deserializer = serde_urlencoded::Deserializer::new(form_pairs(&encoded));
    serde_path_to_error::deserialize(deserializer).map_err(|error| {
        let name = error.path().to_string();
        let inner = error.inner().to_string();
        let options = inner.strip_prefix("unknown variant").and_then(|told| told.split_once("expected "));
        let rule = match options {
            Some((_, options)) => format!("must be {}", options.replace('`', "")),
            None if inner.starts_with("must ") => inner,
            // All parameters except names, flags and texts are numbers.
            None => "must be a whole number".to_owned(),
        };
        ApiError::invalid(format!("?{name}"), format!("'{name}' {rule}"))
    })
}

/// Reads a flag of the query: `true` or `false`, and the spellings that some clients use.
///
/// # Errors
/// When it is neither.
pub fn flag<'de, D: Deserializer<'de>>(deserializer: D) -> Result<bool, D::Error> {
    let text = String::deserialize(deserializer)?;
    match text.to_ascii_lowercase().as_str() {
        "true" | "1" => Ok(true),
        "false" | "0" => Ok(false),
        _ => Err(serde::de::Error::custom("must be true or false")),
    }
}

fn form_pairs(encoded: &str) -> form_urlencoded::Parse<'_> {
    form_urlencoded::parse(encoded.as_bytes())
}

/// The caller's API key, from either header, or from the one that clients of Anthropic's interface send to its base.
///
/// # Errors
/// 401 when there is none, or two that differ.
pub fn presented_key(request: &HttpRequest) -> Result<&str, ApiError> {
    let refuse = |message: &str| Err(ApiError::new(ErrorKind::Unauthenticated, "invalid_key", message));
    let headers = request.headers();
    // A header that is not text is an invalid key.
    let own = headers.get_all("x-service-key").map(|value| value.to_str().unwrap_or_default().trim());
    let bearers = headers.get_all(header::AUTHORIZATION).map(|value| {
        let text = value.to_str().unwrap_or_default();
        let (scheme, key) = text.split_once(' ').unwrap_or((text, ""));
        if scheme.eq_ignore_ascii_case("bearer") { key.trim() } else { "" }
    });
    let of_base = anthropic::is_of_base(request.path());
    let others = headers.get_all("x-api-key").filter(|_| of_base);
    let others = others.map(|value| value.to_str().unwrap_or_default().trim());
    let mut sent = own.chain(bearers).chain(others);
    let Some(key) = sent.next() else {
        return refuse("an API key is needed: send it as 'X-Service-Key' or 'Authorization: Bearer'");
    };
    // Several different keys are ambiguous.
    if sent.any(|other| other != key) {
        return refuse("the API keys of the request differ");
    }
    if key.is_empty() { refuse("the API key is not valid") } else { Ok(key) }
}

/// Implements `Input` for a tuple of inputs, read in order.
macro_rules! tuple_input {
    ($($name:ident)*) => {
        impl<$($name: Input),*> Input for ($($name,)*) {
            #[allow(unused_variables, reason = "the empty tuple reads nothing")]
            fn read<'a>(
                request: &'a HttpRequest,
                payload: &'a mut Payload,
            ) -> LocalBoxFuture<'a, Result<Self, ApiError>> {
                Box::pin(async move { Ok(($($name::read(request, payload).await?,)*)) })
            }
        }
    };
}
tuple_input!();
tuple_input!(A);
tuple_input!(A B);
tuple_input!(A B C);
tuple_input!(A B C D);
tuple_input!(A B C D E);
tuple_input!(A B C D E F);
