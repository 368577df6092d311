//! Tests of API keys.

use shared_core::{Cursor, PageRequest, Position, StoreError, WorkspaceId};

use super::samples::{all_keys, at, key, page_of_keys, user, workspace};
use crate::{AccountRepository, ApiKey, KeyKind, Publication};

/// A key changes and is replaced in its own workspace, unless it is revoked.
pub async fn changes_and_replaces_keys(store: &dyn AccountRepository) {
    for (space, id) in [("w1", "u1"), ("w2", "u2")] {
        store.insert_workspace(&workspace(space, 1), &user(space, id, 1)).await.expect("inserts");
    }
    let (own, old) = (WorkspaceId("w1".into()), key("w1", "u1", "fw_1", 1));
    store.insert_key(&old).await.expect("inserts");
    let changed = ApiKey {
        name: "new".into(),
        bases: None,
        filter: None,
        expires: None,
        limits: Default::default(),
        ..old.clone()
    };
    let foreign = ApiKey { workspace: WorkspaceId("w2".into()), ..changed.clone() };
    assert!(!store.update_key(&old, &foreign).await.expect("answers"));
    assert!(store.update_key(&old, &changed).await.expect("changes"));
    // What another change has stored meanwhile stays.
    let (before, after) = (ApiKey { name: "x".into(), ..old.clone() }, old.clone());
    assert!(store.update_key(&before, &after).await.expect("changes"));
    let changed = ApiKey { name: old.name.clone(), ..changed };
    assert_eq!(all_keys(store, &own).await, vec![changed.clone()]);
    let next = key("w1", "u1", "fw_2", 2);
    assert!(!store.replace_key("key_fw_9", at(9), &next).await.expect("answers"));
    assert!(!store.replace_key(&old.id, at(9), &key("w2", "u2", "fw_3", 2)).await.expect("answers"));
    let taken = store.replace_key(&old.id, at(9), &ApiKey { id: "key_other".into(), ..old.clone() }).await;
    assert!(matches!(taken, Err(StoreError::Taken("key"))), "{taken:?}");
    assert!(store.replace_key(&old.id, at(9), &next).await.expect("replaces"));
    let again = store.replace_key(&old.id, at(9), &key("w1", "u1", "fw_5", 3)).await;
    assert!(!again.expect("answers"), "it has a successor");
    let ending = ApiKey { expires: Some(at(9)), successor: Some(next.id.clone()), ..changed.clone() };
    assert_eq!(all_keys(store, &own).await, vec![ending, next]);
    assert!(store.revoke_key(&own, &old.id, at(5)).await.expect("revokes"));
    assert!(!store.update_key(&changed, &old).await.expect("answers"));
    assert!(!store.replace_key(&old.id, at(9), &key("w1", "u1", "fw_4", 3)).await.expect("answers"));
}

/// A key needs a user of its own workspace and a unique prefix.
pub async fn refuses_keys_without_user_or_with_a_taken_prefix(store: &dyn AccountRepository) {
    for (space, id) in [("w1", "u1"), ("w2", "u2")] {
        store.insert_workspace(&workspace(space, 1), &user(space, id, 1)).await.expect("inserts");
    }
    let stored = key("w1", "u1", "fw_1", 1);
    store.insert_key(&stored).await.expect("inserts");
    let foreign = store.insert_key(&key("w1", "u2", "fw_2", 2)).await;
    assert!(matches!(foreign, Err(StoreError::Missing("user"))), "{foreign:?}");
    let taken = store.insert_key(&ApiKey { id: "key_other".into(), ..key("w2", "u2", "fw_1", 2) }).await;
    assert!(matches!(taken, Err(StoreError::Taken("key"))), "{taken:?}");
    assert_eq!(all_keys(store, &WorkspaceId("w1".into())).await, vec![stored]);
    assert_eq!(all_keys(store, &WorkspaceId("w2".into())).await, vec![]);
}

