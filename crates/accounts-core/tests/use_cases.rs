//! Use cases over the port in memory.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::print_stdout,
    reason = "tests assert"
)]

use std::sync::Arc;

use accounts_core::{
    AccountsError, AccountsService, IssuedKey, KeyLimits, KeyScope, MemoryAccounts, NewKey, NewMember,
    NewWorkspace, Principal, Role, User,
};
use futures_executor::block_on;
use secrecy::ExposeSecret as _;
use shared_core::{
    Clock as _, DomainError as _, ErrorKind, FixedClock, PageRequest, Scope, SeededRng, StoreError,
    Timestamp, WorkspaceId,
};

fn service() -> AccountsService {
    let clock = Arc::new(FixedClock::new(1_767_225_600_000_000, 0));
    AccountsService::new(Arc::new(MemoryAccounts::default()), clock, Arc::new(SeededRng::new(1)))
}

fn first() -> NewWorkspace {
    NewWorkspace { workspace: "Main".into(), user_name: "Ada".into(), user_email: "ada@example.com".into() }
}

fn sign_in(service: &AccountsService, issued: &IssuedKey) -> Result<Principal, AccountsError> {
    block_on(service.authenticate(issued.secret.expose_secret()))
}

fn add(
    service: &AccountsService,
    workspace: &WorkspaceId,
    name: &str,
    email: &str,
) -> Result<User, AccountsError> {
    let new = NewMember { name: name.into(), email: email.into(), role: Role::Member };
    block_on(service.add_member(workspace, new))
}

fn new_key(name: &str, end: Timestamp) -> NewKey {
    NewKey {
        name: name.into(),
        scope: KeyScope::Read,
        bases: None,
        filter: None,
        publication: None,
        expires: Some(end),
        limits: KeyLimits::default(),
    }
}

#[test]
fn the_first_start_makes_one_write_key_and_the_second_none() {
    let service = service();
    let issued = block_on(service.bootstrap(first())).unwrap().unwrap();
    let principal = sign_in(&service, &issued).unwrap();
    assert_eq!((principal.author.name.as_str(), principal.key_scope), ("Ada", KeyScope::Write));
    assert!(block_on(service.bootstrap(first())).unwrap().is_none());
}

#[test]
fn a_key_that_differs_only_after_its_prefix_is_refused() {
    let service = service();
    let issued = block_on(service.bootstrap(first())).unwrap().unwrap();
    let mut text = issued.secret.expose_secret().to_owned();
    let last = if text.pop() == Some('A') { 'B' } else { 'A' };
    text.push(last);
    assert!(matches!(block_on(service.authenticate(&text)), Err(AccountsError::InvalidKey)));
}

#[test]
fn a_revoked_key_is_refused_at_once_and_cannot_be_revoked_again() {
    let service = service();
    let issued = block_on(service.bootstrap(first())).unwrap().unwrap();
    let workspace = &issued.key.workspace;
    block_on(service.revoke_key(workspace, &issued.key.prefix)).unwrap();
    assert!(matches!(sign_in(&service, &issued), Err(AccountsError::InvalidKey)));
    let again = block_on(service.revoke_key(workspace, &issued.key.prefix));
    assert!(matches!(again, Err(AccountsError::KeyNotFound)));
}

#[test]
fn an_expired_key_is_refused() {
    let service = service();
    let issued = block_on(service.bootstrap(first())).unwrap().unwrap();
    let owner = Scope { workspace: issued.key.workspace, user: issued.key.user };
    let now = FixedClock::new(1_767_225_600_000_000, 0).now();
    let old = block_on(service.issue_key(&owner, new_key("old", now))).unwrap();
    let fresh = block_on(service.issue_key(&owner, new_key("new", now.plus_seconds(1)))).unwrap();
    assert!(matches!(sign_in(&service, &old), Err(AccountsError::InvalidKey)));
    assert_eq!(sign_in(&service, &fresh).unwrap().key_scope, KeyScope::Read);
}

#[test]
fn a_use_is_recorded_and_not_asked_for_again_for_a_minute() {
    let clock = Arc::new(FixedClock::new(1_767_225_600_000_000, 20));
    let service =
        AccountsService::new(Arc::new(MemoryAccounts::default()), clock, Arc::new(SeededRng::new(1)));
    let issued = block_on(service.bootstrap(first())).unwrap().unwrap();
    let first = sign_in(&service, &issued).unwrap();
    assert!(first.use_unrecorded);
    block_on(service.record_use(&first)).unwrap();
    assert!(!sign_in(&service, &issued).unwrap().use_unrecorded, "20 seconds later");
    assert!(!sign_in(&service, &issued).unwrap().use_unrecorded, "40 seconds later");
    assert!(sign_in(&service, &issued).unwrap().use_unrecorded, "60 seconds later");
}

#[test]
fn a_key_that_may_do_nothing_is_refused() {
    let service = service();
    let issued = block_on(service.bootstrap(first())).unwrap().unwrap();
    let owner = Scope { workspace: issued.key.workspace, user: issued.key.user };
    let now = FixedClock::new(1_767_225_600_000_000, 0).now();
    let limits = KeyLimits { requests_per_minute: Some(0), ..KeyLimits::default() };
    let new = NewKey { limits, ..new_key("none", now) };
    let error = block_on(service.issue_key(&owner, new)).unwrap_err();
    assert_eq!(error.to_string(), "'requests_per_minute' must be at least 1");
}

