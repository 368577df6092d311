//! Rows of the audit log.

use accounts_core::audit::{Actor, AuditEvent, NewAuditEvent};
use accounts_core::idempotency::EffectRef;
use diesel::{ExpressionMethods as _, Queryable, RunQueryDsl as _};
use shared_core::{StoreError, UserId, WorkspaceId};

use crate::connection::{AnyConnection, prepared};
use crate::failure::{Failure, foreign_key_violation_as};
use crate::rows::{count, from_json, time, to_json};
use crate::schema::audit_events as events;
use crate::text_encoding::{decode, encode};

#[derive(Queryable)]
pub(super) struct EventRow {
    workspace: String,
    id: String,
    created: i64,
    user: Option<String>,
    key: Option<String>,
    operation: String,
    target: String,
    effect: Option<String>,
    request: String,
    address: String,
    failure: Option<i32>,
}

impl EventRow {
    pub(super) fn read(self) -> Result<AuditEvent, StoreError> {
        let actor = self.user.zip(self.key).map(|(user, key)| Actor { user: UserId(user), key });
        let effect: Option<(String, Vec<String>)> = self.effect.as_deref().map(from_json).transpose()?;
        Ok(AuditEvent {
            id: self.id,
            created: time(self.created)?,
            action: NewAuditEvent {
                workspace: WorkspaceId(self.workspace),
                actor,
                operation: self.operation,
                target: decode(self.target),
                request: decode(self.request),
                address: self.address,
            },
            effect: effect.map(|(kind, ids)| EffectRef { kind, ids }),
            failure: self.failure.map(|status| count(i64::from(status))).transpose()?,
        })
    }
}

/// Stores an event with what was created. Returns whether it was not there before.
pub(super) fn insert(
    connection: &mut AnyConnection,
    event: &AuditEvent,
    effect: Option<&EffectRef>,
) -> Result<bool, Failure> {
    let effect = effect.map(|EffectRef { kind, ids }| to_json(&(kind, ids))).transpose()?;
    let action = &event.action;
    let actor = action.actor.as_ref();
    let row = (
        events::workspace.eq(&action.workspace.0),
        events::id.eq(&event.id),
        events::created.eq(event.created.micros()),
        events::user_id.eq(actor.map(|actor| &actor.user.0)),
        events::key_id.eq(actor.map(|actor| &actor.key)),
        events::operation.eq(&action.operation),
        events::target.eq(encode(&action.target)),
        events::effect.eq(effect),
        events::request.eq(encode(&action.request)),
        events::address.eq(&action.address),
        events::failure.eq(event.failure.map(i32::from)),
    );
    let insert = diesel::insert_into(events::table).values(row).on_conflict_do_nothing();
    let stored = prepared!(connection, inner => insert.execute(inner));
    Ok(stored.map_err(foreign_key_violation_as("workspace"))? > 0)
}
