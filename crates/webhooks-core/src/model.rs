//! Webhooks and what is sent to them.

use std::fmt;

use shared_core::{Timestamp, WorkspaceId};

use crate::{Event, EventKind, SigningSecret};

/// Names a webhook.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct WebhookId(pub String);

impl fmt::Display for WebhookId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// An address that wants to be told.
#[derive(Clone, Debug)]
pub struct Webhook {
    /// Its name.
    pub id: WebhookId,
    /// Whose events it gets.
    pub workspace: WorkspaceId,
    /// Where they are sent.
    pub url: String,
    /// Which ones.
    pub events: Vec<EventKind>,
    /// What its owner says of it.
    pub description: String,
    /// What messages are signed with.
    pub secret: SigningSecret,
    /// Why nothing more is sent to it.
    pub disabled: Option<String>,
    /// When it was made.
    pub created: Timestamp,
}

/// Where a delivery stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DeliveryState {
    /// It is yet to be heard.
    Pending,
    /// It was answered with success.
    Delivered,
    /// It was given up.
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

    /// The state of this name.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|state| state.name() == name)
    }
}

/// What came of an attempt.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Attempt {
    /// The status of the answer, if there was one.
    pub status: Option<u16>,
    /// Why it was no success; one sentence.
    pub error: Option<String>,
}

/// One event on its way to one webhook.
#[derive(Clone, Debug, PartialEq)]
pub struct Delivery {
    /// The webhook.
    pub webhook: WebhookId,
    /// From 1, in the order of the webhook's events.
    pub number: u32,
    /// What it tells of.
    pub event: EventKind,
    /// The body, JSON.
    pub payload: String,
    /// Where it stands.
    pub state: DeliveryState,
    /// Attempts so far, of all its replays.
    pub attempts: u32,
    /// What came of the last one.
    pub last: Attempt,
    /// When the event happened.
    pub created: Timestamp,
    /// When it was delivered or given up.
    pub ended: Option<Timestamp>,
}

/// What is told of an event that comes while too many wait.
const OVERFLOW_MESSAGE: &str = "too many deliveries to this webhook wait already";

impl Delivery {
    /// The delivery of an event; one that has no `room` among those that wait has failed already.
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

    /// The message's id, which is the same at each attempt, so that a receiver can tell what it has heard before.
    #[must_use]
    pub fn id(&self) -> String {
        let webhook = self.webhook.0.rsplit('_').next().unwrap_or_default();
        format!("msg_{webhook}_{}", self.number)
    }

    /// The number in a message's id of this webhook.
    #[must_use]
    pub fn parse_number(webhook: &WebhookId, id: &str) -> Option<u32> {
        let webhook = webhook.0.rsplit('_').next()?;
        let digits = id.strip_prefix("msg_")?.strip_prefix(webhook)?.strip_prefix('_')?;
        // No other spelling of the number is an id.
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
