//! The conformance suite of the port, for its implementations.

mod keys;
mod samples;
mod sign_ins;

use shared_core::{StoreError, UserId, WorkspaceId};

use self::samples::{all_keys, at, key, user, workspace};
use crate::{AccountRepository, ApiKey, KeyKind, Quota, QuotaKind, Role, User, UserUpdate, Workspace};

pub use self::keys::{
    changes_and_replaces_keys, finds_keys_by_prefix_and_id, lists_keys_without_ended_sign_ins,
    records_the_use_of_keys, refuses_keys_without_user_or_with_a_taken_prefix,
    revokes_keys_of_the_workspace_only, stores_public_keys,
};
pub use self::sign_ins::{
    deletes_ended_sign_ins, stores_sign_ins_of_current_passwords, uses_an_attempt_once,
};

/// The first workspace is created only once, in one transaction, and reads back as it was stored.
pub async fn creates_the_first_workspace_once(store: &dyn AccountRepository) {
    assert!(!store.any_workspace().await.expect("answers"));
    let first = Workspace { is_operator: true, ..workspace("w1", 1) };
    let (owner, opener) = (user("w1", "u1", 1), key("w1", "u1", "fw_1", 1));
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
    assert_eq!(store.insert_user(&second).await.expect("inserts"), second);
    let taken = store.insert_workspace(&one, &user("w1", "u3", 3)).await;
    assert!(matches!(taken, Err(StoreError::Taken("workspace"))), "{taken:?}");
    let taken = store.insert_user(&User { id: UserId("u4".into()), ..first.clone() }).await;
    assert!(matches!(taken, Err(StoreError::Taken("e-mail"))), "{taken:?}");
    let missing = store.insert_user(&user("w3", "u5", 3)).await;
    assert!(matches!(missing, Err(StoreError::Missing("workspace"))), "{missing:?}");
    assert_eq!(store.workspaces().await.expect("lists"), vec![one.clone(), two]);
    assert_eq!(store.users(&one.id).await.expect("lists"), vec![first, second]);
}

/// A user changes, unless no owner would be left; a removed one loses its keys and its password, and can come back.
pub async fn changes_users_but_keeps_an_owner(store: &dyn AccountRepository) {
    let own = WorkspaceId("w1".into());
    let owner = user("w1", "u1", 1);
    store.insert_workspace(&workspace("w1", 1), &owner).await.expect("inserts");
    store.insert_workspace(&workspace("w2", 1), &user("w2", "u9", 1)).await.expect("inserts");
    let other = User { role: Role::Member, ..user("w1", "u2", 2) };
    store.insert_user(&other).await.expect("inserts");
    store.insert_key(&key("w1", "u2", "fw_2", 1)).await.expect("inserts");
    assert!(store.set_password(&own, &other.id, Some("hash"), at(3)).await.expect("stores"));
    let update = async |user: User| {
        let users = store.users(&user.workspace).await.expect("lists");
        let before = users.into_iter().find(|row| row.id == user.id).unwrap_or_else(|| user.clone());
        store.update_user(&before, &user).await.expect("answers")
    };
    let demoted = User { role: Role::Viewer, ..owner.clone() };
    assert_eq!(update(demoted.clone()).await, UserUpdate::LastOwner);
    assert_eq!(update(User { removed: Some(at(4)), ..owner.clone() }).await, UserUpdate::LastOwner);
    assert_eq!(update(User { name: "Ada".into(), ..owner.clone() }).await, UserUpdate::Stored);
    let foreign = User { workspace: WorkspaceId("w2".into()), ..other.clone() };
    assert_eq!(update(foreign).await, UserUpdate::NotFound);
    assert_eq!(update(User { role: Role::Owner, ..other.clone() }).await, UserUpdate::Stored);
    assert_eq!(update(demoted.clone()).await, UserUpdate::Stored);
    let second = User { role: Role::Owner, ..other.clone() };
    assert_eq!(store.users(&own).await.expect("lists"), vec![demoted.clone(), second.clone()]);
    assert_eq!(update(User { role: Role::Owner, ..demoted.clone() }).await, UserUpdate::Stored);
    // What another change has stored meanwhile stays.
    let (old, new) = (
        User { role: Role::Viewer, ..second.clone() },
        User { role: Role::Viewer, name: "B".into(), ..second.clone() },
    );
    assert_eq!(store.update_user(&old, &new).await.expect("changes"), UserUpdate::Stored);
    let second = User { name: "B".into(), ..second };
    assert_eq!(store.users(&own).await.expect("lists")[1], second);
    let removed = User { removed: Some(at(5)), ..second };
    assert_eq!(update(removed.clone()).await, UserUpdate::Stored);
    assert_eq!(update(removed.clone()).await, UserUpdate::NotFound);
    assert_eq!(all_keys(store, &own).await[0].revoked, Some(at(5)));
    assert!(store.accounts("u2@example.com").await.expect("finds").is_empty());
    assert!(!store.set_password(&own, &other.id, Some("hash"), at(6)).await.expect("answers"));
    let late = store.insert_key(&key("w1", "u2", "fw_3", 6)).await;
    assert!(matches!(late, Err(StoreError::Missing("user"))), "{late:?}");
    let email = other.email.to_uppercase();
    let again =
        User { id: UserId("u3".into()), name: "again".into(), role: Role::Viewer, email, ..other.clone() };
    let back = store.insert_user(&again).await.expect("inserts");
    assert_eq!(back, User { id: other.id, created: other.created, email: other.email, ..again.clone() });
    let taken = store.insert_user(&again).await;
    assert!(matches!(taken, Err(StoreError::Taken("e-mail"))), "{taken:?}");
    assert_eq!(store.users(&own).await.expect("lists")[1], back);
    assert_eq!(store.accounts("u2@example.com").await.expect("finds")[0].password, None);
}

