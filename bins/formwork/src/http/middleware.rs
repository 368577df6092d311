//! Serves one request. Cross-cutting steps are done here once: authentication, request id, error shape, and
//! work that continues after the client disconnects.

use std::any::Any;
use std::panic::AssertUnwindSafe;
use std::sync::Arc;
use std::time::Instant;

use accounts_core::audit::{Actor, AuditEvent, NewAuditEvent};
use accounts_core::{AccountsError, KeyScope, Principal};
use actix_web::dev::Payload;
use actix_web::http::{ConnectionType, Method, StatusCode, header};
use actix_web::{HttpMessage as _, HttpRequest, HttpResponse, web};
use futures_util::FutureExt as _;
use shared_core::{ErrorKind, Rng as _};
use tracing::Instrument as _;

use super::audited::{RequestId, audited, client_address};
use super::gzip::compressed;
use super::handler::BoxedHandler;
use super::idempotency::{Effects, Idempotency, is_named, unread};
use super::instrumented_body::instrumented;
use super::operation_parts::Access;
use super::request::{Caller, Input, app_state, presented_key, read_json_body};
use super::session::token_of;
use super::violations::completed;
use super::{ApiError, HandlerResult, mcp_paths, public};
use crate::app::AppState;
use crate::traces::RequestTrace;
use runtime_tokio::SystemRng;

/// Maximum length in characters of a path in the audit log. Longer ones name nothing that is stored.
const MAX_TARGET: usize = 2_000;

/// What serves an operation.
pub(super) struct Endpoint {
    /// The operation.
    pub(super) id: &'static str,
    /// Its path with the names of its parameters, without a version where there are two.
    pub(super) path: &'static str,
    pub(super) access: Access,
    /// Whether keys that are restricted to knowledge bases may call it.
    pub(super) for_restricted_keys: bool,
    /// Whether a request with a `format` is recorded in the audit log as an export.
    pub(super) exports: bool,
    /// Whether the middleware executes requests with an `Idempotency-Key` once.
    pub(super) once: bool,
    /// Whether the work continues when the client disconnects.
    pub(super) to_its_end: bool,
    pub(super) handler: BoxedHandler,
    /// Builds the answer from the [`Effects`] of a request that ended without one.
    pub(super) recovery: Option<BoxedHandler>,
}

/// Serves one request: authentication, inputs, handler, and the shape of the answer.
pub(super) async fn serve(
    request: HttpRequest,
    payload: web::Payload,
    endpoint: Arc<Endpoint>,
) -> HttpResponse {
    let begun = Instant::now();
    let id = request_id(&request);
    // At the level of errors, so that each logged line of a request has its id.
    let span = tracing::error_span!("request", request_id = %id);
    if request.method() != Method::GET || endpoint.exports {
        request.extensions_mut().insert(RequestId(id.clone()));
    }
    let state = app_state(&request).ok();
    let trace = state
        .filter(|state| state.are_traces_on)
        .map(|_| RequestTrace::begin(span.clone(), &request, endpoint.id, endpoint.path));
    let answer = answer(&request, payload.into_inner(), &endpoint).instrument(span.clone()).await;
    if let Some(trace) = &trace {
        trace.record_status(answer.status().as_u16());
    }
    let mut answer = identified(compressed(&request, instrumented(answer, span, trace)), &id);
    if endpoint.access == Access::Public {
        public::let_pages_read(&mut answer);
    }
    if let Some(metrics) = state.and_then(|state| state.metrics.as_ref()) {
        metrics.record_request(endpoint.id, answer.status().as_u16(), begun.elapsed());
    }
    if is_stopping(&request) {
        // The connection would otherwise be kept for requests that are refused.
        answer.head_mut().set_connection_type(ConnectionType::Close);
    }
    answer
}

/// The answer of the operation, or of its failure.
async fn answer(request: &HttpRequest, payload: Payload, endpoint: &Arc<Endpoint>) -> HttpResponse {
    let work = catch_panic(bounded_work(request.clone(), payload, Arc::clone(endpoint)));
    // The answer to a request with an idempotency key must be available to a retry, and half-done work has no
    // defined state.
    let to_its_end = endpoint.to_its_end || (endpoint.once && is_named(request));
    let done = if to_its_end { run_detached(work).await } else { work.await };
    let mut answer =
        done.unwrap_or_else(|error| completed(error, endpoint.id, request).answer_for(request.path()));
    if endpoint.path == mcp_paths::MCP && answer.status() == StatusCode::UNAUTHORIZED {
        let public_url = app_state(request).map(|state| &*state.public_url);
        mcp_paths::name_metadata(public_url.unwrap_or_default(), &mut answer);
    }
    tracing::debug!(
        method = request.method().as_str(),
        path = request.path(),
        status = answer.status().as_u16(),
        "request"
    );
    answer
}

