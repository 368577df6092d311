//! Sign-in by OpenID Connect: the authorization code flow with PKCE, as a relying party.
//!
//! The port [`IdentityProvider`] speaks with the provider and checks who signed a token. What a token must say, and whom
//! it signs in, is decided here.

mod attempt;
mod claims;
mod error;
mod id_token_error;
mod provider;
mod service;

pub use attempt::ATTEMPT_SECONDS;
pub use error::OidcError;
pub use id_token_error::IdTokenError;
pub use provider::{
    AuthorizationRequest, CodeExchange, IdTokenClaims, IdentityProvider, IdentityProviderError,
};
pub use service::{AuthorizationStart, CallbackParameters, NewMembersPolicy, OidcPolicy, OidcService};
