//! The use cases of API keys, members and quotas over the port in memory.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests assert")]

use std::sync::Arc;

use accounts_core::{
    AccountsError, AccountsService, ApiKey, KeyChanges, KeyKind, KeyLimits, KeyScope, MAX_BASES, MAX_GRACE,
    MemberChanges, MemoryAccounts, NewKey, NewWorkspace, QuotaKind, Role,
};
use futures_executor::block_on;
use secrecy::ExposeSecret as _;
use shared_core::{DomainError as _, FixedClock, Scope, SeededRng, StoreError, Timestamp, WorkspaceId};

/// 2026-01-01, in microseconds.
const NOW: i64 = 1_767_225_600_000_000;

fn at(seconds: i64) -> Timestamp {
    Timestamp::from_micros(NOW).unwrap().plus_seconds(seconds)
}

fn office() -> (AccountsService, Scope) {
    let clock = Arc::new(FixedClock::new(NOW, 0));
    let service =
        AccountsService::new(Arc::new(MemoryAccounts::default()), clock, Arc::new(SeededRng::new(1)));
    let first = NewWorkspace {
        workspace: "Main".into(),
        user_name: "Ada".into(),
        user_email: "ada@example.com".into(),
    };
    let issued = block_on(service.bootstrap(first)).unwrap().unwrap();
    (service, Scope { workspace: issued.key.workspace, user: issued.key.user })
}

fn new_key(expires: Option<Timestamp>) -> NewKey {
    NewKey {
        name: "program".into(),
        scope: KeyScope::Write,
        bases: None,
        filter: None,
        publication: None,
        expires,
        limits: KeyLimits::default(),
    }
}

fn bases(count: usize) -> Option<Vec<String>> {
    Some((0..count).map(|number| format!("kb_{number}")).collect())
}

fn violation(result: Result<impl Sized, AccountsError>) -> (String, String) {
    let Err(error) = result else { panic!("a rule is broken") };
    assert_eq!(error.code(), "validation_failed");
    (error.violations()[0].path.clone(), error.to_string())
}

#[test]
fn a_change_of_a_key_stores_what_it_names_and_leaves_the_rest() {
    let (service, owner) = office();
    let key = block_on(service.issue_key(&owner, new_key(Some(at(60))))).unwrap().key;
    let change = |changes| block_on(service.update_key(&owner.workspace, &key.id, changes)).unwrap();
    let renamed = change(KeyChanges { name: Some("other".into()), ..KeyChanges::default() });
    assert_eq!(renamed, ApiKey { name: "other".into(), ..key.clone() });
    let restricted = change(KeyChanges { bases: Some(bases(2)), ..KeyChanges::default() });
    assert_eq!(restricted, ApiKey { bases: bases(2), ..renamed });
    let limits = KeyLimits { requests_per_minute: Some(5), ..KeyLimits::default() };
    let limited = change(KeyChanges { limits: Some(limits), ..KeyChanges::default() });
    assert_eq!(limited, ApiKey { limits, ..restricted });
    let lasting = change(KeyChanges { expires: Some(None), ..KeyChanges::default() });
    assert_eq!(lasting, ApiKey { expires: None, ..limited });
    let free = change(KeyChanges { bases: Some(None), ..KeyChanges::default() });
    assert_eq!(free, ApiKey { bases: None, ..lasting });
    assert_eq!(block_on(service.key(&owner.workspace, &key.id)).unwrap(), free);
}

#[test]
fn a_restricted_key_has_a_bounded_number_of_bases_and_does_not_administer() {
    let (service, owner) = office();
    let issue = |scope, bases| {
        block_on(service.issue_key(&owner, NewKey { scope, bases, ..new_key(None) })).map(|issued| issued.key)
    };
    assert_eq!(issue(KeyScope::Write, bases(MAX_BASES)).unwrap().bases, bases(MAX_BASES));
    assert_eq!(issue(KeyScope::Admin, None).unwrap().scope, KeyScope::Admin);
    for refused in [
        issue(KeyScope::Write, bases(MAX_BASES + 1)),
        issue(KeyScope::Write, bases(0)),
        issue(KeyScope::Admin, bases(1)),
    ] {
        assert_eq!(violation(refused).0, "/bases");
    }
    let key = issue(KeyScope::Write, None).unwrap();
    let changes = KeyChanges { bases: Some(bases(0)), ..KeyChanges::default() };
    assert_eq!(violation(block_on(service.update_key(&owner.workspace, &key.id, changes))).0, "/bases");
}

#[test]
fn a_rotated_key_is_valid_for_its_grace_and_not_longer_than_before() {
    let (service, owner) = office();
    let issue = |expires| block_on(service.issue_key(&owner, new_key(expires))).unwrap().key;
    let rotate = |key: &ApiKey, grace| block_on(service.rotate_key(&owner.workspace, &key.id, grace));
    let key = issue(None);
    assert_eq!(MAX_GRACE, 2_592_000, "30 days");
    assert_eq!(violation(rotate(&key, MAX_GRACE + 1)).0, "/grace_seconds");
    let next = rotate(&key, MAX_GRACE).unwrap();
    let old = block_on(service.key(&owner.workspace, &key.id)).unwrap();
    assert_eq!((old.expires, old.successor), (Some(at(i64::from(MAX_GRACE))), Some(next.key.id.clone())));
    assert_eq!(
        (next.key.name.as_str(), next.key.scope, next.key.expires),
        ("program", KeyScope::Write, None)
    );
    assert!(block_on(service.authenticate(next.secret.expose_secret())).is_ok());
    assert_eq!(rotate(&key, 1).unwrap_err().code(), "key_rotated");
    let short = issue(Some(at(5)));
    rotate(&short, 60).unwrap();
    assert_eq!(block_on(service.key(&owner.workspace, &short.id)).unwrap().expires, Some(at(5)));
}

