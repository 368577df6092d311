//! Receivers: they check signatures, count messages, and acknowledge some of them.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use parking_lot::Mutex;
use shared_core::Timestamp;
use webhooks_core::{
    SIGNATURE_HEADER, SendError, SigningSecret, TIMESTAMP_HEADER, WebhookId, WebhookMessage, WebhookResponse,
    WebhookSender,
};

use crate::world::{ProcessId, World};

/// The header of a message's id.
const ID_HEADER: &str = webhooks_core::ID_HEADER;
/// How long workers that lost their leases may go on after faults ended.
const SETTLING: Duration = Duration::from_secs(60);
/// How long a message may be sent after its webhook was deleted, or after it was acknowledged: three slow answers of the
/// store and of the receiver.
const LATE_MESSAGE: Duration = Duration::from_secs(180);

#[derive(Debug, Default)]
struct State {
    secrets: BTreeMap<String, SigningSecret>,
    /// When webhooks were deleted, by their URL.
    deleted: BTreeMap<String, Duration>,
    /// Messages that receivers took.
    acknowledged: BTreeSet<String>,
    /// When a sender was first told that its message was taken, some time after faults ended. Before,
    /// it may not be able to store that, and the next attempt may fail.
    told: BTreeMap<String, Duration>,
}

/// All receivers.
#[derive(Debug)]
pub(super) struct Receivers {
    world: World,
    state: Mutex<State>,
}

impl Receivers {
    pub(super) fn new(world: &World) -> Self {
        Self { world: world.clone(), state: Mutex::default() }
    }

    /// A webhook with this URL was created.
    pub(super) fn add(&self, url: &str, secret: SigningSecret) {
        self.state.lock().secrets.insert(url.to_owned(), secret);
    }

    /// The webhook with this URL was deleted.
    pub(super) fn delete(&self, url: &str) {
        self.state.lock().deleted.insert(url.to_owned(), self.world.now());
    }

    /// Whether the message was acknowledged.
    pub(super) fn has_acknowledged(&self, id: &str) -> bool {
        self.state.lock().acknowledged.contains(id)
    }

    fn header<'a>(message: &'a WebhookMessage, name: &str) -> &'a str {
        message.headers.iter().find(|(header, _)| *header == name).map_or("", |(_, value)| value)
    }

    fn check(&self, message: &WebhookMessage) {
        let (now, state) = (self.world.now(), self.state.lock());
        let id = Self::header(message, ID_HEADER);
        let seconds: i64 = Self::header(message, TIMESTAMP_HEADER).parse().unwrap_or_default();
        let at = Timestamp::from_micros(seconds * 1_000_000);
        let signed = at.zip(state.secrets.get(&message.url));
        let signature = signed.map(|(at, secret)| secret.sign(id, at, &message.body));
        if signature.as_deref() != Some(Self::header(message, SIGNATURE_HEADER)) {
            self.world.violate(format!("the signature of {id} is not valid"));
        }
        if state.deleted.get(&message.url).is_some_and(|deleted| now > *deleted + LATE_MESSAGE) {
            self.world.violate(format!("{id} is sent after its webhook was deleted"));
        }
        if state.told.get(id).is_some_and(|first| now > *first + LATE_MESSAGE) {
            self.world.violate(format!("{id} is sent again although it was acknowledged"));
        }
    }
}

/// The sender of a process.
#[derive(Debug)]
pub(super) struct SimulatedSender {
    pub(super) world: World,
    pub(super) process: ProcessId,
    pub(super) receivers: Arc<Receivers>,
}

#[async_trait]
impl WebhookSender for SimulatedSender {
    fn check(&self, _: &str) -> Result<(), String> {
        Ok(())
    }

    async fn send(&self, message: &WebhookMessage) -> Result<WebhookResponse, SendError> {
        let id = Receivers::header(message, ID_HEADER).to_owned();
        let (world, random) = (&self.world, self.world.random());
        world.log(|| format!("{} sends {id}", self.process.0));
        self.receivers.check(message);
        // By then nobody holds a lease that was lost.
        let has_settled = world.calm_since().is_some_and(|calm| world.now() > calm + SETTLING);
        world.sleep(random.millis(5, if random.happens(50) { 40_000 } else { 1_000 })).await;
        let is_calm = world.is_calm();
        if !is_calm && random.happens(200) {
            return Err(SendError { message: "no answer".to_owned(), source: None });
        }
        let status = match random.happens(200) && !is_calm {
            true => 503,
            false => 200,
        };
        if status == 200 {
            self.receivers.state.lock().acknowledged.insert(id.clone());
        }
        // The answer can be lost after the receiver took the message.
        if !is_calm && random.happens(50) {
            return Err(SendError { message: "the connection was closed".to_owned(), source: None });
        }
        if status == 200 && has_settled {
            self.receivers.state.lock().told.entry(id).or_insert(world.now());
        }
        let retry_after = random.happens(100).then_some(Duration::from_secs(20));
        Ok(WebhookResponse { status, retry_after })
    }
}

/// The id of a webhook's message.
pub(super) fn message_id(webhook: &WebhookId, number: u32) -> String {
    format!("msg_{}_{number}", webhook.0.rsplit('_').next().unwrap_or_default())
}
