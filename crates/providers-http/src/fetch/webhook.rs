//! Messages to webhooks: sent to addresses that the fetcher may reach, and to no others.

use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use reqwest::header::CONTENT_TYPE;
use shared_core::{BoxError, Clock};
use tokio::time::timeout;
use utilities_core::web::{FetchError, FetchPolicy};
use webhooks_core::{Answer, Message, SendError, WebhookSender};

use super::connect::Clients;
use super::failure::failure;
use super::resolve::Resolver;
use super::settings::FetchSettings;
use crate::transport::{TransportError, retry_after};

/// The time that a receiver has to answer, as the Standard Webhooks specification suggests.
const ANSWER_TIME: Duration = Duration::from_secs(20);

/// Sends to webhooks under the rules of the fetcher. Redirects are not followed, and of an answer no more than its head
/// is read.
#[derive(Clone, Debug)]
pub struct GuardedSender {
    policy: Arc<FetchPolicy>,
    clients: Clients,
    clock: Arc<dyn Clock>,
}

impl GuardedSender {
    /// A sender that finds hosts by `resolver`; `clock` tells how far off a date in `Retry-After` is.
    ///
    /// # Errors
    /// When its connections cannot be set up.
    pub fn new(
        settings: &FetchSettings,
        resolver: &Arc<dyn Resolver>,
        clock: Arc<dyn Clock>,
    ) -> Result<Self, TransportError> {
        let policy = Arc::new(settings.policy.clone());
        Ok(Self { clients: Clients::new(settings, &policy, resolver)?, policy, clock })
    }

    async fn sent(&self, message: &Message) -> Result<Answer, FetchError> {
        let target = self.policy.target(&message.url)?;
        let request = self.clients.of(&target).post(target.url().clone());
        let request =
            message.headers.iter().fold(request, |request, (name, value)| request.header(*name, value));
        let request = request.header(CONTENT_TYPE, "application/json").body(message.body.clone());
        let response = timeout(ANSWER_TIME, request.send()).await.ok().ok_or(FetchError::Timeout)?;
        let response = response.map_err(failure)?;
        let retry_after = retry_after(response.headers(), self.clock.as_ref());
        Ok(Answer { status: response.status().as_u16(), retry_after })
    }
}

#[async_trait]
impl WebhookSender for GuardedSender {
    fn check(&self, url: &str) -> Result<(), String> {
        match self.policy.target(url) {
            Ok(_) => Ok(()),
            Err(FetchError::InvalidUrl(rule) | FetchError::Denied(rule)) => Err(rule.to_owned()),
            Err(error) => Err(error.to_string()),
        }
    }

    async fn send(&self, message: &Message) -> Result<Answer, SendError> {
        self.sent(message).await.map_err(|error| SendError {
            message: error.to_string(),
            source: std::error::Error::source(&error).map(|cause| BoxError::from(cause.to_string())),
        })
    }
}
