//! Tests of sign-ins.

use shared_core::WorkspaceId;

use super::samples::{all_keys, at, key, user, workspace};
use crate::{AccountRepository, ApiKey, KeyKind};

/// An attempt is used once, however long ago, until it is deleted.
pub async fn uses_an_attempt_once(store: &dyn AccountRepository) {
    assert!(store.use_attempt("state 1", at(5)).await.expect("records"));
    assert!(!store.use_attempt("state 1", at(5)).await.expect("answers"));
    assert!(store.use_attempt("state 2", at(6)).await.expect("records"));
    let both =
        futures_util::future::join(store.use_attempt("state 3", at(7)), store.use_attempt("state 3", at(7)));
    let (one, other) = both.await;
    assert_ne!(one.expect("answers"), other.expect("answers"), "one of two at the same time");
    assert_eq!(store.delete_ended_sign_ins(at(4), 10).await.expect("deletes"), 0);
    assert_eq!(store.delete_ended_sign_ins(at(5), 10).await.expect("deletes"), 1);
    assert!(!store.use_attempt("state 2", at(6)).await.expect("answers"));
}

/// Keys of sign-ins and used attempts are deleted when they have expired, and other keys never.
pub async fn deletes_ended_sign_ins(store: &dyn AccountRepository) {
    for (space, id) in [("w1", "u1"), ("w2", "u2")] {
        store.insert_workspace(&workspace(space, 1), &user(space, id, 1)).await.expect("inserts");
    }
    let (own, other) = (WorkspaceId("w1".into()), WorkspaceId("w2".into()));
    let sign_in = |space: &str, user: &str, prefix: &str, expires: i64| ApiKey {
        kind: KeyKind::SignIn,
        expires: Some(at(expires)),
        ..key(space, user, prefix, expires)
    };
    // An issued key that has expired stays, since its usage has its name.
    let issued = ApiKey { expires: Some(at(1)), ..key("w1", "u1", "fw_1", 1) };
    let (first, last) = (sign_in("w1", "u1", "fw_2", 10), sign_in("w1", "u1", "fw_3", 20));
    let foreign = sign_in("w2", "u2", "fw_4", 11);
    for stored in [&issued, &first, &last, &foreign] {
        store.insert_key(stored).await.expect("inserts");
    }
    assert!(store.revoke_key(&own, "fw_2", at(5)).await.expect("revokes"));
    assert!(store.use_attempt("state", at(12)).await.expect("records"));
    assert_eq!(store.delete_ended_sign_ins(at(9), 10).await.expect("deletes"), 0);
    assert_eq!(store.delete_ended_sign_ins(at(12), 1).await.expect("deletes"), 2, "a key and an attempt");
    assert_eq!(store.find_key("fw_2").await.expect("finds"), None, "the first to expire goes first");
    assert_eq!(store.delete_ended_sign_ins(at(12), 1).await.expect("deletes"), 1);
    assert_eq!(store.delete_ended_sign_ins(at(12), 1).await.expect("deletes"), 0);
    assert_eq!(all_keys(store, &own).await, [issued, last]);
    assert_eq!(all_keys(store, &other).await, []);
}
