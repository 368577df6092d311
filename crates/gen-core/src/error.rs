//! What can go wrong with generation.

use std::time::Duration;

use shared_core::{DomainError, ErrorKind, StoreError};

use crate::{LimitReached, ModelId, ModelIdError, ModelKind, Provider, ProviderError, Spend, Upstream};

/// Most models that a request may name beside its first.
pub const MAX_FALLBACKS: usize = 5;

/// A failed generation. `Display` is shown to the user.
#[derive(Debug, thiserror::Error)]
pub enum GenError {
    /// Text that names no model.
    #[error(transparent)]
    ModelId(#[from] ModelIdError),
    /// There is no such model.
    #[error("there is no model '{model}'{}{}", servers_note(.servers), crate::routing::format_suggestions(.nearest))]
    UnknownModel {
        /// As it was named.
        model: String,
        /// Names that may have been meant, nearest first.
        nearest: Vec<String>,
        /// The operator's own servers, where one of theirs may have been meant.
        servers: Vec<String>,
    },
    /// More fallbacks than [`MAX_FALLBACKS`].
    #[error("a request names at most {MAX_FALLBACKS} fallback models")]
    TooManyFallbacks,
    /// The provider needs a key or an address first.
    #[error("the provider {} is not configured", .0.display_name())]
    NotConfigured(Provider),
    /// The model is of another kind.
    #[error("{model} cannot {}; {}", .kind.verb(), models_note(.able))]
    UnsupportedKind {
        /// The model.
        model: ModelId,
        /// What it cannot.
        kind: ModelKind,
        /// Some that can.
        able: Vec<ModelId>,
    },
    /// A limit of the key.
    #[error("the key's limit of {} {} is reached", .0.allowed, .0.limit)]
    Limit(LimitReached),
    /// A limit of the key that never gives room to such a call.
    #[error("{0}")]
    ExceedsLimit(String),
    /// The books could not be asked.
    #[error(transparent)]
    Store(StoreError),
    /// Too many calls wait for the backend.
    #[error("too many requests wait for {upstream}")]
    Saturated {
        /// Whose.
        upstream: Upstream,
    },
    /// The backend failed so often that nothing is sent to it for now.
    #[error("{upstream} failed too often; it is tried again in {} s", seconds(*.wait))]
    Paused {
        /// Who.
        upstream: Upstream,
        /// For so long.
        wait: Duration,
    },
    /// The provider failed.
    #[error("{upstream}: {error}")]
    Provider {
        /// Who.
        upstream: Upstream,
        /// How.
        #[source]
        error: Box<ProviderError>,
        /// What all attempts cost.
        spent: Spend,
    },
}

fn servers_note(servers: &[String]) -> String {
    if servers.is_empty() {
        return String::new();
    }
    let names: Vec<String> = servers.iter().map(|name| format!("{name}/…@formwork")).collect();
    format!("; own servers have {}", names.join(", "))
}

fn models_note(able: &[ModelId]) -> String {
    if able.is_empty() {
        return "no configured model can".to_owned();
    }
    let names: Vec<String> = able.iter().map(ModelId::to_string).collect();
    format!("models that can: {}", names.join(", "))
}

/// Whole seconds, at least one.
fn seconds(duration: Duration) -> u64 {
    (duration.as_secs() + u64::from(duration.subsec_nanos() > 0)).max(1)
}

impl GenError {
    pub(crate) fn provider(upstream: Upstream, error: ProviderError) -> Self {
        Self::Provider { upstream, error: Box::new(error), spent: Spend::default() }
    }

    /// Says what all attempts cost together.
    pub(crate) fn with_spend(mut self, all: Spend) -> Self {
        if let Self::Provider { spent, .. } = &mut self {
            *spent = all;
        }
        self
    }

    /// What failed attempts cost; booked already.
    #[must_use]
    pub fn spent(&self) -> Spend {
        match self {
            Self::Provider { spent, .. } => *spent,
            _ => Spend::default(),
        }
    }
}

impl DomainError for GenError {
    fn kind(&self) -> ErrorKind {
        match self {
            Self::ModelId(_)
            | Self::UnknownModel { .. }
            | Self::TooManyFallbacks
            | Self::UnsupportedKind { .. } => ErrorKind::Invalid,
            Self::NotConfigured(_) => ErrorKind::NotConfigured,
            Self::Limit(_) => ErrorKind::RateLimited,
            Self::ExceedsLimit(_) => ErrorKind::Forbidden,
            Self::Saturated { .. } | Self::Paused { .. } => ErrorKind::Saturated,
            Self::Store(error) => error.kind(),
            Self::Provider { error, .. } => error.kind(),
        }
    }

    fn code(&self) -> &'static str {
        match self {
            Self::ModelId(_) | Self::UnknownModel { .. } => "unknown_model",
            Self::TooManyFallbacks => "too_many_models",
            Self::NotConfigured(_) => "provider_not_configured",
            Self::UnsupportedKind { .. } => "model_cannot",
            Self::Limit(_) => "limit_reached",
            Self::ExceedsLimit(_) => "limit_never_fits",
            Self::Saturated { .. } => "provider_saturated",
            Self::Paused { .. } => "provider_paused",
            Self::Store(error) => error.code(),
            Self::Provider { error, .. } => error.code(),
        }
    }

    fn retry_after(&self) -> Option<u64> {
        match self {
            Self::Limit(limit) => Some(limit.retry_after.max(1)),
            Self::Saturated { .. } => Some(1),
            Self::Paused { wait, .. } => Some(seconds(*wait)),
            Self::Provider { error, .. } => error.retry_after.map(seconds),
            _ => None,
        }
    }
}
