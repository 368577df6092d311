//! Sign-in by OpenID Connect over the port in memory and a scripted provider.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests assert")]

use std::sync::Arc;

use accounts_core::oidc::{
    AuthorizationRequest, CallbackParameters, CodeExchange, IdTokenClaims, IdTokenError, IdentityProvider,
    IdentityProviderError, NewMembersPolicy, OidcError, OidcPolicy, OidcService,
};
use accounts_core::{
    AccountsService, KeyKind, MemoryAccounts, NewMember, NewWorkspace, Role, SignIn, Workspace,
};
use async_trait::async_trait;
use futures_executor::block_on;
use parking_lot::Mutex;
use secrecy::{ExposeSecret as _, SecretString};
use shared_core::{DomainError as _, ErrorKind, FixedClock, SeededRng, WorkspaceId};

const ISSUER: &str = "https://id.example.com";
/// 2026-01-01, in seconds.
const NOW: i64 = 1_767_225_600;

/// Gives the scripted claims with the nonce of the last request, for any code.
#[derive(Debug, Default)]
struct ScriptedProvider {
    last: Mutex<Option<AuthorizationRequest>>,
    claims: Mutex<IdTokenClaims>,
    exchanges: Mutex<Vec<String>>,
}

#[async_trait]
impl IdentityProvider for ScriptedProvider {
    async fn authorization_url(
        &self,
        request: &AuthorizationRequest,
    ) -> Result<String, IdentityProviderError> {
        *self.last.lock() = Some(request.clone());
        Ok(format!("{ISSUER}/authorize?state={}", request.state))
    }

    async fn redeem(&self, exchange: &CodeExchange) -> Result<IdTokenClaims, IdentityProviderError> {
        self.exchanges.lock().push(exchange.code.expose_secret().to_owned());
        let nonce = self.last.lock().as_ref().map(|request| request.nonce.clone());
        let claims = self.claims.lock().clone();
        Ok(IdTokenClaims { nonce: claims.nonce.clone().or(nonce), ..claims })
    }
}

struct Desk {
    provider: Arc<ScriptedProvider>,
    accounts: AccountsService,
    service: OidcService,
    workspace: WorkspaceId,
}

fn claims(address: &str) -> IdTokenClaims {
    IdTokenClaims {
        issuer: ISSUER.to_owned(),
        audience: vec!["formwork".to_owned()],
        expires: NOW + 300,
        address: Some(address.to_owned()),
        address_verified: true,
        ..IdTokenClaims::default()
    }
}

fn policy() -> OidcPolicy {
    OidcPolicy {
        issuer: ISSUER.to_owned(),
        client_id: "formwork".to_owned(),
        needs_verified_address: true,
        allowed_domains: Vec::new(),
        new_members: None,
    }
}

impl Desk {
    fn new() -> Self {
        Self::with(0, |_| policy())
    }

    /// Each look at the clock is so many seconds after the last.
    fn with(step: i64, policy: impl FnOnce(&WorkspaceId) -> OidcPolicy) -> Self {
        let clock = Arc::new(FixedClock::new(NOW * 1_000_000, step));
        let accounts =
            AccountsService::new(Arc::new(MemoryAccounts::default()), clock, Arc::new(SeededRng::new(1)));
        let first = NewWorkspace {
            workspace: "Main".into(),
            user_name: "Ada".into(),
            user_email: "ada@example.com".into(),
        };
        let workspace = block_on(accounts.bootstrap(first)).unwrap().unwrap().key.workspace;
        let provider = Arc::new(ScriptedProvider::default());
        let service = OidcService::new(accounts.clone(), provider.clone(), policy(&workspace));
        Self { provider, accounts, service, workspace }
    }

    fn second_workspace(&self) -> Workspace {
        let second = NewWorkspace {
            workspace: "Pier".into(),
            user_name: "Cleo".into(),
            user_email: "cleo@example.com".into(),
        };
        block_on(self.accounts.add_workspace(second)).unwrap().0
    }

