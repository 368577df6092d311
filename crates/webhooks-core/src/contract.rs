//! The conformance suite of the port, for its implementations. The store enqueues its jobs in the queue that
//! is passed with it.

use jobs_core::{Claim, ClaimedJob, JobQueue, LeaseCell};
use shared_core::{PageRequest, Position, Scope, SeededRng, StoreError, Timestamp};

use crate::{
    Attempt, DeliveryOutcome, DeliveryState, Event, EventKind, MAX_WEBHOOKS, QUEUE, RETAINED_DELIVERIES,
    SigningSecret, Webhook, WebhookId, WebhookRepository,
};

fn at(micros: i64) -> Timestamp {
    Timestamp::from_micros(micros).unwrap_or_else(|| unreachable!("a valid instant"))
}

/// A webhook that subscribes to all events.
#[must_use]
pub fn webhook(scope: &Scope, name: &str, micros: i64) -> Webhook {
    Webhook {
        id: WebhookId(format!("webhook_{name}")),
        workspace: scope.workspace.clone(),
        url: format!("https://example.com/{name}?a=\u{e9}"),
        events: EventKind::ALL.to_vec(),
        description: "Odd \u{0}\u{1f600}' text".to_owned(),
        secret: SigningSecret::random(&SeededRng::new(7)),
        disabled: None,
        created: at(micros),
    }
}

fn event() -> Event {
    Event::item_ready("kb_1", "item_1", "a.txt", (3, 7))
}

async fn claimed(queue: &dyn JobQueue, now: Timestamp) -> Vec<ClaimedJob> {
    let claim = Claim {
        queue: QUEUE,
        worker: "w",
        now,
        until: now.plus_seconds(30),
        count: 100,
        per_owner: 100,
        per_workspace: 100,
        owners: None,
    };
    queue.claim(&claim).await.expect("claims")
}

/// A webhook reads back as it was stored, and is listed newest first; another workspace does not see it.
pub async fn keeps_webhooks(store: &dyn WebhookRepository, _: &dyn JobQueue, own: &Scope, other: &Scope) {
    for n in 0..5 {
        store.insert(own, &webhook(own, &format!("n{n}"), n)).await.expect("inserts");
    }
    let wanted = webhook(own, "n3", 3);
    let found = store.find(own, &wanted.id).await.expect("finds").expect("is there");
    assert_eq!((&found.id, &found.workspace, &found.url), (&wanted.id, &wanted.workspace, &wanted.url));
    assert_eq!((&found.events, &found.description), (&wanted.events, &wanted.description));
    assert_eq!((found.secret.expose(), found.created), (wanted.secret.expose(), wanted.created));
    assert_eq!(found.disabled, None);
    let page = store.list(own, &PageRequest::first(2)).await.expect("lists");
    let names: Vec<&str> = page.items.iter().map(|webhook| webhook.id.0.as_str()).collect();
    assert_eq!((names, page.total), (vec!["webhook_n4", "webhook_n3"], 5));
    let after = PageRequest { position: Position::After(page.next.expect("more")), limit: 9 };
    assert_eq!(store.list(own, &after).await.expect("lists").items.len(), 3);
    assert!(store.find(other, &wanted.id).await.expect("finds").is_none());
    assert_eq!(store.list(other, &PageRequest::first(9)).await.expect("lists").total, 0);
    assert!(!store.delete(other, &wanted.id).await.expect("answers"));
    assert!(store.delete(own, &wanted.id).await.expect("deletes"));
    assert!(!store.delete(own, &wanted.id).await.expect("answers"));
    assert!(store.find(own, &wanted.id).await.expect("finds").is_none());
}

/// A workspace has a bounded number of webhooks.
pub async fn bounds_webhooks(store: &dyn WebhookRepository, _: &dyn JobQueue, own: &Scope, other: &Scope) {
    for n in 0..MAX_WEBHOOKS {
        store.insert(own, &webhook(own, &format!("n{n}"), 1)).await.expect("inserts");
    }
    let more = store.insert(own, &webhook(own, "more", 1)).await;
    assert!(matches!(more, Err(StoreError::Taken(_))), "{more:?}");
    store.insert(other, &webhook(other, "theirs", 1)).await.expect("inserts");
}

