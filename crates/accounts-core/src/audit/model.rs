//! An event of the audit log.

use shared_core::{Timestamp, UserId, WorkspaceId};

use crate::Principal;
use crate::idempotency::EffectRef;

/// Who acted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Actor {
    /// On whose behalf.
    pub user: UserId,
    /// Identifier of the key.
    pub key: String,
}

impl Actor {
    /// The caller.
    #[must_use]
    pub fn of(caller: &Principal) -> Self {
        Self { user: caller.scope.user.clone(), key: caller.key_id.clone() }
    }
}

/// An operation that stored something, or exported it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewAuditEvent {
    /// In which it was done.
    pub workspace: WorkspaceId,
    /// Who acted; `None` for the command line of the server.
    pub actor: Option<Actor>,
    /// The operation, by its id in the OpenAPI document; of the command line, its sub-commands.
    pub operation: String,
    /// What it was applied to: the path of the request.
    pub target: String,
    /// Id of the request in the log; empty for the command line.
    pub request: String,
    /// Network address of the client; empty where it is not known.
    pub address: String,
}

/// An event of the audit log.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AuditEvent {
    /// Identifier (`audit_…`); events of later milliseconds have higher ones.
    pub id: String,
    /// When it began.
    pub created: Timestamp,
    /// What was done.
    pub action: NewAuditEvent,
    /// What it created, if anything.
    pub effect: Option<EffectRef>,
    /// The HTTP status of a request that stored something and failed nevertheless.
    pub failure: Option<u16>,
}

/// Which events to list; `None` for any.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AuditFilter {
    /// First instant.
    pub from: Option<Timestamp>,
    /// The instant after the last one.
    pub to: Option<Timestamp>,
    /// By this user.
    pub user: Option<UserId>,
    /// By the key with this identifier.
    pub key: Option<String>,
    /// With this id of an operation.
    pub operation: Option<String>,
    /// Whose target is this path.
    pub target: Option<String>,
}

impl AuditFilter {
    /// Whether an event passes.
    #[must_use]
    pub fn matches(&self, event: &AuditEvent) -> bool {
        let actor = event.action.actor.as_ref();
        self.from.is_none_or(|from| event.created >= from)
            && self.to.is_none_or(|to| event.created < to)
            && self.user.as_ref().is_none_or(|user| actor.is_some_and(|actor| actor.user == *user))
            && self.key.as_ref().is_none_or(|key| actor.is_some_and(|actor| actor.key == *key))
            && self.operation.as_ref().is_none_or(|operation| event.action.operation == *operation)
            && self.target.as_ref().is_none_or(|target| event.action.target == *target)
    }
}
