//! Events beside the answers, for logs and metrics.

use std::fmt;
use std::time::Duration;

use shared_core::StoreError;

use super::Upstream;
use crate::{ModelId, ProviderError};

/// An event for operators that no answer reports.
#[derive(Debug)]
pub enum Incident<'a> {
    /// An attempt failed.
    AttemptFailed {
        /// The model.
        model: &'a ModelId,
        /// Its error.
        error: &'a ProviderError,
        /// Delay before the next attempt at the same model; `None` when there is none.
        retry_in: Option<Duration>,
    },
    /// The circuit of a backend opened: nothing is sent to it for now.
    CircuitOpened {
        /// The backend.
        upstream: &'a Upstream,
    },
    /// The usage of an attempt could not be recorded. The answer was returned anyway.
    SettleFailed {
        /// The model.
        model: &'a ModelId,
        /// The cause.
        error: &'a StoreError,
    },
    /// A list of models could not be fetched. An older list or the catalogue is used.
    ListFailed {
        /// The backend.
        upstream: &'a Upstream,
        /// The cause.
        error: &'a ProviderError,
    },
}

/// Receives incidents. It is called in the middle of requests and must not block.
pub trait Observer: fmt::Debug + Send + Sync + 'static {
    /// Handles one incident.
    fn note(&self, incident: &Incident<'_>);
}

/// Ignores all incidents.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoopObserver;

impl Observer for NoopObserver {
    fn note(&self, _: &Incident<'_>) {}
}
