//! Collects the backends and ports of the gateway.

use std::collections::BTreeMap;
use std::sync::Arc;

use shared_core::{Rng, SeededRng};

use crate::routing::{Gateway, OptionalTimer, Routes};
use crate::{
    Backend, Catalogue, ChatModel, CircuitSettings, Meter, NoopMeter, NoopObserver, Observer, Provider,
    RetryPolicy, ServerName, Timer, Upstream,
};

/// Collects backends and ports. Without a timer there are no timeouts, no retries and no circuit breaker;
/// fallbacks still work. Without a meter nothing is recorded.
#[derive(Debug)]
pub struct GenServiceBuilder {
    backends: BTreeMap<Upstream, Backend>,
    retry: RetryPolicy,
    circuit: CircuitSettings,
    timer: Option<Arc<dyn Timer>>,
    meter: Arc<dyn Meter>,
    rng: Arc<dyn Rng>,
    observer: Arc<dyn Observer>,
    catalogue: Catalogue,
}

impl Default for GenServiceBuilder {
    fn default() -> Self {
        Self {
            backends: BTreeMap::new(),
            retry: RetryPolicy::default(),
            circuit: CircuitSettings::default(),
            timer: None,
            meter: Arc::new(NoopMeter),
            rng: Arc::new(SeededRng::default()),
            observer: Arc::new(NoopObserver),
            catalogue: Catalogue::default(),
        }
    }
}

impl GenServiceBuilder {
    /// Sets the backend of a vendor, or with [`Provider::Formwork`] that of the built-in model.
    #[must_use]
    pub fn provider(mut self, provider: Provider, backend: Backend) -> Self {
        self.backends.insert(Upstream::Provider(provider), backend);
        self
    }

    /// Adds one of the operator's own servers. Its models are `<name>/<model>@formwork`; the backend receives
    /// `<model>`.
    #[must_use]
    pub fn server(mut self, name: ServerName, backend: Backend) -> Self {
        self.backends.insert(Upstream::Server(name), backend);
        self
    }

    /// Sets a backend for `provider` that only supports chat.
    #[must_use]
    pub fn with_chat(self, provider: Provider, model: Arc<dyn ChatModel>) -> Self {
        self.provider(provider, Backend { chat: Some(model), ..Backend::default() })
    }

    /// Sets the timer. The default is none.
    #[must_use]
    pub fn timer(self, timer: Arc<dyn Timer>) -> Self {
        Self { timer: Some(timer), ..self }
    }

    /// Sets the meter. The default records nothing.
    #[must_use]
    pub fn meter(self, meter: Arc<dyn Meter>) -> Self {
        Self { meter, ..self }
    }

    /// Sets the source of randomness for the jitter.
    #[must_use]
    pub fn rng(self, ids: Arc<dyn Rng>) -> Self {
        Self { rng: ids, ..self }
    }

    /// Sets the observer. The default ignores all incidents.
    #[must_use]
    pub fn observer(self, observer: Arc<dyn Observer>) -> Self {
        Self { observer, ..self }
    }

    /// Sets the catalogue. The default is the shipped one.
    #[must_use]
    pub fn catalogue(self, catalogue: Catalogue) -> Self {
        Self { catalogue, ..self }
    }

    /// Sets the retry policy.
    #[must_use]
    pub fn retry(self, retry: RetryPolicy) -> Self {
        Self { retry, ..self }
    }

    /// Sets when circuits open.
    #[must_use]
    pub fn circuit(self, circuit: CircuitSettings) -> Self {
        Self { circuit, ..self }
    }

    /// The gateway with these backends and ports.
    pub(super) fn into_gateway(self) -> Gateway {
        let pace = OptionalTimer(self.timer);
        let circuit = pace.has_timer().then_some(self.circuit);
        Gateway {
            routes: Routes::new(self.backends, circuit),
            retry: self.retry,
            pace,
            meter: self.meter,
            rng: self.rng,
            observer: self.observer,
            catalogue: self.catalogue,
        }
    }
}
