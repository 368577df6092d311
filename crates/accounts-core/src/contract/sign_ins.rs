//! Tests of sign-ins.

use shared_core::WorkspaceId;

use super::samples::{all_keys, at, key, user, workspace};
use crate::{AccountRepository, ApiKey, KeyKind, Role, User, UserUpdate};

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

/// A sign-in is stored only while its password is that of the user, and its user has not been removed.
pub async fn stores_sign_ins_of_current_passwords(store: &dyn AccountRepository) {
    let (own, owner) = (WorkspaceId("w1".into()), user("w1", "u1", 1));
    store.insert_workspace(&workspace("w1", 1), &owner).await.expect("inserts");
    let member = User { role: Role::Member, ..user("w1", "u2", 1) };
    store.insert_user(&member).await.expect("inserts");
    let sign_in = |prefix: &str| ApiKey { kind: KeyKind::SignIn, ..key("w1", "u2", prefix, 1) };
    let insert = async |prefix: &str, password: Option<&str>| {
        store.insert_sign_in(&sign_in(prefix), password).await.expect("answers")
    };
    assert!(!insert("fw_1", Some("hash 1")).await, "it has no password");
    assert!(store.set_password(&own, &member.id, Some("hash 1"), at(2)).await.expect("stores"));
    assert!(insert("fw_1", Some("hash 1")).await);
    assert!(store.set_password(&own, &member.id, Some("hash 2"), at(3)).await.expect("stores"));
    assert!(!insert("fw_2", Some("hash 1")).await, "the password was changed since");
    assert!(insert("fw_2", Some("hash 2")).await);
    assert!(insert("fw_3", None).await);
    let removed = User { removed: Some(at(4)), ..member.clone() };
    assert_eq!(store.update_user(&member, &removed).await.expect("removes"), UserUpdate::Stored);
    assert!(!insert("fw_4", None).await, "its user was removed");
    for prefix in ["fw_1", "fw_2", "fw_3"] {
        let stored = store.key(&own, prefix).await.expect("finds").expect("is there");
        assert!(stored.revoked.is_some(), "{prefix}");
    }
    assert_eq!(store.key(&own, "fw_4").await.expect("finds"), None);
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
