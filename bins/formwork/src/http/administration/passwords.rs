//! Sign-in by e-mail address and password, and the passwords themselves.

use accounts_core::{AccountsError, Credentials};
use actix_web::http::{Method, header};
use actix_web::{HttpRequest, HttpResponse, web};
use schemars::JsonSchema;
use secrecy::SecretString;
use serde::Deserialize;
use shared_core::{ErrorKind, UserId, WorkspaceId};
use tokio::sync::{Semaphore, SemaphorePermit};

use super::sign_ins::{SignInAnswer, record_sign_in, sign_in_answer};
use super::{administered, examples};
use crate::app::AppState;
use crate::http::browser_cookie::BrowserCookie;
use crate::http::lists::Done;
use crate::http::operation::{Access, Registry};
use crate::http::request::{Body, Caller, Segment};
use crate::http::session::check_page;
use crate::http::{ApiError, HandlerResult};

const SIGN_IN: &str = "/v1/sign_in";
/// Passwords are hashed one at a time, so that many sign-ins leave processors for the rest.
static HASHING: Semaphore = Semaphore::const_new(1);
/// Requests that may wait for their turn: about a second of hashing. Further ones are refused.
static WAITING: Semaphore = Semaphore::const_new(32);

pub(super) fn register(registry: &mut Registry) {
    registry
        .operation(
            Method::POST,
            SIGN_IN,
            "sign_in",
            "Signs a member in by e-mail address and password. The token is an API key that is valid for twelve hours, with \
             what the member's role permits.",
        )
        .access(Access::Open)
        .body::<SignInBody>()
        .example(examples::credentials)
        .answers::<SignInAnswer>()
        .example(examples::sign_in)
        .fails(&[401, 403, 503])
        .given_up_with_its_client()
        .to(sign_in);
    registry
        .operation(Method::DELETE, SIGN_IN, "sign_out", "Ends the sign-in whose token is sent.")
        .access(Access::Read)
        .answers::<Done>()
        .example(|| crate::http::examples::done("You are signed out."))
        .fails(&[409])
        .to(sign_out);
    registry
        .operation(
            Method::PUT,
            "/v1/me/password",
            "change_password",
            "Changes the caller's password and ends all sign-ins with the old one. An owner sets the first one.",
        )
        .access(Access::Read)
        .body::<ChangePassword>()
        .example(examples::password_change)
        .answers::<Done>()
        .example(|| crate::http::examples::done("The password was changed."))
        .to(change_password);
    administered(
        registry,
        Method::PUT,
        "/v1/members/{member_id}/password",
        "set_password",
        "Sets the password of a member and ends the member's sign-ins; null forgets it.",
    )
    .body::<SetPassword>()
    .example(examples::new_password)
    .answers::<Done>()
    .example(|| crate::http::examples::done("The password was set."))
    .fails(&[404])
    .to(set_password);
}

#[derive(Deserialize, JsonSchema)]
struct SignInBody {
    /// Upper and lower case are the same.
    #[schemars(length(max = 255))]
    email: String,
    #[schemars(length(max = 200))]
    password: String,
    /// Id of the workspace; needed where the same address and password are those of several.
    workspace: Option<String>,
    /// Whether the token comes as a cookie that scripts cannot read, for pages of this server. The request must come from
    /// one, with the header `X-Formwork-Console`.
    cookie: Option<bool>,
}

#[derive(Deserialize, JsonSchema)]
struct ChangePassword {
    #[schemars(length(max = 200))]
    current_password: String,
    /// The new one.
    #[schemars(length(min = 12, max = 200))]
    password: String,
}

#[derive(Deserialize, JsonSchema)]
struct SetPassword {
    /// The new one, or null.
    #[schemars(length(min = 12, max = 200))]
    password: Option<String>,
}

/// Waits for the turn to hash a password.
async fn hashing_turn() -> Result<(SemaphorePermit<'static>, SemaphorePermit<'static>), ApiError> {
    let busy = || ApiError::new(ErrorKind::Saturated, "saturated", "too many sign-ins at once; try again");
    let place = WAITING.try_acquire().map_err(|_full| busy())?;
    let turn = HASHING.acquire().await.map_err(|_closed| busy())?;
    Ok((turn, place))
}

async fn sign_in(
    state: web::Data<AppState>,
    request: HttpRequest,
    Body(given): Body<SignInBody>,
) -> HandlerResult {
    let cookie = given.cookie.unwrap_or_default().then(|| BrowserCookie::session(&state.public_url));
    if cookie.is_some() {
        // Otherwise another page could sign a browser in as somebody else.
        check_page(&request, &state.public_url)?;
    }
    let credentials = Credentials {
        email: given.email,
        password: SecretString::from(given.password),
        workspace: given.workspace.map(WorkspaceId),
    };
    let address = request.peer_addr().map(|address| address.ip());
    tokio::time::sleep(state.sign_in_failures.delay(address)).await;
    let signed_in = {
        let _turn = hashing_turn().await?;
        state.accounts.sign_in(credentials, state.workers.as_ref()).await
    };
    if matches!(signed_in, Err(AccountsError::InvalidCredentials)) {
        state.sign_in_failures.record(address);
    }
    let signed_in = signed_in?;
    record_sign_in(&state, &request, &signed_in, ("sign_in", SIGN_IN)).await?;
    Ok(sign_in_answer(signed_in, cookie))
}

async fn sign_out(state: web::Data<AppState>, request: HttpRequest, Caller(who): Caller) -> HandlerResult {
    state.accounts.sign_out(&who).await?;
    let cookie = BrowserCookie::session(&state.public_url);
    let mut answer = HttpResponse::Ok();
    if cookie.find(&request).is_some() {
        answer.insert_header((header::SET_COOKIE, cookie.unset()));
    }
    Ok(answer.json(Done::new("You are signed out.")))
}

async fn change_password(
    state: web::Data<AppState>,
    request: HttpRequest,
    Caller(who): Caller,
    Body(given): Body<ChangePassword>,
) -> HandlerResult {
    let (workers, scope) = (state.workers.as_ref(), &who.scope);
    let user = state.accounts.member(&scope.workspace, &scope.user).await?;
    let current = SecretString::from(given.current_password);
    let turn = hashing_turn().await?;
    if !state.accounts.has_password(&user, current, workers).await? {
        drop(turn);
        let address = request.peer_addr().map(|address| address.ip());
        tokio::time::sleep(state.sign_in_failures.record(address)).await;
        let rule = "'current_password' is not the password of the caller";
        return Err(ApiError::invalid("/current_password", rule));
    }
    let password = Some(SecretString::from(given.password));
    state.accounts.set_password(&scope.workspace, &scope.user, password, workers).await?;
    Ok(HttpResponse::Ok().json(Done::new("The password was changed.")))
}

async fn set_password(
    state: web::Data<AppState>,
    Caller(who): Caller,
    Segment(id): Segment,
    Body(given): Body<SetPassword>,
) -> HandlerResult {
    let done = if given.password.is_some() { "The password was set." } else { "The password was forgotten." };
    let password = given.password.map(SecretString::from);
    let workers = state.workers.as_ref();
    let _turn = hashing_turn().await?;
    state.accounts.set_password(&who.scope.workspace, &UserId(id), password, workers).await?;
    Ok(HttpResponse::Ok().json(Done::new(done)))
}
