//! Builds the model providers from the settings.

pub(crate) mod local;

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use anyhow::Context as _;
use gen_core::{
    Backend, Capacity, Catalogue, CatalogueEntry, ChatModel, EmbedModel, GenService, ImageModel, Incident,
    ListedModel, Meter, ModelId, ModelList, Observer, Price, Provider, RetryPolicy, SpeechModel,
    StreamingChatModel, Timeouts,
};
use providers_http::{
    Anthropic, AnthropicSettings, Auth, Endpoint, Google, GoogleSettings, Limits, MediaSettings,
    MistralBatches, OpenAiCompatible, Reranker, TraceContext, Transport,
};
use runtime_tokio::TokioTimer;
use secrecy::ExposeSecret as _;
use shared_core::{Clock, Rng};

use crate::background::OffloadedExtractive;
use crate::metrics::Metrics;
use crate::settings::{ModelSettings, OwnModel, OwnServer, PriceSettings, VendorSettings};

/// What the providers are built on.
#[derive(Debug)]
pub struct GenerationPorts {
    /// The built-in model.
    pub extractive: OffloadedExtractive,
    /// Folders of the embedding models that run in the server.
    pub model_folders: Vec<PathBuf>,
    /// Threads of these models.
    pub threads: usize,
    /// Records the usage of calls.
    pub meter: Arc<dyn Meter>,
    /// Wall clock and timer.
    pub clock: Arc<dyn Clock>,
    /// Randomness.
    pub ids: Arc<dyn Rng>,
    /// Where incidents are counted, if metrics are served.
    pub metrics: Option<Metrics>,
    /// Names the trace to providers, if calls carry it.
    pub trace: Option<Arc<dyn TraceContext>>,
}

/// The service with the built-in model, every vendor that has a key, and the operator's own servers.
///
/// # Errors
/// One sentence for the operator.
pub fn service(settings: &ModelSettings, ports: GenerationPorts) -> anyhow::Result<GenService> {
    let built_in = Arc::new(ports.extractive);
    let own = Backend { chat: Some(built_in.clone()), stream: Some(built_in), ..Backend::default() };
    let own = local::add(own, &ports.model_folders, ports.threads)?;
    let catalogue = catalogue(settings, &own)?;
    let mut builder = GenService::builder()
        .provider(Provider::Formwork, own)
        .timer(Arc::new(TokioTimer::default()))
        .meter(ports.meter)
        .rng(ports.ids)
        .observer(Arc::new(IncidentLog(ports.metrics)))
        .retry(RetryPolicy { retries: settings.retries, ..RetryPolicy::default() })
        .catalogue(catalogue);
    if !settings.calls_others() {
        // Loading the system's certificates would cost each start some milliseconds.
        return Ok(builder.build());
    }
    let connect = Duration::from_secs(settings.connect_seconds);
    let mut transport = Transport::new(connect, settings.concurrency, ports.clock)?;
    if let Some(trace) = ports.trace {
        transport = transport.with_trace(trace);
    }
    let connections = Connections { settings, transport };
    for (provider, vendor) in settings.vendors() {
        if !vendor.key.is_empty() {
            let context = || format!("the settings of models.{} are not valid", provider.id());
            let backend = connections.vendor(provider, vendor).with_context(context)?;
            builder = builder.provider(provider, backend);
        }
    }
    for own in &settings.own {
        let context = || format!("the settings of the own server '{}' are not valid", own.name);
        let name = own.name.parse().with_context(context)?;
        let backend = connections.own_server(own).with_context(context)?;
        builder = builder.server(name, connections.backend(backend));
    }
    Ok(builder.build())
}

