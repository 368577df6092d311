//! The conformance suite of the port. Its stores have the workspaces `w1` and `w2`.

use shared_core::{Page, PageRequest, Position, Timestamp, UserId, WorkspaceId};

use super::{Actor, AuditEvent, AuditFilter, AuditRepository, NewAuditEvent};
use crate::idempotency::EffectRef;

fn at(micros: i64) -> Timestamp {
    Timestamp::from_micros(micros).unwrap_or_else(|| unreachable!("a valid instant"))
}

fn event(workspace: &str, number: i64) -> AuditEvent {
    let is_even = number % 2 == 0;
    let actor =
        is_even.then(|| Actor { user: UserId(format!("user_{number}")), key: format!("key_{number}") });
    let action = NewAuditEvent {
        workspace: WorkspaceId(workspace.into()),
        actor,
        operation: if is_even { "create_note" } else { "keys create" }.into(),
        target: format!("/v1/notes/{number}?\u{0}'\"%_"),
        request: format!("request {number}"),
        address: "2001:db8::1".into(),
    };
    let effect =
        is_even.then(|| EffectRef { kind: "note".into(), ids: vec![number.to_string(), "\u{1f600}".into()] });
    AuditEvent { id: format!("audit_{number:04}"), created: at(number / 3), action, effect, failure: None }
}

async fn list(store: &dyn AuditRepository, workspace: &str, filter: &AuditFilter) -> Vec<AuditEvent> {
    let page =
        store.list(&WorkspaceId(workspace.into()), filter, &PageRequest::first(100)).await.expect("lists");
    assert_eq!((page.total, page.next), (page.items.len() as u64, None));
    page.items
}

/// Events read back as they were stored, newest first, in pages, and only in their workspace.
pub async fn lists_the_events_of_one_workspace(store: &dyn AuditRepository) {
    for number in 0..10 {
        store.insert(&event("w1", number)).await.expect("inserts");
    }
    store.insert(&event("w2", 10)).await.expect("inserts");
    let expected: Vec<AuditEvent> = (0..10).rev().map(|number| event("w1", number)).collect();
    let any = AuditFilter::default();
    assert_eq!(list(store, "w1", &any).await, expected);
    assert_eq!(list(store, "w2", &any).await, [event("w2", 10)]);
    let mut request = PageRequest::first(4);
    let mut paged = Vec::new();
    loop {
        let Page { items, total, next } =
            store.list(&WorkspaceId("w1".into()), &any, &request).await.expect("lists");
        assert_eq!(total, 10);
        paged.extend(items);
        let Some(cursor) = next else { break };
        request.position = Position::After(cursor);
    }
    assert_eq!(paged, expected);
}

/// Each condition of a filter is applied.
pub async fn filters_events(store: &dyn AuditRepository) {
    for number in 0..10 {
        store.insert(&event("w1", number)).await.expect("inserts");
    }
    let numbers = async |filter: AuditFilter| -> Vec<String> {
        let events = list(store, "w1", &filter).await;
        events.into_iter().map(|event| event.id.trim_start_matches("audit_000").to_owned()).collect()
    };
    let any = AuditFilter::default;
    assert_eq!(numbers(AuditFilter { from: Some(at(2)), ..any() }).await, ["9", "8", "7", "6"]);
    assert_eq!(numbers(AuditFilter { to: Some(at(1)), ..any() }).await, ["2", "1", "0"]);
    assert_eq!(numbers(AuditFilter { user: Some(UserId("user_4".into())), ..any() }).await, ["4"]);
    assert_eq!(numbers(AuditFilter { key: Some("key_6".into()), ..any() }).await, ["6"]);
    let operation = Some("keys create".to_owned());
    assert_eq!(numbers(AuditFilter { operation, ..any() }).await, ["9", "7", "5", "3", "1"]);
    let target = Some(event("w1", 3).action.target);
    assert_eq!(numbers(AuditFilter { target, ..any() }).await, ["3"]);
}

/// A failure is noted at the event of its own workspace.
pub async fn notes_failures(store: &dyn AuditRepository) {
    store.insert(&event("w1", 1)).await.expect("inserts");
    let failure = async || list(store, "w1", &AuditFilter::default()).await.remove(0).failure;
    store.set_failure(&WorkspaceId("w2".into()), "audit_0001", 500).await.expect("answers");
    assert_eq!(failure().await, None);
    store.set_failure(&WorkspaceId("w1".into()), "audit_0001", 403).await.expect("notes");
    assert_eq!(failure().await, Some(403));
}

/// The oldest events of each workspace go first, and no more than asked for.
pub async fn deletes_old_events(store: &dyn AuditRepository) {
    for number in 0..10 {
        store.insert(&event("w1", number)).await.expect("inserts");
    }
    store.insert(&event("w2", 0)).await.expect("inserts");
    store.insert(&event("w2", 9)).await.expect("inserts");
    assert_eq!(store.delete_below("audit_0006", 4).await.expect("deletes"), 5);
    assert_eq!(store.delete_below("audit_0006", 4).await.expect("deletes"), 2);
    assert_eq!(store.delete_below("audit_0006", 4).await.expect("deletes"), 0);
    let rest = list(store, "w1", &AuditFilter::default()).await;
    assert_eq!(rest.len(), 4, "{rest:?}");
    assert_eq!(list(store, "w2", &AuditFilter::default()).await, [event("w2", 9)]);
}

/// Expands to the tests of an [`AuditRepository`]. `$run` takes a name and a closure from a fresh store to a future,
/// and runs it.
#[macro_export]
macro_rules! audit_repository_contract {
    ($run:ident) => {
        $crate::audit_repository_contract!($run: lists_the_events_of_one_workspace filters_events notes_failures deletes_old_events);
    };
    ($run:ident: $($name:ident)*) => {
        $(#[test] fn $name() {
            $run(stringify!($name), |store| Box::pin(async move { $crate::audit::contract::$name(&*store).await }));
        })*
    };
}
