//! The use cases: to begin a sign-in, and to complete it.

use std::sync::Arc;

use secrecy::{ExposeSecret as _, SecretString};
use shared_core::{StoreError, Violation, WorkspaceId};

use super::attempt::Attempt;
use super::claims::{ExpectedClaims, check};
use super::{
    AuthorizationRequest, CodeExchange, IdTokenClaims, IdTokenError, IdentityProvider, IdentityProviderError,
    OidcError,
};
use crate::names::{parse_display_name, parse_email};
use crate::sign_in::single_account;
use crate::{Account, AccountsError, AccountsService, NewMember, Role, SignIn};

/// Maximum length of a code in bytes. RFC 6749 sets none; those of the known providers have some hundred.
const MAX_CODE: usize = 4_096;
/// Where a request to begin names the workspace.
const WORKSPACE: &str = "?workspace";

/// Whom the provider signs in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OidcPolicy {
    /// The issuer that ID tokens must name.
    pub issuer: String,
    /// The id of this server's registration.
    pub client_id: String,
    /// Whether the provider must confirm the address.
    pub needs_verified_address: bool,
    /// Domains of addresses, in lower case; none for all.
    pub allowed_domains: Vec<String>,
    /// What becomes of addresses that no member has; `None` when they are refused.
    pub new_members: Option<NewMembersPolicy>,
}

/// Where an unknown address becomes a member.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewMembersPolicy {
    /// Where unknown addresses become members.
    pub workspace: WorkspaceId,
    /// The role there.
    pub role: Role,
}

/// A sign-in that begins.
#[derive(Debug)]
pub struct AuthorizationStart {
    /// The URL at the provider to which the browser goes.
    pub url: String,
    /// What the browser must bring back with the callback, and nobody else may have.
    pub attempt: SecretString,
}

/// The parameters that the provider gives the browser for the callback. All of them are untrusted.
#[derive(Clone, Debug, Default)]
pub struct CallbackParameters {
    /// The value that binds the callback to the attempt.
    pub state: Option<String>,
    /// What the provider exchanges for tokens, once.
    pub code: Option<SecretString>,
    /// `iss` (RFC 9207).
    pub issuer: Option<String>,
    /// Why the provider refused (RFC 6749, 4.1.2.1).
    pub error: Option<String>,
}

/// Sign-in by one OpenID provider.
#[derive(Clone, Debug)]
pub struct OidcService {
    accounts: AccountsService,
    provider: Arc<dyn IdentityProvider>,
    policy: Arc<OidcPolicy>,
}

impl OidcService {
    /// Builds the service on its port.
    #[must_use]
    pub fn new(accounts: AccountsService, provider: Arc<dyn IdentityProvider>, policy: OidcPolicy) -> Self {
        Self { accounts, provider, policy: Arc::new(policy) }
    }

    /// Begins a sign-in, to a certain workspace if one is named.
    ///
    /// # Errors
    /// When the workspace's id is malformed, or the provider cannot be used.
    pub async fn begin(&self, workspace: Option<&WorkspaceId>) -> Result<AuthorizationStart, OidcError> {
        let now = self.accounts.clock.now();
        let attempt = Attempt::new(now, workspace, self.accounts.ids.as_ref()).ok_or_else(|| {
            let rule = "'workspace' must be the id of a workspace";
            AccountsError::Invalid(Violation::new(WORKSPACE, rule))
        })?;
        let request = AuthorizationRequest {
            state: attempt.state(),
            nonce: attempt.nonce(),
            code_challenge: attempt.code_challenge(),
        };
        let url = self.provider.authorization_url(&request).await?;
        Ok(AuthorizationStart { url, attempt: attempt.text().clone() })
    }

    /// Completes a sign-in. `attempt` is what the browser kept. An attempt can be completed once, also when that fails.
    ///
    /// # Errors
    /// [`OidcError`].
    pub async fn complete(
        &self,
        attempt: Option<&str>,
        callback: CallbackParameters,
    ) -> Result<SignIn, OidcError> {
        let attempt = self.use_attempt(attempt, callback.state.as_deref()).await?;
        if let Some(error) = &callback.error {
            return Err(refusal(error));
        }
        if callback.issuer.is_some_and(|issuer| issuer != self.policy.issuer) {
            return Err(IdTokenError::Issuer.into());
        }
        let code = callback.code.filter(|code| (1..=MAX_CODE).contains(&code.expose_secret().len()));
        let code = code.ok_or(IdentityProviderError::CodeRefused)?;
        let claims = self.provider.redeem(&CodeExchange { code, verifier: attempt.verifier() }).await?;
        let expected = ExpectedClaims {
            issuer: &self.policy.issuer,
            client_id: &self.policy.client_id,
            nonce: &attempt.nonce(),
            now: self.accounts.clock.now(),
        };
        check(&claims, expected)?;
        let address = self.confirmed_address(&claims)?;
        let Account { user, workspace, .. } = self.account(&address, &claims, attempt.workspace()).await?;
        Ok(self.accounts.issue_sign_in(user, workspace, None).await?)
    }