/// An event becomes a delivery and a job for each webhook of its workspace that subscribes to its kind.
pub async fn delivers_to_who_asks(
    store: &dyn WebhookRepository,
    queue: &dyn JobQueue,
    own: &Scope,
    other: &Scope,
) {
    let deaf = Webhook { events: vec![EventKind::RunFinished], ..webhook(own, "deaf", 1) };
    for (scope, webhook) in [
        (own, webhook(own, "a", 1)),
        (own, webhook(own, "b", 1)),
        (own, deaf),
        (other, webhook(other, "c", 1)),
    ] {
        store.insert(scope, &webhook).await.expect("inserts");
    }
    let sent = store.emit(&own.workspace, &event(), None, at(5)).await.expect("emits");
    let mut ids: Vec<String> = sent.iter().map(crate::Delivery::id).collect();
    ids.sort();
    assert_eq!(ids, ["msg_a_1", "msg_b_1"]);
    let deaf = WebhookId("webhook_deaf".into());
    let tried = store.emit(&own.workspace, &Event::test(), Some(&deaf), at(6)).await.expect("emits");
    assert_eq!((tried.len(), &tried[0].webhook, tried[0].event), (1, &deaf, EventKind::Test));
    let theirs = WebhookId("webhook_c".into());
    assert_eq!(store.emit(&own.workspace, &Event::test(), Some(&theirs), at(6)).await.expect("emits"), []);
    assert_eq!(claimed(queue, at(9)).await.len(), 3);
    let a = WebhookId("webhook_a".into());
    let listed = store.deliveries(own, &a, &PageRequest::first(9)).await.expect("lists");
    let wanted = sent.iter().find(|delivery| delivery.webhook == a).cloned().expect("was sent");
    assert_eq!(listed.items, [wanted]);
    assert_eq!(store.deliveries(other, &a, &PageRequest::first(9)).await.expect("lists").total, 0);
    let found = store.find_pending(&own.workspace, &a, 1).await.expect("finds").expect("is there");
    assert_eq!((&found.webhook.id, found.delivery.payload), (&a, event().payload(at(5))));
    assert!(store.find_pending(&other.workspace, &a, 1).await.expect("finds").is_none());
    assert!(store.find_pending(&own.workspace, &a, 2).await.expect("finds").is_none());
}

/// Attempts are counted under the lease. The end of a delivery ends its job. A replay starts over, and the
/// earlier worker of the job loses it.
pub async fn ends_and_replays(
    store: &dyn WebhookRepository,
    queue: &dyn JobQueue,
    own: &Scope,
    other: &Scope,
) {
    store.insert(own, &webhook(own, "a", 1)).await.expect("inserts");
    let a = WebhookId("webhook_a".into());
    store.emit(&own.workspace, &event(), None, at(5)).await.expect("emits");
    let lease = LeaseCell::new(&claimed(queue, at(9)).await[0]);
    let failed = Attempt { status: Some(500), error: Some("it failed".into()) };
    store.record_attempt(&own.workspace, &lease, &failed).await.expect("notes");
    let heard = Attempt { status: Some(204), error: None };
    store
        .finish_delivery(&own.workspace, &lease, &DeliveryOutcome::Delivered(heard.clone()), at(10))
        .await
        .expect("ends");
    let again =
        store.finish_delivery(&own.workspace, &lease, &DeliveryOutcome::Failed(failed.clone()), at(11)).await;
    assert!(matches!(again, Err(StoreError::Stale)), "{again:?}");
    assert!(matches!(store.record_attempt(&own.workspace, &lease, &failed).await, Err(StoreError::Stale)));
    let listed = store.deliveries(own, &a, &PageRequest::first(9)).await.expect("lists").items;
    let one = &listed[0];
    assert_eq!((one.state, one.attempts, &one.last), (DeliveryState::Delivered, 2, &heard));
    assert_eq!(one.ended, Some(at(10)));
    assert!(store.find_pending(&own.workspace, &a, 1).await.expect("finds").is_none());
    assert_eq!(claimed(queue, at(90_000_000)).await.len(), 0);

    assert_eq!(store.replay(other, &a, 1, at(12)).await.expect("answers"), None);
    assert_eq!(store.replay(own, &a, 2, at(12)).await.expect("answers"), None);
    let replayed = store.replay(own, &a, 1, at(12)).await.expect("replays").expect("is there");
    assert_eq!((replayed.state, replayed.attempts, replayed.ended), (DeliveryState::Pending, 2, None));
    let late =
        store.finish_delivery(&own.workspace, &lease, &DeliveryOutcome::Failed(failed.clone()), at(13)).await;
    assert!(matches!(late, Err(StoreError::Stale)), "an old lease ends a new job");
    let second = LeaseCell::new(&claimed(queue, at(100_000_000)).await[0]);
    store.replay(own, &a, 1, at(100_000_000)).await.expect("replays").expect("is there");
    let lost =
        store.finish_delivery(&own.workspace, &second, &DeliveryOutcome::Delivered(heard), at(14)).await;
    assert!(matches!(lost, Err(StoreError::Stale)), "who held it has lost it");
    let third = LeaseCell::new(&claimed(queue, at(200_000_000)).await[0]);
    store
        .finish_delivery(&own.workspace, &third, &DeliveryOutcome::Failed(failed), at(15))
        .await
        .expect("ends");
}

