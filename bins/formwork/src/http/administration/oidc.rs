//! Sign-in by an OpenID provider: the way there, and the way back.

use accounts_core::SignIn;
use accounts_core::oidc::{CallbackParameters, IdentityProviderError, OidcError, OidcService};
use actix_web::http::{Method, header};
use actix_web::{HttpRequest, HttpResponse, web};
use secrecy::SecretString;
use serde::Deserialize;
use shared_core::{DomainError as _, ErrorKind, WorkspaceId};
use tokio::sync::{Semaphore, SemaphorePermit};

use super::examples;
use super::sign_ins::{SignInAnswer, record_sign_in, sign_in_answer};
use crate::app::AppState;
use crate::http::browser_cookie::BrowserCookie;
use crate::http::oidc_paths::{BEGIN, CALLBACK};
use crate::http::operation::{Access, Registry};
use crate::http::request::{Query, flag};
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
        .query("console", rules::flag(), "Whether the sign-in is a session of the console, which the browser then returns to.")
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
        .also(302, "The browser returns to the console, with a session or with the code of what failed.")
        .fails(&[401, 403, 502, 503, 504])
        .to(complete_oidc_sign_in);
}

#[derive(Deserialize)]
struct BeginQuery {
    workspace: Option<String>,
    #[serde(default, deserialize_with = "flag")]
    console: bool,
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
    let mut answer = HttpResponse::Found();
    answer
        .insert_header((header::LOCATION, start.url))
        .append_header((header::SET_COOKIE, BrowserCookie::attempt(&state.public_url).set(&start.attempt)))
        .insert_header((header::CACHE_CONTROL, "no-store"));
    if query.console {
        let console = BrowserCookie::console_attempt(&state.public_url);
        answer.append_header((header::SET_COOKIE, console.set(&SecretString::from("1"))));
    }
    Ok(answer.finish())
}

async fn complete_oidc_sign_in(
    state: web::Data<AppState>,
    request: HttpRequest,
    Query(query): Query<CallbackQuery>,
) -> HandlerResult {
    let completed = completed(&state, &request, query).await;
    let console = BrowserCookie::console_attempt(&state.public_url);
    if console.find(&request).is_none() {
        let mut answer = sign_in_answer(completed?, None);
        answer.headers_mut().insert(header::SET_COOKIE, BrowserCookie::attempt(&state.public_url).unset());
        return Ok(answer);
    }
    let mut answer = HttpResponse::Found();
    answer
        .insert_header((header::CACHE_CONTROL, "no-store"))
        .append_header((header::SET_COOKIE, BrowserCookie::attempt(&state.public_url).unset()))
        .append_header((header::SET_COOKIE, console.unset()));
    match completed {
        Ok(sign_in) => {
            let session = BrowserCookie::session(&state.public_url).set(&sign_in.issued.secret);
            answer.insert_header((header::LOCATION, "/console")).append_header((header::SET_COOKIE, session));
        }
        Err(error) => {
            let place = format!("/console?failure={}", error.code());
            answer.insert_header((header::LOCATION, place));
        }
    }
    Ok(answer.finish())
}

/// The sign-in that the provider's answer gives, recorded.
async fn completed(
    state: &AppState,
    request: &HttpRequest,
    query: CallbackQuery,
) -> Result<SignIn, ApiError> {
    let oidc = service(state)?;
    let cookie = BrowserCookie::attempt(&state.public_url);
    let address = request.peer_addr().map(|address| address.ip());
    tokio::time::sleep(state.sign_in_failures.delay(address)).await;
    let callback =
        CallbackParameters { state: query.state, code: query.code, issuer: query.iss, error: query.error };
    let completed = {
        let _place = place()?;
        oidc.complete(cookie.find(request), callback).await
    };
    let sign_in = completed.inspect_err(|error| note_failure(state, error, address))?;
    record_sign_in(state, request, &sign_in, ("complete_oidc_sign_in", CALLBACK)).await?;
    Ok(sign_in)
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
