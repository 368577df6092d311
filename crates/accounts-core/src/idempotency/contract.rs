//! The conformance suite of the port, for its implementations.

use shared_core::{Scope, Timestamp};

use super::{Attempt, Fingerprint, IdempotencyRepository, KeyState, RecordedResponse, RequestKey};

fn at(seconds: i64) -> Timestamp {
    Timestamp::from_micros(seconds * 1_000_000).unwrap_or_else(|| unreachable!("a valid instant"))
}

fn attempt(key: &str, token: &str) -> Attempt {
    Attempt { key: RequestKey::parse(key).expect("a valid key"), token: token.into() }
}

fn fingerprint(text: &str) -> Fingerprint {
    Fingerprint::of([text.as_bytes()])
}

fn answer(body: &[u8]) -> RecordedResponse {
    RecordedResponse { status: 200, content_type: "application/json".into(), body: body.to_vec() }
}

/// The first attempt claims the key. Others find it in progress, then its response. A different request gets
/// neither.
pub async fn a_request_is_claimed_once_and_answered_again(
    store: &dyn IdempotencyRepository,
    own: &Scope,
    _other: &Scope,
) {
    let (first, second) = (attempt("k", "t1"), attempt("k", "t2"));
    let claim = async |attempt: &Attempt, text: &str, now: i64| {
        store.claim(own, attempt, &fingerprint(text), at(now), at(now + 60)).await.expect("claims")
    };
    assert_eq!(claim(&first, "body", 0).await, KeyState::Claimed);
    assert_eq!(claim(&second, "body", 1).await, KeyState::Running);
    assert_eq!(claim(&second, "another body", 1).await, KeyState::Mismatched);
    assert!(!store.complete(own, &second, &answer(b"no"), at(99)).await.expect("answers"));
    let kept = answer(&[0, 159, 146, 150, b'\'', b'"', 10]);
    assert!(store.complete(own, &first, &kept, at(1_000)).await.expect("completes"));
    assert_eq!(claim(&second, "body", 999).await, KeyState::Completed(kept));
    assert_eq!(claim(&second, "another body", 999).await, KeyState::Mismatched);
    assert!(!store.complete(own, &first, &answer(b"later"), at(2_000)).await.expect("answers"));
    store.release(own, &first).await.expect("answers");
    assert!(
        matches!(claim(&second, "body", 999).await, KeyState::Completed(_)),
        "an answer is not given back"
    );
    assert_eq!(
        claim(&second, "another body", 1_000).await,
        KeyState::Claimed,
        "after its time it is forgotten"
    );
}

/// A renewed attempt keeps the key; one that is released or not renewed loses it.
pub async fn a_dead_attempt_loses_its_key(store: &dyn IdempotencyRepository, own: &Scope, _other: &Scope) {
    let (first, second, third) = (attempt("k", "t1"), attempt("k", "t2"), attempt("k", "t3"));
    let print = fingerprint("body");
    let claim = async |attempt: &Attempt, now: i64| {
        store.claim(own, attempt, &print, at(now), at(now + 60)).await.expect("claims")
    };
    assert_eq!(claim(&first, 0).await, KeyState::Claimed);
    assert!(store.renew(own, &first, at(110)).await.expect("renews"));
    assert_eq!(claim(&second, 100).await, KeyState::Running);
    assert_eq!(claim(&second, 110).await, KeyState::Claimed);
    assert!(!store.renew(own, &first, at(999)).await.expect("answers"), "the key has another attempt");
    assert!(!store.complete(own, &first, &answer(b"late"), at(999)).await.expect("answers"));
    store.release(own, &first).await.expect("answers");
    assert_eq!(claim(&third, 120).await, KeyState::Running, "a dead attempt releases nothing");
    store.release(own, &second).await.expect("releases");
    assert_eq!(claim(&third, 120).await, KeyState::Claimed);
}

/// The same key in another workspace is another key.
pub async fn isolates_workspaces(store: &dyn IdempotencyRepository, own: &Scope, other: &Scope) {
    let (mine, theirs) = (attempt("k", "t1"), attempt("k", "t2"));
    for (scope, attempt, text) in [(own, &mine, "a"), (other, &theirs, "b")] {
        let found = store.claim(scope, attempt, &fingerprint(text), at(0), at(60)).await.expect("claims");
        assert_eq!(found, KeyState::Claimed);
    }
    assert!(!store.complete(other, &mine, &answer(b"no"), at(99)).await.expect("answers"));
    assert!(!store.renew(other, &mine, at(99)).await.expect("answers"));
    store.release(other, &mine).await.expect("answers");
    let again = store.claim(own, &attempt("k", "t3"), &fingerprint("a"), at(1), at(60)).await;
    assert_eq!(again.expect("claims"), KeyState::Running);
}

/// A sweep removes expired records and no others.
pub async fn sweeps_what_has_ended(store: &dyn IdempotencyRepository, own: &Scope, _other: &Scope) {
    for n in 0..5 {
        let one = attempt(&format!("k{n}"), "t");
        store.claim(own, &one, &fingerprint("a"), at(0), at(10 + n)).await.expect("claims");
    }
    assert_eq!(store.sweep(at(12), 2).await.expect("sweeps"), 2);
    assert_eq!(store.sweep(at(12), 9).await.expect("sweeps"), 1);
    assert_eq!(store.sweep(at(12), 9).await.expect("sweeps"), 0);
    let found = store.claim(own, &attempt("k4", "t2"), &fingerprint("a"), at(12), at(60)).await;
    assert_eq!(found.expect("claims"), KeyState::Running);
}

/// Expands to the tests of an [`IdempotencyRepository`]. `$run` takes a name and a closure from a fresh store
/// and two scopes of different workspaces to a future, and runs it.
#[macro_export]
macro_rules! answer_repository_contract {
    ($run:ident) => {
        $crate::answer_repository_contract!($run: a_request_is_claimed_once_and_answered_again a_dead_attempt_loses_its_key isolates_workspaces sweeps_what_has_ended);
    };
    ($run:ident: $($name:ident)*) => {
        $(#[test] fn $name() {
            $run(stringify!($name), |store, own, other| Box::pin(async move {
                $crate::idempotency::contract::$name(&*store, &own, &other).await
            }));
        })*
    };
}
