//! A store of runs whose groups cannot be stored at times.

use std::sync::Arc;
use std::sync::atomic::AtomicU32;

use async_trait::async_trait;
use delta_core::{
    DocumentRef, FinishedGroup, GroupId, GroupOutcome, GroupRepository, GroupStatus, ItemError, MemoryRuns,
    RunId,
};
use gen_core::Spend;
use shared_core::{Scope, StoreError, Timestamp};

use crate::kit::take_one;

/// Rejects a given number of outcomes.
#[derive(Debug)]
pub(crate) struct FullGroups {
    pub(crate) failures: AtomicU32,
    pub(crate) inner: Arc<MemoryRuns>,
}

#[async_trait]
impl GroupRepository for FullGroups {
    async fn documents(&self, scope: &Scope, group: GroupId) -> Result<Option<Vec<DocumentRef>>, StoreError> {
        self.inner.documents(scope, group).await
    }
    async fn first_open(&self, scope: &Scope, sid: RunId, from: u32) -> Result<u32, StoreError> {
        self.inner.first_open(scope, sid, from).await
    }
    async fn finished(
        &self,
        scope: &Scope,
        sid: RunId,
        from: u32,
        limit: u32,
    ) -> Result<Vec<FinishedGroup>, StoreError> {
        self.inner.finished(scope, sid, from, limit).await
    }
    async fn statuses(
        &self,
        scope: &Scope,
        sid: RunId,
        from: u32,
        limit: u32,
        now: Timestamp,
    ) -> Result<Vec<GroupStatus>, StoreError> {
        self.inner.statuses(scope, sid, from, limit, now).await
    }
    async fn events(
        &self,
        scope: &Scope,
        sid: RunId,
        after: u64,
        limit: u32,
    ) -> Result<Vec<GroupStatus>, StoreError> {
        self.inner.events(scope, sid, after, limit).await
    }
    async fn finish_group(
        &self,
        scope: &Scope,
        group: GroupId,
        token: i64,
        outcome: &GroupOutcome,
        now: Timestamp,
    ) -> Result<(), StoreError> {
        if take_one(&self.failures) {
            return Err(StoreError::Full);
        }
        self.inner.finish_group(scope, group, token, outcome, now).await
    }
    async fn record_failed_attempt(
        &self,
        scope: &Scope,
        group: GroupId,
        token: i64,
        failure: (&ItemError, Spend),
        forget: bool,
    ) -> Result<(), StoreError> {
        self.inner.record_failed_attempt(scope, group, token, failure, forget).await
    }
}
