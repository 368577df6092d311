//! Deliveries as jobs: what is sent, when it is retried, and when it fails.
#![allow(clippy::unwrap_used, clippy::panic, reason = "helpers of tests assert, too")]

use std::collections::VecDeque;
use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use futures_executor::block_on;
use jobs_core::{Claim, ClaimedJob, DispatcherHandle, JobOutcome, JobQueue as _, LeaseCell, MemoryJobs};
use parking_lot::Mutex;
use serde_json::{Value, json};
use shared_core::{Clock as _, FixedClock, PageRequest, Scope, SeededRng, UserId, WorkspaceId};
use webhooks_core::{
    Delivery, DeliveryState, Event, MAX_ATTEMPTS, MemoryWebhooks, NewWebhook, QUEUE, SendError,
    SigningSecret, Webhook, WebhookMessage, WebhookPorts, WebhookRepository as _, WebhookResponse,
    WebhookSender, WebhooksError, WebhooksService,
};

/// A receiver that sends scripted responses, then 200, and records the messages.
#[derive(Debug, Default)]
struct Scripted {
    answers: Mutex<VecDeque<Result<WebhookResponse, SendError>>>,
    heard: Mutex<Vec<WebhookMessage>>,
}

#[async_trait]
impl WebhookSender for Scripted {
    fn check(&self, url: &str) -> Result<(), String> {
        if url.starts_with("https://") { Ok(()) } else { Err("it is not https".to_owned()) }
    }

    async fn send(&self, message: &WebhookMessage) -> Result<WebhookResponse, SendError> {
        self.heard.lock().push(message.clone());
        let next = self.answers.lock().pop_front();
        next.unwrap_or(Ok(WebhookResponse { status: 200, retry_after: None }))
    }
}

struct Kit {
    service: WebhooksService,
    store: Arc<MemoryWebhooks>,
    sender: Arc<Scripted>,
    clock: Arc<FixedClock>,
    scope: Scope,
    webhook: Webhook,
}

impl Kit {
    fn new(answers: impl IntoIterator<Item = Result<WebhookResponse, SendError>>) -> Self {
        let store = Arc::new(MemoryWebhooks::default());
        let answers = Mutex::new(answers.into_iter().collect());
        let sender = Arc::new(Scripted { answers, heard: Mutex::default() });
        let clock = Arc::new(FixedClock::new(1_000_000, 0));
        let service = WebhooksService::new(WebhookPorts {
            webhooks: store.clone(),
            sender: sender.clone(),
            jobs: DispatcherHandle::default(),
            clock: clock.clone(),
            rng: Arc::new(SeededRng::new(3)),
        });
        let scope = Scope { workspace: WorkspaceId("w".into()), user: UserId("u".into()) };
        let new = NewWebhook { url: "https://example.com/hook".into(), ..NewWebhook::default() };
        let webhook = block_on(service.create(&scope, new)).unwrap();
        let event = Event::run_finished(7, "inv", "finished", (2, 0, 0));
        block_on(store.emit(&scope.workspace, &event, None, clock.now())).unwrap();
        Self { service, store, sender, clock, scope, webhook }
    }

    fn queue(&self) -> Arc<MemoryJobs> {
        self.store.jobs()
    }

    fn claim(&self, seconds: i64) -> Option<ClaimedJob> {
        let now = self.clock.now().plus_seconds(seconds);
        let until = now.plus_seconds(30);
        let claim = Claim {
            queue: QUEUE,
            worker: "w",
            now,
            until,
            count: 1,
            per_owner: 1,
            per_workspace: 1,
            owners: None,
        };
        block_on(self.queue().claim(&claim)).unwrap().pop()
    }

    /// Processes the ready jobs, and requeues those to be retried.
    fn work(&self) -> JobOutcome {
        let job = self.claim(0).unwrap();
        let lease = LeaseCell::new(&job);
        let key = job.job.key.clone();
        let verdict = block_on(self.service.worker(|_| {}).work(job, lease.clone()));
        if let JobOutcome::Retry { failed, .. } = verdict {
            block_on(self.queue().requeue(&key, lease.token(), self.clock.now(), failed)).unwrap();
        }
        verdict
    }

    fn delivery(&self) -> Delivery {
        let page = PageRequest::first(1);
        block_on(self.service.deliveries(&self.scope, &self.webhook.id, &page)).unwrap().items.remove(0)
    }
}

fn status(status: u16) -> Result<WebhookResponse, SendError> {
    Ok(WebhookResponse { status, retry_after: None })
}

#[test]
fn a_message_is_signed_json_of_what_happened() {
    let kit = Kit::new([]);
    assert_eq!(kit.work(), JobOutcome::Ended);
    let heard = kit.sender.heard.lock().clone();
    let [WebhookMessage { url, headers, body }] = heard.as_slice() else { panic!("{heard:?}") };
    assert_eq!(url, "https://example.com/hook");
    let event: Value = serde_json::from_str(body).unwrap();
    assert_eq!((&event["type"], &event["data"]["sid"]), (&json!("run.finished"), &json!(7)));
    let secret = SigningSecret::parse(kit.webhook.secret.expose()).unwrap();
    let id = kit.delivery().id();
    assert_eq!(headers[0], ("webhook-id", id.clone()));
    assert_eq!(headers[1], ("webhook-timestamp", "1".to_owned()));
    assert_eq!(headers[2], ("webhook-signature", secret.sign(&id, kit.clock.now(), body)));
    let delivery = kit.delivery();
    assert_eq!((delivery.state, delivery.attempts), (DeliveryState::Delivered, 1));
    assert_eq!((delivery.last.status, &delivery.last.error), (Some(200), &None));
}