#[test]
fn a_name_with_control_characters_is_refused_with_its_field() {
    let service = service();
    let bad = NewWorkspace { user_name: "A\u{0}".into(), ..first() };
    let error = block_on(service.bootstrap(bad)).unwrap_err();
    assert_eq!(error.to_string(), "'name' must have 1 to 255 characters and no control characters");
}

#[test]
fn a_value_that_breaks_a_rule_is_refused_with_its_field() {
    let service = service();
    let issued = block_on(service.bootstrap(first())).unwrap().unwrap();
    let workspace = &issued.key.workspace;
    let is_accepted = |name: &str, email: &str| match add(&service, workspace, name, email) {
        Ok(user) => {
            assert_eq!((user.name.as_str(), user.email.as_str()), (name, email));
            true
        }
        Err(error) => {
            let field = if name.is_empty() || name.len() > 255 { "/name" } else { "/email" };
            assert_eq!((error.kind(), error.code()), (ErrorKind::Invalid, "validation_failed"));
            assert_eq!(error.violations()[0].path, field, "{name} {email}");
            false
        }
    };
    assert!(is_accepted("B", "b@example.com"));
    assert!(is_accepted(&"B".repeat(255), "c@example.com"));
    for (name, email) in [
        ("", "d@example.com"),
        (&*"B".repeat(256), "d@example.com"),
        ("D", "example.com"),
        ("D", "@example.com"),
        ("D", "d@"),
        ("D", "d@e@example.com"),
        ("D", "d d@example.com"),
        ("D", "d@example.com\n"),
    ] {
        assert!(!is_accepted(name, email), "{name} {email}");
    }
    let owner = Scope { workspace: workspace.clone(), user: issued.key.user };
    let nameless = block_on(service.issue_key(&owner, new_key("", FixedClock::default().now())));
    assert!(matches!(nameless, Err(AccountsError::Invalid(_))), "{nameless:?}");
}

#[test]
fn workspaces_with_their_users_and_keys_are_listed_apart() {
    let service = service();
    let issued = block_on(service.bootstrap(first())).unwrap().unwrap();
    let own = &issued.key.workspace;
    let second = NewWorkspace { workspace: "Second".into(), ..first() };
    let (other, guest) = block_on(service.add_workspace(second)).unwrap();
    let listed: Vec<String> =
        block_on(service.workspaces()).unwrap().into_iter().map(|workspace| workspace.name).collect();
    assert_eq!(listed, ["Main", "Second"]);
    let users = |workspace: &WorkspaceId| block_on(service.users(workspace)).unwrap();
    assert_eq!((users(own)[0].id.clone(), users(own).len()), (issued.key.user.clone(), 1));
    assert_eq!(users(&other.id), [guest]);
    let first_page = PageRequest::first(10);
    let keys = |workspace: &WorkspaceId| block_on(service.list_keys(workspace, &first_page)).unwrap().items;
    assert_eq!((keys(own), keys(&other.id)), (vec![issued.key.clone()], vec![]));
    let foreign = block_on(service.revoke_key(&other.id, &issued.key.id)).unwrap_err();
    assert_eq!((foreign.kind(), foreign.code()), (ErrorKind::NotFound, "key_not_found"));
    assert!(sign_in(&service, &issued).is_ok());
}

#[test]
fn a_use_is_recorded_again_only_after_a_minute_though_two_servers_saw_none() {
    let clock = Arc::new(FixedClock::new(1_767_225_600_000_000, 30));
    let store = Arc::new(MemoryAccounts::default());
    let service = AccountsService::new(store, clock, Arc::new(SeededRng::new(1)));
    let issued = block_on(service.bootstrap(first())).unwrap().unwrap();
    let both = [sign_in(&service, &issued).unwrap(), sign_in(&service, &issued).unwrap()];
    let last_used = || block_on(service.key(&issued.key.workspace, &issued.key.id)).unwrap().last_used;
    block_on(service.record_use(&both[0])).unwrap();
    let recorded = last_used();
    block_on(service.record_use(&both[1])).unwrap();
    assert_eq!(last_used(), recorded, "30 seconds later");
    block_on(service.record_use(&both[1])).unwrap();
    block_on(service.record_use(&both[1])).unwrap();
    assert_eq!(last_used(), recorded.map(|at| at.plus_seconds(90)));
}

#[test]
fn a_failed_sign_in_and_a_failed_store_have_the_codes_of_their_causes() {
    let error = block_on(service().authenticate("fw_short")).unwrap_err();
    assert_eq!((error.kind(), error.code()), (ErrorKind::Unauthenticated, "invalid_key"));
    assert!(error.violations().is_empty());
    let error = AccountsError::from(StoreError::Full);
    assert_eq!((error.kind(), error.code()), (ErrorKind::StorageFull, "storage_full"));
}
