//! Sign-in by OpenID Connect over a scripted provider: the whole flow but the browser, and every refusal.

use std::sync::Arc;
use std::time::Duration;

use accounts_core::oidc::{
    CallbackParameters, IdTokenError, IdentityProviderError, OidcError, OidcPolicy, OidcService,
};
use accounts_core::{AccountsService, KeyKind, MemoryAccounts, NewWorkspace, SignIn};
use providers_http::{OidcProvider, OidcProviderSettings};
use secrecy::{ExposeSecret as _, SecretString};
use serde_json::{Value, json};
use shared_core::{DomainError as _, ErrorKind, FixedClock, SeededRng, WorkspaceId};
use testkit::oidc::{Authorization, CLIENT_ID, CLIENT_SECRET, IdentityServer, TokenForm};
use testkit::upstream::Reply;

/// A workspace with an owner, and its provider.
struct Desk {
    provider: IdentityServer,
    accounts: AccountsService,
    service: OidcService,
    workspace: WorkspaceId,
}

/// What a test varies.
struct Setting {
    seconds_per_look: i64,
    deadline: Duration,
    email_claim: &'static str,
    secret: Option<&'static str>,
}

impl Default for Setting {
    fn default() -> Self {
        Self {
            seconds_per_look: 0,
            deadline: Duration::from_secs(60),
            email_claim: "email",
            secret: Some(CLIENT_SECRET),
        }
    }
}

impl Desk {
    async fn new() -> Self {
        Self::with(Setting::default()).await
    }

    async fn with(setting: Setting) -> Self {
        let provider = IdentityServer::start().unwrap();
        let clock = Arc::new(FixedClock::new(1_767_225_600_000_000, setting.seconds_per_look));
        let (store, ids) = (Arc::new(MemoryAccounts::default()), Arc::new(SeededRng::new(1)));
        let accounts = AccountsService::new(store, clock.clone(), ids);
        let first = NewWorkspace {
            workspace: "Main".into(),
            user_name: "Ada".into(),
            user_email: "ada@example.com".into(),
        };
        let workspace = accounts.bootstrap(first).await.unwrap().unwrap().key.workspace;
        let settings = OidcProviderSettings {
            issuer: provider.issuer(),
            client_id: CLIENT_ID.to_owned(),
            client_secret: setting.secret.map(SecretString::from),
            redirect_url: "https://forms.example.com/callback".to_owned(),
            scopes: "openid email".to_owned(),
            email_claim: setting.email_claim.to_owned(),
            allow_http: false,
            deadline: setting.deadline,
        };
        let policy = OidcPolicy {
            issuer: provider.issuer(),
            client_id: CLIENT_ID.to_owned(),
            needs_verified_address: setting.email_claim == "email",
            allowed_domains: Vec::new(),
            new_members: None,
        };
        let adapter = OidcProvider::new(settings, clock).unwrap();
        let service = OidcService::new(accounts.clone(), Arc::new(adapter), policy);
        Self { provider, accounts, service, workspace }
    }

    /// Begins a sign-in and lets the user sign in at the provider. Returns what the browser then has.
    async fn authorized(&self, claims: &Value) -> (SecretString, Authorization) {
        let start = self.service.begin(None).await.unwrap();
        (start.attempt, self.provider.authorize(&start.url, claims).unwrap())
    }

    async fn complete(
        &self,
        attempt: &SecretString,
        authorization: &Authorization,
    ) -> Result<SignIn, OidcError> {
        let callback = CallbackParameters {
            state: Some(authorization.state.clone()),
            code: Some(SecretString::from(authorization.code.as_str())),
            ..CallbackParameters::default()
        };
        self.service.complete(Some(attempt.expose_secret()), callback).await
    }

    /// A whole sign-in.
    async fn sign_in(&self, claims: Value) -> Result<SignIn, OidcError> {
        let (attempt, authorization) = self.authorized(&claims).await;
        self.complete(&attempt, &authorization).await
    }
}

fn ada() -> Value {
    json!({"email": "Ada@Example.com", "email_verified": true})
}