    /// What the browser keeps, and the callback that the provider sends it to.
    fn begin(&self, workspace: Option<&WorkspaceId>) -> (SecretString, CallbackParameters) {
        let start = block_on(self.service.begin(workspace)).unwrap();
        let state = start.url.split_once("state=").unwrap().1.to_owned();
        let code = Some(SecretString::from("code"));
        (start.attempt, CallbackParameters { state: Some(state), code, ..CallbackParameters::default() })
    }

    fn complete(&self, attempt: &SecretString, callback: CallbackParameters) -> Result<SignIn, OidcError> {
        block_on(self.service.complete(Some(attempt.expose_secret()), callback))
    }

    fn sign_in(&self, claims: IdTokenClaims) -> Result<SignIn, OidcError> {
        *self.provider.claims.lock() = claims;
        let (attempt, callback) = self.begin(None);
        self.complete(&attempt, callback)
    }
}

/// The code of a refused sign-in.
fn code(result: Result<SignIn, OidcError>) -> &'static str {
    result.unwrap_err().code()
}

#[test]
fn a_member_signs_in_by_the_address_in_any_case() {
    let desk = Desk::new();
    let SignIn { issued, user, workspace } = desk.sign_in(claims("ADA@example.com")).unwrap();
    assert_eq!((user.name.as_str(), workspace.name.as_str()), ("Ada", "Main"));
    assert_eq!((issued.key.kind, issued.key.scope.name()), (KeyKind::SignIn, "admin"));
    let caller = block_on(desk.accounts.authenticate(issued.secret.expose_secret())).unwrap();
    assert_eq!(caller.scope.user, user.id);
    block_on(desk.accounts.sign_out(&caller)).unwrap();
    assert!(block_on(desk.accounts.authenticate(issued.secret.expose_secret())).is_err());
}

#[test]
fn a_callback_needs_the_attempt_that_has_its_state() {
    let desk = Desk::new();
    *desk.provider.claims.lock() = claims("ada@example.com");
    let (attempt, callback) = desk.begin(None);
    let (other, _) = desk.begin(None);
    assert_eq!(code(desk.complete(&other, callback.clone())), "invalid_sign_in");
    let stateless = CallbackParameters { state: None, ..callback.clone() };
    assert_eq!(code(desk.complete(&attempt, stateless)), "invalid_sign_in");
    assert_eq!(code(block_on(desk.service.complete(None, callback.clone()))), "invalid_sign_in");
    assert!(desk.provider.exchanges.lock().is_empty(), "nothing was asked of the provider");
    let again = callback.clone();
    // The nonce in the token is that of the other attempt, which began last.
    assert_eq!(code(desk.complete(&attempt, callback)), "invalid_id_token");
    assert_eq!(code(desk.complete(&attempt, again)), "invalid_sign_in", "also a failed attempt is used");
}

#[test]
fn an_attempt_ends_after_ten_minutes() {
    let in_time = Desk::with(299, |_| policy());
    in_time.sign_in(IdTokenClaims { expires: NOW + 9_999, ..claims("ada@example.com") }).unwrap();
    let late = Desk::with(600, |_| policy());
    assert_eq!(code(late.sign_in(claims("ada@example.com"))), "invalid_sign_in");
}

#[test]
fn claims_that_are_wrong_are_refused() {
    let desk = Desk::new();
    for (wrong, error) in [
        (IdTokenClaims { issuer: "https://x".into(), ..claims("ada@example.com") }, IdTokenError::Issuer),
        (IdTokenClaims { audience: Vec::new(), ..claims("ada@example.com") }, IdTokenError::Audience),
        (IdTokenClaims { expires: NOW - 60, ..claims("ada@example.com") }, IdTokenError::Expired),
        (IdTokenClaims { nonce: Some("x".into()), ..claims("ada@example.com") }, IdTokenError::Nonce),
    ] {
        let refused = desk.sign_in(wrong).unwrap_err();
        assert_eq!((refused.kind(), refused.code()), (ErrorKind::Unauthenticated, "invalid_id_token"));
        assert_eq!(refused.to_string(), error.to_string());
    }
}

