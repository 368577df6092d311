//! The conformance suite of the port, for its implementations.

use shared_core::{StoreError, Timestamp, UserId, WorkspaceId};

use crate::{AccountRepository, ApiKey, KeyScope, User, Workspace, usage};

fn at(micros: i64) -> Timestamp {
    Timestamp::from_micros(micros).unwrap_or_else(|| unreachable!("a valid instant"))
}

fn workspace(id: &str, micros: i64) -> Workspace {
    Workspace { id: WorkspaceId(id.into()), name: format!("{id} \u{0}\u{1f600}'\"%_\\"), created: at(micros) }
}

fn user(workspace: &str, id: &str, micros: i64) -> User {
    User {
        id: UserId(id.into()),
        workspace: WorkspaceId(workspace.into()),
        name: "'; DROP TABLE users; --\u{0}".into(),
        email: format!("{id}@example.com"),
        created: at(micros),
    }
}

fn key(workspace: &str, user: &str, prefix: &str, micros: i64) -> ApiKey {
    ApiKey {
        id: format!("key_{prefix}"),
        workspace: WorkspaceId(workspace.into()),
        user: UserId(user.into()),
        name: "odd \u{0}\u{202e}".into(),
        prefix: prefix.into(),
        hash: format!("hash of {prefix}"),
        scope: KeyScope::Read,
        created: at(micros),
        expires: Some(at(micros + 1)),
        revoked: None,
        limits: usage::contract::limits(),
        last_used: None,
    }
}

/// The first workspace is created only once, in one transaction, and reads back as it was stored.
pub async fn creates_the_first_workspace_once(store: &dyn AccountRepository) {
    assert!(!store.any_workspace().await.expect("answers"));
    let (first, owner, opener) = (workspace("w1", 1), user("w1", "u1", 1), key("w1", "u1", "fw_1", 1));
    assert!(store.create_first(&first, &owner, &opener).await.expect("creates"));
    assert!(store.any_workspace().await.expect("answers"));
    let again =
        store.create_first(&workspace("w2", 2), &user("w2", "u2", 2), &key("w2", "u2", "fw_2", 2)).await;
    assert!(!again.expect("answers"));
    assert_eq!(store.workspaces().await.expect("lists"), vec![first.clone()]);
    assert_eq!(store.find_key("fw_1").await.expect("finds"), Some((opener, owner, first)));
    assert_eq!(store.find_key("fw_2").await.expect("finds"), None);
}

/// Workspaces and users are listed oldest first; ids and e-mail addresses are unique.
pub async fn adds_workspaces_and_users(store: &dyn AccountRepository) {
    let (one, two) = (workspace("w1", 1), workspace("w2", 2));
    let (first, second) = (user("w1", "u1", 1), user("w1", "u2", 2));
    store.insert_workspace(&one, &first).await.expect("inserts");
    store.insert_workspace(&two, &user("w2", "u9", 2)).await.expect("inserts");
    store.insert_user(&second).await.expect("inserts");
    let taken = store.insert_workspace(&one, &user("w1", "u3", 3)).await;
    assert!(matches!(taken, Err(StoreError::Taken("workspace"))), "{taken:?}");
    let taken = store.insert_user(&User { id: UserId("u4".into()), ..first.clone() }).await;
    assert!(matches!(taken, Err(StoreError::Taken("e-mail"))), "{taken:?}");
    let missing = store.insert_user(&user("w3", "u5", 3)).await;
    assert!(matches!(missing, Err(StoreError::Missing("workspace"))), "{missing:?}");
    assert_eq!(store.workspaces().await.expect("lists"), vec![one.clone(), two]);
    assert_eq!(store.users(&one.id).await.expect("lists"), vec![first, second]);
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
    assert_eq!(store.keys(&WorkspaceId("w1".into())).await.expect("lists"), vec![stored]);
    assert_eq!(store.keys(&WorkspaceId("w2".into())).await.expect("lists"), vec![]);
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
    let revoked: Vec<_> = store.keys(&own).await.expect("lists").into_iter().map(|key| key.revoked).collect();
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

/// Expands to the tests of an [`AccountRepository`]. `$run` takes a name and a closure from a fresh
/// store to a future, and runs it.
#[macro_export]
macro_rules! account_repository_contract {
    ($run:ident) => {
        $crate::account_repository_contract!($run: creates_the_first_workspace_once adds_workspaces_and_users refuses_keys_without_user_or_with_a_taken_prefix revokes_keys_of_the_workspace_only records_the_use_of_keys);
    };
    ($run:ident: $($name:ident)*) => {
        $(#[test] fn $name() {
            $run(stringify!($name), |store| Box::pin(async move { $crate::contract::$name(&*store).await }));
        })*
    };
}
