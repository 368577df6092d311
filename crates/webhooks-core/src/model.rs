//! Webhooks and their deliveries.

use std::fmt;

use shared_core::{Timestamp, WorkspaceId};

use crate::{Event, EventKind, SigningSecret};

/// Identifies a webhook.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct WebhookId(pub String);

impl fmt::Display for WebhookId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// A subscription: a URL that receives events.
#[derive(Clone, Debug)]
pub struct Webhook {
    /// Identifier.
    pub id: WebhookId,
    /// The workspace whose events it receives.
    pub workspace: WorkspaceId,
    /// Where events are sent.
    pub url: String,
    /// The kinds that it subscribes to.
    pub events: Vec<EventKind>,
    /// A description by its owner.
    pub description: String,
    /// The key that signs its messages.
    pub secret: SigningSecret,
    /// Why it is disabled; `None` while it is active.
    pub disabled: Option<String>,
    /// When it was created.
    pub created: Timestamp,
}

/// The state of a delivery.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DeliveryState {
    /// Not acknowledged yet.
    Pending,
    /// Acknowledged with a 2xx status.
    Delivered,
    /// Given up after the last attempt, or on overflow.
    Failed,
}

impl DeliveryState {
    /// All states.
    pub const ALL: [Self; 3] = [Self::Pending, Self::Delivered, Self::Failed];

    /// The name, such as `pending`.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Pending => "pending",
            Self::Delivered => "delivered",
            Self::Failed => "failed",
        }
    }

    /// The state of this name; `None` for any other text.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|state| state.name() == name)
    }
}

/// The result of one attempt.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Attempt {
    /// The HTTP status of the response, if there was one.
    pub status: Option<u16>,
    /// Why it failed, as one sentence; `None` after success.
    pub error: Option<String>,
}

/// The delivery of one event to one webhook.
#[derive(Clone, Debug, PartialEq)]
pub struct Delivery {
    /// The webhook.
    pub webhook: WebhookId,
    /// From 1, in the order of the webhook's deliveries.
    pub number: u32,
    /// The kind of its event.
    pub event: EventKind,
    /// The request body, JSON.
    pub payload: String,
    /// Its state.
    pub state: DeliveryState,
    /// Attempts so far, including those of replays.
    pub attempts: u32,
    /// The result of the last attempt.
    pub last: Attempt,
    /// When the event happened.
    pub created: Timestamp,
    /// When it was delivered or given up; `None` while it is pending.
    pub ended: Option<Timestamp>,
}

/// The error of a delivery whose webhook has [`MAX_PENDING`](crate::MAX_PENDING) pending ones.
const OVERFLOW_MESSAGE: &str = "too many deliveries to this webhook are pending";

impl Delivery {
    /// The delivery of an event. Without `room` among the pending deliveries it has failed already.
    #[must_use]
    pub fn new(webhook: &WebhookId, number: u32, event: &Event, room: bool, now: Timestamp) -> Self {
        let error = (!room).then(|| OVERFLOW_MESSAGE.to_owned());
        Self {
            webhook: webhook.clone(),
            number,
            event: event.kind,
            payload: event.payload(now),
            state: if room { DeliveryState::Pending } else { DeliveryState::Failed },
            attempts: 0,
            last: Attempt { status: None, error },
            created: now,
            ended: (!room).then_some(now),
        }
    }

    /// The message's id. It is the same at each attempt, so a receiver can use it to deduplicate.
    #[must_use]
    pub fn id(&self) -> String {
        let webhook = self.webhook.0.rsplit('_').next().unwrap_or_default();
        format!("msg_{webhook}_{}", self.number)
    }

    /// The number in a message's id of this webhook; `None` when the id is not one of its messages.
    #[must_use]
    pub fn parse_number(webhook: &WebhookId, id: &str) -> Option<u32> {
        let webhook = webhook.0.rsplit('_').next()?;
        let digits = id.strip_prefix("msg_")?.strip_prefix(webhook)?.strip_prefix('_')?;
        // Only the canonical spelling of the number is an id.
        let number: u32 = digits.parse().ok()?;
        (number.to_string() == digits).then_some(number)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_number_is_read_from_the_id_of_the_same_webhook_alone() {
        let webhook = WebhookId("webhook_ab12".to_owned());
        let now = Timestamp::from_micros(0).unwrap();
        let delivery = Delivery::new(&webhook, 17, &Event::test(), true, now);
        assert_eq!(delivery.id(), "msg_ab12_17");
        assert_eq!(Delivery::parse_number(&webhook, "msg_ab12_17"), Some(17));
        for other in
            ["msg_ab13_17", "msg_ab12_017", "msg_ab12_+17", "msg_ab12_", "17", "msg_ab12_99999999999"]
        {
            assert_eq!(Delivery::parse_number(&webhook, other), None, "{other}");
        }
    }
}
