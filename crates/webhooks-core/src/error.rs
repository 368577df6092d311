//! The errors of webhooks.

use shared_core::{DomainError, ErrorKind, StoreError, Violation};

use crate::MAX_WEBHOOKS;

/// A failed operation on webhooks. `Display` is shown to the user.
#[derive(Debug, thiserror::Error)]
pub enum WebhooksError {
    /// No such webhook in the workspace.
    #[error("there is no such webhook")]
    NotFound,
    /// The webhook has no such delivery, or it is no longer retained.
    #[error("the webhook has no such delivery; the newest {kept} ended ones are stored", kept = crate::RETAINED_DELIVERIES)]
    DeliveryNotFound,
    /// The webhook is disabled: nothing is sent to it. The text is the reason.
    #[error("the webhook is disabled: {0}; delete it and create a new one")]
    Disabled(String),
    /// The workspace has [`MAX_WEBHOOKS`] already.
    #[error("a workspace can have at most {MAX_WEBHOOKS} webhooks")]
    TooMany,
    /// Values break rules; never empty.
    #[error("{}", .0.first().map_or("the webhook is not valid", |v| v.message.as_str()))]
    Invalid(Vec<Violation>),
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl DomainError for WebhooksError {
    fn kind(&self) -> ErrorKind {
        match self {
            Self::NotFound | Self::DeliveryNotFound => ErrorKind::NotFound,
            Self::Disabled(_) | Self::TooMany => ErrorKind::Conflict,
            Self::Invalid(_) => ErrorKind::Invalid,
            Self::Store(error) => error.kind(),
        }
    }

    fn code(&self) -> &'static str {
        match self {
            Self::NotFound => "webhook_not_found",
            Self::DeliveryNotFound => "delivery_not_found",
            Self::Disabled(_) => "webhook_disabled",
            Self::TooMany => "too_many_webhooks",
            Self::Invalid(_) => "validation_failed",
            Self::Store(error) => error.code(),
        }
    }

    fn violations(&self) -> &[Violation] {
        match self {
            Self::Invalid(violations) => violations,
            _ => &[],
        }
    }
}
