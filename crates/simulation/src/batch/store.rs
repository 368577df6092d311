//! The store of runs as one process sees it.

use std::sync::Arc;

use async_trait::async_trait;
use delta_core::{
    CallAnswerRepository, DocumentRef, FinishedGroup, GroupId, GroupOutcome, GroupRepository, GroupStatus,
    ItemError, MemoryRuns, QUEUE, Response, ResponseCursor, ResponseRepository, Run, RunId, RunPlan,
    RunRepository, StoredResponse,
};
use forms_core::SavedAnswer;
use gen_core::Spend;
use jobs_core::{Job, JobKey, Priority};
use shared_core::{Page, PageRequest, Scope, StoreError, Timestamp, WorkspaceId};

use super::group_ledger::GroupLedger;
use crate::bug::PlantedBug;
use crate::faults::Connection;
use crate::queue::LeaseLedger;

/// The runs as one process sees them.
#[derive(Clone, Debug)]
pub(super) struct RunStore {
    pub(super) runs: Arc<MemoryRuns>,
    pub(super) ledger: Arc<LeaseLedger>,
    pub(super) groups: Arc<GroupLedger>,
    pub(super) connection: Connection,
    pub(super) bug: Option<PlantedBug>,
}

fn key(group: GroupId) -> JobKey {
    JobKey { queue: QUEUE, owner: group.sid.0.to_string(), position: group.index }
}

#[async_trait]
impl RunRepository for RunStore {
    async fn create(
        &self,
        scope: &Scope,
        plan: &RunPlan,
        groups: &[Vec<DocumentRef>],
        now: Timestamp,
    ) -> Result<Run, StoreError> {
        self.connection.write("run", self.runs.create(scope, plan, groups, now)).await
    }

    async fn find(&self, scope: &Scope, agent_id: &str, sid: RunId) -> Result<Option<Run>, StoreError> {
        self.connection.read("run", self.runs.find(scope, agent_id, sid)).await
    }

    async fn load(&self, workspace: &WorkspaceId, sid: RunId) -> Result<Option<(Scope, Run)>, StoreError> {
        self.connection.read("run", self.runs.load(workspace, sid)).await
    }

    async fn list(
        &self,
        scope: &Scope,
        agent_id: &str,
        label: Option<&str>,
        page: &PageRequest,
    ) -> Result<Page<Run>, StoreError> {
        self.connection.read("runs", self.runs.list(scope, agent_id, label, page)).await
    }

    async fn close(
        &self,
        scope: &Scope,
        sid: RunId,
        error: &ItemError,
        held_too: bool,
        now: Timestamp,
    ) -> Result<Run, StoreError> {
        let call = async {
            let run = self.runs.close(scope, sid, error, held_too, now).await?;
            self.connection.world().log(|| format!("{} closes run {}", self.connection.process().0, sid.0));
            if held_too {
                self.ledger.remove(&sid.0.to_string());
                self.groups.cancel(sid);
            }
            Ok(run)
        };
        self.connection.write("close", call).await
    }

    async fn reopen(&self, scope: &Scope, sid: RunId, now: Timestamp) -> Result<(Run, u32), StoreError> {
        let call = async {
            let opened = self.runs.reopen(scope, sid, now).await?;
            self.ledger.reopen(&sid.0.to_string());
            self.groups.reopen(sid);
            Ok(opened)
        };
        self.connection.write("reopening", call).await
    }
}

#[async_trait]
impl GroupRepository for RunStore {
    async fn documents(&self, scope: &Scope, group: GroupId) -> Result<Option<Vec<DocumentRef>>, StoreError> {
        self.connection.read("documents", self.runs.documents(scope, group)).await
    }

    async fn first_open(&self, scope: &Scope, sid: RunId, from: u32) -> Result<u32, StoreError> {
        self.connection.read("groups", self.runs.first_open(scope, sid, from)).await
    }

