//! The use cases of the audit log.

use std::sync::Arc;

use shared_core::{Clock, Page, PageRequest, Rng, StoreError, WorkspaceId, new_id};

use super::{AuditEvent, AuditFilter, AuditRepository, NewAuditEvent};

/// Events of a workspace deleted in one transaction, so that it holds up no other for long.
const SWEEP_BATCH: u32 = 1_000;
const DAY: i64 = 86_400;
/// Prefix of the ids of events.
const ID: &str = "audit";

/// The use cases of the audit log.
#[derive(Clone, Debug)]
pub struct AuditService {
    repository: Arc<dyn AuditRepository>,
    clock: Arc<dyn Clock>,
    ids: Arc<dyn Rng>,
    days: u32,
}

impl AuditService {
    /// Builds the service on its ports. Events are stored for so many days; with 0 there are none.
    #[must_use]
    pub fn new(
        repository: Arc<dyn AuditRepository>,
        clock: Arc<dyn Clock>,
        ids: Arc<dyn Rng>,
        days: u32,
    ) -> Self {
        Self { repository, clock, ids, days }
    }

    /// The event of an action that begins now, not yet stored; `None` if none are stored.
    #[must_use]
    pub fn event(&self, action: impl FnOnce() -> NewAuditEvent) -> Option<AuditEvent> {
        (self.days > 0).then(|| {
            let created = self.clock.now();
            let id = new_id(ID, created, self.ids.as_ref());
            AuditEvent { id, created, action: action(), effect: None, failure: None }
        })
    }

    /// Stores an event.
    ///
    /// # Errors
    /// When the store fails.
    pub async fn record(&self, event: &AuditEvent) -> Result<(), StoreError> {
        self.repository.insert(event).await
    }

    /// Notes the status of a request that failed after it stored something.
    ///
    /// # Errors
    /// When the store fails.
    pub async fn record_failure(&self, event: &AuditEvent, status: u16) -> Result<(), StoreError> {
        self.repository.set_failure(&event.action.workspace, &event.id, status).await
    }

    /// A page of the events of a workspace, newest first.
    ///
    /// # Errors
    /// When the store fails.
    pub async fn list(
        &self,
        workspace: &WorkspaceId,
        filter: &AuditFilter,
        page: &PageRequest,
    ) -> Result<Page<AuditEvent>, StoreError> {
        self.repository.list(workspace, filter, page).await
    }

    /// Deletes events that are too old. Returns how many; there may be more.
    ///
    /// # Errors
    /// When the store fails.
    pub async fn sweep(&self) -> Result<u64, StoreError> {
        let end = self.clock.now().plus_seconds(-DAY * i64::from(self.days));
        self.repository.delete_below(&new_id(ID, end, &ZeroRng), SWEEP_BATCH).await
    }
}

/// Gives the lowest id of a millisecond.
#[derive(Debug)]
struct ZeroRng;

impl Rng for ZeroRng {
    fn fill(&self, bytes: &mut [u8]) {
        bytes.fill(0);
    }
}
