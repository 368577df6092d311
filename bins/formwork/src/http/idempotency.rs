//! Idempotency: a request with an `Idempotency-Key` is executed once, and its answer is replayed.

use std::time::Duration;

use accounts_core::Principal;
use accounts_core::idempotency::{
    Attempt, ClaimOutcome, EffectRef, Fingerprint, IdempotencyError, RecordedResponse, RequestKey,
};
use actix_web::body::to_bytes_limited;
use actix_web::dev::Payload;
use actix_web::http::{StatusCode, header};
use actix_web::{HttpMessage as _, HttpRequest, HttpResponse, web};
use bytes::Bytes;
use futures_util::future::LocalBoxFuture;
use futures_util::stream;
use shared_core::ErrorKind;
use store_diesel::RequestEffect;

use super::request::{Caller, Input};
use super::{ApiError, HandlerResult, generate_stream};
use crate::app::AppState;

/// Pauses before the tries to store the end of a request. A write that fails once, as on a disk with errors, is repeated;
/// an outage is not waited for. Chosen by hand; no measurement is recorded.
const END_PAUSES: [Duration; 3] = [Duration::ZERO, Duration::from_millis(50), Duration::from_millis(200)];

/// The header that names a request.
pub const HEADER: &str = "idempotency-key";
/// Maximum size of a stored answer in bytes.
const MAX_KEPT: usize = 16 << 20;

/// Executes a request once. Without the header it is executed each time.
#[derive(Debug)]
pub struct Idempotency {
    pub(super) state: web::Data<AppState>,
    caller: Principal,
    key: Option<RequestKey>,
    /// Method, path and query.
    target: Vec<u8>,
    /// The path, which decides the form of errors.
    path: String,
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
            Ok(Self { state, caller, key: key(request)?, target, path: request.path().to_owned() })
        })
    }
}

/// The request's idempotency key, if it has one.
///
/// # Errors
/// When the key is invalid, or there are several.
pub fn key(request: &HttpRequest) -> Result<Option<RequestKey>, ApiError> {
    let mut sent = request.headers().get_all(HEADER);
    let Some(value) = sent.next() else { return Ok(None) };
    if sent.next().is_some() {
        return Err(IdempotencyError::InvalidKey.into());
    }
    Ok(Some(RequestKey::parse(value.to_str().unwrap_or_default())?))
}

/// How to handle a request.
#[derive(Debug)]
pub enum BegunRequest {
    /// It has no key: execute it.
    Unnamed,
    /// Execute it, then complete the attempt.
    First(Attempt),
    /// Earlier attempts stored these effects and ended without an answer: continue from them, then complete the
    /// attempt.
    Recovered(Attempt, Effects),
    /// It was executed before, with this answer.
    Done(RecordedResponse),
}

impl Idempotency {
    /// Begins a request, which `parts` such as its body identify.
    ///
    /// # Errors
    /// 409 while the first such request is in flight, and for a key of another request.
    pub async fn begin(&self, parts: &[&[u8]]) -> Result<BegunRequest, ApiError> {
        let Some(key) = self.key.clone() else { return Ok(BegunRequest::Unnamed) };
        let fingerprint =
            Fingerprint::of(std::iter::once(self.target.as_slice()).chain(parts.iter().copied()));
        match self.state.idempotency.claim(&self.caller.scope, key, &fingerprint).await {
            Ok(ClaimOutcome::Granted(attempt)) => Ok(BegunRequest::First(attempt)),
            Ok(ClaimOutcome::Recovered(attempt, effects)) => {
                Ok(BegunRequest::Recovered(attempt, Effects(effects)))
            }
            Ok(ClaimOutcome::Replayed(answer)) => Ok(BegunRequest::Done(answer)),
            Err(error @ IdempotencyError::Running) => Err(ApiError::from(error).retry_after(1)),
            Err(error) => Err(error.into()),
        }
    }

