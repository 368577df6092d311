//! Idempotency keys through the service, over the port in memory.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests assert")]

use std::sync::Arc;

use accounts_core::idempotency::{
    Attempt, ClaimOutcome, EffectRef, Fingerprint, IdempotencyError, IdempotencyRepository as _,
    IdempotencyService, MemoryIdempotency, RecordedResponse, RequestKey,
};
use futures_executor::block_on;
use parking_lot::Mutex;
use shared_core::{
    Clock, DomainError as _, ErrorKind, Scope, SeededRng, StoreError, Timestamp, UserId, WorkspaceId,
};

/// A clock that the test sets, in seconds.
#[derive(Debug, Default)]
struct SetClock(Mutex<i64>);

impl SetClock {
    fn set(&self, seconds: i64) {
        *self.0.lock() = seconds;
    }
}

impl Clock for SetClock {
    fn now(&self) -> Timestamp {
        Timestamp::from_micros(*self.0.lock() * 1_000_000).unwrap()
    }
}

const DAY: i64 = 86_400;

struct Kit {
    service: IdempotencyService,
    store: Arc<MemoryIdempotency>,
    clock: Arc<SetClock>,
    scope: Scope,
}

impl Kit {
    fn new() -> Self {
        let (store, clock) = (Arc::new(MemoryIdempotency::default()), Arc::new(SetClock::default()));
        let rng = Arc::new(SeededRng::new(1));
        let service = IdempotencyService::new(store.clone(), clock.clone(), rng, 30);
        let scope = Scope { workspace: WorkspaceId("w".into()), user: UserId("u".into()) };
        Self { service, store, clock, scope }
    }

    fn claim(&self, body: &str) -> Result<ClaimOutcome, IdempotencyError> {
        let key = RequestKey::parse("k").unwrap();
        block_on(self.service.claim(&self.scope, key, &Fingerprint::of([body.as_bytes()])))
    }

    fn granted(&self, body: &str) -> Attempt {
        match self.claim(body) {
            Ok(ClaimOutcome::Granted(attempt)) => attempt,
            other => panic!("{other:?}"),
        }
    }
}

fn response() -> RecordedResponse {
    RecordedResponse { status: 201, content_type: "application/json".into(), body: b"{}".to_vec() }
}

#[test]
fn a_recorded_response_is_replayed_for_a_day() {
    let kit = Kit::new();
    let attempt = kit.granted("a");
    assert!(block_on(kit.service.complete(&kit.scope, &attempt, &response())).unwrap());
    kit.clock.set(DAY - 1);
    assert_eq!(kit.claim("a").unwrap(), ClaimOutcome::Replayed(response()));
    let reused = kit.claim("b").unwrap_err();
    assert_eq!((reused.kind(), reused.code()), (ErrorKind::Conflict, "idempotency_key_reused"));
    kit.clock.set(DAY);
    let again = kit.granted("b");
    assert_ne!(again.token, attempt.token);
    assert!(!block_on(kit.service.complete(&kit.scope, &attempt, &response())).unwrap());
}

#[test]
fn a_key_is_free_a_day_after_its_response_whatever_the_request_had_stored() {
    let kit = Kit::new();
    let attempt = kit.granted("a");
    let effect = EffectRef { kind: "note".into(), ids: vec!["7".into()] };
    assert!(block_on(kit.store.record_effect(&kit.scope, &attempt, &effect)).unwrap());
    assert!(block_on(kit.service.complete(&kit.scope, &attempt, &response())).unwrap());
    kit.clock.set(DAY);
    kit.granted("b");
}

#[test]
fn an_attempt_holds_its_key_as_long_as_it_is_renewed() {
    let kit = Kit::new();
    let attempt = kit.granted("a");
    kit.clock.set(29);
    assert_eq!(kit.claim("a").unwrap_err().code(), "request_still_running");
    assert!(block_on(kit.service.renew(&kit.scope, &attempt)).unwrap());
    kit.clock.set(58);
    assert_eq!(kit.claim("a").unwrap_err().code(), "request_still_running");
    kit.clock.set(59);
    let other = kit.granted("a");
    assert!(!block_on(kit.service.renew(&kit.scope, &attempt)).unwrap(), "it lost the key");
    assert!(block_on(kit.service.renew(&kit.scope, &other)).unwrap());
}

#[test]
fn a_released_key_is_free_at_once_and_an_effect_is_passed_on() {
    let kit = Kit::new();
    let attempt = kit.granted("a");
    block_on(kit.service.release(&kit.scope, &attempt)).unwrap();
    let attempt = kit.granted("b");
    let effect = EffectRef { kind: "note".into(), ids: vec!["7".into()] };
    assert!(block_on(kit.store.record_effect(&kit.scope, &attempt, &effect)).unwrap());
    block_on(kit.service.release(&kit.scope, &attempt)).unwrap();
    match kit.claim("b").unwrap() {
        ClaimOutcome::Recovered(_, effects) => assert_eq!(effects, [effect]),
        other => panic!("{other:?}"),
    }
}

#[test]
fn the_attempts_of_a_dead_process_expire_before_their_lease() {
    let kit = Kit::new();
    kit.granted("a");
    assert_eq!(block_on(kit.service.expire_attempts()).unwrap(), 1);
    kit.granted("a");
}

#[test]
fn a_sweep_removes_attempts_after_their_lease_and_effects_a_day_later() {
    let kit = Kit::new();
    let attempt = kit.granted("a");
    assert_eq!(kit.service.expiry(), Timestamp::from_micros(DAY * 1_000_000).unwrap());
    assert_eq!(kit.service.lease(), 30);
    let effect = EffectRef { kind: "note".into(), ids: Vec::new() };
    assert!(block_on(kit.store.record_effect(&kit.scope, &attempt, &effect)).unwrap());
    kit.clock.set(29 + DAY);
    assert_eq!(block_on(kit.service.sweep()).unwrap(), 0);
    kit.clock.set(30 + DAY);
    assert_eq!(block_on(kit.service.sweep()).unwrap(), 1);
}

#[test]
fn a_key_has_1_to_255_visible_characters() {
    for bad in ["", "two words", "tab\t", "\u{e4}", &"x".repeat(256)] {
        let error = RequestKey::parse(bad).unwrap_err();
        assert_eq!((error.kind(), error.code()), (ErrorKind::Invalid, "invalid_idempotency_key"));
    }
    assert_eq!(RequestKey::parse(&"x".repeat(255)).unwrap().as_str().len(), 255);
    assert_eq!(RequestKey::parse("!~").unwrap().as_str(), "!~");
}

#[test]
fn other_parts_and_other_splits_have_other_fingerprints() {
    let of = |parts: &[&[u8]]| Fingerprint::of(parts.iter().copied());
    assert_eq!(of(&[b"a", b"b"]), of(&[b"a", b"b"]));
    assert_ne!(of(&[b"a", b"b"]), of(&[b"ab", b""]));
    assert_ne!(of(&[b"a"]), of(&[b"b"]));
    assert_eq!(of(&[b"a"]).0.len(), 64);
}

#[test]
fn refusals_have_the_kinds_and_codes_that_clients_act_on() {
    let kit = Kit::new();
    kit.granted("a");
    let running = kit.claim("a").unwrap_err();
    assert_eq!((running.kind(), running.code()), (ErrorKind::Conflict, "request_still_running"));
    let full = IdempotencyError::from(StoreError::Full);
    assert_eq!((full.kind(), full.code()), (ErrorKind::StorageFull, "storage_full"));
}
