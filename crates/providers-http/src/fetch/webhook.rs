//! Sends webhook messages, only to addresses that the fetcher may reach.

use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use reqwest::header::CONTENT_TYPE;
use shared_core::BoxError;
use tokio::time::timeout;
use utilities_core::web::FetchError;
use webhooks_core::{SendError, WebhookMessage, WebhookResponse, WebhookSender};

use super::failure::failure;
use super::fetcher::GuardedFetcher;
use super::state::FetcherState;
use crate::transport::retry_after;

/// Time limit for a receiver's answer, as the Standard Webhooks specification suggests.
const ANSWER_TIME: Duration = Duration::from_secs(20);

/// Sends webhook messages with the clients and the policy of a fetcher. Redirects are not followed, and only
/// the head of an answer is read.
#[derive(Clone, Debug)]
pub struct GuardedSender(Arc<FetcherState>);

impl GuardedFetcher {
    /// A sender with the policy of this fetcher.
    #[must_use]
    pub fn sender(&self) -> GuardedSender {
        GuardedSender(Arc::clone(&self.0))
    }
}

impl GuardedSender {
    async fn post(&self, message: &WebhookMessage) -> Result<WebhookResponse, FetchError> {
        let target = self.0.policy.target(&message.url)?;
        let request = self.0.clients.client_for(&target).post(target.url().clone());
        let request =
            message.headers.iter().fold(request, |request, (name, value)| request.header(*name, value));
        let request = request.header(CONTENT_TYPE, "application/json").body(message.body.clone());
        let response = timeout(ANSWER_TIME, request.send()).await.ok().ok_or(FetchError::Timeout)?;
        let response = response.map_err(failure)?;
        let retry_after = retry_after(response.headers(), self.0.clock.as_ref());
        Ok(WebhookResponse { status: response.status().as_u16(), retry_after })
    }
}

#[async_trait]
impl WebhookSender for GuardedSender {
    fn check(&self, url: &str) -> Result<(), String> {
        match self.0.policy.target(url) {
            Ok(_) => Ok(()),
            Err(FetchError::InvalidUrl(rule) | FetchError::Denied(rule)) => Err(rule.to_owned()),
            Err(error) => Err(error.to_string()),
        }
    }

    async fn send(&self, message: &WebhookMessage) -> Result<WebhookResponse, SendError> {
        self.post(message).await.map_err(|error| SendError {
            message: error.to_string(),
            source: std::error::Error::source(&error).map(|cause| BoxError::from(cause.to_string())),
        })
    }
}
