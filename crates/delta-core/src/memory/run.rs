//! A run in memory, with its groups.

use std::collections::HashMap;

use forms_core::SavedAnswer;
use gen_core::Spend;
use jobs_core::{Job, JobKey, MemoryJobs};
use shared_core::{Scope, Timestamp, WorkspaceId};

use crate::{DocumentRef, GroupOutcome, GroupState, GroupStatus, ItemError, QUEUE, Run, RunId, RunState};

#[derive(Debug)]
pub(super) struct MemoryRun {
    pub(super) scope: Scope,
    pub(super) run: Run,
    pub(super) groups: Vec<Group>,
}

#[derive(Debug, Default)]
pub(super) struct Group {
    pub(super) documents: Vec<DocumentRef>,
    pub(super) outcome: Option<GroupOutcome>,
    /// The error of the last attempt, while the group is open.
    pub(super) error: Option<ItemError>,
    pub(super) spent: Spend,
    pub(super) sequence: Option<u64>,
    pub(super) calls: HashMap<String, SavedAnswer>,
}

impl Group {
    /// Deletes the stored answers and returns their spend.
    pub(super) fn delete_calls(&mut self) -> Spend {
        let mut spent = Spend::default();
        self.calls.drain().for_each(|(_, answer)| spent += answer.spent());
        spent
    }
}

/// The job of a group.
pub(super) fn job(run: &Run, position: u32) -> Job {
    let priority = run.plan.settings.priority;
    Job { key: key(run.sid, position), workspace: run.workspace.clone(), priority }
}

pub(super) fn key(sid: RunId, position: u32) -> JobKey {
    JobKey { queue: QUEUE, owner: sid.0.to_string(), position }
}

pub(super) fn find<'a>(rows: &'a [MemoryRun], workspace: &WorkspaceId, sid: RunId) -> Option<&'a MemoryRun> {
    rows.iter().find(|row| row.run.workspace == *workspace && row.run.sid == sid)
}

pub(super) fn find_mut<'a>(
    rows: &'a mut [MemoryRun],
    scope: &Scope,
    sid: RunId,
) -> Option<&'a mut MemoryRun> {
    rows.iter_mut().find(|row| row.run.workspace == scope.workspace && row.run.sid == sid)
}

pub(super) fn number(index: usize) -> u32 {
    u32::try_from(index).unwrap_or(u32::MAX)
}

/// Adds to the spend of a run.
pub(super) fn add_spend(run: &mut Run, spent: Spend) {
    let mut sum = Spend { usage: run.usage, cost: run.cost };
    sum += spent;
    (run.usage, run.cost) = (sum.usage, sum.cost);
}

impl MemoryRun {
    /// Stores the outcome of a group and counts it in the run.
    pub(super) fn end(&mut self, index: u32, outcome: GroupOutcome, now: Timestamp) {
        let run = &mut self.run;
        let Some(group) = self.groups.get_mut(index as usize) else { return };
        run.sequence += 1;
        group.sequence = Some(run.sequence);
        let mut spent = group.delete_calls();
        spent += outcome.spent();
        group.spent += spent;
        group.error = None;
        add_spend(run, spent);
        match outcome.result {
            Ok(_) => run.successful += 1,
            Err(_) => run.failed += 1,
        }
        group.outcome = Some(outcome);
        if run.successful + run.failed == run.total {
            let stop = run.stop.as_ref().map(|error| error.class);
            run.state = RunState::of_outcomes(run.successful, run.failed, stop);
            run.finished = Some(now);
        }
    }

    pub(super) fn status(&self, jobs: &MemoryJobs, index: u32, now: Timestamp) -> Option<GroupStatus> {
        let group = self.groups.get(index as usize)?;
        let (held, failed) = jobs.status(&key(self.run.sid, index), now).unwrap_or_default();
        let (state, attempts) = match &group.outcome {
            Some(GroupOutcome { result: Ok(_), attempts, .. }) => (GroupState::Succeeded, *attempts),
            Some(GroupOutcome { result: Err(_), attempts, .. }) => (GroupState::Failed, *attempts),
            None if held => (GroupState::Running, failed + 1),
            None => (GroupState::Queued, failed),
        };
        let failed_with = group.outcome.as_ref().and_then(|outcome| outcome.result.as_ref().err());
        Some(GroupStatus {
            index,
            state,
            attempts,
            error: failed_with.cloned().or_else(|| group.error.clone()),
            usage: group.spent.usage,
            cost: group.spent.cost,
            documents: group.documents.clone(),
            sequence: group.sequence,
        })
    }
}