    async fn finished(
        &self,
        scope: &Scope,
        sid: RunId,
        from: u32,
        limit: u32,
    ) -> Result<Vec<FinishedGroup>, StoreError> {
        self.connection.read("groups", self.runs.finished(scope, sid, from, limit)).await
    }

    async fn statuses(
        &self,
        scope: &Scope,
        sid: RunId,
        from: u32,
        limit: u32,
        now: Timestamp,
    ) -> Result<Vec<GroupStatus>, StoreError> {
        self.connection.read("groups", self.runs.statuses(scope, sid, from, limit, now)).await
    }

    async fn events(
        &self,
        scope: &Scope,
        sid: RunId,
        after: u64,
        limit: u32,
    ) -> Result<Vec<GroupStatus>, StoreError> {
        self.connection.read("events", self.runs.events(scope, sid, after, limit)).await
    }

    async fn finish_group(
        &self,
        scope: &Scope,
        group: GroupId,
        token: i64,
        outcome: &GroupOutcome,
        now: Timestamp,
    ) -> Result<(), StoreError> {
        let call = async {
            self.runs.finish_group(scope, group, token, outcome, now).await?;
            self.ledger.end(self.connection.process(), &key(group), token);
            self.groups.end(group);
            if self.bug == Some(PlantedBug::JobWithoutEnd) {
                let job =
                    Job { key: key(group), workspace: scope.workspace.clone(), priority: Priority::Normal };
                self.runs.jobs().restart(job, now, token);
            }
            Ok(())
        };
        self.connection.write("outcome", call).await
    }

    async fn record_failed_attempt(
        &self,
        scope: &Scope,
        group: GroupId,
        token: i64,
        failure: (&ItemError, Spend),
        forget: bool,
    ) -> Result<(), StoreError> {
        let call = async {
            self.runs.record_failed_attempt(scope, group, token, failure, forget).await?;
            if forget {
                self.groups.forget(group);
            }
            Ok(())
        };
        self.connection.write("failed attempt", call).await
    }
}

#[async_trait]
impl CallAnswerRepository for RunStore {
    async fn find_answer(
        &self,
        scope: &Scope,
        group: GroupId,
        call_id: &str,
    ) -> Result<Option<SavedAnswer>, StoreError> {
        let call = async {
            let mut found = self.runs.find_answer(scope, group, call_id).await?;
            if self.bug == Some(PlantedBug::AnswersForgotten) {
                found = None;
            }
            self.groups.find(self.connection.process(), group, call_id, found.is_some());
            Ok(found)
        };
        self.connection.read("answer", call).await
    }

    async fn save_answer(
        &self,
        scope: &Scope,
        group: GroupId,
        call_id: &str,
        answer: &SavedAnswer,
    ) -> Result<(), StoreError> {
        let call = async {
            self.runs.save_answer(scope, group, call_id, answer).await?;
            self.groups.save(group, call_id);
            Ok(())
        };
        let told = self.connection.write("answer", call).await;
        self.groups.confirm_saved(self.connection.process(), group, call_id, &told);
        told
    }
}

#[async_trait]
impl ResponseRepository for RunStore {
    async fn find_by_fingerprint(
        &self,
        scope: &Scope,
        fingerprint: &str,
    ) -> Result<Option<Response>, StoreError> {
        self.connection.read("response", self.runs.find_by_fingerprint(scope, fingerprint)).await
    }

    async fn responses(
        &self,
        scope: &Scope,
        agent_id: &str,
        sid: Option<RunId>,
        after: Option<ResponseCursor>,
        cut: (u64, u32),
    ) -> Result<Vec<StoredResponse>, StoreError> {
        self.connection.read("responses", self.runs.responses(scope, agent_id, sid, after, cut)).await
    }

    async fn count_responses(
        &self,
        scope: &Scope,
        agent_id: &str,
        sid: Option<RunId>,
    ) -> Result<u64, StoreError> {
        self.connection.read("responses", self.runs.count_responses(scope, agent_id, sid)).await
    }
}
