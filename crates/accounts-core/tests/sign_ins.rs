//! Sign-in by password over the port in memory.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests assert")]

use std::sync::Arc;

use accounts_core::{
    AccountRepository as _, AccountsError, AccountsService, Credentials, KeyKind, KeyScope, MemoryAccounts,
    NewMember, NewWorkspace, Principal, Role, SIGN_IN_KEY_NAME, SignIn, User,
};
use futures_executor::block_on;
use secrecy::{ExposeSecret as _, SecretString};
use shared_core::{DomainError as _, FixedClock, InlineOffload, PageRequest, SeededRng, UserId, WorkspaceId};

/// 2026-01-01, in microseconds.
const NOW: i64 = 1_767_225_600_000_000;
const PASSWORD: &str = "correct horse battery";

struct Office {
    store: Arc<MemoryAccounts>,
    service: AccountsService,
    workspace: WorkspaceId,
    owner: User,
}

impl Office {
    fn new() -> Self {
        let clock = Arc::new(FixedClock::new(NOW, 0));
        let store = Arc::new(MemoryAccounts::default());
        let service = AccountsService::new(store.clone(), clock, Arc::new(SeededRng::new(1)));
        let first = NewWorkspace {
            workspace: "Main".into(),
            user_name: "Ada".into(),
            user_email: "ada@example.com".into(),
        };
        let issued = block_on(service.bootstrap(first)).unwrap().unwrap();
        let workspace = issued.key.workspace;
        let owner = block_on(service.member(&workspace, &issued.key.user)).unwrap();
        let office = Self { store, service, workspace, owner };
        office.set_password(&office.workspace, &office.owner, Some(PASSWORD)).unwrap();
        office
    }

    fn set_password(
        &self,
        workspace: &WorkspaceId,
        user: &User,
        password: Option<&str>,
    ) -> Result<(), AccountsError> {
        let password = password.map(SecretString::from);
        block_on(self.service.set_password(workspace, &user.id, password, &InlineOffload))
    }

    fn sign_in(
        &self,
        email: &str,
        password: &str,
        workspace: Option<&WorkspaceId>,
    ) -> Result<SignIn, AccountsError> {
        let credentials =
            Credentials { email: email.into(), password: password.into(), workspace: workspace.cloned() };
        block_on(self.service.sign_in(credentials, &InlineOffload))
    }

    fn has_password(&self, user: &User, password: &str) -> bool {
        block_on(self.service.has_password(user, password.into(), &InlineOffload)).unwrap()
    }

    fn member(&self, workspace: &WorkspaceId, email: &str) -> User {
        let new = NewMember { name: "Ben".into(), email: email.into(), role: Role::Viewer };
        block_on(self.service.add_member(workspace, new)).unwrap()
    }
}

#[test]
fn a_sign_in_makes_a_key_of_twelve_hours_with_all_that_the_role_may_do() {
    let office = Office::new();
    let SignIn { issued, user, workspace } = office.sign_in("ADA@example.com", PASSWORD, None).unwrap();
    assert_eq!((user.id.clone(), workspace.id), (office.owner.id.clone(), office.workspace.clone()));
    let key = &issued.key;
    assert_eq!(
        (key.kind, key.scope, key.name.as_str()),
        (KeyKind::SignIn, KeyScope::Admin, SIGN_IN_KEY_NAME)
    );
    assert_eq!(key.expires.unwrap().micros(), NOW + 12 * 3_600_000_000);
    let caller = block_on(office.service.authenticate(issued.secret.expose_secret())).unwrap();
    block_on(office.service.sign_out(&caller)).unwrap();
    let ended = block_on(office.service.authenticate(issued.secret.expose_secret())).unwrap_err();
    assert_eq!(ended.code(), "invalid_key");
}

