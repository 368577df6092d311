//! Requests that the audit log has: all but reads, and exports.

use accounts_core::audit::AuditEvent;
use actix_web::HttpRequest;
use actix_web::http::Method;
use store_diesel::RequestAudit;

use super::{ApiError, HandlerResult};
use crate::app::AppState;

/// The id of a request that the audit log may have.
pub(super) struct RequestId(pub(super) String);

/// The network address of the client, or of the proxy before this server; empty if it is not known.
#[must_use]
pub(in crate::http) fn client_address(request: &HttpRequest) -> String {
    request.peer_addr().map(|address| address.ip().to_canonical().to_string()).unwrap_or_default()
}

/// Handles a request with a key by `work`. Its event is stored with the first thing that the request stores; that of an
/// export before its answer is sent.
pub(super) async fn audited(
    state: &AppState,
    request: &HttpRequest,
    event: AuditEvent,
    work: impl Future<Output = HandlerResult>,
) -> HandlerResult {
    if request.method() == Method::GET {
        let answer = work.await?;
        let mut query = form_urlencoded::parse(request.query_string().as_bytes());
        let is_export = query.any(|(name, _)| name == "format");
        if is_export && answer.status().is_success() {
            state.audit.record(&event).await?;
        }
        return Ok(answer);
    }
    let audit = RequestAudit::new(event);
    let answer = audit.record(work).await;
    let status = answer.as_ref().map_or_else(ApiError::status, |answer| answer.status());
    let has_failed = status.is_client_error() || status.is_server_error();
    if let Some(event) = audit.stored().filter(|_| has_failed)
        && let Err(error) = state.audit.record_failure(event, status.as_u16()).await
    {
        tracing::warn!(%error, event = event.id, "the audit log does not say that the request failed");
    }
    answer
}
