//! OpenID providers behind the port of `accounts-core`: discovery, the token endpoint, and the signatures of ID tokens.
//! Whatever a provider sends is bounded and checked; what a token says is judged by `accounts-core`.

mod claims;
mod http;
mod jwks;
mod jws;
mod metadata;
mod provider;

pub use provider::{OidcProvider, OidcProviderSettings};
