//! Settings of models: vendors, own servers, prices, time limits.

use std::collections::BTreeMap;

use gen_core::{ModelKind, Provider};
use providers_http::RerankForm;
use secrecy::{ExposeSecret as _, SecretString};
use serde::{Deserialize, Serialize, Serializer};

/// A text that is never printed.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(transparent)]
pub struct Secret(pub SecretString);

impl Secret {
    /// Whether it is not set.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.expose_secret().is_empty()
    }
}

impl PartialEq for Secret {
    fn eq(&self, other: &Self) -> bool {
        self.0.expose_secret() == other.0.expose_secret()
    }
}

impl From<String> for Secret {
    fn from(text: String) -> Self {
        Self(text.into())
    }
}

impl Serialize for Secret {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(if self.is_empty() { "" } else { "<redacted>" })
    }
}

/// Vendors, own servers, prices and time limits of models.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct ModelSettings {
    /// The default model, for agents without one and for generated schemas.
    pub default: String,
    /// Time limit in seconds of a connection to a provider.
    pub connect_seconds: u64,
    /// Time limit in seconds of one call.
    pub call_seconds: u64,
    /// Maximum silence of a provider within an answer, in seconds.
    pub idle_seconds: u64,
    /// Maximum number of retries of a retryable failure.
    pub retries: u32,
    /// Maximum number of concurrent calls per provider.
    pub concurrency: usize,
    /// Folder of the embedding models that run in the server; `models` in the data folder when empty.
    pub folder: String,
    /// Folder of one more such model; none when empty.
    pub local_embeddings: String,
    /// The vendor OpenAI.
    pub openai: VendorSettings,
    /// The vendor Anthropic.
    pub anthropic: VendorSettings,
    /// The vendor Google.
    pub google: VendorSettings,
    /// The vendor Mistral.
    pub mistral: VendorSettings,
    /// The operator's servers with an OpenAI-compatible API.
    pub own: Vec<OwnServer>,
    /// Prices and token limits by `model@provider`. They take precedence over the built-in catalogue.
    pub prices: BTreeMap<String, PriceSettings>,
}

/// A model vendor.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct VendorSettings {
    /// Base URL of its API.
    pub base_url: String,
    /// The API key; the vendor is not configured without one.
    pub key: Secret,
    /// Headers sent with every call.
    pub headers: BTreeMap<String, Secret>,
}

/// A server with an OpenAI-compatible API.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct OwnServer {
    /// Prefix of its models' names: `<name>/<model>@formwork`.
    pub name: String,
    /// Base URL of its API, such as `http://127.0.0.1:8000/v1`.
    pub base_url: String,
    /// Environment variable that holds its key.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub key_env: String,
    /// Headers sent with every call.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub headers: BTreeMap<String, Secret>,
    /// Voice of its speech models; the API's default when empty.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub voice: String,
    /// Size of its models' pictures, such as `1024x1024`; the model's default when empty.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub size: String,
    /// Interface of its rerankers: `jina`, `cohere`, `voyage` or `tei`; `jina` when empty.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub rerank: String,
    /// Configured models. Models that the server lists need no entry.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub models: Vec<OwnModel>,
    /// The key from the variable.
    #[serde(skip)]
    pub key: Secret,
}

/// A model of an own server. Unset fields come from the server or are derived from the model's name.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct OwnModel {
    /// Name of the model at the server.
    pub name: String,
    /// Kind: `text-to-text`, `text-to-image`, `text-to-speech`, `text-to-embedding` or `text-to-score`.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub kind: String,
    /// Its voice; overrides that of the server.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub voice: String,
    /// Size of its pictures; overrides that of the server.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub size: String,
    /// US dollars per million input tokens.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub input: Option<f64>,
    /// US dollars per million input tokens from the server's cache; as `input` when absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cached_input: Option<f64>,
    /// US dollars per million output tokens.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub output: Option<f64>,
    /// US dollars per picture, independent of tokens.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub picture: Option<f64>,
    /// Maximum number of input tokens.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub context_tokens: Option<u32>,
    /// Maximum number of output tokens.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub output_tokens: Option<u32>,
    /// Whether a text model takes pictures; when absent, it is sent pictures until it refuses them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub vision: Option<bool>,
}

