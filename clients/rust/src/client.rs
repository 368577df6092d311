//! The client: its settings, and requests for any operation.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use futures_util::stream::BoxStream;
use futures_util::{StreamExt as _, TryStreamExt as _};
use reqwest::redirect::Policy;
use reqwest::{Method, Url};
use secrecy::SecretString;
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::error::{Error, Result, reason};
use crate::events::EventStream;
use crate::request::Request;
use crate::transport::Transport;

/// Content in pieces. An error is the last item.
pub type ByteStream = BoxStream<'static, Result<Bytes>>;

/// Bytes of an answer, unless the builder says otherwise: a thousand records with their evidence fit.
const ANSWER_BYTES: usize = 64 * 1024 * 1024;

/// A client of a server. Clones are cheap and share their connections.
///
/// Its futures and streams need a Tokio runtime. Dropping one ends its request. The server finishes what it has begun:
/// a run goes on until [`Run::cancel`](crate::Run::cancel), and a message or generation is stored or paid for, since
/// the answer of a POST is kept for its repetition.
#[derive(Clone)]
pub struct Client {
    pub(crate) transport: Arc<Transport>,
}

/// Settings of a client.
#[derive(Debug)]
pub struct ClientBuilder {
    url: String,
    key: SecretString,
    connect_timeout: Duration,
    read_timeout: Duration,
    attempts: u32,
    answer_bytes: usize,
    uses_proxies: bool,
}

impl Client {
    /// A client of the server at `url`, such as `http://127.0.0.1:8080`, with an API key. Nothing is sent.
    ///
    /// # Errors
    /// [`Error::Invalid`] for a malformed URL, or when TLS cannot be set up.
    pub fn new(url: impl Into<String>, key: impl Into<SecretString>) -> Result<Self> {
        Self::builder(url, key).build()
    }

    /// The settings of a client, to be changed.
    #[must_use]
    pub fn builder(url: impl Into<String>, key: impl Into<SecretString>) -> ClientBuilder {
        ClientBuilder {
            url: url.into(),
            key: key.into(),
            connect_timeout: Duration::from_secs(10),
            read_timeout: Duration::from_secs(300),
            attempts: 5,
            answer_bytes: ANSWER_BYTES,
            uses_proxies: false,
        }
    }

    /// Any operation that answers JSON; an empty answer is `null`.
    ///
    /// # Errors
    /// As [`Client::send`].
    pub async fn request(&self, method: Method, path: &str, body: Option<&Value>) -> Result<Value> {
        let request = Request::new(method, path);
        self.send(match body {
            Some(body) => request.json(body),
            None => request,
        })
        .await
    }

    /// Sends a request and reads its JSON answer; an empty answer is `null`.
    ///
    /// # Errors
    /// [`Error::Api`] and its kin for an error answer, [`Error::Connection`] without one, [`Error::Decode`] for an
    /// answer that is too large or not what `R` is.
    pub async fn send<R: DeserializeOwned>(&self, request: Request) -> Result<R> {
        let body = self.read(request).await?;
        let text: &[u8] = if body.is_empty() { b"null" } else { &body };
        serde_json::from_slice(text).map_err(|error| Error::Decode(error.to_string()))
    }

    /// Sends a request and reads its whole answer, whatever its type.
    ///
    /// # Errors
    /// As [`Client::send`].
    pub async fn read(&self, request: Request) -> Result<Bytes> {
        self.transport.read(request).await
    }

    /// Sends a request and reads its answer piece by piece, for content of any size.
    ///
    /// # Errors
    /// As [`Client::send`]; items are [`Error::Connection`] when the connection breaks.
    pub async fn stream(&self, request: Request) -> Result<ByteStream> {
        let response = self.transport.open(request).await?;
        Ok(response.bytes_stream().map_err(|error| Error::Connection(reason(error))).boxed())
    }

    /// Sends a request to an operation that answers with server-sent events.
    ///
    /// # Errors
    /// As [`Client::send`].
    pub async fn events(&self, request: Request) -> Result<EventStream> {
        let response = self.transport.open(request.header("Accept", "text/event-stream")).await?;
        Ok(EventStream::new(response, self.transport.answer_bytes))
    }
}

impl fmt::Debug for Client {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Client").field("url", &self.transport.url).finish_non_exhaustive()
    }
}

impl ClientBuilder {
    /// Time limit until the server is reached; 10 seconds.
    #[must_use]
    pub fn connect_timeout(mut self, limit: Duration) -> Self {
        self.connect_timeout = limit;
        self
    }

    /// Time limit between two parts of an answer, also until the first one; 300 seconds.
    #[must_use]
    pub fn read_timeout(mut self, limit: Duration) -> Self {
        self.read_timeout = limit;
        self
    }

    /// Maximum number of times that a request is sent, at least 1; 5.
    #[must_use]
    pub fn attempts(mut self, attempts: u32) -> Self {
        self.attempts = attempts.max(1);
        self
    }

    /// Maximum size in bytes of an answer that is read as a whole, and of an event; 64 MiB.
    #[must_use]
    pub fn max_answer_bytes(mut self, bytes: usize) -> Self {
        self.answer_bytes = bytes;
        self
    }

    /// Connects through the proxies that the environment names (`HTTPS_PROXY` and others); not done otherwise, since
    /// a proxy of plain HTTP sees the key.
    #[must_use]
    pub fn proxies_of_environment(mut self) -> Self {
        self.uses_proxies = true;
        self
    }

    /// The client. Nothing is sent.
    ///
    /// # Errors
    /// [`Error::Invalid`] for a malformed URL, or when TLS cannot be set up.
    pub fn build(self) -> Result<Client> {
        let parsed =
            Url::parse(&self.url).map_err(|error| Error::Invalid(format!("'{}': {error}", self.url)))?;
        if !matches!(parsed.scheme(), "http" | "https")
            || parsed.query().is_some()
            || parsed.fragment().is_some()
        {
            return Err(Error::Invalid(format!("'{}' is not the URL of a server", self.url)));
        }
        let tls = tls_client::config().map_err(|error| Error::Invalid(error.to_string()))?;
        // Redirects are not followed, so that the key goes to this server only.
        let mut http = reqwest::Client::builder()
            .tls_backend_preconfigured(tls)
            .redirect(Policy::none())
            .connect_timeout(self.connect_timeout)
            .read_timeout(self.read_timeout)
            .user_agent("formwork-rust");
        if !self.uses_proxies {
            http = http.no_proxy();
        }
        let http = http.build().map_err(|error| Error::Invalid(reason(error)))?;
        let url = self.url.trim_end_matches('/').to_owned();
        let Self { key, attempts, answer_bytes, .. } = self;
        Ok(Client { transport: Arc::new(Transport { http, url, key, attempts, answer_bytes }) })
    }
}

#[cfg(test)]
mod tests {
    use super::Client;
    use crate::error::Error;

    #[test]
    fn a_client_needs_the_url_of_a_server_and_does_not_show_its_key() {
        for url in ["127.0.0.1:8080", "ftp://host", "http://host?x=1", ""] {
            assert!(matches!(Client::new(url, "k"), Err(Error::Invalid(_))), "{url}");
        }
        let builder = Client::builder("http://127.0.0.1:1/", "secret-of-the-test");
        assert!(!format!("{builder:?}").contains("secret-of-the-test"));
        let client = builder.build().unwrap();
        assert_eq!(format!("{client:?}"), "Client { url: \"http://127.0.0.1:1\", .. }");
    }
}
