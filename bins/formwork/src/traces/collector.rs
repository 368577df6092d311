//! The connection to the collector.

use std::time::Duration;

use anyhow::Context as _;
use async_trait::async_trait;
use bytes::{Bytes, BytesMut};
use opentelemetry_http::{HttpClient, HttpError, Request, Response};
use reqwest::header::{CONTENT_TYPE, HeaderMap, HeaderName, HeaderValue, RETRY_AFTER};
use reqwest::{Client, Url};
use secrecy::ExposeSecret as _;
use tokio::runtime::Handle;

use crate::settings::TracesSettings;

/// Time limit of an export: that of OpenTelemetry's exporters.
pub(super) const EXPORT_TIME: Duration = Duration::from_secs(10);
/// Path of the traces below the base URL, from the specification of OTLP over HTTP.
const PATH: &str = "/v1/traces";
/// Bytes read of an answer, which only counts rejected spans.
const MAX_ANSWER: usize = 64 << 10;

/// A collector, called from a thread without a runtime.
#[derive(Clone, Debug)]
pub(super) struct Collector {
    client: Client,
    url: Url,
    headers: HeaderMap,
    runtime: Handle,
}

impl Collector {
    /// The collector of the settings, whose connections are driven by `runtime`.
    ///
    /// # Errors
    /// One sentence for the operator.
    pub(super) fn new(settings: &TracesSettings, runtime: Handle) -> anyhow::Result<Self> {
        let url = format!("{}{PATH}", settings.endpoint.trim_end_matches('/'));
        let url = Url::parse(&url).context("the setting traces.endpoint is not valid")?;
        let mut headers = HeaderMap::new();
        for (name, value) in &settings.headers {
            let context = || format!("the header '{name}' of traces.headers cannot be sent");
            let mut sent = HeaderValue::from_str(value.0.expose_secret()).with_context(context)?;
            sent.set_sensitive(true);
            headers.insert(HeaderName::from_bytes(name.as_bytes()).with_context(context)?, sent);
        }
        headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/x-protobuf"));
        let client = providers_http::client_builder()?.timeout(EXPORT_TIME).build()?;
        Ok(Self { client, url, headers, runtime })
    }

    async fn send(self, body: Bytes) -> Result<Response<Bytes>, HttpError> {
        let mut answer = self.client.post(self.url).headers(self.headers).body(body).send().await?;
        let mut told = BytesMut::new();
        while let Some(chunk) = answer.chunk().await? {
            if told.len() + chunk.len() > MAX_ANSWER {
                return Err("the answer of the collector is too long".into());
            }
            told.extend_from_slice(&chunk);
        }
        let mut response = Response::new(told.freeze());
        *response.status_mut() = answer.status();
        if let Some(wait) = answer.headers_mut().remove(RETRY_AFTER) {
            response.headers_mut().insert(RETRY_AFTER, wait);
        }
        Ok(response)
    }
}

#[async_trait]
impl HttpClient for Collector {
    /// Only the body of `request` is sent: URL and headers are those of the settings. The exporter would also take
    /// headers from the environment.
    async fn send_bytes(&self, request: Request<Bytes>) -> Result<Response<Bytes>, HttpError> {
        self.runtime.spawn(self.clone().send(request.into_body())).await?
    }
}
