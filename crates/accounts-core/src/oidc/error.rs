//! The errors of sign-in by OpenID Connect.

use shared_core::{DomainError, ErrorKind, Violation};

use super::{IdTokenError, IdentityProviderError};
use crate::AccountsError;

/// A failed sign-in. `Display` is shown to the user.
#[derive(Debug, thiserror::Error)]
pub enum OidcError {
    /// The operator must set something; the sentence says what.
    #[error("{0}")]
    NotConfigured(&'static str),
    /// The browser did not begin this sign-in, or its time is over, or it was completed before.
    #[error("this sign-in was not begun by this browser, has expired, or was completed before; begin again")]
    InvalidAttempt,
    /// The user or the provider refused; the sentence says why.
    #[error("{0}")]
    Refused(&'static str),
    /// The provider does not confirm the address.
    #[error("the identity provider did not confirm the e-mail address")]
    UnverifiedAddress,
    /// The address is not that of a member, and does not become one.
    #[error("no member has the e-mail address that the identity provider confirmed")]
    NotMember,
    /// The provider failed, or its token cannot be trusted.
    #[error(transparent)]
    Provider(#[from] IdentityProviderError),
    /// The accounts failed, or several workspaces fit.
    #[error(transparent)]
    Accounts(#[from] AccountsError),
}

impl From<IdTokenError> for OidcError {
    fn from(error: IdTokenError) -> Self {
        Self::Provider(error.into())
    }
}

impl DomainError for OidcError {
    fn kind(&self) -> ErrorKind {
        match self {
            Self::NotConfigured(_) => ErrorKind::NotConfigured,
            Self::InvalidAttempt => ErrorKind::Invalid,
            Self::Refused(_) => ErrorKind::Unauthenticated,
            Self::UnverifiedAddress | Self::NotMember => ErrorKind::Forbidden,
            Self::Provider(error) => match error {
                IdentityProviderError::Failed(_) | IdentityProviderError::Protocol(_) => {
                    ErrorKind::ProviderFailed
                }
                IdentityProviderError::TimedOut => ErrorKind::ProviderTimeout,
                IdentityProviderError::CodeRefused | IdentityProviderError::IdToken(_) => {
                    ErrorKind::Unauthenticated
                }
            },
            Self::Accounts(error) => error.kind(),
        }
    }

    fn code(&self) -> &'static str {
        match self {
            Self::NotConfigured(_) => "oidc_not_configured",
            Self::InvalidAttempt => "invalid_sign_in",
            Self::Refused(_) => "sign_in_refused",
            Self::UnverifiedAddress => "email_not_verified",
            Self::NotMember => "not_member",
            Self::Provider(error) => match error {
                IdentityProviderError::Failed(_) | IdentityProviderError::Protocol(_) => {
                    "identity_provider_failed"
                }
                IdentityProviderError::TimedOut => "identity_provider_timeout",
                IdentityProviderError::CodeRefused => "sign_in_refused",
                IdentityProviderError::IdToken(_) => "invalid_id_token",
            },
            Self::Accounts(error) => error.code(),
        }
    }

    fn violations(&self) -> &[Violation] {
        match self {
            Self::Accounts(error) => error.violations(),
            _ => &[],
        }
    }
}