/// The work, with a deadline for its database operations.
async fn bounded_work(request: HttpRequest, payload: Payload, endpoint: Arc<Endpoint>) -> HandlerResult {
    let deadline = app_state(&request)?.database_deadline.clone();
    deadline.bound(work(request, payload, endpoint)).await
}

async fn work(request: HttpRequest, payload: Payload, endpoint: Arc<Endpoint>) -> HandlerResult {
    if endpoint.access != Access::Open {
        if is_stopping(&request) {
            return Err(ApiError::server_stopping());
        }
        authorise(&request, &endpoint).await?;
    }
    recorded_work(request, payload, endpoint).await
}

/// Handles a request of a caller who may send it, and records it in the audit log.
async fn recorded_work(request: HttpRequest, payload: Payload, endpoint: Arc<Endpoint>) -> HandlerResult {
    if let Some(event) = audit_event(&request, &endpoint) {
        let state = app_state(&request)?.clone();
        let work = handle(request.clone(), payload, &endpoint);
        // Boxed, since most requests are reads, whose futures would have room for it.
        return Box::pin(audited(&state, &request, event, work)).await;
    }
    handle(request, payload, &endpoint).await
}

/// Calls an operation within another request, whose caller is authenticated and whose rate is counted. The
/// operation is permitted, audited and ended as if it had been sent alone.
pub(super) async fn call_within(
    request: HttpRequest,
    payload: Payload,
    endpoint: Arc<Endpoint>,
) -> HandlerResult {
    let Caller(principal) = Caller::read(&request, &mut Payload::None).await?;
    permit(&endpoint, &principal)?;
    let deadline = app_state(&request)?.database_deadline.clone();
    let (id, to_its_end) = (endpoint.id, endpoint.to_its_end);
    let work = catch_panic(deadline.bound(recorded_work(request.clone(), payload, endpoint)));
    let done = if to_its_end { run_detached(work).await } else { work.await };
    done.map_err(|error| completed(error, id, &request))
}

async fn handle(request: HttpRequest, payload: Payload, endpoint: &Endpoint) -> HandlerResult {
    if endpoint.once && is_named(&request) {
        // Boxed, like the pause below: the future of every request would have room for what few of them need, and it is
        // moved through each layer.
        return Box::pin(serve_once(request, payload, endpoint)).await;
    }
    (endpoint.handler)(request, payload).await
}

/// The event of a request that is not a read, or of one that may be an export.
fn audit_event(request: &HttpRequest, endpoint: &Endpoint) -> Option<AuditEvent> {
    if request.method() == Method::GET && !endpoint.exports {
        return None;
    }
    let extensions = request.extensions();
    let Caller(caller) = extensions.get::<Caller>()?;
    app_state(request).ok()?.audit.event(|| NewAuditEvent {
        workspace: caller.scope.workspace.clone(),
        actor: Some(Actor::of(caller)),
        operation: endpoint.id.to_owned(),
        target: request.path().chars().take(MAX_TARGET).collect(),
        request: extensions.get::<RequestId>().map(|id| id.0.clone()).unwrap_or_default(),
        address: client_address(request),
    })
}

/// A panic fails only its request, with a standard error answer.
async fn catch_panic(work: impl Future<Output = HandlerResult>) -> HandlerResult {
    AssertUnwindSafe(work).catch_unwind().await.unwrap_or_else(|panic| Err(panicked(&*panic)))
}

/// Runs the work to its end, even when the client disconnects: half of it would leave inconsistent data.
async fn run_detached(work: impl Future<Output = HandlerResult> + 'static) -> HandlerResult {
    actix_web::rt::spawn(work.in_current_span()).await.unwrap_or_else(|error| {
        let message = format!("a request's task failed: {error}");
        Err(ApiError::new(ErrorKind::Internal, "internal", message))
    })
}

/// Serves a request with an `Idempotency-Key`. Its body is read first, because it identifies the request.
async fn serve_once(request: HttpRequest, mut payload: Payload, endpoint: &Endpoint) -> HandlerResult {
    let once = Idempotency::read(&request, &mut payload).await?;
    let body = read_json_body(&request, &mut payload, &once.state.limits).await?;
    let again = unread(body.clone());
    let work = move |effects: Option<Effects>| match (effects, &endpoint.recovery) {
        (Some(effects), Some(recover)) => {
            request.extensions_mut().insert(effects);
            recover(request, again)
        }
        _ => (endpoint.handler)(request, again),
    };
    once.perform(&[&body], work).await
}

fn panicked(panic: &(dyn Any + Send)) -> ApiError {
    let told = panic.downcast_ref::<&str>().copied().or(panic.downcast_ref::<String>().map(String::as_str));
    let message = format!("a handler panicked: {}", told.unwrap_or("without a message"));
    ApiError::new(ErrorKind::Internal, "internal", message)
}

