//! The port in memory, for tests and embedders. Nothing survives the process.

use std::sync::{Mutex, MutexGuard, PoisonError};

use async_trait::async_trait;
use gen_core::Usage;
use shared_core::{Scope, StoreError, Timestamp};

use crate::{
    DocumentRef, FinishedGroup, GroupOutcome, QueuedGroup, ResponseCursor, Run, RunId, RunPlan,
    RunRepository, RunState, StoredResponse,
};

/// Runs in memory. It knows of no agents: `Missing("agent")` never occurs.
#[derive(Debug, Default)]
pub struct MemoryRuns(Mutex<Vec<Row>>);

#[derive(Debug)]
struct Row {
    scope: Scope,
    run: Run,
    groups: Vec<(Vec<DocumentRef>, Option<GroupOutcome>)>,
}

impl MemoryRuns {
    fn rows(&self) -> MutexGuard<'_, Vec<Row>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn find<'a>(rows: &'a [Row], scope: &Scope, sid: RunId) -> Option<&'a Row> {
    rows.iter().find(|row| row.run.workspace == scope.workspace && row.run.sid == sid)
}

fn number(index: usize) -> u32 {
    u32::try_from(index).unwrap_or(u32::MAX)
}

#[async_trait]
impl RunRepository for MemoryRuns {
    async fn create(
        &self,
        scope: &Scope,
        plan: &RunPlan,
        groups: &[Vec<DocumentRef>],
        now: Timestamp,
    ) -> Result<Run, StoreError> {
        let mut rows = self.rows();
        let run = Run {
            sid: RunId(rows.last().map_or(1, |row| row.run.sid.0 + 1)),
            workspace: scope.workspace.clone(),
            plan: plan.clone(),
            state: RunState::Running,
            total: number(groups.len()),
            successful: 0,
            failed: 0,
            usage: Usage::default(),
            created: now,
            finished: None,
        };
        let groups = groups.iter().map(|documents| (documents.clone(), None)).collect();
        rows.push(Row { scope: scope.clone(), run: run.clone(), groups });
        Ok(run)
    }

    async fn find(&self, scope: &Scope, agent_id: &str, sid: RunId) -> Result<Option<Run>, StoreError> {
        let rows = self.rows();
        Ok(find(&rows, scope, sid).filter(|row| row.run.plan.agent_id == agent_id).map(|row| row.run.clone()))
    }

    async fn queued(
        &self,
        scope: &Scope,
        sid: RunId,
        from: u32,
        limit: u32,
    ) -> Result<Vec<QueuedGroup>, StoreError> {
        let rows = self.rows();
        let groups = find(&rows, scope, sid).map(|row| row.groups.as_slice()).unwrap_or_default();
        let open = groups
            .iter()
            .enumerate()
            .filter(|(index, (_, outcome))| number(*index) >= from && outcome.is_none());
        let queued = open.map(|(index, (documents, _))| QueuedGroup {
            index: number(index),
            documents: documents.clone(),
        });
        Ok(queued.take(limit as usize).collect())
    }

    async fn finished(
        &self,
        scope: &Scope,
        sid: RunId,
        from: u32,
        limit: u32,
    ) -> Result<Vec<FinishedGroup>, StoreError> {
        let rows = self.rows();
        let groups = find(&rows, scope, sid).map(|row| row.groups.as_slice()).unwrap_or_default();
        let done = groups.iter().enumerate().filter(|(index, _)| number(*index) >= from);
        let finished = done.filter_map(|(index, (_, outcome))| {
            Some(FinishedGroup { index: number(index), outcome: outcome.clone()? })
        });
        Ok(finished.take(limit as usize).collect())
    }

    async fn finish_group(
        &self,
        scope: &Scope,
        sid: RunId,
        index: u32,
        outcome: &GroupOutcome,
        now: Timestamp,
    ) -> Result<(), StoreError> {
        let mut rows = self.rows();
        let row = rows.iter_mut().find(|row| row.run.workspace == scope.workspace && row.run.sid == sid);
        let row = row.ok_or(StoreError::Stale)?;
        let group = row.groups.get_mut(index as usize).filter(|(_, outcome)| outcome.is_none());
        let (_, slot) = group.ok_or(StoreError::Stale)?;
        *slot = Some(outcome.clone());
        let run = &mut row.run;
        if outcome.response.is_some() {
            run.successful += 1
        } else {
            run.failed += 1
        }
        run.usage += outcome.usage;
        if run.successful + run.failed == run.total {
            run.state = RunState::Finished;
            run.finished = Some(now);
        }
        Ok(())
    }

    async fn unfinished(&self) -> Result<Vec<(Scope, Run)>, StoreError> {
        let rows = self.rows();
        let open = rows.iter().filter(|row| row.run.state == RunState::Running);
        Ok(open.map(|row| (row.scope.clone(), row.run.clone())).collect())
    }

    async fn responses(
        &self,
        scope: &Scope,
        agent_id: &str,
        sid: Option<RunId>,
        after: Option<ResponseCursor>,
        limit: u32,
    ) -> Result<Vec<StoredResponse>, StoreError> {
        let rows = self.rows();
        let mut all = Vec::new();
        for row in rows.iter().rev().filter(|row| row.run.workspace == scope.workspace) {
            let wanted = row.run.plan.agent_id == agent_id && sid.is_none_or(|sid| sid == row.run.sid);
            for (index, (_, outcome)) in row.groups.iter().enumerate().filter(|_| wanted) {
                if let Some(response) = outcome.as_ref().and_then(|outcome| outcome.response.clone()) {
                    all.push(StoredResponse { sid: row.run.sid, index: number(index), response });
                }
            }
        }
        let later = |one: &StoredResponse| {
            after.is_none_or(|seen| one.sid < seen.sid || (one.sid == seen.sid && one.index > seen.index))
        };
        Ok(all.into_iter().filter(later).take(limit as usize).collect())
    }

    async fn count_responses(
        &self,
        scope: &Scope,
        agent_id: &str,
        sid: Option<RunId>,
    ) -> Result<u64, StoreError> {
        Ok(self.responses(scope, agent_id, sid, None, u32::MAX).await?.len() as u64)
    }
}