/// The reason for which an ID token was refused.
fn id_token_error(result: Result<SignIn, OidcError>) -> IdTokenError {
    match result {
        Err(OidcError::Provider(IdentityProviderError::IdToken(error))) => error,
        other => panic!("{other:?}"),
    }
}

#[tokio::test]
async fn a_member_signs_in_and_gets_a_key_of_a_sign_in() {
    let desk = Desk::new().await;
    let SignIn { issued, user, workspace } = desk.sign_in(ada()).await.unwrap();
    assert_eq!((user.email.as_str(), &workspace.id), ("ada@example.com", &desk.workspace));
    assert_eq!((issued.key.kind, issued.key.scope.name()), (KeyKind::SignIn, "admin"));
    let caller = desk.accounts.authenticate(issued.secret.expose_secret()).await.unwrap();
    assert_eq!(caller.author.name, "Ada");
    desk.sign_in(ada()).await.unwrap();
    assert_eq!(desk.provider.count("/.well-known/openid-configuration"), 1, "the metadata is cached");
    assert_eq!(desk.provider.count("/keys"), 1, "the keys are cached");
}

#[tokio::test]
async fn a_callback_of_another_browser_or_with_another_state_is_refused() {
    let desk = Desk::new().await;
    let (attempt, authorization) = desk.authorized(&ada()).await;
    let (other, _) = desk.authorized(&ada()).await;
    let refused = |result: Result<SignIn, OidcError>| {
        let error = result.unwrap_err();
        assert_eq!((error.kind(), error.code()), (ErrorKind::Invalid, "invalid_sign_in"), "{error}");
    };
    refused(desk.complete(&other, &authorization).await);
    let stateless = CallbackParameters {
        code: Some(SecretString::from(authorization.code.as_str())),
        ..CallbackParameters::default()
    };
    refused(desk.service.complete(Some(attempt.expose_secret()), stateless.clone()).await);
    let with_state = CallbackParameters { state: Some(authorization.state.clone()), ..stateless };
    refused(desk.service.complete(None, with_state.clone()).await);
    refused(desk.service.complete(Some("1.x."), with_state).await);
    let forged = Authorization { state: "x".repeat(43), ..authorization.clone() };
    refused(desk.complete(&attempt, &forged).await);
    assert_eq!(desk.provider.count("/token"), 0, "nothing was asked of the provider");
    desk.complete(&attempt, &authorization).await.unwrap();
}

#[tokio::test]
async fn a_state_is_used_once_also_when_the_sign_in_failed() {
    let desk = Desk::new().await;
    let (attempt, authorization) = desk.authorized(&ada()).await;
    desk.complete(&attempt, &authorization).await.unwrap();
    let replayed = desk.complete(&attempt, &authorization).await.unwrap_err();
    assert_eq!(replayed.code(), "invalid_sign_in");
    let (attempt, authorization) = desk.authorized(&ada()).await;
    let denied = CallbackParameters {
        state: Some(authorization.state.clone()),
        error: Some("access_denied".to_owned()),
        ..CallbackParameters::default()
    };
    let error = desk.service.complete(Some(attempt.expose_secret()), denied).await.unwrap_err();
    assert_eq!((error.kind(), error.code()), (ErrorKind::Unauthenticated, "sign_in_refused"));
    assert_eq!(desk.complete(&attempt, &authorization).await.unwrap_err().code(), "invalid_sign_in");
    assert_eq!(desk.provider.count("/token"), 1);
}

#[tokio::test]
async fn a_code_of_another_sign_in_is_refused_by_its_verifier() {
    let desk = Desk::new().await;
    let (_, stolen) = desk.authorized(&ada()).await;
    let (attempt, own) = desk.authorized(&ada()).await;
    let mixed = Authorization { code: stolen.code, ..own };
    let error = desk.complete(&attempt, &mixed).await.unwrap_err();
    assert_eq!((error.kind(), error.code()), (ErrorKind::Unauthenticated, "sign_in_refused"));
}

