//! The providers of one kind as a fallback chain: the first one that answers wins.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use futures_util::future::{Either, select};
use gen_core::{Fault, ProviderError};
use parking_lot::Mutex;
use shared_core::{DomainError as _, Scope, Timer};

use super::cache::Failure;
use super::failures::Failures;
use super::ports::{NewsProvider, ProviderHits, SearchProvider};
use super::query::Query;

/// Pause of a provider that asks for one without giving its length. Chosen by hand; no measurement is
/// recorded.
const PAUSE: Duration = Duration::from_secs(30);
/// Maximum pause, whatever a provider asks for. A provider must not be lost for a day by one header. Chosen
/// by hand; no measurement is recorded.
const LONGEST_PAUSE: Duration = Duration::from_secs(3_600);

#[derive(Clone, Debug)]
pub(super) enum Provider {
    Web(Arc<dyn SearchProvider>),
    News(Arc<dyn NewsProvider>),
}

impl Provider {
    fn name(&self) -> &'static str {
        match self {
            Self::Web(provider) => provider.name(),
            Self::News(provider) => provider.name(),
        }
    }

    async fn ask(&self, scope: &Scope, query: &Query) -> Result<ProviderHits, ProviderError> {
        match self {
            Self::Web(provider) => provider.search(scope, query).await,
            Self::News(provider) => provider.news(scope, query).await,
        }
    }
}

#[derive(Debug)]
pub(super) struct Chain {
    providers: Vec<Provider>,
    timer: Arc<dyn Timer>,
    /// Timeout of one provider.
    patience: Duration,
    /// Until when a provider is paused, by the timer.
    pauses: Mutex<HashMap<&'static str, Duration>>,
}

impl Chain {
    pub(super) fn new(providers: Vec<Provider>, timer: Arc<dyn Timer>, patience: Duration) -> Self {
        Self { providers, timer, patience, pauses: Mutex::default() }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.providers.is_empty()
    }

    /// The answer of the first provider that succeeds, which may have no hits; else the errors of all of
    /// them.
    pub(super) async fn ask(
        &self,
        scope: &Scope,
        query: &Query,
        noted: &Failures,
    ) -> Result<ProviderHits, Failure> {
        let mut failures: Vec<(&'static str, ProviderError)> = Vec::new();
        for provider in &self.providers {
            let name = provider.name();
            let answer = match self.paused(name) {
                Some(left) => Err(pause_error(left)),
                None => {
                    let answer = self.with_timeout(provider.ask(scope, query)).await;
                    if let Err(error) = &answer {
                        noted.note(name, error);
                        self.pause(name, error);
                    }
                    answer
                }
            };
            match answer {
                Ok(found) => return Ok(found),
                Err(error) => failures.push((name, error)),
            }
        }
        Err(failure(&failures))
    }

    async fn with_timeout(
        &self,
        work: impl Future<Output = Result<ProviderHits, ProviderError>>,
    ) -> Result<ProviderHits, ProviderError> {
        match select(Box::pin(work), self.timer.sleep(self.patience)).await {
            Either::Left((answer, _)) => answer,
            Either::Right(_) => Err(ProviderError::timeout()),
        }
    }

    fn paused(&self, name: &str) -> Option<Duration> {
        let pauses = self.pauses.lock();
        let left = pauses.get(name)?.saturating_sub(self.timer.elapsed());
        (!left.is_zero()).then_some(left)
    }

    fn pause(&self, name: &'static str, error: &ProviderError) {
        let asked = match error.fault {
            Fault::RateLimited => Some(error.retry_after.unwrap_or(PAUSE)),
            Fault::Auth | Fault::Billing => Some(PAUSE),
            _ => error.retry_after,
        };
        if let Some(pause) = asked {
            let until = self.timer.elapsed().saturating_add(pause.min(LONGEST_PAUSE));
            self.pauses.lock().insert(name, until);
        }
    }
}

fn pause_error(left: Duration) -> ProviderError {
    let seconds = left.as_secs() + u64::from(left.subsec_nanos() > 0);
    let message = format!("it limits the rate or refused the key, and is retried in {seconds} s");
    ProviderError::new(Fault::RateLimited, message)
}

/// The errors of the providers, each with its name. The code is that of the first, which the settings prefer.
fn failure(failures: &[(&'static str, ProviderError)]) -> Failure {
    let said: Vec<String> = failures.iter().map(|(name, error)| format!("{name}: {error}")).collect();
    let code = failures.first().map_or("provider_failed", |(_, error)| error.code());
    Failure { code, message: said.join("; ") }
}
