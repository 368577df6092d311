//! The port of identity providers.

use std::fmt;

use async_trait::async_trait;
use secrecy::SecretString;
use shared_core::BoxError;

use super::IdTokenError;

/// What the browser brings to the provider.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AuthorizationRequest {
    /// The provider gives it back to the callback.
    pub state: String,
    /// The provider puts it into the ID token.
    pub nonce: String,
    /// SHA-256 of the verifier of PKCE (RFC 7636), in URL-safe Base64.
    pub code_challenge: String,
}

/// What the ID token is redeemed with.
#[derive(Debug)]
pub struct CodeExchange {
    /// The code that the browser brought back.
    pub code: SecretString,
    /// The verifier of PKCE.
    pub verifier: SecretString,
}

/// The claims of an ID token whose signature is one of the provider. Nothing else of them is checked.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct IdTokenClaims {
    /// `iss`.
    pub issuer: String,
    /// `aud`: one or several clients.
    pub audience: Vec<String>,
    /// `azp`: the client that asked for the token.
    pub authorized_party: Option<String>,
    /// `exp`, in seconds since 1970.
    pub expires: i64,
    /// `nbf`, in seconds since 1970.
    pub not_before: Option<i64>,
    /// The value that binds the token to the attempt.
    pub nonce: Option<String>,
    /// The claim that is the member's e-mail address.
    pub address: Option<String>,
    /// `email_verified`.
    pub address_verified: bool,
    /// How the member wants to be called.
    pub name: Option<String>,
}

/// A call of the provider that failed. `Display` is shown to the user.
#[derive(Debug, thiserror::Error)]
pub enum IdentityProviderError {
    /// It cannot be reached, or answered with a failure.
    #[error("the identity provider cannot be reached, or failed; try again later")]
    Failed(#[source] BoxError),
    /// It did not answer in time.
    #[error("the identity provider did not answer in time; try again later")]
    TimedOut,
    /// Its answer breaks a rule of OpenID Connect or of the settings; says which, for the log.
    #[error("the identity provider's answer cannot be used; the log of the server has the cause")]
    Protocol(#[source] BoxError),
    /// It does not take the code: it is unknown, expired or used.
    #[error("the identity provider does not accept the code of this sign-in; begin again")]
    CodeRefused,
    /// The ID token cannot be trusted.
    #[error(transparent)]
    IdToken(#[from] IdTokenError),
}

/// An OpenID provider with this server's registration there.
#[async_trait]
pub trait IdentityProvider: fmt::Debug + Send + Sync + 'static {
    /// The URL at the provider to which the browser is sent.
    async fn authorization_url(
        &self,
        request: &AuthorizationRequest,
    ) -> Result<String, IdentityProviderError>;
    /// Redeems a code for the claims of an ID token. Its signature was checked with the provider's keys.
    async fn redeem(&self, exchange: &CodeExchange) -> Result<IdTokenClaims, IdentityProviderError>;
}
