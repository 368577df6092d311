//! The port of the audit log.

use std::fmt;

use async_trait::async_trait;
use shared_core::{Page, PageRequest, StoreError, WorkspaceId};

use super::{AuditEvent, AuditFilter};

/// Stores the audit log. Implementations must pass `audit_repository_contract!`. The events of requests that store
/// something are stored by the adapter itself, in the transactions of what they store.
#[async_trait]
pub trait AuditRepository: fmt::Debug + Send + Sync + 'static {
    /// Stores an event. `Missing("workspace")`.
    async fn insert(&self, event: &AuditEvent) -> Result<(), StoreError>;
    /// Notes the status of a request that failed after it stored something.
    async fn set_failure(&self, workspace: &WorkspaceId, id: &str, status: u16) -> Result<(), StoreError>;
    /// A page of the events of a workspace, in the order of their ids, the highest first.
    async fn list(
        &self,
        workspace: &WorkspaceId,
        filter: &AuditFilter,
        page: &PageRequest,
    ) -> Result<Page<AuditEvent>, StoreError>;
    /// Deletes events with ids below `end`, of each workspace at most `limit`, the lowest first. Returns how many.
    async fn delete_below(&self, end: &str, limit: u32) -> Result<u64, StoreError>;
}