    /// The attempt that the browser kept, which belongs to this state. It cannot be used again, on any server.
    async fn use_attempt(&self, kept: Option<&str>, state: Option<&str>) -> Result<Attempt, OidcError> {
        let attempt = kept.and_then(|text| Attempt::parse(text, self.accounts.clock.now()));
        let attempt = attempt.filter(|attempt| state.is_some_and(|state| attempt.has_state(state)));
        let (attempt, expires) = attempt
            .and_then(|attempt| attempt.expires().map(|expires| (attempt, expires)))
            .ok_or(OidcError::InvalidAttempt)?;
        let is_first = self.accounts.repository.use_attempt(&attempt.state(), expires).await;
        match is_first.map_err(AccountsError::from)? {
            true => Ok(attempt),
            false => Err(OidcError::InvalidAttempt),
        }
    }

    /// The address of the claims, if the provider confirms it and its domain is allowed.
    fn confirmed_address(&self, claims: &IdTokenClaims) -> Result<String, OidcError> {
        let address = claims.address.as_deref().and_then(|address| parse_email(address).ok());
        let address = address.ok_or_else(|| {
            let cause =
                "neither the ID token nor the user info has an e-mail address in the claim of the settings";
            IdentityProviderError::Protocol(cause.into())
        })?;
        if self.policy.needs_verified_address && !claims.address_verified {
            return Err(OidcError::UnverifiedAddress);
        }
        let domains = &self.policy.allowed_domains;
        let domain = address.rsplit('@').next().unwrap_or_default();
        match domains.is_empty() || domains.iter().any(|allowed| allowed.eq_ignore_ascii_case(domain)) {
            true => Ok(address),
            false => Err(OidcError::NotMember),
        }
    }

    /// The member with this address, who may have become one just now.
    async fn account(
        &self,
        address: &str,
        claims: &IdTokenClaims,
        workspace: Option<&WorkspaceId>,
    ) -> Result<Account, OidcError> {
        if let Some(account) = self.known_account(address, workspace).await? {
            return Ok(account);
        }
        let new = self.policy.new_members.as_ref();
        let new = new.filter(|new| workspace.is_none_or(|workspace| *workspace == new.workspace));
        let Some(policy) = new else { return Err(OidcError::NotMember) };
        self.add_member(policy, address, claims.name.as_deref()).await?;
        self.known_account(address, Some(&policy.workspace)).await?.ok_or(OidcError::NotMember)
    }

    async fn known_account(
        &self,
        address: &str,
        workspace: Option<&WorkspaceId>,
    ) -> Result<Option<Account>, OidcError> {
        let mut accounts = self.accounts.repository.accounts(address).await.map_err(AccountsError::from)?;
        accounts.retain(|account| workspace.is_none_or(|id| account.workspace.id == *id));
        Ok(single_account(accounts, WORKSPACE)?)
    }

    /// Adds a member, unless the workspace has removed it: who was removed comes back by an owner alone.
    async fn add_member(
        &self,
        policy: &NewMembersPolicy,
        address: &str,
        name: Option<&str>,
    ) -> Result<(), OidcError> {
        let users = self.accounts.users(&policy.workspace).await?;
        if users.iter().any(|user| user.email.eq_ignore_ascii_case(address)) {
            return Err(OidcError::NotMember);
        }
        let name = name.and_then(|name| parse_display_name("name", name).ok());
        let name = name.unwrap_or_else(|| address.to_owned());
        let new = NewMember { name, email: address.to_owned(), role: policy.role };
        match self.accounts.add_member(&policy.workspace, new).await {
            // A concurrent sign-in of the same person may have added it.
            Ok(_) | Err(AccountsError::Store(StoreError::Taken(_))) => Ok(()),
            Err(AccountsError::Store(StoreError::Missing(_))) => Err(OidcError::NotConfigured(
                "the setting 'sign_in.oidc.new_members_workspace' is not the id of a workspace",
            )),
            Err(error) => Err(error.into()),
        }
    }
}

/// What an error of the authorization endpoint means (RFC 6749, section 4.1.2.1; OpenID Connect Core 1.0, section
/// 3.1.2.6). Its text is not shown, since anybody can write it into a link.
fn refusal(error: &str) -> OidcError {
    match error {
        "access_denied" => {
            OidcError::Refused("the sign-in was refused or cancelled at the identity provider")
        }
        "login_required" | "interaction_required" | "consent_required" | "account_selection_required" => {
            OidcError::Refused("the identity provider needs an answer of the user; begin again")
        }
        "temporarily_unavailable" | "server_error" => {
            let cause = "the authorization endpoint answered with an error of its own";
            IdentityProviderError::Failed(cause.into()).into()
        }
        _ => OidcError::Refused("the identity provider refused the request to sign in"),
    }
}
