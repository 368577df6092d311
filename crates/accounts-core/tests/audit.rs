//! The use cases of the audit log over the port in memory.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests assert")]

use std::sync::Arc;

use accounts_core::audit::{AuditEvent, AuditFilter, AuditService, MemoryAudit, NewAuditEvent};
use futures_executor::block_on;
use shared_core::{FixedClock, PageRequest, SeededRng, WorkspaceId};

/// 2026-01-01, in microseconds.
const NOW: i64 = 1_767_225_600_000_000;
const DAY: i64 = 86_400_000_000;

/// A service whose clock stands at this instant.
fn service(store: &Arc<MemoryAudit>, now: i64, days: u32) -> AuditService {
    AuditService::new(store.clone(), Arc::new(FixedClock::new(now, 0)), Arc::new(SeededRng::new(1)), days)
}

fn action(operation: &str) -> NewAuditEvent {
    NewAuditEvent {
        workspace: WorkspaceId("ws_1".into()),
        actor: None,
        operation: operation.into(),
        target: "/v1/notes".into(),
        request: "request 1".into(),
        address: String::new(),
    }
}

fn stored(service: &AuditService) -> Vec<AuditEvent> {
    let all = AuditFilter::default();
    block_on(service.list(&WorkspaceId("ws_1".into()), &all, &PageRequest::first(100))).unwrap().items
}

#[test]
fn an_event_has_the_time_of_its_beginning_and_there_is_none_when_none_are_kept() {
    let store = Arc::new(MemoryAudit::default());
    let event = service(&store, NOW, 1).event(|| action("create_note")).unwrap();
    assert_eq!((event.created.micros(), event.action.clone()), (NOW, action("create_note")));
    assert!(event.id.starts_with("audit_") && event.effect.is_none() && event.failure.is_none());
    let none = service(&store, NOW, 0);
    assert!(none.event(|| panic!("nothing is asked for")).is_none());
    assert!(stored(&none).is_empty(), "an event is not stored before it is recorded");
}

#[test]
fn a_failure_is_noted_on_the_event_that_was_recorded() {
    let store = Arc::new(MemoryAudit::default());
    let service = service(&store, NOW, 1);
    let [failed, other] =
        ["create_note", "delete_note"].map(|name| service.event(|| action(name)).expect("events are kept"));
    for event in [&failed, &other] {
        block_on(service.record(event)).unwrap();
    }
    block_on(service.record_failure(&failed, 507)).unwrap();
    let failures: Vec<_> =
        stored(&service).into_iter().map(|event| (event.action.operation, event.failure)).collect();
    assert!(failures.contains(&("create_note".to_owned(), Some(507))), "{failures:?}");
    assert!(failures.contains(&("delete_note".to_owned(), None)), "{failures:?}");
}

#[test]
fn events_are_kept_for_their_days_and_deleted_afterwards() {
    let store = Arc::new(MemoryAudit::default());
    for (name, age) in [("old", 3 * DAY + 1_000), ("last", 3 * DAY), ("new", 0)] {
        let service = service(&store, NOW - age, 3);
        block_on(service.record(&service.event(|| action(name)).unwrap())).unwrap();
    }
    let service = service(&store, NOW, 3);
    assert_eq!(block_on(service.sweep()).unwrap(), 1);
    let left: Vec<String> = stored(&service).into_iter().map(|event| event.action.operation).collect();
    assert_eq!(left, ["new", "last"]);
    assert_eq!(block_on(service.sweep()).unwrap(), 0);
}