#[test]
fn an_address_must_be_verified_and_of_a_member() {
    let desk = Desk::new();
    let unverified = IdTokenClaims { address_verified: false, ..claims("ada@example.com") };
    assert_eq!(code(desk.sign_in(unverified.clone())), "email_not_verified");
    assert_eq!(code(desk.sign_in(claims("eve@example.com"))), "not_member");
    for bad in ["", "ada", "ada@example.com\n", "ada@b@example.com"] {
        assert_eq!(code(desk.sign_in(claims(bad))), "identity_provider_failed", "{bad}");
    }
    let lenient = Desk::with(0, |_| OidcPolicy { needs_verified_address: false, ..policy() });
    lenient.sign_in(unverified).unwrap();
}

#[test]
fn only_addresses_of_allowed_domains_sign_in() {
    let with = |domains: &[&str]| {
        let allowed_domains = domains.iter().map(|&domain| domain.to_owned()).collect();
        Desk::with(0, |_| OidcPolicy { allowed_domains, ..policy() })
    };
    assert_eq!(code(with(&["other.example", "ple.com"]).sign_in(claims("ada@example.com"))), "not_member");
    with(&["other.example", "example.com"]).sign_in(claims("ada@EXAMPLE.com")).unwrap();
}

#[test]
fn unknown_addresses_become_members_where_the_policy_says_so_but_removed_ones_do_not_come_back() {
    let desk = Desk::with(0, |workspace| OidcPolicy {
        allowed_domains: vec!["example.com".to_owned()],
        new_members: Some(NewMembersPolicy { workspace: workspace.clone(), role: Role::Viewer }),
        ..policy()
    });
    let ben = IdTokenClaims { name: Some("Ben".into()), ..claims("ben@example.com") };
    let SignIn { issued, user, .. } = desk.sign_in(ben.clone()).unwrap();
    assert_eq!((user.name.as_str(), user.role, issued.key.scope.name()), ("Ben", Role::Viewer, "read"));
    assert_eq!(desk.sign_in(ben.clone()).unwrap().user.id, user.id);
    let nameless = IdTokenClaims { name: Some("\u{0}".into()), ..claims("cy@example.com") };
    assert_eq!(desk.sign_in(nameless).unwrap().user.name, "cy@example.com");
    block_on(desk.accounts.remove_member(&desk.workspace, &user.id)).unwrap();
    assert_eq!(code(desk.sign_in(ben)), "not_member");
    assert_eq!(code(desk.sign_in(claims("eve@example.org"))), "not_member");
    // Who asks for another workspace does not become a member of this one.
    let pier = desk.second_workspace();
    *desk.provider.claims.lock() = claims("dan@example.com");
    let (attempt, callback) = desk.begin(Some(&pier.id));
    assert_eq!(code(desk.complete(&attempt, callback)), "not_member");
    assert_eq!(block_on(desk.accounts.members(&desk.workspace)).unwrap().len(), 2);
}

#[test]
fn new_members_need_a_workspace_that_exists() {
    let workspace = WorkspaceId("ws_none".into());
    let desk = Desk::with(0, |_| OidcPolicy {
        new_members: Some(NewMembersPolicy { workspace, role: Role::Member }),
        ..policy()
    });
    let error = desk.sign_in(claims("ben@example.com")).unwrap_err();
    assert_eq!((error.kind(), error.code()), (ErrorKind::NotConfigured, "oidc_not_configured"));
}

