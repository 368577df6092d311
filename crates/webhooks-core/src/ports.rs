//! What webhooks ask of their surroundings: a store, and somebody who sends.

use std::fmt;
use std::time::Duration;

use async_trait::async_trait;
use jobs_core::LeaseCell;
use shared_core::{BoxError, Page, PageRequest, Scope, StoreError, Timestamp, WorkspaceId};

use crate::{Attempt, Delivery, DeliveryState, Event, Webhook, WebhookId};

/// Webhooks of a workspace at the most.
pub const MAX_WEBHOOKS: u32 = 100;
/// Deliveries of a webhook that are kept after their end, the newest.
pub const RETAINED_DELIVERIES: u32 = 1_000;
/// Deliveries of a webhook that may wait at the same time. What comes beyond is kept as failed, to be replayed.
pub const MAX_PENDING: u32 = 10_000;

/// A delivery and where it goes.
#[derive(Clone, Debug)]
pub struct PendingDelivery {
    /// The webhook.
    pub webhook: Webhook,
    /// What is sent.
    pub delivery: Delivery,
}

/// What became of a delivery, as its end is stored.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DeliveryOutcome {
    /// It was answered with success.
    Delivered(Attempt),
    /// It is given up.
    Failed(Attempt),
    /// It is given up, and nothing more is sent to the webhook, for this reason.
    Disabled(Attempt, String),
}

impl DeliveryOutcome {
    /// The state that the delivery has then.
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
/// A store that also keeps runs and knowledge bases stores the deliveries of an event in the transaction that stores
/// what happened, so that none is lost and none tells of what was not. Each has a job in the queue
/// [`QUEUE`](crate::QUEUE) while it is pending.
#[async_trait]
pub trait WebhookRepository: fmt::Debug + Send + Sync + 'static {
    /// Stores a webhook. `Taken` when the workspace has [`MAX_WEBHOOKS`].
    async fn insert(&self, scope: &Scope, webhook: &Webhook) -> Result<(), StoreError>;
    /// The webhook with this id.
    async fn find(&self, scope: &Scope, id: &WebhookId) -> Result<Option<Webhook>, StoreError>;
    /// The workspace's webhooks, newest first, then by id.
    async fn list(&self, scope: &Scope, page: &PageRequest) -> Result<Page<Webhook>, StoreError>;
    /// Deletes a webhook with its deliveries and their jobs. Whether it was there.
    async fn delete(&self, scope: &Scope, id: &WebhookId) -> Result<bool, StoreError>;

    /// Stores deliveries of an event to each webhook of the workspace that asks for its kind and is not disabled, or
    /// to `only` one whatever it asks for; answers them.
    async fn emit(
        &self,
        workspace: &WorkspaceId,
        event: &Event,
        only: Option<&WebhookId>,
        now: Timestamp,
    ) -> Result<Vec<Delivery>, StoreError>;
    /// The webhook's deliveries, newest first, then by number; none where there is no such webhook.
    async fn deliveries(
        &self,
        scope: &Scope,
        id: &WebhookId,
        page: &PageRequest,
    ) -> Result<Page<Delivery>, StoreError>;
    /// Makes a delivery pending again and answers it, its attempts kept; one that is pending is tried at once. `None`
    /// when there is none of this number, `Stale` when its webhook is disabled.
    async fn replay(
        &self,
        scope: &Scope,
        id: &WebhookId,
        number: u32,
        now: Timestamp,
    ) -> Result<Option<Delivery>, StoreError>;

    /// What a job is about; `None` when it is gone or no longer pending.
    async fn find_pending(
        &self,
        workspace: &WorkspaceId,
        id: &WebhookId,
        number: u32,
    ) -> Result<Option<PendingDelivery>, StoreError>;
    /// Counts an attempt that failed; the job stays. `Stale` when the lease is another's.
    async fn record_attempt(
        &self,
        workspace: &WorkspaceId,
        lease: &LeaseCell,
        attempt: &Attempt,
    ) -> Result<(), StoreError>;
    /// Counts the last attempt and ends delivery and job, in one unit. `Stale` when the lease is another's.
    async fn finish_delivery(
        &self,
        workspace: &WorkspaceId,
        lease: &LeaseCell,
        outcome: &DeliveryOutcome,
        now: Timestamp,
    ) -> Result<(), StoreError>;
}

/// A message as it is sent: by POST, its body as `application/json`.
#[derive(Clone, Debug)]
pub struct WebhookMessage {
    /// Where to.
    pub url: String,
    /// Names and values.
    pub headers: [(&'static str, String); 3],
    /// JSON.
    pub body: String,
}

/// What a receiver answered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WebhookResponse {
    /// The HTTP status.
    pub status: u16,
    /// How long it wants not to be asked again.
    pub retry_after: Option<Duration>,
}

/// Why there is no answer. `Display` is shown to the user.
#[derive(Debug, thiserror::Error)]
#[error("{message}")]
pub struct SendError {
    /// One sentence, which tells nothing of this side's network.
    pub message: String,
    /// For the log.
    pub source: Option<BoxError>,
}

/// Sends messages, and to no address that this server must not reach.
#[async_trait]
pub trait WebhookSender: fmt::Debug + Send + Sync + 'static {
    /// Whether anything would be sent to the URL.
    ///
    /// # Errors
    /// Why not, as the end of a sentence.
    fn check(&self, url: &str) -> Result<(), String>;
    /// Sends a message once; redirects are answers. Dropping the future ends it.
    ///
    /// # Errors
    /// When there is no answer in time, or the address may not be reached.
    async fn send(&self, message: &WebhookMessage) -> Result<WebhookResponse, SendError>;
}
