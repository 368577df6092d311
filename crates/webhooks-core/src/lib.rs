#![doc = include_str!("../README.md")]

#[cfg(feature = "contract")]
#[allow(clippy::expect_used, clippy::missing_panics_doc, reason = "a conformance suite asserts")]
pub mod contract;
mod error;
mod event;
mod memory;
mod model;
mod ports;
mod retry;
mod service;
mod sign;
mod worker;

pub use error::WebhooksError;
pub use event::{Event, EventKind};
pub use memory::MemoryWebhooks;
pub use model::{Attempt, Delivery, DeliveryState, Webhook, WebhookId};
pub use ports::{
    DeliveryOutcome, MAX_PENDING, MAX_WEBHOOKS, PendingDelivery, RETAINED_DELIVERIES, SendError,
    WebhookMessage, WebhookRepository, WebhookResponse, WebhookSender,
};
pub use retry::{MAX_ATTEMPTS, MAX_DELAY, retry_delay};
pub use service::{MAX_DESCRIPTION, MAX_URL, NewWebhook, WebhookPorts, WebhooksService};
pub use sign::{ID_HEADER, SIGNATURE_HEADER, SigningSecret, TIMESTAMP_HEADER};

/// The queue of deliveries. A job's owner is the webhook, its position the number of the delivery.
pub const QUEUE: &str = "webhooks";