/// Accounts are found by their address in any case, in every workspace; a new password ends the sign-ins.
pub async fn finds_accounts_by_their_address(store: &dyn AccountRepository) {
    for space in ["w2", "w1", "w3"] {
        let member = User { email: "Ada@Example.com".into(), ..user(space, &format!("u{space}"), 1) };
        store.insert_workspace(&workspace(space, 1), &member).await.expect("inserts");
    }
    let id = |space: &str| (WorkspaceId(space.into()), UserId(format!("u{space}")));
    let found = async || -> Vec<(String, Option<String>)> {
        let accounts = store.accounts("aDA@example.COM").await.expect("finds");
        accounts.into_iter().map(|account| (account.workspace.id.0, account.password)).collect()
    };
    let pair = |space: &str, hash: Option<&str>| (space.to_owned(), hash.map(str::to_owned));
    assert_eq!(found().await, [pair("w1", None), pair("w2", None), pair("w3", None)]);
    for (space, hash) in [("w2", "hash 2"), ("w1", "hash 1")] {
        let (workspace, user) = id(space);
        assert!(store.set_password(&workspace, &user, Some(hash), at(2)).await.expect("stores"));
    }
    assert_eq!(found().await, [pair("w1", Some("hash 1")), pair("w2", Some("hash 2")), pair("w3", None)]);
    let (own, member) = id("w1");
    store.insert_key(&key("w1", "uw1", "fw_1", 1)).await.expect("inserts");
    let sign_in = ApiKey { kind: KeyKind::SignIn, bases: None, ..key("w1", "uw1", "fw_2", 2) };
    store.insert_key(&sign_in).await.expect("inserts");
    assert!(!store.set_password(&own, &id("w2").1, None, at(3)).await.expect("answers"));
    assert!(store.set_password(&own, &member, None, at(3)).await.expect("stores"));
    assert_eq!(found().await, [pair("w1", None), pair("w2", Some("hash 2")), pair("w3", None)]);
    let key = async |prefix: &str| store.key(&own, prefix).await.expect("finds").expect("is there");
    assert_eq!((key("fw_1").await.revoked, key("fw_2").await.revoked), (None, Some(at(3))));
}

/// A new name reads back, and other workspaces keep theirs.
pub async fn renames_one_workspace(store: &dyn AccountRepository) {
    for space in ["w1", "w2"] {
        store
            .insert_workspace(&workspace(space, 1), &user(space, &format!("u{space}"), 1))
            .await
            .expect("inserts");
    }
    assert!(store.rename_workspace(&WorkspaceId("w2".into()), "new \u{0}").await.expect("renames"));
    assert!(!store.rename_workspace(&WorkspaceId("w3".into()), "new").await.expect("answers"));
    let renamed = Workspace { name: "new \u{0}".into(), ..workspace("w2", 1) };
    assert_eq!(store.workspaces().await.expect("lists"), vec![workspace("w1", 1), renamed]);
}

/// Quotas are set and removed one by one, for a workspace that exists, and for no other.
pub async fn sets_the_quotas_of_one_workspace(store: &dyn AccountRepository) {
    let (one, two) = (workspace("w1", 1), workspace("w2", 2));
    store.insert_workspace(&one, &user("w1", "u1", 1)).await.expect("inserts");
    store.insert_workspace(&two, &user("w2", "u2", 2)).await.expect("inserts");
    let limits = async |workspace: &Workspace| -> Vec<Option<u64>> {
        let quotas = store.quotas(&workspace.id).await.expect("answers");
        assert_eq!(quotas.iter().map(|quota| quota.kind).collect::<Vec<_>>(), QuotaKind::ALL);
        assert!(quotas.iter().all(|Quota { used, .. }| *used == 0), "{quotas:?}");
        quotas.iter().map(|quota| quota.limit).collect()
    };
    assert_eq!(limits(&one).await, [None; 4]);
    let first = [(QuotaKind::Files, Some(3)), (QuotaKind::Groups, Some(0))];
    store.set_quotas(&one.id, &first).await.expect("sets");
    assert_eq!(limits(&one).await, [Some(3), None, None, Some(0)]);
    let second = [(QuotaKind::Files, Some(5)), (QuotaKind::Groups, None), (QuotaKind::Chunks, None)];
    store.set_quotas(&one.id, &second).await.expect("sets");
    assert_eq!(limits(&one).await, [Some(5), None, None, None]);
    assert_eq!(limits(&two).await, [None; 4]);
    let missing = store.set_quotas(&WorkspaceId("w3".into()), &first).await;
    assert!(matches!(missing, Err(StoreError::Missing("workspace"))), "{missing:?}");
}

/// Expands to the tests of an [`AccountRepository`]. `$run` takes a name and a closure from a fresh
/// store to a future, and runs it.
#[macro_export]
macro_rules! account_repository_contract {
    ($run:ident) => {
        $crate::account_repository_contract!($run: creates_the_first_workspace_once adds_workspaces_and_users changes_users_but_keeps_an_owner finds_accounts_by_their_address renames_one_workspace changes_and_replaces_keys refuses_keys_without_user_or_with_a_taken_prefix revokes_keys_of_the_workspace_only records_the_use_of_keys lists_keys_without_ended_sign_ins finds_keys_by_prefix_and_id stores_public_keys uses_an_attempt_once stores_sign_ins_of_current_passwords deletes_ended_sign_ins sets_the_quotas_of_one_workspace);
    };
    ($run:ident: $($name:ident)*) => {
        $(#[test] fn $name() {
            $run(stringify!($name), |store| Box::pin(async move { $crate::contract::$name(&*store).await }));
        })*
    };
}
