//! The paths of the sign-in by an OpenID provider.

/// Where a browser begins.
pub(crate) const BEGIN: &str = "/v1/sign_in/oidc";
/// Where the provider sends browsers back to.
pub(crate) const CALLBACK: &str = "/v1/sign_in/oidc/callback";
