//! Collects the provider failures of one call.

use std::sync::Arc;

use gen_core::ProviderError;
use parking_lot::Mutex;

use super::ports::{ProviderFailure, SearchLog};
use super::query::Kind;

/// Collects the failures of a call and logs them once: at the end of the call, also when it is cancelled.
#[derive(Debug)]
pub(super) struct Failures {
    kind: Kind,
    log: Arc<dyn SearchLog>,
    noted: Mutex<Vec<ProviderFailure>>,
}

impl Failures {
    pub(super) fn new(kind: Kind, log: Arc<dyn SearchLog>) -> Self {
        Self { kind, log, noted: Mutex::default() }
    }

    pub(super) fn note(&self, provider: &'static str, error: &ProviderError) {
        let mut noted = self.noted.lock();
        match noted.iter_mut().find(|known| known.provider == provider) {
            Some(known) => known.terms += 1,
            None => noted.push(ProviderFailure {
                provider,
                terms: 1,
                message: error.to_string(),
                cause: error.source.as_ref().map(ToString::to_string),
            }),
        }
    }
}

impl Drop for Failures {
    fn drop(&mut self) {
        let noted = self.noted.get_mut();
        if !noted.is_empty() {
            self.log.failed(self.kind, noted);
        }
    }
}
