//! Sign-in by an OpenID provider: the way there, and the way back.

use accounts_core::oidc::{CallbackParameters, IdentityProviderError, OidcError, OidcService};
use actix_web::http::{Method, header};
use actix_web::{HttpRequest, HttpResponse, web};
use secrecy::SecretString;
use serde::Deserialize;
use shared_core::{DomainError as _, ErrorKind, WorkspaceId};
use tokio::sync::{Semaphore, SemaphorePermit};

use super::examples;
use super::sign_ins::{SignInAnswer, sign_in_answer};
use crate::app::AppState;
use crate::http::oidc_paths::{BEGIN, CALLBACK};
use crate::http::operation::{Access, Registry};
use crate::http::request::Query;
use crate::http::sign_in_cookie::SignInCookie;
use crate::http::{ApiError, HandlerResult, rules};

/// Sign-ins that may use the provider at a time. Each holds some kilobytes and a connection; further ones are refused.
static PLACES: Semaphore = Semaphore::const_new(32);

pub(super) fn register(registry: &mut Registry) {
    registry
        .operation(
            Method::GET,
            BEGIN,
            "begin_oidc_sign_in",
            "Begins a sign-in by the OpenID provider of the settings. The browser is redirected to the provider, with a cookie \
             that binds the sign-in to it for ten minutes.",
        )
        .access(Access::Open)
        .query("workspace", rules::text(), "Id of the workspace; needed where the address is that of members of several.")
        .also(302, "The browser goes on to the provider.")
        .fails(&[502, 503, 504])
        .to(begin_oidc_sign_in);
    registry
        .operation(
            Method::GET,
            CALLBACK,
            "complete_oidc_sign_in",
            "Completes a sign-in by the OpenID provider, which sends the browser here. The token is an API key that is valid \
             for twelve hours, with what the member's role permits. Each sign-in can be completed once.",
        )
        .access(Access::Open)
        .query("state", rules::text(), "As the server gave it to the provider.")
        .query("code", rules::text(), "The provider's code.")
        .query("iss", rules::text(), "The provider's issuer identifier.")
        .query("error", rules::text(), "Why the provider refused.")
        .answers::<SignInAnswer>()
        .example(examples::sign_in)
        .fails(&[401, 403, 502, 503, 504])
        .to(complete_oidc_sign_in);
}

#[derive(Deserialize)]
struct BeginQuery {
    workspace: Option<String>,
}

#[derive(Deserialize)]
struct CallbackQuery {
    state: Option<String>,
    code: Option<SecretString>,
    iss: Option<String>,
    error: Option<String>,
}

async fn begin_oidc_sign_in(state: web::Data<AppState>, Query(query): Query<BeginQuery>) -> HandlerResult {
    let oidc = service(&state)?;
    let _place = place()?;
    let start = oidc.begin(query.workspace.map(WorkspaceId).as_ref()).await?;
    Ok(HttpResponse::Found()
        .insert_header((header::LOCATION, start.url))
        .insert_header((header::SET_COOKIE, SignInCookie::of(&state.public_url).set(&start.attempt)))
        .insert_header((header::CACHE_CONTROL, "no-store"))
        .finish())
}

async fn complete_oidc_sign_in(
    state: web::Data<AppState>,
    request: HttpRequest,
    Query(query): Query<CallbackQuery>,
) -> HandlerResult {
    let oidc = service(&state)?;
    let cookie = SignInCookie::of(&state.public_url);
    let address = request.peer_addr().map(|address| address.ip());
    tokio::time::sleep(state.sign_in_failures.delay(address)).await;
    let callback =
        CallbackParameters { state: query.state, code: query.code, issuer: query.iss, error: query.error };
    let completed = {
        let _place = place()?;
        oidc.complete(cookie.find(&request), callback).await
    };
    let sign_in = match completed {
        Ok(sign_in) => sign_in,
        Err(error) => {
            note_failure(&state, &error, address);
            return Err(error.into());
        }
    };
    let mut answer = sign_in_answer(&state, &request, sign_in, ("complete_oidc_sign_in", CALLBACK)).await?;
    answer.headers_mut().insert(header::SET_COOKIE, cookie.unset());
    Ok(answer)
}

fn service(state: &AppState) -> Result<&OidcService, OidcError> {
    let rule = "sign-in by OpenID Connect is not configured: the setting 'sign_in.oidc.issuer' is empty";
    state.oidc.as_ref().ok_or(OidcError::NotConfigured(rule))
}

fn place() -> Result<SemaphorePermit<'static>, ApiError> {
    let busy = || ApiError::new(ErrorKind::Saturated, "saturated", "too many sign-ins at once; try again");
    PLACES.try_acquire().map_err(|_full| busy())
}

/// Counts a failure of the caller. A token that cannot be trusted is one that the provider, or somebody in its place, gave
/// this server, so it is logged by itself.
fn note_failure(state: &AppState, error: &OidcError, address: Option<std::net::IpAddr>) {
    if let OidcError::Provider(IdentityProviderError::IdToken(error)) = error {
        tracing::warn!(%error, "the identity provider gave an ID token that cannot be trusted");
    }
    let is_of_caller = [ErrorKind::Invalid, ErrorKind::Unauthenticated, ErrorKind::Forbidden];
    if is_of_caller.contains(&error.kind()) {
        state.sign_in_failures.record(address);
    }
}
