//! The audit event of a request, stored in the first transaction in which the request stores something, so that there
//! is no change without its event, whenever the process dies.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use accounts_core::audit::AuditEvent;
use accounts_core::idempotency::EffectRef;
use diesel::{BoolExpressionMethods as _, ExpressionMethods as _, QueryDsl as _, RunQueryDsl as _};
use parking_lot::Mutex;
use tokio::task::futures::TaskLocalFuture;

use super::rows::insert;
use crate::connection::AnyConnection;
use crate::failure::Failure;
use crate::rows::to_json;
use crate::schema::audit_events as events;

tokio::task_local! {
    /// The request that the present task serves.
    static CURRENT: RequestAudit;
}

/// The audit event of a request. Clones share it.
#[derive(Clone, Debug)]
pub struct RequestAudit(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    event: AuditEvent,
    /// What the present transaction creates.
    effect: Mutex<Option<EffectRef>>,
    /// Whether a transaction with the event was committed.
    is_stored: AtomicBool,
}

impl RequestAudit {
    /// The event, not yet stored.
    #[must_use]
    pub fn new(event: AuditEvent) -> Self {
        Self(Arc::new(Inner { event, effect: Mutex::default(), is_stored: AtomicBool::default() }))
    }

    /// Runs `work`; the first transaction on a [`crate::Database`] in which it stores something stores the event, too.
    /// Not those of tasks that it spawns.
    pub fn record<F: Future>(&self, work: F) -> TaskLocalFuture<Self, F> {
        CURRENT.scope(self.clone(), work)
    }

    /// The event of the request that the present task serves.
    #[must_use]
    pub fn current() -> Option<Self> {
        CURRENT.try_with(Clone::clone).ok()
    }

    /// The event, if it is stored.
    #[must_use]
    pub fn stored(&self) -> Option<&AuditEvent> {
        self.0.is_stored.load(Ordering::Acquire).then_some(&self.0.event)
    }

    /// Sets what the present transaction creates. Of several kinds the first one stays: it is what the request is sent
    /// for.
    pub(crate) fn set_effect(&self, effect: EffectRef) {
        let mut set = self.0.effect.lock();
        if set.as_ref().is_none_or(|first| first.kind == effect.kind) {
            *set = Some(effect);
        }
    }

    /// Stores the event in the present transaction; later ones of the same request add what they create.
    pub(crate) fn store(&self, connection: &mut AnyConnection) -> Result<(), Failure> {
        let Inner { event, effect, .. } = &*self.0;
        let effect = effect.lock().clone();
        if self.stored().is_none() && insert(connection, event, effect.as_ref())? {
            return Ok(());
        }
        let Some(EffectRef { kind, ids }) = effect else { return Ok(()) };
        let own = events::workspace.eq(&event.action.workspace.0).and(events::id.eq(&event.id));
        let effect = to_json(&(kind, ids))?;
        diesel::update(events::table.filter(own)).set(events::effect.eq(Some(effect))).execute(connection)?;
        Ok(())
    }

    /// Notes that a transaction with the event was committed.
    pub(crate) fn note_commit(&self) {
        self.0.is_stored.store(true, Ordering::Release);
    }
}
