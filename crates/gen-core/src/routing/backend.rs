//! What serves models: a vendor, one of the operator's own servers, or the service itself.

use std::collections::BTreeMap;
use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

use super::circuit::Circuit;
use super::concurrency_limiter::ConcurrencyLimiter;
use super::{Capacity, CircuitSettings, Timeouts};
use crate::catalogue::ListCache;
use crate::{
    ChatModel, EmbedModel, ImageModel, ListedModel, ModelId, ModelKind, ModelList, Provider, SpeechModel,
    StreamingChatModel,
};

/// The capabilities of one vendor or server, and how much it is trusted with. What is `None` it cannot
/// do.
#[derive(Clone, Debug, Default)]
pub struct Backend {
    /// Answers in words.
    pub chat: Option<Arc<dyn ChatModel>>,
    /// Answers in words, piece by piece; without it a whole answer of `chat` is streamed in one piece.
    pub stream: Option<Arc<dyn StreamingChatModel>>,
    /// Makes vectors.
    pub embed: Option<Arc<dyn EmbedModel>>,
    /// Makes pictures.
    pub image: Option<Arc<dyn ImageModel>>,
    /// Speaks.
    pub speech: Option<Arc<dyn SpeechModel>>,
    /// Tells its models.
    pub list: Option<Arc<dyn ModelList>>,
    /// Models that it has beside those it lists. Without `list` it has no others.
    pub models: Vec<ListedModel>,
    /// Calls at the same time.
    pub capacity: Capacity,
    /// How long it may take.
    pub timeouts: Timeouts,
}

impl Backend {
    /// Whether it can serve models of this kind.
    #[must_use]
    pub fn supports(&self, kind: ModelKind) -> bool {
        match kind {
            ModelKind::TextToText => self.chat.is_some() || self.stream.is_some(),
            ModelKind::TextToImage => self.image.is_some(),
            ModelKind::TextToSpeech => self.speech.is_some(),
            ModelKind::TextToEmbedding => self.embed.is_some(),
        }
    }
}

/// The name of one of the operator's own servers: lower-case letters, digits and hyphens; at most 64.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ServerName(String);

/// Text that names no server.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the name of a server has 1 to 64 lower-case letters, digits and hyphens")]
pub struct ServerNameError;

impl ServerName {
    /// The name.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl FromStr for ServerName {
    type Err = ServerNameError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let allowed = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-';
        if text.is_empty() || text.len() > 64 || !text.bytes().all(allowed) {
            return Err(ServerNameError);
        }
        Ok(Self(text.to_owned()))
    }
}

impl fmt::Display for ServerName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// Who was called: a provider, or one of the operator's own servers.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Upstream {
    /// A vendor, or for [`Provider::Formwork`] the built-in model.
    Provider(Provider),
    /// An own server.
    Server(ServerName),
}

impl Upstream {
    /// The provider that its models are named by.
    #[must_use]
    pub fn provider(&self) -> Provider {
        match self {
            Self::Provider(provider) => *provider,
            Self::Server(_) => Provider::Formwork,
        }
    }

    /// Whether it is a vendor, whose models the catalogue knows by name.
    pub(crate) fn is_vendor(&self) -> bool {
        matches!(self, Self::Provider(provider) if *provider != Provider::Formwork)
    }

    /// Whether it is a program of its own, which can be away, and come back.
    fn is_remote(&self) -> bool {
        *self != Self::Provider(Provider::Formwork)
    }

    /// The id of its model of this name.
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

/// A backend at work.
#[derive(Debug)]
pub(crate) struct Route {
    pub(crate) upstream: Upstream,
    pub(crate) backend: Backend,
    pub(crate) limiter: Arc<ConcurrencyLimiter>,
    /// None for what runs in this process, or where nothing tells the time.
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

    /// Whether another attempt at the same call can turn out differently.
    pub(crate) fn may_recover(&self) -> bool {
        self.upstream.is_remote()
    }
}

/// A model, and who serves it.
#[derive(Clone, Debug)]
pub(crate) struct Target {
    pub(crate) id: ModelId,
    /// The name that its backend knows it by.
    pub(crate) model: String,
    pub(crate) route: Arc<Route>,
}

/// Every backend.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_server_is_named_by_a_short_lower_case_slug() {
        for good in ["a", "gpu-1", "9"] {
            assert_eq!(good.parse::<ServerName>().unwrap().as_str(), good);
        }
        for bad in ["", "A", "a_b", "a/b", "a@b", "ü", "a b", &"a".repeat(65)] {
            assert_eq!(bad.parse::<ServerName>(), Err(ServerNameError), "{bad}");
        }
    }
}