#[test]
fn a_key_that_has_ended_is_neither_changed_nor_rotated() {
    let (service, owner) = office();
    let expired = block_on(service.issue_key(&owner, new_key(Some(at(0))))).unwrap().key;
    let revoked = block_on(service.issue_key(&owner, new_key(None))).unwrap().key;
    block_on(service.revoke_key(&owner.workspace, &revoked.id)).unwrap();
    for key in [&expired, &revoked] {
        let changed = block_on(service.update_key(&owner.workspace, &key.id, KeyChanges::default()));
        assert_eq!(changed.unwrap_err().code(), "key_not_found");
        let rotated = block_on(service.rotate_key(&owner.workspace, &key.id, 0));
        assert_eq!(rotated.err().unwrap().code(), "key_not_found");
    }
    let valid = block_on(service.issue_key(&owner, new_key(Some(at(1))))).unwrap().key;
    assert!(block_on(service.update_key(&owner.workspace, &valid.id, KeyChanges::default())).is_ok());
}

#[test]
fn keys_are_found_by_their_ids_in_their_workspace() {
    let (service, owner) = office();
    let key = block_on(service.issue_key(&owner, new_key(None))).unwrap().key;
    let find =
        |workspace: &WorkspaceId, ids: &[String]| block_on(service.keys_by_id(workspace, ids)).unwrap();
    assert_eq!(find(&owner.workspace, &[key.id.clone(), "key_none".to_owned()]), vec![key.clone()]);
    assert!(find(&owner.workspace, &[]).is_empty());
    assert!(find(&WorkspaceId("ws_none".into()), &[key.id]).is_empty());
}

#[test]
fn a_change_of_a_member_stores_what_it_names_and_leaves_the_rest() {
    let (service, owner) = office();
    let named = MemberChanges { name: Some("Ada L.".into()), role: None };
    let after = block_on(service.update_member(&owner.workspace, &owner.user, named)).unwrap();
    assert_eq!((after.name.as_str(), after.role), ("Ada L.", Role::Owner));
    let demoted = MemberChanges { name: None, role: Some(Role::Viewer) };
    let error = block_on(service.update_member(&owner.workspace, &owner.user, demoted)).unwrap_err();
    assert_eq!(error.code(), "last_owner");
    assert_eq!(block_on(service.member(&owner.workspace, &owner.user)).unwrap(), after);
}

#[test]
fn a_workspace_is_found_by_its_id_and_quotas_have_an_upper_bound() {
    let (service, owner) = office();
    let second = NewWorkspace {
        workspace: "Pier".into(),
        user_name: "Cy".into(),
        user_email: "cy@example.com".into(),
    };
    let (pier, _) = block_on(service.add_workspace(second)).unwrap();
    assert_eq!(block_on(service.workspace(&pier.id)).unwrap(), pier);
    assert_eq!(block_on(service.workspace(&owner.workspace)).unwrap().name, "Main");
    let unknown = WorkspaceId("ws_none".into());
    assert_eq!(block_on(service.workspace(&unknown)).unwrap_err().code(), "workspace_not_found");
    let most = 1_000_000_000_000_000;
    block_on(service.set_quotas(&pier.id, &[(QuotaKind::Bytes, Some(most)), (QuotaKind::Files, None)]))
        .unwrap();
    for beyond in [most + 1, u64::MAX] {
        let (path, rule) =
            violation(block_on(service.set_quotas(&pier.id, &[(QuotaKind::Chunks, Some(beyond))])));
        assert_eq!((path.as_str(), rule.as_str()), ("/chunks", "'chunks' must be at most 1000000000000000"));
    }
    let limits: Vec<_> =
        block_on(service.quotas(&pier.id)).unwrap().iter().map(|quota| quota.limit).collect();
    assert_eq!(limits, [None, Some(most), None, None]);
    let error = block_on(service.set_quotas(&unknown, &[])).unwrap_err();
    assert!(matches!(error, AccountsError::Store(StoreError::Missing(_))), "{error:?}");
}

#[test]
fn names_are_read_back_as_they_are_written() {
    let names = |names: &[&'static str]| names.to_vec();
    assert_eq!(names(&Role::ALL.map(Role::name)), ["owner", "member", "viewer"]);
    assert_eq!(names(&KeyScope::ALL.map(KeyScope::name)), ["read", "write", "admin"]);
    assert_eq!(names(&QuotaKind::ALL.map(QuotaKind::name)), ["files", "bytes", "chunks", "groups"]);
    assert_eq!([KeyKind::Issued, KeyKind::SignIn].map(KeyKind::name), ["issued", "sign_in"]);
    for role in Role::ALL {
        assert_eq!(Role::from_name(role.name()), Some(role));
    }
    for scope in KeyScope::ALL {
        assert_eq!(KeyScope::from_name(scope.name()), Some(scope));
    }
    for kind in QuotaKind::ALL {
        assert_eq!(QuotaKind::from_name(kind.name()), Some(kind));
    }
    for kind in [KeyKind::Issued, KeyKind::SignIn] {
        assert_eq!(KeyKind::from_name(kind.name()), Some(kind));
    }
    assert_eq!((Role::from_name("Owner"), KeyScope::from_name("")), (None, None));
}
