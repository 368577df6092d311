//! A store of runs that can be full.

use std::sync::Arc;
use std::sync::atomic::AtomicU32;

use async_trait::async_trait;
use delta_core::{
    DocumentRef, FinishedGroup, GroupId, GroupOutcome, GroupStatus, ItemError, MemoryRuns, Response,
    ResponseCursor, Run, RunId, RunPlan, RunRepository, StoredResponse,
};
use forms_core::SavedAnswer;
use gen_core::Spend;
use jobs_core::MemoryJobs;
use shared_core::{Page, PageRequest, Scope, StoreError, Timestamp, WorkspaceId};

use crate::kit::take_one;

/// Rejects a given number of outcomes.
#[derive(Debug, Default)]
pub(crate) struct FullRuns {
    pub(crate) failures: AtomicU32,
    inner: MemoryRuns,
}

impl FullRuns {
    pub(crate) fn jobs(&self) -> Arc<MemoryJobs> {
        self.inner.jobs()
    }
}

#[async_trait]
impl RunRepository for FullRuns {
    async fn create(
        &self,
        scope: &Scope,
        plan: &RunPlan,
        groups: &[Vec<DocumentRef>],
        now: Timestamp,
    ) -> Result<Run, StoreError> {
        self.inner.create(scope, plan, groups, now).await
    }
    async fn find(&self, scope: &Scope, agent_id: &str, sid: RunId) -> Result<Option<Run>, StoreError> {
        self.inner.find(scope, agent_id, sid).await
    }
    async fn load(&self, workspace: &WorkspaceId, sid: RunId) -> Result<Option<(Scope, Run)>, StoreError> {
        self.inner.load(workspace, sid).await
    }
    async fn list(&self, scope: &Scope, agent_id: &str, page: &PageRequest) -> Result<Page<Run>, StoreError> {
        self.inner.list(scope, agent_id, page).await
    }
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
    async fn close(
        &self,
        scope: &Scope,
        sid: RunId,
        error: &ItemError,
        held_too: bool,
        now: Timestamp,
    ) -> Result<Run, StoreError> {
        self.inner.close(scope, sid, error, held_too, now).await
    }
    async fn reopen(&self, scope: &Scope, sid: RunId, now: Timestamp) -> Result<(Run, u32), StoreError> {
        self.inner.reopen(scope, sid, now).await
    }
    async fn find_by_fingerprint(
        &self,
        scope: &Scope,
        fingerprint: &str,
    ) -> Result<Option<Response>, StoreError> {
        self.inner.find_by_fingerprint(scope, fingerprint).await
    }
    async fn find_answer(
        &self,
        scope: &Scope,
        group: GroupId,
        call: &str,
    ) -> Result<Option<SavedAnswer>, StoreError> {
        self.inner.find_answer(scope, group, call).await
    }
    async fn save_answer(
        &self,
        scope: &Scope,
        group: GroupId,
        call: &str,
        answer: &SavedAnswer,
    ) -> Result<(), StoreError> {
        self.inner.save_answer(scope, group, call, answer).await
    }
    async fn responses(
        &self,
        scope: &Scope,
        agent_id: &str,
        sid: Option<RunId>,
        after: Option<ResponseCursor>,
        cut: (u64, u32),
    ) -> Result<Vec<StoredResponse>, StoreError> {
        self.inner.responses(scope, agent_id, sid, after, cut).await
    }
    async fn count_responses(
        &self,
        scope: &Scope,
        agent_id: &str,
        sid: Option<RunId>,
    ) -> Result<u64, StoreError> {
        self.inner.count_responses(scope, agent_id, sid).await
    }
}
