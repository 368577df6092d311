//! The answer of every sign-in, and its event in the audit log.

use accounts_core::SignIn;
use accounts_core::audit::{Actor, NewAuditEvent};
use actix_web::http::header;
use actix_web::{HttpRequest, HttpResponse};
use schemars::JsonSchema;
use secrecy::ExposeSecret as _;
use serde::Serialize;
use shared_core::Timestamp;

use super::members::MemberRecord;
use crate::app::AppState;
use crate::http::ApiError;
use crate::http::audited::client_address;
use crate::http::browser_cookie::BrowserCookie;

#[derive(Serialize, JsonSchema)]
#[schemars(rename = "SignedIn")]
pub(super) struct SignInAnswer {
    /// Send it as `Authorization: Bearer`. Empty where the cookie has it.
    token: String,
    /// Expiry of the token in RFC 3339.
    expires: Option<String>,
    member: MemberRecord,
    workspace: WorkspaceRef,
}

#[derive(Serialize, JsonSchema)]
struct WorkspaceRef {
    id: String,
    name: String,
}

/// Records a sign-in by an operation on a path in the audit log.
pub(super) async fn record_sign_in(
    state: &AppState,
    request: &HttpRequest,
    sign_in: &SignIn,
    (operation, path): (&str, &str),
) -> Result<(), ApiError> {
    let SignIn { issued, user, workspace } = sign_in;
    let event = state.audit.event(|| NewAuditEvent {
        workspace: workspace.id.clone(),
        actor: Some(Actor { user: user.id.clone(), key: issued.key.id.clone() }),
        operation: operation.to_owned(),
        target: path.to_owned(),
        request: String::new(),
        address: client_address(request),
    });
    if let Some(event) = event {
        state.audit.record(&event).await.map_err(ApiError::from)?;
    }
    Ok(())
}

/// Answers with the token of a sign-in, in the body or in the cookie of a session.
pub(super) fn sign_in_answer(sign_in: SignIn, cookie: Option<BrowserCookie>) -> HttpResponse {
    let SignIn { issued, user, workspace } = sign_in;
    let mut answer = HttpResponse::Ok();
    answer.insert_header((header::CACHE_CONTROL, "no-store"));
    let token = match cookie {
        None => issued.secret.expose_secret().to_owned(),
        Some(cookie) => {
            answer.insert_header((header::SET_COOKIE, cookie.set(&issued.secret)));
            String::new()
        }
    };
    answer.json(SignInAnswer {
        token,
        expires: issued.key.expires.map(Timestamp::rfc3339),
        member: user.into(),
        workspace: WorkspaceRef { id: workspace.id.0, name: workspace.name },
    })
}
