//! The audit log in memory, for tests and embedders.

use std::collections::HashMap;

use async_trait::async_trait;
use parking_lot::Mutex;
use shared_core::{Cursor, Page, PageRequest, StoreError, WorkspaceId};

use super::{AuditEvent, AuditFilter, AuditRepository};

/// An audit log in memory. It knows no workspaces, so it takes events of any.
#[derive(Debug, Default)]
pub struct MemoryAudit(Mutex<Vec<AuditEvent>>);

#[async_trait]
impl AuditRepository for MemoryAudit {
    async fn insert(&self, event: &AuditEvent) -> Result<(), StoreError> {
        self.0.lock().push(event.clone());
        Ok(())
    }

    async fn set_failure(&self, workspace: &WorkspaceId, id: &str, status: u16) -> Result<(), StoreError> {
        let mut events = self.0.lock();
        let mut own = events.iter_mut().filter(|event| event.action.workspace == *workspace);
        if let Some(event) = own.find(|event| event.id == id) {
            event.failure = Some(status);
        }
        Ok(())
    }

    async fn list(
        &self,
        workspace: &WorkspaceId,
        filter: &AuditFilter,
        page: &PageRequest,
    ) -> Result<Page<AuditEvent>, StoreError> {
        let events = self.0.lock();
        let own = events.iter().filter(|event| event.action.workspace == *workspace && filter.matches(event));
        let key = |event: &AuditEvent| Cursor { created: event.created, id: event.id.clone() };
        Ok(Page::paginate(own.cloned().collect(), page, key))
    }

    async fn delete_below(&self, end: &str, limit: u32) -> Result<u64, StoreError> {
        let mut events = self.0.lock();
        events.sort_by(|one, other| one.id.cmp(&other.id));
        let before = events.len();
        let mut left: HashMap<WorkspaceId, u32> = HashMap::new();
        events.retain(|event| {
            let left = left.entry(event.action.workspace.clone()).or_insert(limit);
            let is_old = event.id.as_str() < end && *left > 0;
            *left -= u32::from(is_old);
            !is_old
        });
        Ok((before - events.len()) as u64)
    }
}