impl OwnServer {
    /// The interface of its rerankers; `None` for an unknown name.
    #[must_use]
    pub fn rerank_form(&self) -> Option<RerankForm> {
        if self.rerank.is_empty() { Some(RerankForm::default()) } else { RerankForm::from_name(&self.rerank) }
    }
}

impl OwnModel {
    /// Its prices and limits.
    #[must_use]
    pub fn price(&self) -> PriceSettings {
        let Self { input, cached_input, output, picture, context_tokens, output_tokens, .. } = *self;
        PriceSettings { input, cached_input, output, picture, context_tokens, output_tokens }
    }

    /// Its kind, if set.
    #[must_use]
    pub fn kind(&self) -> Option<ModelKind> {
        KINDS.into_iter().find(|kind| kind.id() == self.kind)
    }
}

const KINDS: [ModelKind; 5] = [
    ModelKind::TextToText,
    ModelKind::TextToImage,
    ModelKind::TextToSpeech,
    ModelKind::TextToEmbedding,
    ModelKind::TextToScore,
];

/// Prices of a model in US dollars per million tokens, and its token limits.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PriceSettings {
    /// Input tokens.
    pub input: Option<f64>,
    /// Input tokens from the vendor's cache; as `input` when absent.
    pub cached_input: Option<f64>,
    /// Output tokens.
    pub output: Option<f64>,
    /// US dollars per picture, independent of tokens.
    pub picture: Option<f64>,
    /// Maximum number of input tokens.
    pub context_tokens: Option<u32>,
    /// Maximum number of output tokens.
    pub output_tokens: Option<u32>,
}

impl Default for ModelSettings {
    fn default() -> Self {
        let vendor = |base_url: &str| VendorSettings { base_url: base_url.to_owned(), ..Default::default() };
        Self {
            default: "extractive@formwork".to_owned(),
            connect_seconds: 5,
            call_seconds: 600,
            idle_seconds: 60,
            retries: 2,
            concurrency: 64,
            folder: String::new(),
            local_embeddings: String::new(),
            openai: vendor("https://api.openai.com/v1"),
            anthropic: vendor("https://api.anthropic.com"),
            google: vendor("https://generativelanguage.googleapis.com/v1"),
            mistral: vendor("https://api.mistral.ai/v1"),
            own: Vec::new(),
            prices: BTreeMap::new(),
        }
    }
}

impl ModelSettings {
    /// The vendors by provider. The settings tables have the providers' identifiers as names.
    #[must_use]
    pub fn vendors(&self) -> [(Provider, &VendorSettings); 4] {
        [
            (Provider::OpenAi, &self.openai),
            (Provider::Anthropic, &self.anthropic),
            (Provider::Google, &self.google),
            (Provider::Mistral, &self.mistral),
        ]
    }

    /// Whether any provider is called over HTTP.
    #[must_use]
    pub fn calls_others(&self) -> bool {
        !self.own.is_empty() || self.vendors().iter().any(|(_, vendor)| !vendor.key.is_empty())
    }
}

/// Validates the settings of models. The error is one sentence.
pub(super) fn check(models: &ModelSettings) -> Result<(), String> {
    for (provider, vendor) in models.vendors() {
        let name = provider.id();
        check_url(&format!("models.{name}.base_url"), &vendor.base_url)?;
        check_headers(&format!("models.{name}.headers"), &vendor.headers)?;
    }
    for (index, own) in models.own.iter().enumerate() {
        let place = format!("models.own[{index}]");
        let slug = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-';
        if own.name.is_empty() || own.name.len() > 64 || !own.name.bytes().all(slug) {
            return Err(format!("'{place}.name' must have 1 to 64 lower-case letters, digits and hyphens"));
        }
        if models.own.iter().take(index).any(|other| other.name == own.name) {
            return Err(format!("'{place}.name' must be unique; '{}' is there twice", own.name));
        }
        check_url(&format!("{place}.base_url"), &own.base_url)?;
        check_headers(&format!("{place}.headers"), &own.headers)?;
        if own.rerank_form().is_none() {
            return Err(format!("'{place}.rerank' must be one of {}", RerankForm::names()));
        }
        check_own_models(&place, own)?;
    }
    for (id, price) in &models.prices {
        if let Err(error) = id.parse::<gen_core::ModelId>() {
            return Err(format!("'models.prices.\"{id}\"': {error}"));
        }
        check_price(id, price)?;
    }
    Ok(())
}

