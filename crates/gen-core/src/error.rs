//! What can go wrong with generation.

use shared_core::{DomainError, ErrorKind};

use crate::{ModelIdError, Provider, ProviderError};

/// A failed generation. `Display` is shown to the user.
#[derive(Debug, thiserror::Error)]
pub enum GenError {
    /// Text that names no model.
    #[error(transparent)]
    ModelId(#[from] ModelIdError),
    /// The provider has no such model.
    #[error("there is no model '{0}'")]
    UnknownModel(String),
    /// The provider needs a key or an address first.
    #[error("the provider {} is not configured", .0.display_name())]
    NotConfigured(Provider),
    /// The provider failed.
    #[error("{}: {error}", .provider.display_name())]
    Provider {
        /// Which provider.
        provider: Provider,
        /// How.
        #[source]
        error: Box<ProviderError>,
    },
}

impl DomainError for GenError {
    fn kind(&self) -> ErrorKind {
        match self {
            Self::ModelId(_) | Self::UnknownModel(_) => ErrorKind::Invalid,
            Self::NotConfigured(_) => ErrorKind::NotConfigured,
            Self::Provider { error, .. } => error.kind(),
        }
    }

    fn code(&self) -> &'static str {
        match self {
            Self::ModelId(_) | Self::UnknownModel(_) => "unknown_model",
            Self::NotConfigured(_) => "provider_not_configured",
            Self::Provider { error, .. } => error.code(),
        }
    }
}
