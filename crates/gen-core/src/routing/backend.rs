//! Backends: a vendor, one of the operator's own servers, or the service itself.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

use super::circuit::Circuit;
use super::concurrency_limiter::ConcurrencyLimiter;
use super::list_cache::ListCache;
use super::{Capacity, CircuitSettings, Timeouts};
use crate::{
    BatchModel, ChatModel, EmbedModel, ImageModel, ListedModel, ModelId, ModelKind, ModelList, Provider,
    RerankModel, ServerName, SpeechModel, StreamingChatModel,
};

/// The capabilities and limits of one vendor or server. A capability that is `None` is not supported.
#[derive(Clone, Debug, Default)]
pub struct Backend {
    /// Generates text.
    pub chat: Option<Arc<dyn ChatModel>>,
    /// Streams text. Without it, an answer of `chat` is streamed as one event.
    pub stream: Option<Arc<dyn StreamingChatModel>>,
    /// Answers text requests in batches.
    pub batch: Option<Arc<dyn BatchModel>>,
    /// Computes embeddings.
    pub embed: Option<Arc<dyn EmbedModel>>,
    /// Scores texts by their relevance to a query.
    pub rerank: Option<Arc<dyn RerankModel>>,
    /// Generates images.
    pub image: Option<Arc<dyn ImageModel>>,
    /// Generates speech.
    pub speech: Option<Arc<dyn SpeechModel>>,
    /// Lists the models.
    pub list: Option<Arc<dyn ModelList>>,
    /// Models beside those of `list`; without `list` all models.
    pub models: Vec<ListedModel>,
    /// Limits of concurrency.
    pub capacity: Capacity,
    /// Limits of time.
    pub timeouts: Timeouts,
}

impl Backend {
    /// Whether it supports models of this kind.
    #[must_use]
    pub fn supports(&self, kind: ModelKind) -> bool {
        match kind {
            ModelKind::TextToText => self.chat.is_some() || self.stream.is_some(),
            ModelKind::TextToImage => self.image.is_some(),
            ModelKind::TextToSpeech => self.speech.is_some(),
            ModelKind::TextToEmbedding => self.embed.is_some(),
            ModelKind::TextToScore => self.rerank.is_some(),
        }
    }
}

/// What a call was sent to: a provider, or one of the operator's own servers.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Upstream {
    /// A vendor, or for [`Provider::Formwork`] the built-in model.
    Provider(Provider),
    /// One of the operator's own servers.
    Server(ServerName),
}

impl Upstream {
    /// The provider in the ids of its models.
    #[must_use]
    pub fn provider(&self) -> Provider {
        match self {
            Self::Provider(provider) => *provider,
            Self::Server(_) => Provider::Formwork,
        }
    }

    /// Whether this is a vendor, whose models the catalogue knows by name.
    pub(crate) fn is_vendor(&self) -> bool {
        matches!(self, Self::Provider(provider) if *provider != Provider::Formwork)
    }

    /// Whether this is another process, which can be unavailable and recover.
    fn is_remote(&self) -> bool {
        *self != Self::Provider(Provider::Formwork)
    }

    /// The id of its model with this name.
    pub(crate) fn id(&self, model: &str) -> ModelId {
        match self {
            Self::Provider(provider) => ModelId { model: model.to_owned(), provider: *provider },
            Self::Server(server) => {
                ModelId { model: format!("{server}/{model}"), provider: Provider::Formwork }
            }
        }
    }
}

impl fmt::Display for Upstream {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Provider(provider) => f.write_str(provider.display_name()),
            Self::Server(server) => write!(f, "the server '{server}'"),
        }
    }
}

/// A backend with its limiter, circuit and list cache.
#[derive(Debug)]
pub(crate) struct Route {
    pub(crate) upstream: Upstream,
    pub(crate) backend: Backend,
    pub(crate) limiter: Arc<ConcurrencyLimiter>,
    /// `None` for what runs in this process, and without a timer.
    pub(crate) circuit: Option<Arc<Circuit>>,
    pub(crate) list: ListCache,
}

impl Route {
    fn new(upstream: Upstream, backend: Backend, circuit: Option<CircuitSettings>) -> Self {
        let circuit = circuit
            .filter(|settings| settings.failures > 0 && upstream.is_remote())
            .map(|settings| Arc::new(Circuit::new(settings)));
        let limiter = Arc::new(ConcurrencyLimiter::new(backend.capacity));
        Self { upstream, backend, limiter, circuit, list: ListCache::default() }
    }

    /// Whether another attempt at the same call can have a different result.
    pub(crate) fn may_recover(&self) -> bool {
        self.upstream.is_remote()
    }
}

/// A model and its backend.
#[derive(Clone, Debug)]
pub(crate) struct Target {
    pub(crate) id: ModelId,
    /// The model's name at its backend.
    pub(crate) model: String,
    pub(crate) route: Arc<Route>,
}

#[derive(Debug)]
pub(crate) struct Routes(BTreeMap<Upstream, Arc<Route>>);

impl Routes {
    pub(crate) fn new(backends: BTreeMap<Upstream, Backend>, circuit: Option<CircuitSettings>) -> Self {
        let route = |(upstream, backend): (Upstream, Backend)| {
            (upstream.clone(), Arc::new(Route::new(upstream, backend, circuit)))
        };
        Self(backends.into_iter().map(route).collect())
    }

    pub(crate) fn get(&self, upstream: &Upstream) -> Option<&Arc<Route>> {
        self.0.get(upstream)
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = &Arc<Route>> {
        self.0.values()
    }

    pub(crate) fn servers(&self) -> Vec<String> {
        let name = |upstream: &Upstream| match upstream {
            Upstream::Server(name) => Some(name.to_string()),
            Upstream::Provider(_) => None,
        };
        self.0.keys().filter_map(name).collect()
    }
}
