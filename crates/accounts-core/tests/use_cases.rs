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
    AccountsError, AccountsService, IssuedKey, KeyLimits, KeyScope, MemoryAccounts, NewKey, NewWorkspace,
    Principal,
};
use futures_executor::block_on;
use secrecy::ExposeSecret as _;
use shared_core::{Clock as _, FixedClock, Scope, SeededRng, Timestamp};

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

fn new_key(name: &str, end: Timestamp) -> NewKey {
    NewKey { name: name.into(), scope: KeyScope::Read, expires: Some(end), limits: KeyLimits::default() }
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
