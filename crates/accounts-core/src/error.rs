//! The errors of accounts.

use shared_core::{DomainError, ErrorKind, StoreError, Violation};

/// A failed operation on accounts. `Display` is shown to the user.
#[derive(Debug, thiserror::Error)]
pub enum AccountsError {
    /// The presented key is malformed, unknown, revoked or expired. The message does not say which.
    #[error("the API key is not valid")]
    InvalidKey,
    /// A value breaks a rule.
    #[error("{}", .0.message)]
    Invalid(Violation),
    /// No valid key has this prefix or id.
    #[error("there is no valid API key with this prefix or id")]
    KeyNotFound,
    /// The key was replaced by another one.
    #[error("the API key was rotated already; rotate its successor, or issue a new key")]
    KeyRotated,
    /// Another public key has a page of this name.
    #[error("another public key has a page of this name; choose another one")]
    PageTaken,
    /// The workspace has no such member.
    #[error("the workspace has no such member")]
    MemberNotFound,
    /// There is no such workspace.
    #[error("there is no such workspace")]
    WorkspaceNotFound,
    /// The workspace would have no owner left.
    #[error("the member is the last owner of the workspace; make another member an owner first")]
    LastOwner,
    /// No account has this e-mail address and password. The message does not say which is wrong.
    #[error("the e-mail address or the password is not right")]
    InvalidCredentials,
    /// The caller's key was not made by a sign-in.
    #[error("the API key is not that of a sign-in; revoke it instead")]
    NotSignedIn,
    /// A password could not be hashed.
    #[error("the password could not be hashed")]
    NotHashed,
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl DomainError for AccountsError {
    fn kind(&self) -> ErrorKind {
        match self {
            Self::InvalidKey | Self::InvalidCredentials => ErrorKind::Unauthenticated,
            Self::Invalid(_) => ErrorKind::Invalid,
            Self::KeyNotFound | Self::MemberNotFound | Self::WorkspaceNotFound => ErrorKind::NotFound,
            Self::LastOwner | Self::NotSignedIn | Self::KeyRotated | Self::PageTaken => ErrorKind::Conflict,
            Self::NotHashed => ErrorKind::Internal,
            Self::Store(error) => error.kind(),
        }
    }

    fn code(&self) -> &'static str {
        match self {
            Self::InvalidKey => "invalid_key",
            Self::Invalid(_) => "validation_failed",
            Self::KeyNotFound => "key_not_found",
            Self::MemberNotFound => "member_not_found",
            Self::WorkspaceNotFound => "workspace_not_found",
            Self::LastOwner => "last_owner",
            Self::KeyRotated => "key_rotated",
            Self::PageTaken => "page_taken",
            Self::InvalidCredentials => "invalid_credentials",
            Self::NotSignedIn => "not_signed_in",
            Self::NotHashed => "internal",
            Self::Store(error) => error.code(),
        }
    }

    fn violations(&self) -> &[Violation] {
        match self {
            Self::Invalid(violation) => std::slice::from_ref(violation),
            _ => &[],
        }
    }
}
