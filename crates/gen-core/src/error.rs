//! The error of the gateway.

use std::time::Duration;

use shared_core::{DomainError, ErrorKind, StoreError};

use crate::{LimitReached, ModelId, ModelIdError, ModelKind, Provider, ProviderError, Spend, Upstream};

/// Maximum number of fallback models in one request. Bounds time and cost of a request. Chosen by hand; no
/// measurement is recorded.
pub const MAX_FALLBACKS: usize = 5;

/// A failed generation. `Display` is a message for the user.
#[derive(Debug, thiserror::Error)]
pub enum GenError {
    /// The model id does not parse.
    #[error(transparent)]
    ModelId(#[from] ModelIdError),
    /// The model does not exist on this server.
    #[error("there is no model '{model}'{}{}", servers_note(.servers), crate::suggestions::format_suggestions(.nearest))]
    UnknownModel {
        /// The id as the request has it.
        model: String,
        /// Similar ids, nearest first.
        nearest: Vec<String>,
        /// The names of the operator's own servers; empty where there are none.
        servers: Vec<String>,
    },
    /// More fallbacks than [`MAX_FALLBACKS`].
    #[error("a request names at most {MAX_FALLBACKS} fallback models")]
    TooManyFallbacks,
    /// The provider has no key or address in the settings.
    #[error("the provider {} is not configured", .0.display_name())]
    NotConfigured(Provider),
    /// The model does not have the requested capability.
    #[error("{model} cannot {}; {}", .kind.verb(), models_note(.able))]
    UnsupportedKind {
        /// The model.
        model: ModelId,
        /// The requested capability.
        kind: ModelKind,
        /// Models that have it; at most five.
        able: Vec<ModelId>,
    },
    /// A limit of the API key is reached; retryable after [`LimitReached::retry_after`] seconds.
    #[error("the key's limit of {} {} is reached", .0.allowed, .0.limit)]
    Limit(LimitReached),
    /// The call exceeds a limit of the API key by itself, so waiting does not help.
    #[error("{0}")]
    ExceedsLimit(String),
    /// The usage store failed.
    #[error(transparent)]
    Store(StoreError),
    /// The queue of the backend is full.
    #[error("too many requests wait for {upstream}")]
    Saturated {
        /// The backend.
        upstream: Upstream,
    },
    /// The circuit of the backend is open: nothing is sent for now.
    #[error("{upstream} failed too often; it is tried again in {} s", seconds(*.wait))]
    Paused {
        /// The backend.
        upstream: Upstream,
        /// Time until the next probe call.
        wait: Duration,
    },
    /// The provider failed, and no attempt is left.
    #[error("{upstream}: {error}")]
    Provider {
        /// The backend of the failed attempt.
        upstream: Upstream,
        /// Its error.
        #[source]
        error: Box<ProviderError>,
        /// What all attempts of the request cost.
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

/// Whole seconds, rounded up; at least 1.
fn seconds(duration: Duration) -> u64 {
    (duration.as_secs() + u64::from(duration.subsec_nanos() > 0)).max(1)
}

impl GenError {
    pub(crate) fn provider(upstream: Upstream, error: ProviderError) -> Self {
        Self::Provider { upstream, error: Box::new(error), spent: Spend::default() }
    }

    /// Sets the cost of all attempts.
    pub(crate) fn with_spend(mut self, all: Spend) -> Self {
        if let Self::Provider { spent, .. } = &mut self {
            *spent = all;
        }
        self
    }

    /// What failed attempts cost. It is already recorded.
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
