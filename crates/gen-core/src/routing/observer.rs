//! What happens beside the answer, for logs and metrics.

use std::fmt;
use std::time::Duration;

use shared_core::StoreError;

use super::Upstream;
use crate::{ModelId, ProviderError};

/// Something that an operator may want to know, and that no answer tells.
#[derive(Debug)]
pub enum Incident<'a> {
    /// An attempt failed.
    AttemptFailed {
        /// The model.
        model: &'a ModelId,
        /// How.
        error: &'a ProviderError,
        /// When the same model is asked again; `None` when it is not.
        retry_in: Option<Duration>,
    },
    /// A backend failed so often that nothing is sent to it for now.
    CircuitOpened {
        /// Which.
        upstream: &'a Upstream,
    },
    /// An attempt's spend could not be booked. Its answer was given all the same.
    SettleFailed {
        /// The model.
        model: &'a ModelId,
        /// Why.
        error: &'a StoreError,
    },
    /// A list of models could not be fetched; an older one or the catalogue stands in.
    ListFailed {
        /// Whose.
        upstream: &'a Upstream,
        /// Why.
        error: &'a ProviderError,
    },
}

/// Is told of incidents. Called in the middle of calls: it must not wait.
pub trait Observer: fmt::Debug + Send + Sync + 'static {
    /// Takes note.
    fn note(&self, incident: &Incident<'_>);
}

/// Takes no note.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoopObserver;

impl Observer for NoopObserver {
    fn note(&self, _: &Incident<'_>) {}
}