#[test]
fn only_the_address_and_the_password_of_an_account_sign_in() {
    let office = Office::new();
    let without = office.member(&office.workspace, "ben@example.com");
    for (email, password) in [
        ("ada@example.com", "wrong horse battery"),
        ("eve@example.com", PASSWORD),
        (&without.email, PASSWORD),
    ] {
        let error = office.sign_in(email, password, None).unwrap_err();
        assert_eq!(error.code(), "invalid_credentials", "{email}");
    }
    let elsewhere = WorkspaceId("ws_none".into());
    let error = office.sign_in("ada@example.com", PASSWORD, Some(&elsewhere)).unwrap_err();
    assert_eq!(error.code(), "invalid_credentials");
    office.set_password(&office.workspace, &office.owner, None).unwrap();
    assert!(office.sign_in("ada@example.com", PASSWORD, None).is_err(), "it was forgotten");
}

#[test]
fn the_same_password_in_two_workspaces_needs_the_name_of_one() {
    let office = Office::new();
    let second = NewWorkspace {
        workspace: "Pier".into(),
        user_name: "Cy".into(),
        user_email: "cy@example.com".into(),
    };
    let (pier, _) = block_on(office.service.add_workspace(second)).unwrap();
    let same = office.member(&pier.id, "ada@example.com");
    office.set_password(&pier.id, &same, Some(PASSWORD)).unwrap();
    let error = office.sign_in("ada@example.com", PASSWORD, None).unwrap_err();
    assert_eq!((error.code(), error.violations()[0].path.as_str()), ("validation_failed", "/workspace"));
    let signed = office.sign_in("ada@example.com", PASSWORD, Some(&pier.id)).unwrap();
    assert_eq!((signed.user.id, signed.issued.key.scope), (same.id, KeyScope::Read));
}

#[test]
fn a_password_is_that_of_one_user_and_is_hashed_with_its_own_salt() {
    let office = Office::new();
    let ben = office.member(&office.workspace, "ben@example.com");
    assert!(office.has_password(&office.owner, PASSWORD));
    assert!(!office.has_password(&office.owner, "wrong horse battery"));
    assert!(!office.has_password(&ben, PASSWORD), "it has none");
    let second = NewWorkspace {
        workspace: "Pier".into(),
        user_name: "Ben".into(),
        user_email: "ben@example.com".into(),
    };
    let (pier, namesake) = block_on(office.service.add_workspace(second)).unwrap();
    office.set_password(&pier.id, &namesake, Some(PASSWORD)).unwrap();
    assert!(!office.has_password(&ben, PASSWORD), "it is another user's with this address");
    office.set_password(&office.workspace, &ben, Some(PASSWORD)).unwrap();
    assert!(office.has_password(&ben, PASSWORD));
    let hash = |user: &User| {
        let account = block_on(office.store.accounts(&user.email)).unwrap().remove(0);
        account.password.unwrap()
    };
    assert_ne!(hash(&office.owner), hash(&ben), "the salts differ");
    let short = office.set_password(&office.workspace, &ben, Some("short")).unwrap_err();
    assert_eq!(short.violations()[0].path, "/password");
    let nobody = User { id: UserId("user_none".into()), ..ben };
    let error = office.set_password(&office.workspace, &nobody, Some(PASSWORD)).unwrap_err();
    assert_eq!(error.code(), "member_not_found");
}

#[test]
fn a_new_password_ends_the_sign_ins_of_the_old_one_and_no_issued_key() {
    let office = Office::new();
    let SignIn { issued, .. } = office.sign_in("ada@example.com", PASSWORD, None).unwrap();
    let caller = block_on(office.service.authenticate(issued.secret.expose_secret())).unwrap();
    office.set_password(&office.workspace, &office.owner, Some("another horse battery")).unwrap();
    assert!(block_on(office.service.authenticate(issued.secret.expose_secret())).is_err());
    let keys = block_on(office.service.list_keys(&office.workspace, &PageRequest::first(9))).unwrap();
    let active: Vec<KeyKind> =
        keys.items.iter().filter(|key| key.revoked.is_none()).map(|key| key.kind).collect();
    assert_eq!(active, [KeyKind::Issued]);
    let by_program = Principal { key_kind: KeyKind::Issued, ..caller };
    assert_eq!(block_on(office.service.sign_out(&by_program)).unwrap_err().code(), "not_signed_in");
}
