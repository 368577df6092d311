//! Puts a service together.

use std::collections::BTreeMap;
use std::sync::Arc;

use shared_core::{Rng, SeededRng};

use super::GenService;
use crate::routing::{Gateway, OptionalTimer, Routes};
use crate::{
    Backend, Catalogue, ChatModel, CircuitSettings, Meter, NoopMeter, NoopObserver, Observer, Provider,
    RetryPolicy, ServerName, Timer, Upstream,
};

/// Collects backends and ports. Without a timer nothing is limited in time, no failed call is made
/// again, and no circuit opens; fallbacks are asked all the same. Without a meter nothing is booked.
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
    /// Lets `provider` be served by `backend`: a vendor, or with [`Provider::Formwork`] the built-in
    /// model.
    #[must_use]
    pub fn provider(mut self, provider: Provider, backend: Backend) -> Self {
        self.backends.insert(Upstream::Provider(provider), backend);
        self
    }

    /// Adds one of the operator's own servers. Its models are `<name>/<model>@formwork`; the backend
    /// gets the name without `<name>/`.
    #[must_use]
    pub fn server(mut self, name: ServerName, backend: Backend) -> Self {
        self.backends.insert(Upstream::Server(name), backend);
        self
    }

    /// Lets `provider` be served by a model that answers in words, and does nothing else.
    #[must_use]
    pub fn with_chat(self, provider: Provider, model: Arc<dyn ChatModel>) -> Self {
        self.provider(provider, Backend { chat: Some(model), ..Backend::default() })
    }

    /// Tells the time and waits.
    #[must_use]
    pub fn timer(self, timer: Arc<dyn Timer>) -> Self {
        Self { timer: Some(timer), ..self }
    }

    /// Books every attempt.
    #[must_use]
    pub fn meter(self, meter: Arc<dyn Meter>) -> Self {
        Self { meter, ..self }
    }

    /// Where the jitter of delays comes from.
    #[must_use]
    pub fn rng(self, ids: Arc<dyn Rng>) -> Self {
        Self { rng: ids, ..self }
    }

    /// Is told what no answer tells.
    #[must_use]
    pub fn observer(self, observer: Arc<dyn Observer>) -> Self {
        Self { observer, ..self }
    }

    /// What is known of models.
    #[must_use]
    pub fn catalogue(self, catalogue: Catalogue) -> Self {
        Self { catalogue, ..self }
    }

    /// When failed calls are made again.
    #[must_use]
    pub fn retry(self, retry: RetryPolicy) -> Self {
        Self { retry, ..self }
    }

    /// When a backend is left alone.
    #[must_use]
    pub fn circuit(self, circuit: CircuitSettings) -> Self {
        Self { circuit, ..self }
    }

    /// The service.
    #[must_use]
    pub fn build(self) -> GenService {
        let pace = OptionalTimer(self.timer);
        let circuit = pace.has_timer().then_some(self.circuit);
        GenService {
            gateway: Arc::new(Gateway {
                routes: Routes::new(self.backends, circuit),
                retry: self.retry,
                pace,
                meter: self.meter,
                rng: self.rng,
                observer: self.observer,
                catalogue: self.catalogue,
            }),
        }
    }
}