#[tokio::test]
async fn a_token_that_says_something_wrong_is_refused() {
    let desk = Desk::new().await;
    let with = |name: &str, value: Value| {
        let mut claims = ada();
        claims[name] = value;
        claims
    };
    for (claims, expected) in [
        (with("nonce", json!("another")), IdTokenError::Nonce),
        (with("nonce", Value::Null), IdTokenError::Nonce),
        (with("aud", json!("another")), IdTokenError::Audience),
        (with("aud", json!([CLIENT_ID, "another"])), IdTokenError::Audience),
        (with("azp", json!("another")), IdTokenError::Audience),
        (with("iss", json!("https://another.example.com")), IdTokenError::Issuer),
        (with("exp", json!(1_767_225_500)), IdTokenError::Expired),
        (with("nbf", json!(1_767_225_700)), IdTokenError::NotYetValid),
        (with("exp", Value::Null), IdTokenError::Malformed),
        (with("iss", Value::Null), IdTokenError::Malformed),
    ] {
        let error = desk.sign_in(claims.clone()).await;
        assert_eq!(id_token_error(error), expected, "{claims}");
    }
}

#[tokio::test]
async fn a_token_that_the_provider_did_not_sign_is_refused() {
    let desk = Desk::new().await;
    for (form, expected) in [
        (TokenForm::Unsigned, IdTokenError::Algorithm),
        (TokenForm::HmacWithPublicKey, IdTokenError::Algorithm),
        (TokenForm::HmacWithClientSecret, IdTokenError::Algorithm),
        (TokenForm::OtherKey, IdTokenError::Signature),
        (TokenForm::UnknownKey, IdTokenError::UnknownKey),
        (TokenForm::Tampered, IdTokenError::Signature),
        (TokenForm::Text("a.b".to_owned()), IdTokenError::Malformed),
        (TokenForm::Text(String::new()), IdTokenError::Malformed),
    ] {
        desk.provider.sign(form.clone());
        assert_eq!(id_token_error(desk.sign_in(ada()).await), expected, "{form:?}");
    }
    desk.provider.sign(TokenForm::Correct);
    desk.sign_in(ada()).await.unwrap();
}

#[tokio::test]
async fn a_new_key_of_the_provider_is_found_and_unknown_ones_do_not_make_calls() {
    // Each look at the clock is 20 seconds after the last, so a sign-in takes two minutes.
    let desk = Desk::with(Setting { seconds_per_look: 20, ..Setting::default() }).await;
    desk.sign_in(ada()).await.unwrap();
    desk.provider.rotate_key("key-2").unwrap();
    desk.sign_in(ada()).await.unwrap();
    assert_eq!(desk.provider.count("/keys"), 2);
    let desk = Desk::new().await;
    desk.sign_in(ada()).await.unwrap();
    desk.provider.sign(TokenForm::UnknownKey);
    for _ in 0..5 {
        assert_eq!(id_token_error(desk.sign_in(ada()).await), IdTokenError::UnknownKey);
    }
    assert_eq!(desk.provider.count("/keys"), 1, "not again within a minute");
}

#[tokio::test]
async fn an_address_that_is_not_verified_or_not_of_a_member_is_refused() {
    let desk = Desk::new().await;
    let code = async |claims: Value| desk.sign_in(claims).await.unwrap_err().code();
    assert_eq!(code(json!({"email": "ada@example.com"})).await, "email_not_verified");
    assert_eq!(
        code(json!({"email": "ada@example.com", "email_verified": false})).await,
        "email_not_verified"
    );
    assert_eq!(code(json!({"email": "eve@example.com", "email_verified": true})).await, "not_member");
    assert_eq!(code(json!({"email_verified": true})).await, "identity_provider_failed");
    assert_eq!(code(json!({"email": "ada", "email_verified": true})).await, "identity_provider_failed");
    let directory = Desk::with(Setting { email_claim: "upn", ..Setting::default() }).await;
    directory.sign_in(json!({"upn": "ada@example.com"})).await.unwrap();
}

#[tokio::test]
async fn an_address_that_only_the_user_info_has_signs_in() {
    let desk = Desk::new().await;
    desk.provider.use_user_info();
    desk.sign_in(ada()).await.unwrap();
    let other = json!({"sub": "user-2", "email": "ada@example.com", "email_verified": true});
    let error = desk.sign_in(other).await.unwrap_err();
    assert_eq!(error.code(), "identity_provider_failed", "user info of another subject");
}