/// A key is revoked once, by prefix or id, only from its own workspace, and is still found afterwards.
pub async fn revokes_keys_of_the_workspace_only(store: &dyn AccountRepository) {
    let (own, other) = (WorkspaceId("w1".into()), WorkspaceId("w2".into()));
    store.insert_workspace(&workspace("w1", 1), &user("w1", "u1", 1)).await.expect("inserts");
    store.insert_workspace(&workspace("w2", 1), &user("w2", "u2", 1)).await.expect("inserts");
    for (n, prefix) in ["fw_1", "fw_2"].into_iter().enumerate() {
        store.insert_key(&key("w1", "u1", prefix, n as i64)).await.expect("inserts");
    }
    assert!(!store.revoke_key(&other, "fw_1", at(5)).await.expect("answers"));
    assert!(!store.revoke_key(&own, "fw_3", at(5)).await.expect("answers"));
    assert!(store.revoke_key(&own, "fw_1", at(5)).await.expect("revokes"));
    assert!(!store.revoke_key(&own, "fw_1", at(6)).await.expect("answers"));
    assert!(store.revoke_key(&own, "key_fw_2", at(7)).await.expect("revokes"));
    let revoked: Vec<_> = all_keys(store, &own).await.into_iter().map(|key| key.revoked).collect();
    assert_eq!(revoked, vec![Some(at(5)), Some(at(7))]);
    let (found, ..) = store.find_key("fw_1").await.expect("finds").expect("is there");
    assert_eq!(found.revoked, Some(at(5)));
}

/// The use of a key is recorded once per interval, in the key's own workspace only.
pub async fn records_the_use_of_keys(store: &dyn AccountRepository) {
    let (own, other) = (WorkspaceId("w1".into()), WorkspaceId("w2".into()));
    store.insert_workspace(&workspace("w1", 1), &user("w1", "u1", 1)).await.expect("inserts");
    store.insert_workspace(&workspace("w2", 1), &user("w2", "u2", 1)).await.expect("inserts");
    store.insert_key(&key("w1", "u1", "fw_1", 1)).await.expect("inserts");
    let last = async || store.find_key("fw_1").await.expect("finds").expect("is there").0.last_used;
    store.record_use(&other, "fw_1", at(0), at(5)).await.expect("answers");
    assert_eq!(last().await, None);
    store.record_use(&own, "fw_1", at(0), at(5)).await.expect("records");
    assert_eq!(last().await, Some(at(5)));
    store.record_use(&own, "fw_1", at(5), at(6)).await.expect("answers");
    assert_eq!(last().await, Some(at(5)));
    store.record_use(&own, "fw_1", at(6), at(7)).await.expect("records");
    assert_eq!(last().await, Some(at(7)));
}

/// Pages of keys have the newest first, every issued key, and the sign-ins that last.
pub async fn lists_keys_without_ended_sign_ins(store: &dyn AccountRepository) {
    for (space, id) in [("w1", "u1"), ("w2", "u2")] {
        store.insert_workspace(&workspace(space, 1), &user(space, id, 1)).await.expect("inserts");
    }
    let own = WorkspaceId("w1".into());
    let sign_in = |prefix: &str, expires: i64| ApiKey {
        kind: KeyKind::SignIn,
        expires: Some(at(expires)),
        ..key("w1", "u1", prefix, 3)
    };
    for stored in [
        key("w1", "u1", "fw_1", 1),
        ApiKey { expires: None, ..key("w1", "u1", "fw_2", 2) },
        sign_in("fw_3", 10),
        sign_in("fw_4", 11),
        sign_in("fw_5", 12),
        key("w2", "u2", "fw_9", 4),
    ] {
        store.insert_key(&stored).await.expect("inserts");
    }
    assert!(store.revoke_key(&own, "fw_5", at(5)).await.expect("revokes"));
    assert!(store.revoke_key(&own, "fw_2", at(5)).await.expect("revokes"));
    let list = async |now: i64, page: &PageRequest| {
        let page = store.list_keys(&own, at(now), page).await.expect("lists");
        let prefixes: Vec<String> = page.items.into_iter().map(|key| key.prefix).collect();
        (prefixes.join(" "), page.total, page.next)
    };
    let all = PageRequest::first(10);
    assert_eq!(list(9, &all).await, ("fw_4 fw_3 fw_2 fw_1".to_owned(), 4, None));
    assert_eq!(list(10, &all).await, ("fw_4 fw_2 fw_1".to_owned(), 3, None));
    let cursor = Cursor { created: at(2), id: "key_fw_2".into() };
    assert_eq!(list(10, &PageRequest::first(2)).await, ("fw_4 fw_2".to_owned(), 3, Some(cursor.clone())));
    let rest = PageRequest { position: Position::After(cursor), limit: 2 };
    assert_eq!(list(10, &rest).await, ("fw_1".to_owned(), 3, None));
    let second = PageRequest { position: Position::Number(2), limit: 2 };
    assert_eq!(list(10, &second).await, ("fw_1".to_owned(), 3, None));
    let others = page_of_keys(store, &WorkspaceId("w2".into()), &all).await;
    assert_eq!((others.items, others.total), (vec![key("w2", "u2", "fw_9", 4)], 1));
}

