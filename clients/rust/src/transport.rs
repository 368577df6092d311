//! Sends requests, again where that helps.

use std::time::Duration;

use bytes::{Bytes, BytesMut};
use reqwest::multipart::Form;
use reqwest::{Method, RequestBuilder, Response, header};
use secrecy::{ExposeSecret as _, SecretString};

use crate::error::{ApiError, Error, Result, reason};
use crate::request::{Body, Request};
use crate::retry::{self, Failure};

/// Maximum size of an error answer in bytes; the rest of a longer one is not read.
const ERROR_BYTES: usize = 1024 * 1024;

/// A server, and how it is talked to.
pub(crate) struct Transport {
    pub(crate) http: reqwest::Client,
    /// Without a slash at its end.
    pub(crate) url: String,
    pub(crate) key: SecretString,
    /// Maximum number of times that a request is sent.
    pub(crate) attempts: u32,
    /// Maximum size of an answer that is read as a whole, and of an event, in bytes.
    pub(crate) answer_bytes: usize,
}

impl Transport {
    /// The answer of a request, with its body still to be read.
    pub(crate) async fn open(&self, request: Request) -> Result<Response> {
        let mut attempts = Attempts::new(request, self.attempts)?;
        loop {
            match self.send(&attempts.request).await {
                Ok(response) => return Ok(response),
                Err(failure) => attempts.wait_after(failure).await?,
            }
        }
    }

    /// The whole body of an answer. A body that breaks is asked for again.
    pub(crate) async fn read(&self, request: Request) -> Result<Bytes> {
        let mut attempts = Attempts::new(request, self.attempts)?;
        loop {
            let outcome = match self.send(&attempts.request).await {
                Ok(response) => whole(response, self.answer_bytes).await,
                Err(failure) => Err(failure),
            };
            match outcome {
                Ok(body) => return Ok(body),
                Err(failure) => attempts.wait_after(failure).await?,
            }
        }
    }

    /// Sends a request once.
    async fn send(&self, request: &Request) -> Result<Response, Failure> {
        let mut builder = self
            .http
            .request(request.method.clone(), format!("{}{}", self.url, request.path))
            .header("X-Service-Key", self.key.expose_secret());
        for (name, value) in &request.headers {
            builder = builder.header(name, value);
        }
        let builder = with_body(builder, &request.body).await.map_err(Failure::Lasting)?;
        let response = builder.send().await.map_err(failure)?;
        if response.status().is_success() {
            return Ok(response);
        }
        let status = response.status().as_u16();
        let named = |name: &str| response.headers().get(name)?.to_str().ok().map(str::to_owned);
        let request_id = named("x-request-id");
        let seconds = named(header::RETRY_AFTER.as_str()).and_then(|text| text.parse().ok());
        // Without its body the error still has its status.
        let body = whole(response, ERROR_BYTES).await.unwrap_or_default();
        Err(Failure::Refused(ApiError::new(status, &body, request_id, seconds.map(Duration::from_secs))))
    }
}

/// A request, and how often it was sent without success.
struct Attempts {
    request: Request,
    failed: u32,
    most: u32,
}

impl Attempts {
    fn new(mut request: Request, most: u32) -> Result<Self> {
        // The key goes to this server only: a path without its slash could name another one.
        if !request.path.starts_with('/') {
            return Err(Error::Invalid(format!("the path '{}' does not begin with '/'", request.path)));
        }
        if request.method == Method::POST && !request.has_header("Idempotency-Key") {
            request = request.header("Idempotency-Key", new_key()?);
        }
        Ok(Self { request, failed: 0, most })
    }

    /// Waits until the next attempt; the error of the failure where there is none.
    async fn wait_after(&mut self, failure: Failure) -> Result<()> {
        let attempt = self.failed;
        self.failed += 1;
        if self.failed >= self.most || !retry::helps(&self.request, &failure, attempt) {
            return Err(failure.into_error());
        }
        tokio::time::sleep(retry::pause(attempt, failure.retry_after())).await;
        Ok(())
    }
}

async fn with_body(builder: RequestBuilder, body: &Body) -> Result<RequestBuilder> {
    match body {
        Body::Empty => Ok(builder),
        Body::Json(json) => Ok(builder.header(header::CONTENT_TYPE, "application/json").body(json.clone())),
        Body::Files(files) => {
            let mut form = Form::new();
            for file in files {
                form = form.part("files", file.part().await?);
            }
            Ok(builder.multipart(form))
        }
    }
}

fn failure(error: reqwest::Error) -> Failure {
    if error.is_builder() {
        return Failure::Lasting(Error::Invalid(reason(error)));
    }
    let is_unsent = error.is_connect();
    let error = Error::Connection(reason(error));
    if is_unsent { Failure::Unsent(error) } else { Failure::Broken(error) }
}

/// The body of a response of at most `most` bytes.
async fn whole(mut response: Response, most: usize) -> Result<Bytes, Failure> {
    let mut body = BytesMut::new();
    while let Some(piece) = response.chunk().await.map_err(failure)? {
        if body.len() + piece.len() > most {
            return Err(Failure::Lasting(Error::Decode(format!("it has more than {most} bytes"))));
        }
        body.extend_from_slice(&piece);
    }
    Ok(body.freeze())
}

/// A new idempotency key: 128 random bits.
fn new_key() -> Result<String> {
    let mut bytes = [0_u8; 16];
    getrandom::fill(&mut bytes).map_err(|error| Error::Invalid(format!("no random bytes: {error}")))?;
    Ok(bytes.iter().map(|byte| format!("{byte:02x}")).collect())
}