    /// Executes the work once, or replays its answer. The work gets what earlier attempts stored that ended
    /// without an answer.
    ///
    /// # Errors
    /// As [`Idempotency::begin`], and those of the work where the request has no key.
    pub async fn perform<'a>(
        self,
        parts: &[&[u8]],
        work: impl FnOnce(Option<Effects>) -> LocalBoxFuture<'a, HandlerResult>,
    ) -> HandlerResult {
        let begun = self.begin(parts).await?;
        self.end(begun, work).await
    }

    /// Executes the work of a begun request, or replays its answer.
    ///
    /// # Errors
    /// Those of the work where the request has no key.
    pub async fn end<'a>(
        self,
        begun: BegunRequest,
        work: impl FnOnce(Option<Effects>) -> LocalBoxFuture<'a, HandlerResult>,
    ) -> HandlerResult {
        let (attempt, effects) = match begun {
            BegunRequest::Unnamed => return work(None).await,
            BegunRequest::Done(answer) => return Ok(replay(answer)),
            BegunRequest::First(attempt) => (attempt, None),
            BegunRequest::Recovered(attempt, effects) => (attempt, Some(effects)),
        };
        let is_recovered = effects.is_some();
        let mut answer = self.recording(&attempt, self.execute(&attempt, work(effects))).await?;
        if is_recovered {
            mark_replayed(&mut answer);
        }
        Ok(answer)
    }

    /// Executes the work and stores its answer.
    async fn execute(&self, attempt: &Attempt, work: LocalBoxFuture<'_, HandlerResult>) -> HandlerResult {
        let answer = self.run_with_renewal(attempt, work).await;
        let answer = answer.unwrap_or_else(|error| error.answer_for(&self.path));
        self.store_response(attempt, answer).await
    }

    /// Runs the work of an attempt so that the transactions of its effects record them under the key.
    pub async fn recording<F: Future>(&self, attempt: &Attempt, work: F) -> F::Output {
        let expiry = self.state.idempotency.expiry();
        RequestEffect::of(&self.caller.scope, attempt, expiry).record(work).await
    }

    /// Runs the work and renews the attempt meanwhile.
    async fn run_with_renewal(
        &self,
        attempt: &Attempt,
        mut work: LocalBoxFuture<'_, HandlerResult>,
    ) -> HandlerResult {
        let pause = Duration::from_secs(u64::from(self.state.idempotency.lease()) / 3);
        loop {
            match tokio::time::timeout(pause, &mut work).await {
                Ok(answer) => return answer,
                Err(_still_running) => {
                    if let Err(error) = self.state.idempotency.renew(&self.caller.scope, attempt).await {
                        tracing::warn!(%error, "the attempt of a request in flight could not be renewed");
                    }
                }
            }
        }
    }

    /// Stores the answer for replays. A server failure is not stored, so that the request can be retried.
    async fn store_response(&self, attempt: &Attempt, answer: HttpResponse) -> HandlerResult {
        let (status, scope) = (answer.status(), &self.caller.scope);
        let (head, body) = answer.into_parts();
        let Ok(Ok(body)) = to_bytes_limited(body, MAX_KEPT).await else {
            let message = "the answer is too large to be stored under an 'Idempotency-Key'";
            return Err(ApiError::new(ErrorKind::Internal, "internal", message));
        };
        let content_type = head.headers().get(header::CONTENT_TYPE).and_then(|value| value.to_str().ok());
        let content_type = content_type.unwrap_or("application/json").to_owned();
        let failed = status.is_server_error()
            || status == StatusCode::TOO_MANY_REQUESTS
            || generate_stream::has_failed(&content_type, &body);
        if failed {
            self.release(attempt).await;
        } else {
            let kept = RecordedResponse { status: status.as_u16(), content_type, body: body.to_vec() };
            end_attempt(async || self.state.idempotency.complete(scope, attempt, &kept).await.map(drop))
                .await;
        }
        Ok(head.set_body(body).map_into_boxed_body())
    }

    /// Releases the key: after a failure, or for a request whose answer is built from its effect each time.
    pub async fn release(&self, attempt: &Attempt) {
        end_attempt(async || self.state.idempotency.release(&self.caller.scope, attempt).await).await;
    }
}

/// Ends an attempt, in several tries: until its end is stored, or its lease expires, the key cannot be used.
async fn end_attempt(end: impl AsyncFn() -> Result<(), IdempotencyError>) {
    for pause in END_PAUSES {
        tokio::time::sleep(pause).await;
        match end().await {
            Ok(()) => return,
            Err(error) => {
                tracing::warn!(%error, "the end of a request with an idempotency key is not stored yet")
            }
        }
    }
    tracing::error!("an idempotency key cannot be used until the lease of its request expires");
}

/// What earlier attempts at the request stored before they ended without an answer.
#[derive(Clone, Debug)]
pub struct Effects(Vec<EffectRef>);

impl Effects {
    /// The ids of the last effect of a kind.
    pub fn ids(&self, kind: &str) -> Option<&[String]> {
        self.0.iter().rev().find(|effect| effect.kind == kind).map(|effect| effect.ids.as_slice())
    }

    /// The first id of a kind.
    ///
    /// # Errors
    /// When there is none.
    pub fn id(&self, kind: &str) -> Result<&str, ApiError> {
        self.ids(kind).and_then(<[String]>::first).map(String::as_str).ok_or_else(no_effect)
    }
}

impl Input for Effects {
    fn read<'a>(
        request: &'a HttpRequest,
        _payload: &'a mut Payload,
    ) -> LocalBoxFuture<'a, Result<Self, ApiError>> {
        Box::pin(async move { request.extensions().get::<Self>().cloned().ok_or_else(no_effect) })
    }
}

fn no_effect() -> ApiError {
    ApiError::new(
        ErrorKind::Internal,
        "internal",
        "the effect of an earlier attempt at the request is not as expected",
    )
}

/// A payload of an already read body, to be read again.
pub fn unread(body: Bytes) -> Payload {
    Payload::Stream { payload: Box::pin(stream::iter([Ok(body)])) }
}

/// Whether a request has an idempotency key.
pub fn is_named(request: &HttpRequest) -> bool {
    request.headers().contains_key(HEADER)
}

/// The stored answer.
pub fn replay(answer: RecordedResponse) -> HttpResponse {
    let status = StatusCode::from_u16(answer.status).unwrap_or(StatusCode::OK);
    let mut again = HttpResponse::build(status).content_type(answer.content_type).body(answer.body);
    mark_replayed(&mut again);
    again
}

/// Marks an answer as replayed.
pub fn mark_replayed(answer: &mut HttpResponse) {
    let name = header::HeaderName::from_static("idempotency-replayed");
    answer.headers_mut().insert(name, header::HeaderValue::from_static("true"));
}
