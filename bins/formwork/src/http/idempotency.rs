//! Requests with an `Idempotency-Key`: done once, answered as often as they are sent.

use std::time::Duration;

use accounts_core::Principal;
use accounts_core::idempotency::{
    Attempt, ClaimOutcome, Fingerprint, IdempotencyError, LEASE_SECONDS, RecordedResponse, RequestKey,
};
use actix_web::body::to_bytes_limited;
use actix_web::dev::Payload;
use actix_web::http::{StatusCode, header};
use actix_web::{HttpRequest, HttpResponse, web};
use bytes::Bytes;
use futures_util::future::LocalBoxFuture;
use futures_util::stream;
use shared_core::ErrorKind;

use super::request::{Caller, Input, RequestId};
use super::{ApiError, HandlerResult, generate_stream};
use crate::app::AppState;

/// The header that names a request.
pub const HEADER: &str = "idempotency-key";
/// Bytes of an answer that is kept.
const MAX_KEPT: usize = 16 << 20;

/// What an operation needs to do a request once; without the header it does it each time.
#[derive(Debug)]
pub struct Idempotency {
    pub(super) state: web::Data<AppState>,
    caller: Principal,
    key: Option<RequestKey>,
    /// Method, path and query.
    target: Vec<u8>,
    request_id: String,
}

impl Input for Idempotency {
    fn read<'a>(
        request: &'a HttpRequest,
        payload: &'a mut Payload,
    ) -> LocalBoxFuture<'a, Result<Self, ApiError>> {
        Box::pin(async move {
            let Caller(caller) = Caller::read(request, payload).await?;
            let state = web::Data::<AppState>::read(request, payload).await?;
            let target = format!("{} {}", request.method(), request.uri()).into_bytes();
            let RequestId(request_id) = RequestId::read(request, payload).await?;
            Ok(Self { state, caller, key: key(request)?, target, request_id })
        })
    }
}

/// The request's key, if it has one.
///
/// # Errors
/// When it breaks its rule, or there are several.
pub fn key(request: &HttpRequest) -> Result<Option<RequestKey>, ApiError> {
    let mut sent = request.headers().get_all(HEADER);
    let Some(value) = sent.next() else { return Ok(None) };
    if sent.next().is_some() {
        return Err(IdempotencyError::InvalidKey.into());
    }
    Ok(Some(RequestKey::parse(value.to_str().unwrap_or_default())?))
}

/// What is to be done with a request.
#[derive(Debug)]
pub enum BegunRequest {
    /// It has no key: do it.
    Unnamed,
    /// Do it, and end the attempt.
    First(Attempt),
    /// It was done, with this answer.
    Done(RecordedResponse),
}

impl Idempotency {
    /// Asks what is to be done with a request of these parts, such as its body.
    ///
    /// # Errors
    /// 409 while the first such request runs, and for a key of another request.
    pub async fn begin(&self, parts: &[&[u8]]) -> Result<BegunRequest, ApiError> {
        let Some(key) = self.key.clone() else { return Ok(BegunRequest::Unnamed) };
        let fingerprint =
            Fingerprint::of(std::iter::once(self.target.as_slice()).chain(parts.iter().copied()));
        match self.state.idempotency.claim(&self.caller.scope, key, &fingerprint).await {
            Ok(ClaimOutcome::Granted(attempt)) => Ok(BegunRequest::First(attempt)),
            Ok(ClaimOutcome::Replayed(answer)) => Ok(BegunRequest::Done(answer)),
            Err(error @ IdempotencyError::Running) => Err(ApiError::from(error).retry_after(1)),
            Err(error) => Err(error.into()),
        }
    }

    /// Does the work once, and not at all where it was done.
    ///
    /// # Errors
    /// As [`Idempotency::begin`], and those of the work where the request has no key.
    pub async fn perform(self, parts: &[&[u8]], work: impl Future<Output = HandlerResult>) -> HandlerResult {
        let begun = self.begin(parts).await?;
        self.end(begun, work).await
    }