/// A disabled webhook gets no further deliveries.
pub async fn disables(store: &dyn WebhookRepository, queue: &dyn JobQueue, own: &Scope, _: &Scope) {
    store.insert(own, &webhook(own, "a", 1)).await.expect("inserts");
    let a = WebhookId("webhook_a".into());
    store.emit(&own.workspace, &event(), None, at(5)).await.expect("emits");
    let lease = LeaseCell::new(&claimed(queue, at(9)).await[0]);
    let gone = DeliveryOutcome::Disabled(Attempt { status: Some(410), error: None }, "it is gone".into());
    store.finish_delivery(&own.workspace, &lease, &gone, at(10)).await.expect("ends");
    let found = store.find(own, &a).await.expect("finds").expect("is there");
    assert_eq!(found.disabled.as_deref(), Some("it is gone"));
    assert_eq!(store.emit(&own.workspace, &event(), None, at(11)).await.expect("emits"), []);
    assert_eq!(store.emit(&own.workspace, &Event::test(), Some(&a), at(11)).await.expect("emits"), []);
    assert!(matches!(store.replay(own, &a, 1, at(12)).await, Err(StoreError::Stale)));
}

/// Deliveries are deleted with their webhook, and so are their jobs, also those under lease.
pub async fn deletes_with_all(store: &dyn WebhookRepository, queue: &dyn JobQueue, own: &Scope, _: &Scope) {
    for name in ["a", "b"] {
        store.insert(own, &webhook(own, name, 1)).await.expect("inserts");
    }
    let a = WebhookId("webhook_a".into());
    store.emit(&own.workspace, &event(), None, at(5)).await.expect("emits");
    store.emit(&own.workspace, &event(), None, at(5)).await.expect("emits");
    let held = claimed(queue, at(9)).await;
    let mine = held.iter().find(|job| job.job.key.owner == a.0).expect("is claimed");
    assert!(store.delete(own, &a).await.expect("deletes"));
    let (lease, heard) = (LeaseCell::new(mine), DeliveryOutcome::Delivered(Attempt::default()));
    let end = store.finish_delivery(&own.workspace, &lease, &heard, at(10)).await;
    assert!(matches!(end, Err(StoreError::Stale)));
    let later = claimed(queue, at(90_000_000)).await;
    assert!(later.iter().all(|job| job.job.key.owner == "webhook_b"), "{later:?}");
    assert_eq!(later.len(), 2);
}

/// The newest ended deliveries are retained.
pub async fn keeps_the_newest(store: &dyn WebhookRepository, queue: &dyn JobQueue, own: &Scope, _: &Scope) {
    store.insert(own, &webhook(own, "a", 1)).await.expect("inserts");
    let a = WebhookId("webhook_a".into());
    store.emit(&own.workspace, &event(), None, at(5)).await.expect("emits");
    store.emit(&own.workspace, &event(), None, at(5)).await.expect("emits");
    // The first stays pending, the second ends.
    for job in claimed(queue, at(9)).await.iter().filter(|job| job.job.key.position == 2) {
        let heard = DeliveryOutcome::Delivered(Attempt::default());
        store.finish_delivery(&own.workspace, &LeaseCell::new(job), &heard, at(10)).await.expect("ends");
    }
    for _ in 0..RETAINED_DELIVERIES {
        store.emit(&own.workspace, &event(), None, at(11)).await.expect("emits");
    }
    let total = store.deliveries(own, &a, &PageRequest::first(1)).await.expect("lists").total;
    assert_eq!(total, u64::from(RETAINED_DELIVERIES) + 1, "what ended goes, what waits stays");
    assert!(store.find_pending(&own.workspace, &a, 1).await.expect("finds").is_some());
    assert_eq!(store.replay(own, &a, 2, at(12)).await.expect("answers"), None);
}

/// Expands to the tests of a [`WebhookRepository`]. `$run` takes a name and a closure from
/// `(store, queue, own scope, other scope)` to a future and runs it on a fresh store.
#[macro_export]
macro_rules! webhook_repository_contract {
    ($run:ident) => {
        $crate::webhook_repository_contract!($run: keeps_webhooks bounds_webhooks delivers_to_who_asks ends_and_replays disables deletes_with_all keeps_the_newest);
    };
    ($run:ident: $($name:ident)*) => {
        $(#[test] fn $name() {
            $run(stringify!($name), |store, queue, own, other| {
                Box::pin(async move { $crate::contract::$name(&*store, &*queue, &own, &other).await })
            });
        })*
    };
}
