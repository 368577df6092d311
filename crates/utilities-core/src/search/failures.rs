//! Collects the provider failures of one call.

use std::sync::{Mutex, PoisonError};

use gen_core::ProviderError;

use super::ports::{ProviderFailure, SearchLog};
use super::query::Kind;

/// Collects the failures of a call and logs them once: at the end of the call, also when it is cancelled.
#[derive(Debug)]
pub(super) struct Failures<'a> {
    kind: Kind,
    log: &'a dyn SearchLog,
    noted: Mutex<Vec<ProviderFailure>>,
}

impl<'a> Failures<'a> {
    pub(super) fn new(kind: Kind, log: &'a dyn SearchLog) -> Self {
        Self { kind, log, noted: Mutex::default() }
    }

    pub(super) fn note(&self, provider: &'static str, error: &ProviderError) {
        let mut noted = self.noted.lock().unwrap_or_else(PoisonError::into_inner);
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

impl Drop for Failures<'_> {
    fn drop(&mut self) {
        let noted = self.noted.get_mut().unwrap_or_else(PoisonError::into_inner);
        if !noted.is_empty() {
            self.log.failed(self.kind, noted);
        }
    }
}