    /// Does the work of a request that has begun, or answers it again.
    ///
    /// # Errors
    /// Those of the work where the request has no key.
    pub async fn end(self, begun: BegunRequest, work: impl Future<Output = HandlerResult>) -> HandlerResult {
        let attempt = match begun {
            BegunRequest::Unnamed => return work.await,
            BegunRequest::Done(answer) => return Ok(replay(answer)),
            BegunRequest::First(attempt) => attempt,
        };
        let answer = self.run_with_renewal(&attempt, work).await;
        let answer = answer.unwrap_or_else(|error| error.answer(&self.request_id));
        self.store_response(&attempt, answer).await
    }

    /// Runs the work and says again and again that it still runs.
    async fn run_with_renewal(
        &self,
        attempt: &Attempt,
        work: impl Future<Output = HandlerResult>,
    ) -> HandlerResult {
        let mut work = std::pin::pin!(work);
        let pause = Duration::from_secs(LEASE_SECONDS.unsigned_abs() / 3);
        loop {
            match tokio::time::timeout(pause, &mut work).await {
                Ok(answer) => return answer,
                Err(_still_running) => {
                    if let Err(error) = self.state.idempotency.renew(&self.caller.scope, attempt).await {
                        tracing::warn!(request_id = self.request_id, %error, "a running request was not renewed");
                    }
                }
            }
        }
    }

    /// Keeps what another try would get again; a failure on this side is not kept, so that it may be tried.
    async fn store_response(&self, attempt: &Attempt, answer: HttpResponse) -> HandlerResult {
        let (status, scope) = (answer.status(), &self.caller.scope);
        let (head, body) = answer.into_parts();
        let Ok(Ok(body)) = to_bytes_limited(body, MAX_KEPT).await else {
            let message = "the answer is too large to be kept under an 'Idempotency-Key'";
            return Err(ApiError::new(ErrorKind::Internal, "internal", message));
        };
        let content_type = head.headers().get(header::CONTENT_TYPE).and_then(|value| value.to_str().ok());
        let content_type = content_type.unwrap_or("application/json").to_owned();
        let failed = status.is_server_error()
            || status == StatusCode::TOO_MANY_REQUESTS
            || generate_stream::has_failed(&content_type, &body);
        let ended = if failed {
            self.state.idempotency.release(scope, attempt).await
        } else {
            let kept = RecordedResponse { status: status.as_u16(), content_type, body: body.to_vec() };
            self.state.idempotency.complete(scope, attempt, &kept).await.map(drop)
        };
        if let Err(error) = ended {
            tracing::error!(request_id = self.request_id, %error, "an answer could not be kept under its key");
        }
        Ok(head.set_body(body).map_into_boxed_body())
    }

    /// Keeps a note of the service's own for a request whose answer is made anew from the store.
    pub async fn keep_note(&self, attempt: &Attempt, note: String) {
        let kept =
            RecordedResponse { status: 200, content_type: "text/plain".to_owned(), body: note.into_bytes() };
        if let Err(error) = self.state.idempotency.complete(&self.caller.scope, attempt, &kept).await {
            tracing::error!(request_id = self.request_id, %error, "a request could not be kept under its key");
        }
    }

    /// Gives the key back after a failure.
    pub async fn release(&self, attempt: &Attempt) {
        if let Err(error) = self.state.idempotency.release(&self.caller.scope, attempt).await {
            tracing::error!(request_id = self.request_id, %error, "a key could not be given back");
        }
    }
}

/// A body that was read already, to be read again.
pub fn unread(body: Bytes) -> Payload {
    Payload::Stream { payload: Box::pin(stream::iter([Ok(body)])) }
}

/// Whether a request asks to be done once.
pub fn is_named(request: &HttpRequest) -> bool {
    request.headers().contains_key(HEADER)
}

/// The answer that was kept.
pub fn replay(answer: RecordedResponse) -> HttpResponse {
    let status = StatusCode::from_u16(answer.status).unwrap_or(StatusCode::OK);
    let mut again = HttpResponse::build(status).content_type(answer.content_type).body(answer.body);
    mark_replayed(&mut again);
    again
}

/// Says that an answer was given before.
pub fn mark_replayed(answer: &mut HttpResponse) {
    let name = header::HeaderName::from_static("idempotency-replayed");
    answer.headers_mut().insert(name, header::HeaderValue::from_static("true"));
}
