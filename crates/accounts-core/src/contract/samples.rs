//! Rows of the tests.

use shared_core::{Page, PageRequest, Timestamp, UserId, WorkspaceId};

use crate::{AccountRepository, ApiKey, KeyKind, KeyScope, Role, User, Workspace, usage};

pub(super) fn at(micros: i64) -> Timestamp {
    Timestamp::from_micros(micros).unwrap_or_else(|| unreachable!("a valid instant"))
}

pub(super) fn workspace(id: &str, micros: i64) -> Workspace {
    Workspace {
        id: WorkspaceId(id.into()),
        name: format!("{id} \u{0}\u{1f600}'\"%_\\"),
        is_operator: false,
        created: at(micros),
    }
}

pub(super) fn user(workspace: &str, id: &str, micros: i64) -> User {
    User {
        id: UserId(id.into()),
        workspace: WorkspaceId(workspace.into()),
        name: "'; DROP TABLE users; --\u{0}".into(),
        email: format!("{id}@example.com"),
        role: Role::Owner,
        created: at(micros),
        removed: None,
    }
}

pub(super) fn key(workspace: &str, user: &str, prefix: &str, micros: i64) -> ApiKey {
    ApiKey {
        id: format!("key_{prefix}"),
        workspace: WorkspaceId(workspace.into()),
        user: UserId(user.into()),
        name: "odd \u{0}\u{202e}".into(),
        prefix: prefix.into(),
        hash: format!("hash of {prefix}"),
        kind: KeyKind::Issued,
        scope: KeyScope::Read,
        bases: Some(vec!["kb_1".into(), "odd \u{0}\"".into()]),
        filter: Some(serde_json::json!({"tenant": "odd \u{0}\""})),
        publication: None,
        public_text: None,
        created: at(micros),
        expires: Some(at(micros + 1)),
        successor: None,
        revoked: None,
        limits: usage::contract::limits(),
        last_used: None,
    }
}

/// The page of a workspace's keys that were valid when time began: those that are not revoked sign-ins.
pub(super) async fn page_of_keys(
    store: &dyn AccountRepository,
    workspace: &WorkspaceId,
    page: &PageRequest,
) -> Page<ApiKey> {
    store.list_keys(workspace, at(0), page).await.expect("lists")
}

/// The same keys, all of them, oldest first.
pub(super) async fn all_keys(store: &dyn AccountRepository, workspace: &WorkspaceId) -> Vec<ApiKey> {
    let mut keys = page_of_keys(store, workspace, &PageRequest::first(100)).await.items;
    keys.reverse();
    keys
}
