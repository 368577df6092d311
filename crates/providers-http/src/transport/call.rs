//! HTTP calls: one request and one answer, each part bounded.

use std::time::Duration;

use bytes::Bytes;
use gen_core::{ChatEvents, Fault, Media, ProviderError, Usage};
use reqwest::header::{ACCEPT, CONTENT_TYPE, HeaderValue};
use reqwest::multipart::{Form, Part};
use reqwest::{Method, RequestBuilder, Response};
use serde::Serialize;
use serde::de::DeserializeOwned;
use tracing::{Instrument as _, Span};

use super::body::{Kind, content_type};
use super::call_span::{ModelUse, call_span, record_failure, record_usage, record_use, recording_end};
use super::error_body::ProviderErrorBody;
use super::events::{Events, events};
use super::failure::timeout_error;
use super::{Endpoint, ServerEvent};

/// Query parameters: names and values.
pub(crate) type Query<'a> = &'a [(&'a str, &'a str)];

/// A call to the path of these segments below an endpoint. Everything of it happens within its span.
#[derive(Debug)]
pub(crate) struct Call<'a> {
    endpoint: &'a Endpoint,
    path: &'a [&'a str],
    span: Span,
}

impl Call<'_> {
    /// Sends `body` as JSON and reads a JSON answer.
    pub(crate) async fn post_json<T: DeserializeOwned>(
        &self,
        body: &impl Serialize,
    ) -> Result<T, ProviderError> {
        let request = self.post_request(&[], body)?;
        self.within(self.endpoint.limits.total, self.endpoint.json(request)).await
    }

    /// Reads a JSON answer.
    pub(crate) async fn get_json<T: DeserializeOwned>(&self, query: Query<'_>) -> Result<T, ProviderError> {
        let request = self.request(Method::GET, query);
        self.within(self.endpoint.limits.total, self.endpoint.json(request)).await
    }

    /// Reads a file of any type but a web page, within the limit of media.
    pub(crate) async fn get_bytes(&self, query: Query<'_>) -> Result<Bytes, ProviderError> {
        let request = self.request(Method::GET, query);
        let reading = async {
            let response = self.endpoint.send(request).await?;
            match Kind::of(&response) {
                Kind::Html => Err(web_page()),
                _ => self.endpoint.read_whole(response, self.endpoint.limits.media_bytes).await,
            }
        };
        self.within(self.endpoint.limits.total, reading).await
    }

    /// Sends a file with fields as a form and reads a JSON answer.
    pub(crate) async fn post_file<T: DeserializeOwned>(
        &self,
        fields: &[(&'static str, &'static str)],
        name: &str,
        file: Vec<u8>,
    ) -> Result<T, ProviderError> {
        let form = fields.iter().fold(Form::new(), |form, (name, value)| form.text(*name, *value));
        let form = form.part("file", Part::bytes(file).file_name(name.to_owned()));
        let request = self.request(Method::POST, &[]).multipart(form);
        self.within(self.endpoint.limits.total, self.endpoint.json(request)).await
    }

    /// Sends `body` as JSON and reads a file of any type, including JSON; text and web pages are rejected.
    pub(crate) async fn post_for_bytes(&self, body: &impl Serialize) -> Result<Media, ProviderError> {
        let request = self.post_request(&[], body)?;
        self.within(self.endpoint.limits.total, self.endpoint.media(request)).await
    }

    /// Sends `body` as JSON and reads server-sent events. An error is the last item. The stream ends when the
    /// connection does, complete or not: the vendor's own last event decides.
    pub(crate) async fn post_for_events(
        &self,
        query: Query<'_>,
        body: &impl Serialize,
    ) -> Result<Events, ProviderError> {
        let Self { endpoint, span, .. } = self;
        let request = self.post_request(query, body)?;
        let request = request.header(ACCEPT, HeaderValue::from_static("text/event-stream"));
        let patience = endpoint.limits.idle.min(endpoint.limits.total);
        let response = self.within(patience, endpoint.send(request)).await?;
        match Kind::of(&response) {
            Kind::Events | Kind::Missing => Ok(events(Endpoint::clone(endpoint), response, span.clone())),
            Kind::Html => Err(web_page()),
            Kind::Json => {
                let reading = endpoint.read_whole(response, endpoint.limits.error_bytes);
                let complaint =
                    self.within(patience, reading).await.map(|body| ProviderErrorBody::in_success(&body));
                Err(match complaint {
                    Ok(Some(complaint)) => endpoint.failure(None, complaint, None),
                    _ => ProviderError::new(Fault::Protocol, "the provider answered without a stream"),
                })
            }
            Kind::Text | Kind::Other => Err(endpoint.wrong_type(&response, "a stream of events")),
        }
    }

    /// Records what the call used.
    pub(crate) fn record_usage(&self, usage: &Usage) {
        record_usage(&self.span, usage);
    }

    /// The same from a streamed answer, as its events come.
    pub(crate) fn recording_end(&self, events: ChatEvents) -> ChatEvents {
        recording_end(self.span.clone(), events)
    }

    fn request(&self, method: Method, query: Query<'_>) -> RequestBuilder {
        self.span.record("method", method.as_str());
        self.endpoint.request(method, self.path, query)
    }

    fn post_request(&self, query: Query<'_>, body: &impl Serialize) -> Result<RequestBuilder, ProviderError> {
        let json = serde_json::to_vec(body).map_err(|error| {
            ProviderError::new(Fault::InvalidRequest, "the request cannot be written as JSON")
                .with_source(error)
        })?;
        let kind = HeaderValue::from_static("application/json");
        Ok(self.request(Method::POST, query).header(CONTENT_TYPE, kind).body(json))
    }

    /// Runs a part of the call within its span and a time limit.
    async fn within<T>(
        &self,
        limit: Duration,
        part: impl Future<Output = Result<T, ProviderError>>,
    ) -> Result<T, ProviderError> {
        // On a timeout the part is dropped, which closes its connection.
        let ended = tokio::time::timeout(limit, part).instrument(self.span.clone()).await;
        let outcome = ended.unwrap_or_else(|_| Err(timeout_error(limit)));
        outcome.inspect_err(|error| record_failure(&self.span, error))
    }
}

