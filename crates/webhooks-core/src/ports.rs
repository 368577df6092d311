//! The ports of webhooks: a store and a sender.

use std::fmt;
use std::time::Duration;

use async_trait::async_trait;
use jobs_core::LeaseCell;
use shared_core::{BoxError, Page, PageRequest, Scope, StoreError, Timestamp, WorkspaceId};

use crate::{Attempt, Delivery, DeliveryState, Event, Webhook, WebhookId};

/// Webhooks of a workspace at most.
pub const MAX_WEBHOOKS: u32 = 100;
/// Ended deliveries of a webhook that are retained, the newest.
pub const RETAINED_DELIVERIES: u32 = 1_000;
/// Pending deliveries of a webhook at most. Further ones are stored as failed and can be replayed.
pub const MAX_PENDING: u32 = 10_000;

/// A pending delivery and its webhook.
#[derive(Clone, Debug)]
pub struct PendingDelivery {
    /// The webhook.
    pub webhook: Webhook,
    /// The delivery.
    pub delivery: Delivery,
}

/// The outcome of a delivery.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DeliveryOutcome {
    /// Acknowledged with a 2xx status.
    Delivered(Attempt),
    /// Given up.
    Failed(Attempt),
    /// Given up; the webhook is disabled for this reason.
    Disabled(Attempt, String),
}

impl DeliveryOutcome {
    /// The state of the delivery after this outcome.
    #[must_use]
    pub fn state(&self) -> DeliveryState {
        match self {
            Self::Delivered(_) => DeliveryState::Delivered,
            Self::Failed(_) | Self::Disabled(..) => DeliveryState::Failed,
        }
    }

    /// The last attempt.
    #[must_use]
    pub fn attempt(&self) -> &Attempt {
        match self {
            Self::Delivered(attempt) | Self::Failed(attempt) | Self::Disabled(attempt, _) => attempt,
        }
    }
}

/// Stores webhooks and their deliveries. Implementations must pass `webhook_repository_contract!`.
///
/// A store that also holds runs and knowledge bases stores the deliveries of an event in the transaction of
/// the change itself. So no event is lost, and none reports a change that was rolled back. Each delivery has
/// a job in the queue [`QUEUE`](crate::QUEUE) while it is pending.
#[async_trait]
pub trait WebhookRepository: fmt::Debug + Send + Sync + 'static {
    /// Stores a webhook. `Taken` when the workspace has [`MAX_WEBHOOKS`].
    async fn insert(&self, scope: &Scope, webhook: &Webhook) -> Result<(), StoreError>;
    /// The webhook with this id; `None` when the workspace has none.
    async fn find(&self, scope: &Scope, id: &WebhookId) -> Result<Option<Webhook>, StoreError>;
    /// The workspace's webhooks, newest first, then by id.
    async fn list(&self, scope: &Scope, page: &PageRequest) -> Result<Page<Webhook>, StoreError>;
    /// Deletes a webhook with its deliveries and their jobs. Returns whether it existed.
    async fn delete(&self, scope: &Scope, id: &WebhookId) -> Result<bool, StoreError>;

    /// Stores a delivery of the event for each webhook of the workspace that subscribes to its kind and is
    /// not disabled. With `only`, for that webhook alone, whatever it subscribes to. Returns the deliveries.
    async fn emit(
        &self,
        workspace: &WorkspaceId,
        event: &Event,
        only: Option<&WebhookId>,
        now: Timestamp,
    ) -> Result<Vec<Delivery>, StoreError>;
    /// The webhook's deliveries, newest first, then by number; empty when there is no such webhook.
    async fn deliveries(
        &self,
        scope: &Scope,
        id: &WebhookId,
        page: &PageRequest,
    ) -> Result<Page<Delivery>, StoreError>;
    /// Makes a delivery pending again and returns it; its attempts are not reset. A pending one is due at
    /// once. `None` when there is none of this number, `Stale` when its webhook is disabled.
    async fn replay(
        &self,
        scope: &Scope,
        id: &WebhookId,
        number: u32,
        now: Timestamp,
    ) -> Result<Option<Delivery>, StoreError>;

    /// The delivery of a job; `None` when it was deleted or is no longer pending.
    async fn find_pending(
        &self,
        workspace: &WorkspaceId,
        id: &WebhookId,
        number: u32,
    ) -> Result<Option<PendingDelivery>, StoreError>;
    /// Counts a failed attempt; the job remains. `Stale` when the lease is lost.
    async fn record_attempt(
        &self,
        workspace: &WorkspaceId,
        lease: &LeaseCell,
        attempt: &Attempt,
    ) -> Result<(), StoreError>;
    /// Counts the last attempt and ends delivery and job in one transaction. `Stale` when the lease is lost.
    async fn finish_delivery(
        &self,
        workspace: &WorkspaceId,
        lease: &LeaseCell,
        outcome: &DeliveryOutcome,
        now: Timestamp,
    ) -> Result<(), StoreError>;
}

/// A message to send: POST with a body of type `application/json`.
#[derive(Clone, Debug)]
pub struct WebhookMessage {
    /// The URL of the receiver.
    pub url: String,
    /// Names and values.
    pub headers: [(&'static str, String); 3],
    /// The body, JSON.
    pub body: String,
}

/// The response of a receiver.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WebhookResponse {
    /// The HTTP status.
    pub status: u16,
    /// The `Retry-After` of the response.
    pub retry_after: Option<Duration>,
}

/// Why there is no response. `Display` is shown to the user.
#[derive(Debug, thiserror::Error)]
#[error("{message}")]
pub struct SendError {
    /// One sentence, without details of this server's network.
    pub message: String,
    /// For the log.
    pub source: Option<BoxError>,
}

/// Sends messages; refuses addresses that this server must not reach.
#[async_trait]
pub trait WebhookSender: fmt::Debug + Send + Sync + 'static {
    /// Checks whether messages may be sent to the URL.
    ///
    /// # Errors
    /// The rule that it breaks, as the end of a sentence.
    fn check(&self, url: &str) -> Result<(), String>;
    /// Sends a message once; a redirect is a response. Dropping the future cancels the request.
    ///
    /// # Errors
    /// When there is no response in time, or the address must not be reached.
    async fn send(&self, message: &WebhookMessage) -> Result<WebhookResponse, SendError>;
}