#[test]
fn an_address_of_several_workspaces_signs_in_to_the_one_that_is_named() {
    let desk = Desk::new();
    let pier = desk.second_workspace();
    let member = NewMember { name: "Ada".into(), email: "ada@example.com".into(), role: Role::Viewer };
    block_on(desk.accounts.add_member(&pier.id, member)).unwrap();
    let error = desk.sign_in(claims("ada@example.com")).unwrap_err();
    assert_eq!((error.code(), error.violations()[0].path.as_str()), ("validation_failed", "?workspace"));
    assert!(error.to_string().contains(&pier.id.0), "{error}");
    let (attempt, callback) = desk.begin(Some(&pier.id));
    let SignIn { user, workspace, .. } = desk.complete(&attempt, callback).unwrap();
    assert_eq!((workspace.id, user.role), (pier.id, Role::Viewer));
    let malformed = block_on(desk.service.begin(Some(&WorkspaceId("ws 1".into())))).unwrap_err();
    assert_eq!(malformed.violations()[0].path, "?workspace");
}

#[test]
fn errors_of_the_callback_are_told_in_words_of_this_server() {
    let desk = Desk::new();
    for (error, kind, code) in [
        ("access_denied", ErrorKind::Unauthenticated, "sign_in_refused"),
        ("login_required", ErrorKind::Unauthenticated, "sign_in_refused"),
        ("consent_required", ErrorKind::Unauthenticated, "sign_in_refused"),
        ("<script>", ErrorKind::Unauthenticated, "sign_in_refused"),
        ("temporarily_unavailable", ErrorKind::ProviderFailed, "identity_provider_failed"),
        ("server_error", ErrorKind::ProviderFailed, "identity_provider_failed"),
    ] {
        let (attempt, callback) = desk.begin(None);
        let told = desk.complete(&attempt, CallbackParameters { error: Some(error.into()), ..callback });
        let told = told.unwrap_err();
        assert_eq!((told.kind(), told.code()), (kind, code), "{error}");
        assert!(!told.to_string().contains("script"), "{told}");
        assert_eq!(
            told.to_string().contains("refused or cancelled at the"),
            error == "access_denied",
            "{told}"
        );
        let is_for_the_user = ["login_required", "consent_required"].contains(&error);
        assert_eq!(told.to_string().contains("needs an answer of the user"), is_for_the_user, "{told}");
    }
    assert!(desk.provider.exchanges.lock().is_empty());
}

#[test]
fn the_callback_of_another_issuer_or_without_a_code_is_refused() {
    let desk = Desk::new();
    *desk.provider.claims.lock() = claims("ada@example.com");
    let with = |issuer: Option<&str>, length: Option<usize>| {
        let (attempt, callback) = desk.begin(None);
        let code = length.map(|length| SecretString::from("x".repeat(length)));
        desk.complete(&attempt, CallbackParameters { issuer: issuer.map(str::to_owned), code, ..callback })
    };
    assert_eq!(code(with(Some("https://x"), Some(9))), "invalid_id_token");
    for length in [None, Some(0), Some(4_097)] {
        assert_eq!(code(with(Some(ISSUER), length)), "sign_in_refused", "{length:?}");
    }
    with(Some(ISSUER), Some(4_096)).unwrap();
    with(None, Some(1)).unwrap();
}

#[test]
fn expired_sign_ins_are_swept() {
    // Each sign-in looks at the clock some times; twelve hours later it has ended.
    let desk = Desk::with(100, |_| policy());
    let SignIn { issued, .. } =
        desk.sign_in(IdTokenClaims { expires: NOW + 9_999, ..claims("ada@example.com") }).unwrap();
    assert_eq!(block_on(desk.accounts.sweep_sign_ins()).unwrap(), 0);
    let mut swept = 0;
    for _ in 0..500 {
        swept += block_on(desk.accounts.sweep_sign_ins()).unwrap();
    }
    assert_eq!(swept, 2, "the key and the attempt");
    assert!(block_on(desk.accounts.key(&desk.workspace, &issued.key.id)).is_err());
}
