//! Puts a service together.

use std::collections::BTreeMap;
use std::sync::Arc;

use shared_core::{IdSource, SeededIds};

use super::GenService;
use crate::routing::{Gateway, Pace, Routes};
use crate::{
    Backend, Catalogue, ChatModel, CircuitSettings, FreeMeter, Meter, Observer, Provider, Retry, ServerName,
    Timer, Unobserved, Upstream,
};

/// Collects backends and ports. Without a timer nothing is limited in time, no failed call is made
/// again, and no circuit opens; fallbacks are asked all the same. Without a meter nothing is booked.
#[derive(Debug)]
pub struct GenServiceBuilder {
    backends: BTreeMap<Upstream, Backend>,
    retry: Retry,
    circuit: CircuitSettings,
    timer: Option<Arc<dyn Timer>>,
    meter: Arc<dyn Meter>,
    ids: Arc<dyn IdSource>,
    observer: Arc<dyn Observer>,
    catalogue: Catalogue,
}

impl Default for GenServiceBuilder {
    fn default() -> Self {
        Self {
            backends: BTreeMap::new(),
            retry: Retry::default(),
            circuit: CircuitSettings::default(),
            timer: None,
            meter: Arc::new(FreeMeter),
            ids: Arc::new(SeededIds::default()),
            observer: Arc::new(Unobserved),
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
    pub fn ids(self, ids: Arc<dyn IdSource>) -> Self {
        Self { ids, ..self }
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
    pub fn retry(self, retry: Retry) -> Self {
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
        let pace = Pace(self.timer);
        let circuit = pace.runs().then_some(self.circuit);
        GenService {
            gateway: Arc::new(Gateway {
                routes: Routes::new(self.backends, circuit),
                retry: self.retry,
                pace,
                meter: self.meter,
                ids: self.ids,
                observer: self.observer,
                catalogue: self.catalogue,
            }),
        }
    }
}
