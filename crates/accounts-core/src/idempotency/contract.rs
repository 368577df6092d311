//! The conformance suite of the port, for its implementations.

use shared_core::{Scope, Timestamp};

use super::{Attempt, EffectRef, Fingerprint, IdempotencyRepository, KeyState, RecordedResponse, RequestKey};

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
    store.release(own, &first, at(1)).await.expect("answers");
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
    store.release(own, &first, at(1)).await.expect("answers");
    assert_eq!(claim(&third, 120).await, KeyState::Running, "a dead attempt releases nothing");
    store.release(own, &second, at(1)).await.expect("releases");
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
    store.release(other, &mine, at(1)).await.expect("answers");
    let again = store.claim(own, &attempt("k", "t3"), &fingerprint("a"), at(1), at(60)).await;
    assert_eq!(again.expect("claims"), KeyState::Running);
}

/// A sweep removes expired records and no others.
pub async fn sweeps_what_has_ended(store: &dyn IdempotencyRepository, own: &Scope, _other: &Scope) {
    for n in 0..5 {
        let one = attempt(&format!("k{n}"), "t");
        store.claim(own, &one, &fingerprint("a"), at(0), at(10 + n)).await.expect("claims");
    }
    assert_eq!(store.sweep(at(12), at(0), 2).await.expect("sweeps"), 2);
    assert_eq!(store.sweep(at(12), at(0), 9).await.expect("sweeps"), 1);
    assert_eq!(store.sweep(at(12), at(0), 9).await.expect("sweeps"), 0);
    let found = store.claim(own, &attempt("k4", "t2"), &fingerprint("a"), at(12), at(60)).await;
    assert_eq!(found.expect("claims"), KeyState::Running);
}

/// Effects without a response go to the next attempt at the same request, not before its attempt has expired
/// or was released, and only an attempt that holds its key records one.
pub async fn effects_without_a_response_go_to_the_next_attempt(
    store: &dyn IdempotencyRepository,
    own: &Scope,
    other: &Scope,
) {
    let [first, second, third] = ["t1", "t2", "t3"].map(|token| attempt("k", token));
    let claim = async |attempt: &Attempt, text: &str, now: i64| {
        store.claim(own, attempt, &fingerprint(text), at(now), at(now + 60)).await.expect("claims")
    };
    let effect = |id: &str| EffectRef { kind: "note".into(), ids: vec![id.into(), "\"b, c\" \u{e4}".into()] };
    assert_eq!(claim(&first, "body", 0).await, KeyState::Claimed);
    assert!(!store.record_effect(own, &second, &effect("x")).await.expect("answers"));
    assert!(!store.record_effect(other, &first, &effect("x")).await.expect("answers"));
    assert!(store.record_effect(own, &first, &effect("1")).await.expect("records"));
    assert!(store.record_effect(own, &first, &effect("2")).await.expect("records"));
    assert_eq!(claim(&second, "body", 59).await, KeyState::Running);
    assert_eq!(claim(&second, "another body", 60).await, KeyState::Mismatched);
    assert_eq!(claim(&second, "body", 60).await, KeyState::Recovered(vec![effect("1"), effect("2")]));
    assert!(!store.record_effect(own, &first, &effect("3")).await.expect("answers"), "it lost the key");
    assert_eq!(claim(&third, "body", 61).await, KeyState::Running);
    store.release(own, &second, at(70)).await.expect("releases");
    assert_eq!(claim(&third, "body", 70).await, KeyState::Recovered(vec![effect("1"), effect("2")]));
    assert!(store.complete(own, &third, &answer(b"made"), at(200)).await.expect("completes"));
    assert_eq!(claim(&second, "body", 199).await, KeyState::Completed(answer(b"made")));
    assert!(!store.record_effect(own, &third, &effect("4")).await.expect("answers"), "it has a response");
}

/// After the death of the only process all its attempts expire, and none that has a response.
pub async fn attempts_expire_together(store: &dyn IdempotencyRepository, own: &Scope, other: &Scope) {
    let claim = async |scope: &Scope, attempt: &Attempt, now: i64| {
        store.claim(scope, attempt, &fingerprint("a"), at(now), at(now + 60)).await.expect("claims")
    };
    let (first, second, done) = (attempt("k1", "t"), attempt("k2", "t"), attempt("k3", "t"));
    claim(own, &first, 0).await;
    claim(other, &second, 0).await;
    claim(own, &done, 0).await;
    assert!(store.complete(own, &done, &answer(b"x"), at(99)).await.expect("completes"));
    assert_eq!(store.expire_attempts(at(10)).await.expect("expires"), 2);
    assert_eq!(store.expire_attempts(at(10)).await.expect("expires"), 0);
    assert_eq!(claim(own, &attempt("k1", "u"), 10).await, KeyState::Claimed);
    assert_eq!(claim(other, &attempt("k2", "u"), 10).await, KeyState::Claimed);
    assert_eq!(claim(own, &attempt("k3", "u"), 10).await, KeyState::Completed(answer(b"x")));
    assert!(!store.renew(own, &first, at(99)).await.expect("answers"), "the dead attempt stays dead");
}

/// An effect without a response is kept longer than an attempt without one.
pub async fn sweeps_effects_later(store: &dyn IdempotencyRepository, own: &Scope, _other: &Scope) {
    let (plain, made) = (attempt("k1", "t"), attempt("k2", "t"));
    for one in [&plain, &made] {
        store.claim(own, one, &fingerprint("a"), at(0), at(10)).await.expect("claims");
    }
    let effect = EffectRef { kind: "note".into(), ids: Vec::new() };
    assert!(store.record_effect(own, &made, &effect).await.expect("records"));
    assert_eq!(store.sweep(at(20), at(9), 9).await.expect("sweeps"), 1);
    assert_eq!(store.sweep(at(20), at(9), 9).await.expect("sweeps"), 0);
    assert_eq!(store.sweep(at(20), at(10), 9).await.expect("sweeps"), 1);
}

/// Expands to the tests of an [`IdempotencyRepository`]. `$run` takes a name and a closure from a fresh store
/// and two scopes of different workspaces to a future, and runs it.
#[macro_export]
macro_rules! answer_repository_contract {
    ($run:ident) => {
        $crate::answer_repository_contract!($run: a_request_is_claimed_once_and_answered_again a_dead_attempt_loses_its_key isolates_workspaces sweeps_what_has_ended effects_without_a_response_go_to_the_next_attempt attempts_expire_together sweeps_effects_later);
    };
    ($run:ident: $($name:ident)*) => {
        $(#[test] fn $name() {
            $run(stringify!($name), |store, own, other| Box::pin(async move {
                $crate::idempotency::contract::$name(&*store, &own, &other).await
            }));
        })*
    };
}