#[tokio::test]
async fn a_provider_that_fails_answers_oddly_or_hangs_is_told_apart() {
    const METADATA: &str = "/.well-known/openid-configuration";
    let big = format!("{{\"x\": \"{}\"}}", "x".repeat(300 << 10));
    for (path, reply, code) in [
        (METADATA, Reply::json(503, &json!({})), "identity_provider_failed"),
        (METADATA, Reply::json(404, &json!({})), "identity_provider_failed"),
        (METADATA, Reply::whole(200, "text/html", "<html>"), "identity_provider_failed"),
        (METADATA, Reply::json(200, &json!({"issuer": "https://x"})), "identity_provider_failed"),
        (METADATA, Reply::whole(200, "application/json", big), "identity_provider_failed"),
        (METADATA, Reply::whole_with(302, &[("location", "/other")], ""), "identity_provider_failed"),
        (METADATA, Reply::raw().close(), "identity_provider_failed"),
        ("/token", Reply::json(200, &json!({"access_token": "a"})), "identity_provider_failed"),
        ("/token", Reply::json(500, &json!({"error": "invalid_grant"})), "identity_provider_failed"),
        ("/token", Reply::json(401, &json!({"error": "invalid_client"})), "identity_provider_failed"),
        (
            "/token",
            Reply::chunked(200, &[]).endless("10\r\n0123456789abcdef\r\n"),
            "identity_provider_failed",
        ),
        ("/keys", Reply::json(200, &json!({"keys": "none"})), "identity_provider_failed"),
        (
            "/keys",
            Reply::json(200, &json!({"keys": [1, {}, {"kty": "oct", "k": "AA"}]})),
            "identity_provider_failed",
        ),
        ("/keys", Reply::whole(200, "application/json", "[".repeat(100_000)), "identity_provider_failed"),
    ] {
        let desk = Desk::new().await;
        desk.provider.answer(path, Some(reply));
        let error = match desk.service.begin(None).await {
            Ok(start) => {
                let authorization = desk.provider.authorize(&start.url, &ada()).unwrap();
                desk.complete(&start.attempt, &authorization).await.unwrap_err()
            }
            Err(error) => error,
        };
        assert_eq!(error.code(), code, "{path}: {error:?}");
        assert!(
            !error.to_string().contains("127.0.0.1") && !format!("{error:?}").contains("s3cret"),
            "{error:?}"
        );
        desk.provider.answer(path, None);
        desk.sign_in(ada()).await.unwrap();
    }
}

#[tokio::test]
async fn a_provider_that_hangs_is_given_up() {
    let hasty = Setting { deadline: Duration::from_millis(200), ..Setting::default() };
    let desk = Desk::with(hasty).await;
    desk.provider.answer("/token", Some(Reply::raw().hold()));
    let error = desk.sign_in(ada()).await.unwrap_err();
    assert_eq!((error.kind(), error.code()), (ErrorKind::ProviderTimeout, "identity_provider_timeout"));
    let desk = Desk::with(Setting { deadline: Duration::from_millis(200), ..Setting::default() }).await;
    desk.provider.answer("/.well-known/openid-configuration", Some(Reply::raw().hold()));
    assert_eq!(desk.service.begin(None).await.unwrap_err().code(), "identity_provider_timeout");
}

#[tokio::test]
async fn a_wrong_secret_is_a_failure_for_the_operator() {
    for secret in [None, Some("wrong")] {
        let desk = Desk::with(Setting { secret, ..Setting::default() }).await;
        let error = desk.sign_in(ada()).await.unwrap_err();
        assert_eq!((error.kind(), error.code()), (ErrorKind::ProviderFailed, "identity_provider_failed"));
        let OidcError::Provider(IdentityProviderError::Protocol(cause)) = error else { panic!("{error:?}") };
        assert!(cause.to_string().contains("invalid_client"), "{cause}");
    }
}