#[test]
fn what_fails_is_sent_again_under_the_same_id_until_it_is_given_up() {
    let broken = || Err(SendError { message: "the connection broke".to_owned(), source: None });
    let kit = Kit::new((0..MAX_ATTEMPTS - 1).map(|_| broken()).chain([status(302)]));
    let mut pauses = Vec::new();
    for _ in 1..MAX_ATTEMPTS {
        let JobOutcome::Retry { after, failed: true } = kit.work() else { panic!("it is sent again") };
        pauses.push(after);
        assert_eq!(kit.delivery().state, DeliveryState::Pending);
    }
    assert!(pauses.is_sorted() && pauses[0] >= Duration::from_secs(5), "{pauses:?}");
    assert_eq!(kit.delivery().last.error.as_deref(), Some("the connection broke"));
    assert_eq!(kit.work(), JobOutcome::Ended);
    let delivery = kit.delivery();
    assert_eq!((delivery.state, delivery.attempts), (DeliveryState::Failed, MAX_ATTEMPTS));
    assert_eq!(delivery.last.error.as_deref(), Some("the receiver answered with status 302"));
    let heard = kit.sender.heard.lock();
    assert!(heard.iter().all(|message| message.headers[0].1 == delivery.id()));
    assert!(kit.claim(1_000_000).is_none());
}

#[test]
fn a_receiver_says_when_it_wants_to_be_asked_again() {
    let busy = Ok(WebhookResponse { status: 503, retry_after: Some(Duration::from_secs(77)) });
    let kit = Kit::new([busy, status(204)]);
    assert_eq!(kit.work(), JobOutcome::Retry { after: Duration::from_secs(77), failed: true });
    assert_eq!(kit.work(), JobOutcome::Ended);
    assert_eq!((kit.delivery().state, kit.delivery().attempts), (DeliveryState::Delivered, 2));
}

#[test]
fn a_receiver_that_is_gone_is_told_nothing_more_and_a_replay_says_why() {
    let kit = Kit::new([status(410)]);
    assert_eq!(kit.work(), JobOutcome::Ended);
    let why = "the receiver answered with status 410, so it wants no more messages";
    let found = block_on(kit.service.get(&kit.scope, &kit.webhook.id)).unwrap();
    assert_eq!(found.disabled.as_deref(), Some(why));
    let error = block_on(kit.service.replay(&kit.scope, &kit.webhook.id, &kit.delivery().id())).unwrap_err();
    assert!(matches!(&error, WebhooksError::Disabled(told) if told == why), "{error}");
    assert!(matches!(
        block_on(kit.service.send_test(&kit.scope, &kit.webhook.id)),
        Err(WebhooksError::Disabled(_))
    ));
}

#[test]
fn a_replay_is_sent_though_it_was_heard() {
    let kit = Kit::new([]);
    kit.work();
    let id = kit.delivery().id();
    let replayed = block_on(kit.service.replay(&kit.scope, &kit.webhook.id, &id)).unwrap();
    assert_eq!((replayed.state, replayed.id()), (DeliveryState::Pending, id));
    assert_eq!(kit.work(), JobOutcome::Ended);
    assert_eq!((kit.delivery().state, kit.delivery().attempts), (DeliveryState::Delivered, 2));
    for unknown in ["msg_x_1", "1", ""] {
        let error = block_on(kit.service.replay(&kit.scope, &kit.webhook.id, unknown)).unwrap_err();
        assert!(matches!(error, WebhooksError::DeliveryNotFound), "{unknown}");
    }
}

#[test]
fn what_is_deleted_is_not_sent() {
    let kit = Kit::new([]);
    let job = kit.claim(0).unwrap();
    block_on(kit.service.delete(&kit.scope, &kit.webhook.id)).unwrap();
    let lease = LeaseCell::new(&job);
    assert_eq!(block_on(kit.service.worker(|_| {}).work(job, lease)), JobOutcome::OwnerGone);
    assert!(kit.sender.heard.lock().is_empty());
}

#[test]
fn a_webhook_says_everything_that_is_wrong_with_it() {
    let kit = Kit::new([]);
    let new = NewWebhook {
        url: "http://example.com".into(),
        events: Some(vec!["run.finished".into(), "run.begun".into()]),
        description: "x".repeat(501),
    };
    let error = block_on(kit.service.create(&kit.scope, new)).unwrap_err();
    let WebhooksError::Invalid(broken) = error else { panic!("{error}") };
    let places: Vec<&str> = broken.iter().map(|rule| rule.path.as_str()).collect();
    assert_eq!(places, ["/url", "/events/1", "/description"]);
    for url in ["", &format!("https://{}", "x".repeat(2_000))] {
        let new = NewWebhook { url: url.into(), events: Some(Vec::new()), ..NewWebhook::default() };
        let error = block_on(kit.service.create(&kit.scope, new)).unwrap_err();
        assert!(matches!(error, WebhooksError::Invalid(broken) if broken.len() == 2));
    }
}
