//! Reads bodies of answers up to their size limit.

use std::time::Duration;

use bytes::{Bytes, BytesMut};
use gen_core::{Fault, ProviderError};
use reqwest::Response;
use reqwest::header::CONTENT_TYPE;

use super::Endpoint;

/// Time limit for reading the body of an error answer. The caller waits for it. Chosen by hand; no
/// measurement is recorded.
const ERROR_TIME: Duration = Duration::from_secs(10);

/// Content type of a body.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Json,
    Events,
    Html,
    Text,
    Other,
    Missing,
}

impl Kind {
    pub(super) fn of(response: &Response) -> Self {
        match content_type(response).as_deref() {
            None | Some("") => Self::Missing,
            Some("text/event-stream") => Self::Events,
            Some("text/html" | "application/xhtml+xml") => Self::Html,
            Some("application/json" | "text/json") => Self::Json,
            Some(kind) if kind.ends_with("+json") => Self::Json,
            Some("text/plain") => Self::Text,
            Some(_) => Self::Other,
        }
    }
}

/// The content type in lower case, without its parameters.
pub(super) fn content_type(response: &Response) -> Option<String> {
    let value = response.headers().get(CONTENT_TYPE)?;
    let text = String::from_utf8_lossy(value.as_bytes());
    Some(text.split(';').next().unwrap_or_default().trim().to_lowercase())
}

impl Endpoint {
    /// The whole body, at most `limit` bytes.
    pub(super) async fn read_whole(
        &self,
        mut response: Response,
        limit: usize,
    ) -> Result<Bytes, ProviderError> {
        let too_long = || {
            let message = format!("the provider's answer exceeds the limit of {limit} bytes");
            ProviderError::new(Fault::Protocol, message)
        };
        if response.content_length().is_some_and(|length| length > limit as u64) {
            return Err(too_long());
        }
        let mut body = BytesMut::new();
        while let Some(chunk) = response.chunk().await.map_err(|error| self.transport(error))? {
            if body.len() + chunk.len() > limit {
                return Err(too_long());
            }
            body.extend_from_slice(&chunk);
        }
        Ok(body.freeze())
    }

    /// The failure in `response`. Its body is read within limits of time and size.
    pub(super) async fn read_refusal(&self, mut response: Response) -> ProviderError {
        let mut body = BytesMut::new();
        let limit = self.limits.error_bytes;
        let reading = async {
            while body.len() < limit {
                // The status suffices if the body is incomplete.
                let Ok(Some(chunk)) = response.chunk().await else { break };
                body.extend_from_slice(&chunk[..chunk.len().min(limit - body.len())]);
            }
        };
        // What was received until then is used.
        let _ = tokio::time::timeout(ERROR_TIME.min(self.limits.total), reading).await;
        self.refusal(response.status(), response.headers(), &body)
    }
}
