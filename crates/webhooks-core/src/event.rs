//! The events that webhooks deliver.

use serde_json::{Value, json};
use shared_core::Timestamp;

/// A kind of event.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum EventKind {
    /// A run of batch extraction has ended, in any state.
    RunFinished,
    /// An item of a knowledge base is ready to be searched.
    ItemReady,
    /// An item of a knowledge base could not be read.
    ItemFailed,
    /// A form was filled and confirmed in a conversation.
    FormSubmitted,
    /// People decided about values in the queue of reviews.
    ReviewDecided,
    /// A test of one webhook, which receives it whatever it subscribes to.
    Test,
}

impl EventKind {
    /// The kinds that a webhook can subscribe to.
    pub const ALL: [Self; 5] =
        [Self::RunFinished, Self::ItemReady, Self::ItemFailed, Self::FormSubmitted, Self::ReviewDecided];

    /// The name, such as `run.finished`.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::RunFinished => "run.finished",
            Self::ItemReady => "item.ready",
            Self::ItemFailed => "item.failed",
            Self::FormSubmitted => "form.submitted",
            Self::ReviewDecided => "review.decided",
            Self::Test => "webhook.test",
        }
    }

    /// The kind of this name, including the test; `None` for any other text.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().chain([Self::Test]).find(|kind| kind.name() == name)
    }
}

/// An event in a workspace.
#[derive(Clone, Debug, PartialEq)]
pub struct Event {
    /// The kind of event.
    pub kind: EventKind,
    /// Ids, names and states of the record concerned, never contents.
    pub data: Value,
}

impl Event {
    /// A run ended; with the numbers of groups that succeeded and failed, and of values that wait for a review.
    #[must_use]
    pub fn run_finished(
        sid: i64,
        namespace: &str,
        state: &str,
        (successful, failed, reviews): (u32, u32, u32),
    ) -> Self {
        let data = json!({
            "sid": sid, "namespace": namespace, "state": state, "total": successful + failed,
            "successful": successful, "failed": failed, "reviews": reviews,
        });
        Self { kind: EventKind::RunFinished, data }
    }

    /// An item of a knowledge base is ready to be searched; with its chunks, and the position of the change.
    #[must_use]
    pub fn item_ready(base: &str, id: &str, name: &str, (chunks, position): (u64, i64)) -> Self {
        let data = json!({
            "knowledgeId": base, "id": id, "name": name, "status": "ready", "chunks": chunks,
            "index_position": position,
        });
        Self { kind: EventKind::ItemReady, data }
    }

    /// An item of a knowledge base could not be read; with the error's code and message.
    #[must_use]
    pub fn item_failed(base: &str, id: &str, name: &str, (code, message): (&str, &str)) -> Self {
        let data = json!({
            "knowledgeId": base, "id": id, "name": name, "status": "failed",
            "error": {"code": code, "message": message},
        });
        Self { kind: EventKind::ItemFailed, data }
    }

    /// A form was filled and confirmed: the submission, with its session and form.
    #[must_use]
    pub fn form_submitted(
        namespace: &str,
        id: &str,
        (session, form): (&str, &str),
        created: Timestamp,
    ) -> Self {
        let data = json!({
            "namespace": namespace, "id": id, "session_id": session, "form_id": form,
            "created_timestamp": created.record_text(),
        });
        Self { kind: EventKind::FormSubmitted, data }
    }

    /// Reviews of a run changed: each with its id, the index of its group, and its state.
    #[must_use]
    pub fn reviews_decided(sid: i64, namespace: &str, reviews: &[(&str, u32, &str)]) -> Self {
        let reviews =
            reviews.iter().map(|(id, group, state)| json!({"id": id, "group": group, "state": state}));
        let data = json!({"sid": sid, "namespace": namespace, "reviews": reviews.collect::<Vec<_>>()});
        Self { kind: EventKind::ReviewDecided, data }
    }

    /// The event of a test delivery.
    #[must_use]
    pub fn test() -> Self {
        Self { kind: EventKind::Test, data: json!({"message": "this webhook works"}) }
    }

    /// The request body: type, time (RFC 3339) and data, as JSON.
    #[must_use]
    pub fn payload(&self, now: Timestamp) -> String {
        json!({"type": self.kind.name(), "timestamp": now.rfc3339(), "data": self.data}).to_string()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_told_apart_and_read_back() {
        for kind in EventKind::ALL.into_iter().chain([EventKind::Test]) {
            assert_eq!(EventKind::from_name(kind.name()), Some(kind));
        }
        assert_eq!(EventKind::from_name("run.begun"), None);
    }

    #[test]
    fn a_payload_has_type_time_and_data() {
        let now = Timestamp::from_micros(1_000_000).unwrap();
        let payload = Event::run_finished(7, "inv", "partly_failed", (3, 1, 2)).payload(now);
        assert_eq!(
            serde_json::from_str::<Value>(&payload).unwrap(),
            json!({
                "type": "run.finished", "timestamp": now.rfc3339(),
                "data": {
                    "sid": 7, "namespace": "inv", "state": "partly_failed", "total": 4, "successful": 3,
                    "failed": 1, "reviews": 2,
                },
            })
        );
    }
}