impl Endpoint {
    /// A call to the path of these segments.
    pub(crate) fn call<'a>(&'a self, path: &'a [&'a str]) -> Call<'a> {
        Call { endpoint: self, path, span: call_span(self, path) }
    }

    /// A call of a model.
    pub(crate) fn model_call<'a>(&'a self, path: &'a [&'a str], wanted: ModelUse<'_>) -> Call<'a> {
        let call = self.call(path);
        record_use(&call.span, wanted);
        call
    }

    /// Parses the JSON of an event.
    pub(crate) fn parse_event<T: DeserializeOwned>(&self, event: &ServerEvent) -> Result<T, ProviderError> {
        serde_json::from_str(&event.data).map_err(|error| {
            self.protocol("the provider's stream has an event that does not match its API", &error)
        })
    }

    /// A successful answer whose body is not yet read.
    async fn send(&self, request: RequestBuilder) -> Result<Response, ProviderError> {
        let request = self.transport.continue_trace(request);
        let response = request.send().await.map_err(|error| self.transport(error))?;
        Span::current().record("status", response.status().as_u16());
        if response.status().is_success() { Ok(response) } else { Err(self.read_refusal(response).await) }
    }

    async fn json<T: DeserializeOwned>(&self, request: RequestBuilder) -> Result<T, ProviderError> {
        let response = self.send(request).await?;
        match Kind::of(&response) {
            Kind::Json | Kind::Text | Kind::Missing => {}
            Kind::Html => return Err(web_page()),
            Kind::Events | Kind::Other => return Err(self.wrong_type(&response, "JSON")),
        }
        let body = self.read_whole(response, self.limits.json_bytes).await?;
        self.check_error_body(&body)?;
        self.parse(&body)
    }

    /// A vendor's text as one sentence without secrets.
    pub(crate) fn public_sentence(&self, text: &str) -> String {
        self.secrets.sentence(text)
    }

    /// Parses a complete JSON text.
    pub(crate) fn parse<T: DeserializeOwned>(&self, body: &[u8]) -> Result<T, ProviderError> {
        let unlike = "the provider's answer does not match its API";
        // Parsing JSON from bytes would not check the UTF-8 of skipped parts.
        let text = std::str::from_utf8(body).map_err(|error| self.protocol(unlike, &error))?;
        serde_json::from_str(text).map_err(|error| {
            if text.trim_start().starts_with('<') { web_page() } else { self.protocol(unlike, &error) }
        })
    }

    async fn media(&self, request: RequestBuilder) -> Result<Media, ProviderError> {
        let response = self.send(request).await?;
        let kind = Kind::of(&response);
        match kind {
            Kind::Json | Kind::Other | Kind::Missing => {}
            Kind::Html => return Err(web_page()),
            Kind::Text | Kind::Events => return Err(self.wrong_type(&response, "a file")),
        }
        let content_type = content_type(&response).filter(|kind| !kind.is_empty());
        let limit = if kind == Kind::Json { self.limits.json_bytes } else { self.limits.media_bytes };
        let bytes = self.read_whole(response, limit).await?;
        if kind == Kind::Json {
            self.check_error_body(&bytes)?;
        }
        if bytes.is_empty() {
            return Err(ProviderError::new(Fault::Protocol, "the provider answered with an empty file"));
        }
        let content_type = content_type.unwrap_or_else(|| "application/octet-stream".to_owned());
        Ok(Media { bytes, content_type })
    }

    /// Fails if the body of a successful answer contains an error.
    fn check_error_body(&self, body: &[u8]) -> Result<(), ProviderError> {
        let complaint = Some(body).filter(|body| body.len() <= self.limits.error_bytes);
        match complaint.and_then(ProviderErrorBody::in_success) {
            Some(complaint) => Err(self.failure(None, complaint, None)),
            None => Ok(()),
        }
    }

    fn wrong_type(&self, response: &Response, wanted: &str) -> ProviderError {
        let given = content_type(response).unwrap_or_default();
        let message =
            self.secrets.sentence(&format!("the provider answered with {given} instead of {wanted}"));
        ProviderError::new(Fault::Protocol, message)
    }
}

fn web_page() -> ProviderError {
    let message = "the provider answered with a web page; its base URL may be wrong";
    ProviderError::new(Fault::Protocol, message)
}