/// The client of an own server, with its configured way of generating media.
fn client(endpoint: Endpoint, own: &OwnServer) -> OpenAiCompatible {
    let set = |text: &str| Some(text.to_owned()).filter(|text| !text.is_empty());
    let media = |voice: &str, size: &str| MediaSettings { voice: set(voice), size: set(size) };
    let client = OpenAiCompatible::self_hosted(endpoint).with_media(media(&own.voice, &own.size));
    own.models
        .iter()
        .fold(client, |client, model| client.with_media_of(&model.name, media(&model.voice, &model.size)))
}

/// The models that the settings list for an own server.
fn listed(own: &OwnServer) -> Vec<ListedModel> {
    let listed = |model: &OwnModel| ListedModel {
        model: model.name.clone(),
        name: None,
        kind: model.kind(),
        context_tokens: model.context_tokens,
        output_tokens: model.output_tokens,
    };
    own.models.iter().map(listed).collect()
}

struct Connections<'a> {
    settings: &'a ModelSettings,
    transport: Transport,
}

impl Connections<'_> {
    fn vendor(&self, provider: Provider, vendor: &VendorSettings) -> anyhow::Result<Backend> {
        let key = vendor.key.0.clone();
        let at = |version| self.endpoint(&vendor.base_url, version, &vendor.headers);
        let backend = match provider {
            Provider::OpenAi => {
                let client = OpenAiCompatible::openai(at("v1")?.with_key(key, Auth::Bearer)?);
                Backend { batch: Some(Arc::new(client.clone())), ..everything(client) }
            }
            Provider::Mistral => {
                let client = OpenAiCompatible::mistral(at("v1")?.with_key(key, Auth::Bearer)?);
                let batches = MistralBatches::new(client.clone());
                Backend { batch: Some(Arc::new(batches)), ..everything(client) }
            }
            Provider::Anthropic => {
                let client = Arc::new(Anthropic::new(at("")?, key, AnthropicSettings::default())?);
                Backend {
                    chat: Some(client.clone()),
                    stream: Some(client.clone()),
                    batch: Some(client.clone()),
                    list: Some(client),
                    ..Backend::default()
                }
            }
            Provider::Google => {
                let client = Google::new(at("v1")?, key, GoogleSettings::default())?;
                Backend { batch: Some(Arc::new(client.clone())), ..everything(client) }
            }
            Provider::Formwork => Backend::default(),
        };
        Ok(self.backend(backend))
    }

    fn own_server(&self, own: &OwnServer) -> anyhow::Result<Backend> {
        let form = own.rerank_form().context("its 'rerank' is unknown")?;
        let reranker = Reranker::new(self.own_endpoint(own, form.version())?, form);
        let backend = everything(client(self.own_endpoint(own, "v1")?, own));
        let list = backend.list.filter(|_| form.has_model_list());
        Ok(Backend { models: listed(own), list, rerank: Some(Arc::new(reranker)), ..backend })
    }

    fn own_endpoint(&self, own: &OwnServer, version: &str) -> anyhow::Result<Endpoint> {
        let endpoint = self.endpoint(&own.base_url, version, &own.headers)?;
        if own.key.is_empty() {
            return Ok(endpoint);
        }
        Ok(endpoint.with_key(own.key.0.clone(), Auth::Bearer)?)
    }

    /// The endpoint of a vendor. Where an address has no path, the vendor's version segment is added.
    fn endpoint(
        &self,
        base_url: &str,
        version: &str,
        headers: &std::collections::BTreeMap<String, crate::settings::Secret>,
    ) -> anyhow::Result<Endpoint> {
        let mut address = base_url.trim_end_matches('/').to_owned();
        if version.is_empty() {
            // The paths of this client include the version segment, or there is none.
            address = address.trim_end_matches("/v1").to_owned();
        } else if reqwest::Url::parse(&address).is_ok_and(|url| url.path() == "/") {
            address = format!("{address}/{version}");
        }
        let mut endpoint = Endpoint::new(&self.transport, &address)?.with_limits(Limits {
            total: Duration::from_secs(self.settings.call_seconds),
            // The gateway cuts stalled streams; the transport below must not be quicker.
            idle: Duration::from_secs(self.settings.call_seconds),
            ..Limits::default()
        });
        for (name, value) in headers {
            endpoint = endpoint.with_header(name, value.0.expose_secret())?;
        }
        Ok(endpoint)
    }

    /// Applies the configured limits of time and concurrency.
    fn backend(&self, backend: Backend) -> Backend {
        let call = Duration::from_secs(self.settings.call_seconds);
        let timeouts = Timeouts {
            attempt: call,
            first_token: Timeouts::default().first_token.min(call),
            idle: Duration::from_secs(self.settings.idle_seconds),
            ..Timeouts::default()
        };
        let capacity = Capacity { concurrent: self.settings.concurrency, ..Capacity::default() };
        Backend { timeouts, capacity, ..backend }
    }
}

