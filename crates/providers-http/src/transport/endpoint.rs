//! Endpoints of providers: URL, credentials and limits.

use std::fmt;
use std::time::Duration;

use reqwest::header::{AUTHORIZATION, HeaderMap, HeaderName, HeaderValue};
use reqwest::{Method, RequestBuilder, Url};
use secrecy::{ExposeSecret as _, SecretString};

use super::Transport;
use super::redact::Secrets;

/// Upper bound of all time limits, whatever the settings say. No call takes a day.
const LONGEST: Duration = Duration::from_secs(24 * 60 * 60);

/// Limits of an answer in size and time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// From sending a request to the end of its answer.
    pub total: Duration,
    /// Maximum silence of a streamed answer, before it and within it.
    pub idle: Duration,
    /// Maximum size of a JSON answer in bytes, decompressed.
    pub json_bytes: usize,
    /// Maximum size of a picture or of speech in bytes.
    pub media_bytes: usize,
    /// Maximum size of one event of a streamed answer in bytes.
    pub event_bytes: usize,
    /// Maximum size of a whole streamed answer in bytes.
    pub stream_bytes: usize,
    /// Bytes read of an error answer; the rest is ignored.
    pub error_bytes: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            // Ten minutes are the default of the official clients of OpenAI and Anthropic. The sizes bound
            // the memory of hostile answers. The others are chosen by hand.
            total: Duration::from_secs(600),
            idle: Duration::from_secs(120),
            json_bytes: 32 << 20,
            media_bytes: 64 << 20,
            event_bytes: 4 << 20,
            stream_bytes: 128 << 20,
            error_bytes: 64 << 10,
        }
    }
}

/// How the key is sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Auth {
    /// `Authorization: Bearer …`.
    Bearer,
    /// A header such as `x-goog-api-key`; its name in lower case.
    Header(&'static str),
}

/// Why an endpoint cannot be used. `Display` never shows a secret.
#[derive(Debug, thiserror::Error)]
pub enum EndpointError {
    /// The URL is invalid.
    #[error("the base URL must be an http or https address without user, password, query and fragment")]
    BaseUrl,
    /// The key is invalid.
    #[error("the key has characters that cannot be sent")]
    Key,
    /// A header is invalid.
    #[error("the header '{0}' cannot be sent")]
    Header(String),
}

/// The URL of a provider and the headers of every request.
#[derive(Clone)]
pub struct Endpoint {
    pub(super) transport: Transport,
    base: Url,
    headers: HeaderMap,
    pub(super) secrets: Secrets,
    pub(super) limits: Limits,
}

impl Endpoint {
    /// An endpoint such as `https://api.openai.com/v1`, without a key yet.
    ///
    /// # Errors
    /// [`EndpointError::BaseUrl`].
    pub fn new(transport: &Transport, base_url: &str) -> Result<Self, EndpointError> {
        let mut base = Url::parse(base_url.trim()).ok().ok_or(EndpointError::BaseUrl)?;
        let plain = base.username().is_empty()
            && base.password().is_none()
            && base.query().is_none()
            && base.fragment().is_none();
        if !plain || !matches!(base.scheme(), "http" | "https") || !base.has_host() {
            return Err(EndpointError::BaseUrl);
        }
        if let Ok(mut path) = base.path_segments_mut() {
            path.pop_if_empty();
        }
        Ok(Self {
            transport: transport.clone(),
            base,
            headers: HeaderMap::new(),
            secrets: Secrets::default(),
            limits: Limits::default(),
        })
    }

    /// The host of the URL.
    pub(super) fn host(&self) -> &str {
        self.base.host_str().unwrap_or_default()
    }

    /// The port of the URL.
    pub(super) fn port(&self) -> u16 {
        self.base.port_or_known_default().unwrap_or_default()
    }

    /// Sends this key with every request.
    ///
    /// # Errors
    /// [`EndpointError::Key`].
    pub fn with_key(mut self, key: SecretString, auth: Auth) -> Result<Self, EndpointError> {
        let (name, text) = match auth {
            Auth::Bearer => (AUTHORIZATION, format!("Bearer {}", key.expose_secret())),
            Auth::Header(name) => (HeaderName::from_static(name), key.expose_secret().to_owned()),
        };
        let mut value = HeaderValue::try_from(text).ok().ok_or(EndpointError::Key)?;
        value.set_sensitive(true);
        self.headers.insert(name, value);
        self.secrets.add(key);
        Ok(self)
    }

    /// Sends this header with every request. Its value is treated as a secret.
    ///
    /// # Errors
    /// [`EndpointError::Header`].
    pub fn with_header(mut self, name: &str, value: &str) -> Result<Self, EndpointError> {
        let refused = || EndpointError::Header(name.to_owned());
        let header = HeaderName::try_from(name).ok().ok_or_else(refused)?;
        let mut sent = HeaderValue::try_from(value).ok().ok_or_else(refused)?;
        sent.set_sensitive(true);
        self.headers.insert(header, sent);
        self.secrets.add(SecretString::from(value));
        Ok(self)
    }

    /// Sends this header, which is not secret, with every request: for example the version of the vendor's
    /// API.
    #[must_use]
    pub fn with_public_header(mut self, name: &'static str, value: HeaderValue) -> Self {
        self.headers.insert(HeaderName::from_static(name), value);
        self
    }

    /// Whether the last path segment of the base URL is `segment`.
    pub(crate) fn path_ends_in(&self, segment: &str) -> bool {
        self.base.path_segments().and_then(|mut segments| segments.next_back()) == Some(segment)
    }

    /// Sets the limits of answers.
    #[must_use]
    pub fn with_limits(mut self, limits: Limits) -> Self {
        self.limits = Limits { total: limits.total.min(LONGEST), idle: limits.idle.min(LONGEST), ..limits };
        self
    }

    /// The limits of answers.
    #[must_use]
    pub fn limits(&self) -> Limits {
        self.limits
    }

    /// Seconds since 1970.
    pub(crate) fn now(&self) -> i64 {
        self.transport.clock.now().micros().div_euclid(1_000_000)
    }

    /// A request to `path` below the base URL. Each segment is encoded, so that user input (a model's name)
    /// stays one segment.
    pub(super) fn request(&self, method: Method, path: &[&str], query: &[(&str, &str)]) -> RequestBuilder {
        let mut url = self.base.clone();
        if let Ok(mut segments) = url.path_segments_mut() {
            segments.extend(path);
        }
        if !query.is_empty() {
            url.query_pairs_mut().extend_pairs(query);
        }
        self.transport.clients.current().request(method, url).headers(self.headers.clone())
    }
}

impl fmt::Debug for Endpoint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Endpoint")
            .field("base", &self.base.as_str())
            .field("headers", &self.headers.keys().map(HeaderName::as_str).collect::<Vec<_>>())
            .field("limits", &self.limits)
            .finish_non_exhaustive()
    }
}
