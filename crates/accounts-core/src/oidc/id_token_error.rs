//! Why ID tokens are refused.

/// Why an ID token is not trusted. `Display` is shown to the user.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum IdTokenError {
    /// It is no signed token.
    #[error("the ID token is malformed")]
    Malformed,
    /// It is unsigned, or signed by an algorithm without a public key, or by an unknown one.
    #[error("the ID token is signed by an algorithm that is not accepted")]
    Algorithm,
    /// It names a key that the provider does not have.
    #[error("the ID token is signed by a key that the identity provider does not have")]
    UnknownKey,
    /// Its signature is wrong.
    #[error("the signature of the ID token is wrong")]
    Signature,
    /// `iss` is another one.
    #[error("the ID token is of another issuer")]
    Issuer,
    /// `aud` or `azp` is another one.
    #[error("the ID token is for another client")]
    Audience,
    /// `exp` is over.
    #[error("the ID token has expired")]
    Expired,
    /// `nbf` is to come.
    #[error("the ID token is not valid yet")]
    NotYetValid,
    /// `nonce` is absent, or that of another sign-in.
    #[error("the ID token belongs to another sign-in")]
    Nonce,
}