fn check_price(id: &str, price: &PriceSettings) -> Result<(), String> {
    let prices = [price.input, price.cached_input, price.output, price.picture];
    if prices.into_iter().flatten().any(|price| !price.is_finite() || !(0.0..=1e6).contains(&price)) {
        return Err(format!(
            "the prices of '{id}' must be US dollars per million tokens, or per picture, from 0"
        ));
    }
    Ok(())
}

fn check_own_models(server: &str, own: &OwnServer) -> Result<(), String> {
    for (index, model) in own.models.iter().enumerate() {
        let place = format!("{server}.models[{index}]");
        let id = format!("{}/{}@formwork", own.name, model.name);
        if let Err(error) = id.parse::<gen_core::ModelId>() {
            return Err(format!("'{place}.name': {error}"));
        }
        if own.models.iter().take(index).any(|other| other.name == model.name) {
            return Err(format!("'{place}.name' must be unique; '{}' is there twice", model.name));
        }
        if !model.kind.is_empty() && model.kind().is_none() {
            let kinds = KINDS.map(ModelKind::id).join(", ");
            return Err(format!("'{place}.kind' must be one of {kinds}"));
        }
        check_price(&id, &model.price())?;
    }
    Ok(())
}

pub(super) fn check_url(key: &str, url: &str) -> Result<(), String> {
    let parsed = reqwest::Url::parse(url);
    let usable = parsed.as_ref().is_ok_and(|url| {
        ["http", "https"].contains(&url.scheme())
            && url.has_host()
            && url.username().is_empty()
            && url.password().is_none()
            && url.query().is_none()
            && url.fragment().is_none()
    });
    if usable {
        return Ok(());
    }
    Err(format!("'{key}' must be an http or https address without user, query or fragment"))
}

pub(super) fn check_headers(key: &str, headers: &BTreeMap<String, Secret>) -> Result<(), String> {
    for (name, value) in headers {
        let name_is_one = reqwest::header::HeaderName::from_bytes(name.as_bytes()).is_ok();
        if !name_is_one || reqwest::header::HeaderValue::from_str(value.0.expose_secret()).is_err() {
            return Err(format!("'{key}' must hold names and values of HTTP headers"));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn secrets_are_printed_nowhere() {
        let mut settings = ModelSettings::default();
        settings.openai.key = "sk-very-secret".to_owned().into();
        settings.google.headers.insert("x-extra".into(), "also-secret".to_owned().into());
        let own = OwnServer { name: "lab".into(), key: "own-secret".to_owned().into(), ..Default::default() };
        settings.own.push(own);
        let printed = format!("{settings:?}{}", toml::to_string(&settings).unwrap());
        assert!(!printed.contains("secret\"") && !printed.contains("very-secret"), "{printed}");
        assert!(printed.contains("<redacted>"));
    }

    #[test]
    fn wrong_settings_of_models_are_refused_with_their_place() {
        let own = |name: &str, url: &str| OwnServer {
            name: name.into(),
            base_url: url.into(),
            ..OwnServer::default()
        };
        let with = |own: Vec<OwnServer>| ModelSettings { own, ..ModelSettings::default() };
        for (settings, place) in [
            (with(vec![own("Lab", "http://h/v1")]), "models.own[0].name"),
            (with(vec![own("a/b", "http://h/v1")]), "models.own[0].name"),
            (with(vec![own("a", "http://h"), own("a", "http://h")]), "models.own[1].name"),
            (with(vec![own("a", "ftp://h")]), "models.own[0].base_url"),
            (with(vec![own("a", "http://me:pw@h")]), "models.own[0].base_url"),
            (with(vec![own("a", "h:80")]), "models.own[0].base_url"),
        ] {
            let told = check(&settings).unwrap_err();
            assert!(told.contains(place) && !told.contains("pw"), "{told}");
        }
        let odd = OwnModel { name: "m".into(), kind: "speech-to-text".into(), ..OwnModel::default() };
        let server = OwnServer { models: vec![odd], ..own("a", "http://h/v1") };
        assert!(check(&with(vec![server])).unwrap_err().contains("models.own[0].models[0].kind"));
        let odd = OwnServer { rerank: "openai".into(), ..own("a", "http://h/v1") };
        assert!(check(&with(vec![odd])).unwrap_err().contains("models.own[0].rerank"));
        let price = PriceSettings { input: Some(-1.0), ..PriceSettings::default() };
        let mut settings = ModelSettings::default();
        settings.prices.insert("m@openai".into(), price);
        assert!(check(&settings).unwrap_err().contains("m@openai"));
    }
}