fn is_stopping(request: &HttpRequest) -> bool {
    app_state(request).is_ok_and(|state| state.shutdown.has_begun())
}

/// Authenticates the API key of the request.
pub(super) async fn authenticated(request: &HttpRequest, state: &AppState) -> Result<Principal, ApiError> {
    let key = match token_of(request, &state.public_url)? {
        Some(token) => token,
        None => presented_key(request)?,
    };
    let authenticated = state.accounts.authenticate(key).await;
    if matches!(authenticated, Err(AccountsError::InvalidKey)) {
        let address = request.peer_addr().map(|address| address.ip());
        Box::pin(tokio::time::sleep(state.sign_in_failures.record(address))).await;
    }
    Ok(authenticated?)
}

async fn authorise(request: &HttpRequest, endpoint: &Endpoint) -> Result<(), ApiError> {
    let state = app_state(request)?;
    let principal = authenticated(request, state).await?;
    permit(endpoint, &principal)?;
    if let Some(publication) = &principal.publication {
        public::check_origin(request, publication, &state.public_url)?;
    }
    // Stored answers are those of all keys of a user, so one might be of other knowledge bases.
    let is_restricted = principal.key_bases.is_some() && endpoint.access == Access::Write;
    if (is_restricted || endpoint.access == Access::Public) && is_named(request) {
        return Err(ApiError::restricted_key("a restricted API key takes no 'Idempotency-Key'"));
    }
    state.rates.count(&principal)?;
    if principal.use_unrecorded {
        record_use(state, principal.clone());
    }
    request.extensions_mut().insert(Caller(principal));
    Ok(())
}

/// Checks that the key may call the operation.
pub(super) fn permit(endpoint: &Endpoint, principal: &Principal) -> Result<(), ApiError> {
    if endpoint.access == Access::Write && principal.key_scope < KeyScope::Write {
        let message = "the API key may only read; this operation needs one that may write";
        return Err(ApiError::new(ErrorKind::Forbidden, "read_only_key", message));
    }
    if endpoint.access == Access::Admin && principal.key_scope < KeyScope::Admin {
        let message = "this operation needs an API key with the scope 'admin' of an owner of the workspace";
        return Err(ApiError::new(ErrorKind::Forbidden, "admin_key_needed", message));
    }
    public::check_access(endpoint.access, principal)?;
    if principal.key_bases.is_some() && !endpoint.for_restricted_keys {
        return Err(ApiError::restricted_key(
            "the API key may search some knowledge bases and generate with them, and nothing else",
        ));
    }
    Ok(())
}

/// Records the use of a key in the background. A failure there does not fail the request.
fn record_use(state: &AppState, principal: Principal) {
    let accounts = state.accounts.clone();
    let record = async move {
        if let Err(error) = accounts.record_use(&principal).await {
            tracing::warn!(%error, "the use of a key could not be recorded");
        }
    };
    state.background.spawn(record.in_current_span());
}

/// The client's request id if it is a plain token, else a new one.
fn request_id(request: &HttpRequest) -> String {
    let sent = request.headers().get("x-request-id").and_then(|value| value.to_str().ok());
    let plain = |text: &&str| {
        (1..=128).contains(&text.len())
            && text.bytes().all(|b| b.is_ascii_alphanumeric() || b"-_.:".contains(&b))
    };
    if let Some(id) = sent.filter(plain) {
        return id.to_owned();
    }
    let mut random = [0_u8; 8];
    SystemRng.fill(&mut random);
    format!("{:016x}", u64::from_le_bytes(random))
}

fn identified(mut answer: HttpResponse, id: &str) -> HttpResponse {
    if let Ok(value) = header::HeaderValue::from_str(id) {
        answer.headers_mut().insert(header::HeaderName::from_static("x-request-id"), value);
    }
    answer
}

/// `meant` is the path of an operation that was most likely meant.
pub(super) async fn not_found(request: HttpRequest, meant: Option<String>) -> HttpResponse {
    let id = request_id(&request);
    let suggestion = meant.map(|path| format!("; did you mean {path}?"));
    let message = format!("there is no operation at this path{}", suggestion.unwrap_or_default());
    let error = ApiError::new(ErrorKind::NotFound, "unknown_route", message);
    identified(error.answer_for(request.path()), &id)
}

pub(super) async fn method_not_allowed(request: HttpRequest, allowed: Arc<str>) -> HttpResponse {
    let id = request_id(&request);
    let answer = if request.method() == Method::OPTIONS {
        let mut answer = HttpResponse::NoContent().insert_header((header::ALLOW, &*allowed)).finish();
        if public::is_public(request.path()) {
            public::permit_requests(&mut answer);
        }
        answer
    } else {
        ApiError::method_not_allowed(request.method(), &allowed).answer_for(request.path())
    };
    identified(answer, &id)
}