/// A key is found by its prefix or id in its own workspace, and several by their ids.
pub async fn finds_keys_by_prefix_and_id(store: &dyn AccountRepository) {
    for (space, id) in [("w1", "u1"), ("w2", "u2")] {
        store.insert_workspace(&workspace(space, 1), &user(space, id, 1)).await.expect("inserts");
    }
    let (own, other) = (WorkspaceId("w1".into()), WorkspaceId("w2".into()));
    let keys = [key("w1", "u1", "fw_1", 1), key("w1", "u1", "fw_2", 2), key("w2", "u2", "fw_3", 3)];
    for key in &keys {
        store.insert_key(key).await.expect("inserts");
    }
    for name in ["fw_1", "key_fw_1"] {
        assert_eq!(store.key(&own, name).await.expect("finds"), Some(keys[0].clone()));
        assert_eq!(store.key(&other, name).await.expect("finds"), None);
    }
    assert_eq!(store.key(&own, "odd \u{0}").await.expect("finds"), None);
    let ids = |names: &[&str]| names.iter().map(|name| format!("key_{name}")).collect::<Vec<_>>();
    let mut found =
        store.keys_by_id(&own, &ids(&["fw_2", "fw_3", "fw_1", "fw_1", "\u{0}"])).await.expect("finds");
    found.sort_by(|one, other| one.id.cmp(&other.id));
    assert_eq!(found, keys[..2]);
    assert_eq!(store.keys_by_id(&own, &[]).await.expect("finds"), []);
}

/// A public key is stored with its text, and its page belongs to one key at a time, of any workspace.
pub async fn stores_public_keys(store: &dyn AccountRepository) {
    for (space, id) in [("w1", "u1"), ("w2", "u2")] {
        store.insert_workspace(&workspace(space, 1), &user(space, id, 1)).await.expect("inserts");
    }
    let own = WorkspaceId("w1".into());
    let public = |space: &str, user: &str, prefix: &str, page: Option<&str>| ApiKey {
        bases: None,
        publication: Some(Publication {
            agent: "odd \u{0}\"".into(),
            origins: vec!["https://shop.example".into()],
            page: page.map(Into::into),
        }),
        public_text: Some(format!("{prefix} \"whole\"")),
        ..key(space, user, prefix, 1)
    };
    let first = public("w1", "u1", "fw_1", Some("intake"));
    store.insert_key(&first).await.expect("inserts");
    let of_page = async |page: &str| store.key_of_page(page).await.expect("finds").map(|key| key.prefix);
    assert_eq!(store.key_of_page("intake").await.expect("finds"), Some(first.clone()));
    assert_eq!((of_page("Intake").await, of_page("").await, of_page("\u{0}").await), (None, None, None));
    let foreign = public("w2", "u2", "fw_2", Some("intake"));
    let taken = store.insert_key(&foreign).await;
    assert!(matches!(taken, Err(StoreError::Taken("page"))), "{taken:?}");
    let other = public("w2", "u2", "fw_3", None);
    store.insert_key(&other).await.expect("inserts");
    let wanted = ApiKey { publication: foreign.publication.clone(), ..other.clone() };
    let taken = store.update_key(&other, &wanted).await;
    assert!(matches!(taken, Err(StoreError::Taken("page"))), "{taken:?}");
    // The successor has the page of the key that it replaces.
    let next = public("w1", "u1", "fw_4", Some("intake"));
    assert!(store.replace_key(&first.id, at(9), &next).await.expect("replaces"));
    assert_eq!(of_page("intake").await.as_deref(), Some("fw_4"));
    let replaced = store.key(&own, "fw_1").await.expect("finds").and_then(|key| key.publication);
    assert_eq!(replaced.expect("is there").page, None);
    // A key that cannot be stored leaves the page where it was.
    let clash = ApiKey { id: "key_clash".into(), ..public("w1", "u1", "fw_3", Some("intake")) };
    let taken = store.replace_key(&next.id, at(9), &clash).await;
    assert!(matches!(taken, Err(StoreError::Taken("key"))), "{taken:?}");
    assert_eq!(of_page("intake").await.as_deref(), Some("fw_4"));
    assert!(store.revoke_key(&own, "fw_4", at(5)).await.expect("revokes"));
    assert_eq!(of_page("intake").await, None);
    assert!(store.update_key(&other, &wanted).await.expect("changes"));
    assert_eq!(store.key_of_page("intake").await.expect("finds"), Some(wanted));
    // A member's keys are revoked with the member.
    let gone = crate::User { removed: Some(at(7)), ..user("w2", "u2", 1) };
    store.insert_user(&user("w2", "u3", 2)).await.expect("inserts");
    store.update_user(&user("w2", "u2", 1), &gone).await.expect("removes");
    assert_eq!(of_page("intake").await, None);
}
