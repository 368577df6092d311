//! The port of runs, groups and responses.

use std::fmt;

use async_trait::async_trait;
use forms_core::SavedAnswer;
use gen_core::Spend;
use shared_core::{Page, PageRequest, Scope, StoreError, Timestamp, WorkspaceId};

use crate::{
    DocumentRef, FinishedGroup, GroupOutcome, GroupStatus, ItemError, Response, Run, RunId, RunPlan,
    StoredResponse,
};

/// Where a walk through stored responses goes on: after this run and group. Runs newest first, groups
/// of a run in their order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ResponseCursor {
    /// The run of the last response seen.
    pub sid: RunId,
    /// Its group.
    pub index: u32,
}

/// A group of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct GroupId {
    /// The run.
    pub sid: RunId,
    /// Position in the request, from 0.
    pub index: u32,
}

/// Stores runs, groups and responses, and the jobs of open groups, in the queue [`QUEUE`](crate::QUEUE)
/// with the run's number as owner and the group's index as position. Implementations must pass
/// `run_repository_contract!`.
#[async_trait]
pub trait RunRepository: fmt::Debug + Send + Sync + 'static {
    /// Stores a run with its groups and their jobs in one unit and gives it its id. `Missing("agent")`.
    async fn create(
        &self,
        scope: &Scope,
        plan: &RunPlan,
        groups: &[Vec<DocumentRef>],
        now: Timestamp,
    ) -> Result<Run, StoreError>;
    /// The run, if it is of the agent with this internal id.
    async fn find(&self, scope: &Scope, agent_id: &str, sid: RunId) -> Result<Option<Run>, StoreError>;
    /// A run of the workspace, with the scope that it was started under.
    async fn load(&self, workspace: &WorkspaceId, sid: RunId) -> Result<Option<(Scope, Run)>, StoreError>;
    /// The runs of the agent, newest first. The cursor's id is the run's number.
    async fn list(&self, scope: &Scope, agent_id: &str, page: &PageRequest) -> Result<Page<Run>, StoreError>;
    /// The documents of a group that has no outcome yet.
    async fn documents(&self, scope: &Scope, group: GroupId) -> Result<Option<Vec<DocumentRef>>, StoreError>;
    /// The first group from `from` on that has no outcome; the number of groups when all have.
    async fn first_open(&self, scope: &Scope, sid: RunId, from: u32) -> Result<u32, StoreError>;
    /// Groups with an outcome, from index `from`, at most `limit`, in order.
    async fn finished(
        &self,
        scope: &Scope,
        sid: RunId,
        from: u32,
        limit: u32,
    ) -> Result<Vec<FinishedGroup>, StoreError>;
    /// What is known of the groups from index `from`, at most `limit`, in order. `now` tells leases that
    /// hold from those that ran out.
    async fn statuses(
        &self,
        scope: &Scope,
        sid: RunId,
        from: u32,
        limit: u32,
        now: Timestamp,
    ) -> Result<Vec<GroupStatus>, StoreError>;
    /// The groups that got their outcomes after the event `after`, at most `limit`, in the order of their
    /// events.
    async fn events(
        &self,
        scope: &Scope,
        sid: RunId,
        after: u64,
        limit: u32,
    ) -> Result<Vec<GroupStatus>, StoreError>;
    /// Stores a group's result, its spend and its state, ends its job, forgets its kept calls, gives it the
    /// run's next event and counts it in its run, in one unit; the last group ends the run, in the state
    /// that [`RunState::of_outcomes`](crate::RunState::of_outcomes) tells. `Stale` when `token` is not
    /// that of the group's job, or the group is gone.
    async fn finish_group(
        &self,
        scope: &Scope,
        group: GroupId,
        token: i64,
        outcome: &GroupOutcome,
        now: Timestamp,
    ) -> Result<(), StoreError>;
    /// Notes what a failed attempt spent and why it failed, on the group and, the spend, on its run; the
    /// group stays open. With `forget`, the calls kept for it are forgotten. `Stale` as above.
    async fn record_failed_attempt(
        &self,
        scope: &Scope,
        group: GroupId,
        token: i64,
        failure: (&ItemError, Spend),
        forget: bool,
    ) -> Result<(), StoreError>;
    /// Ends the open groups of a run with an error, in one unit, and notes it as why the run ended early,
    /// unless that is noted already; each gets an event. Groups whose jobs are under lease at `now` are left
    /// to their workers unless `held_too`. The run after it. `Stale` when it is over; `Missing("run")`.
    async fn close(
        &self,
        scope: &Scope,
        sid: RunId,
        error: &ItemError,
        held_too: bool,
        now: Timestamp,
    ) -> Result<Run, StoreError>;
    /// Puts the failed groups of a run back, with new jobs, in one unit. The run after it and how many
    /// they were; what was spent on them stays counted. `Missing("run")`.
    async fn reopen(&self, scope: &Scope, sid: RunId, now: Timestamp) -> Result<(Run, u32), StoreError>;
    /// The newest response in the workspace with this fingerprint.
    async fn find_by_fingerprint(
        &self,
        scope: &Scope,
        fingerprint: &str,
    ) -> Result<Option<Response>, StoreError>;
    /// The kept answer of a call that was made for the group.
    async fn find_answer(
        &self,
        scope: &Scope,
        group: GroupId,
        call: &str,
    ) -> Result<Option<SavedAnswer>, StoreError>;
    /// Keeps the answer of a call while the group is open; does nothing when it is not.
    async fn save_answer(
        &self,
        scope: &Scope,
        group: GroupId,
        call: &str,
        answer: &SavedAnswer,
    ) -> Result<(), StoreError>;
    /// Kept responses of the agent, of one run or of all, after `after`. `cut`: how many to pass over, and
    /// how many to give at the most.
    async fn responses(
        &self,
        scope: &Scope,
        agent_id: &str,
        sid: Option<RunId>,
        after: Option<ResponseCursor>,
        cut: (u64, u32),
    ) -> Result<Vec<StoredResponse>, StoreError>;
    /// How many responses the agent keeps, of one run or of all.
    async fn count_responses(
        &self,
        scope: &Scope,
        agent_id: &str,
        sid: Option<RunId>,
    ) -> Result<u64, StoreError>;
}