/// A backend whose capabilities are all served by one client.
fn everything<T>(client: T) -> Backend
where
    T: ChatModel + StreamingChatModel + EmbedModel + ImageModel + SpeechModel + ModelList,
{
    let client = Arc::new(client);
    Backend {
        chat: Some(client.clone()),
        stream: Some(client.clone()),
        embed: Some(client.clone()),
        image: Some(client.clone()),
        speech: Some(client.clone()),
        list: Some(client),
        ..Backend::default()
    }
}

/// What is known of models. Models that run in the server cost nothing.
fn catalogue(settings: &ModelSettings, own: &Backend) -> anyhow::Result<Catalogue> {
    let free = |listed: &ListedModel| {
        let id = ModelId { model: listed.model.clone(), provider: Provider::Formwork };
        (id, CatalogueEntry { price: Some(Price::free()), ..CatalogueEntry::default() })
    };
    let mut overrides: Vec<(ModelId, CatalogueEntry)> = own.models.iter().map(free).collect();
    for server in &settings.own {
        for model in &server.models {
            let id =
                ModelId { model: format!("{}/{}", server.name, model.name), provider: Provider::Formwork };
            let known = entry(&model.price());
            overrides.push((id, CatalogueEntry { kind: model.kind(), vision: model.vision, ..known }));
        }
    }
    for (id, known) in &settings.prices {
        let id: ModelId = id.parse().with_context(|| format!("models.prices.\"{id}\""))?;
        overrides.push((id, entry(known)));
    }
    Ok(Catalogue::default().with_overrides(overrides))
}

fn entry(known: &PriceSettings) -> CatalogueEntry {
    let price = known.input.zip(known.output).map(|(input, output)| {
        let price = Price::dollars(input, output);
        known.cached_input.map_or(price, |cached| price.cached(cached))
    });
    let price = match known.picture {
        Some(picture) => Some(price.unwrap_or_else(Price::free).picture(picture)),
        None => price,
    };
    CatalogueEntry {
        context_tokens: known.context_tokens,
        output_tokens: known.output_tokens,
        price,
        ..CatalogueEntry::default()
    }
}

/// Incidents in the log.
#[derive(Clone, Debug)]
struct IncidentLog(Option<Metrics>);

impl Observer for IncidentLog {
    fn note(&self, incident: &Incident<'_>) {
        if let Some(metrics) = &self.0 {
            metrics.record_incident(incident);
        }
        match incident {
            Incident::AttemptFailed { model, error, retry_in } => {
                let cause = error.source.as_ref().map(ToString::to_string);
                tracing::warn!(%model, %error, cause, ?retry_in, "a call of a provider failed");
            }
            Incident::CircuitOpened { upstream } => {
                tracing::warn!(%upstream, "a provider failed repeatedly; its circuit breaker is open");
            }
            Incident::SettleFailed { model, error } => {
                tracing::error!(%model, %error, "the usage of a call could not be recorded");
            }
            Incident::ListFailed { upstream, error } => {
                tracing::warn!(%upstream, %error, "a list of models could not be fetched");
            }
        }
    }
}
