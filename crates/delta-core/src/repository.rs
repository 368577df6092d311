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

/// The position in a traversal of stored responses: after this run and group. Runs are newest first, groups
/// of a run in order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ResponseCursor {
    /// The run of the last response returned.
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
    /// Stores a run with its groups and their jobs in one transaction and assigns its id. `Missing("agent")`.
    async fn create(
        &self,
        scope: &Scope,
        plan: &RunPlan,
        groups: &[Vec<DocumentRef>],
        now: Timestamp,
    ) -> Result<Run, StoreError>;
    /// The run, if it belongs to the agent with this internal id.
    async fn find(&self, scope: &Scope, agent_id: &str, sid: RunId) -> Result<Option<Run>, StoreError>;
    /// A run of the workspace, with the scope under which it was started.
    async fn load(&self, workspace: &WorkspaceId, sid: RunId) -> Result<Option<(Scope, Run)>, StoreError>;
    /// The runs of the agent, newest first. The cursor's id is the run's number.
    async fn list(
        &self,
        scope: &Scope,
        agent_id: &str,
        label: Option<&str>,
        page: &PageRequest,
    ) -> Result<Page<Run>, StoreError>;
    /// In one transaction: ends the open groups of a run with an error, each with an event, and records the
    /// error as the reason for the early end unless there is one already. Groups under lease at `now` are
    /// left to their workers unless `held_too`. Returns the updated run. `Stale` when it is over;
    /// `Missing("run")`.
    async fn close(
        &self,
        scope: &Scope,
        sid: RunId,
        error: &ItemError,
        held_too: bool,
        now: Timestamp,
    ) -> Result<Run, StoreError>;
    /// Reopens the failed groups of a run with new jobs, in one transaction; their earlier spend stays
    /// counted. A token of an earlier job is not valid for the new one. Returns the updated run and the number of
    /// reopened groups. `Missing("run")`.
    async fn reopen(&self, scope: &Scope, sid: RunId, now: Timestamp) -> Result<(Run, u32), StoreError>;
}

/// Reads the groups of runs, and stores their outcomes.
#[async_trait]
pub trait GroupRepository: fmt::Debug + Send + Sync + 'static {
    /// The documents of a group; `None` when it has an outcome.
    async fn documents(&self, scope: &Scope, group: GroupId) -> Result<Option<Vec<DocumentRef>>, StoreError>;
    /// The first group at or after `from` without an outcome; the number of groups when all have one.
    async fn first_open(&self, scope: &Scope, sid: RunId, from: u32) -> Result<u32, StoreError>;
    /// Groups with an outcome, from index `from`, at most `limit`, in order.
    async fn finished(
        &self,
        scope: &Scope,
        sid: RunId,
        from: u32,
        limit: u32,
    ) -> Result<Vec<FinishedGroup>, StoreError>;
    /// The status of the groups from index `from`, at most `limit`, in order. `now` decides which leases have
    /// expired.
    async fn statuses(
        &self,
        scope: &Scope,
        sid: RunId,
        from: u32,
        limit: u32,
        now: Timestamp,
    ) -> Result<Vec<GroupStatus>, StoreError>;
    /// The groups whose outcome has an event after `after`, at most `limit`, in the order of their events.
    async fn events(
        &self,
        scope: &Scope,
        sid: RunId,
        after: u64,
        limit: u32,
    ) -> Result<Vec<GroupStatus>, StoreError>;
    /// In one transaction: stores a group's result, spend and state, ends its job, deletes its stored
    /// answers, assigns the run's next event number, and counts the group in its run. The last group ends the
    /// run in the state of [`RunState::of_outcomes`](crate::RunState::of_outcomes). `Stale` when `token` is
    /// not the current token of the group's job, or the group does not exist.
    async fn finish_group(
        &self,
        scope: &Scope,
        group: GroupId,
        token: i64,
        outcome: &GroupOutcome,
        now: Timestamp,
    ) -> Result<(), StoreError>;
    /// Records the error and spend of a failed attempt on the group, and the spend on its run; the group
    /// stays open. With `forget`, its stored answers are deleted. `Stale` as above.
    async fn record_failed_attempt(
        &self,
        scope: &Scope,
        group: GroupId,
        token: i64,
        failure: (&ItemError, Spend),
        forget: bool,
    ) -> Result<(), StoreError>;
}

/// The model answers of open groups: an attempt after a crash reuses what was paid.
#[async_trait]
pub trait CallAnswerRepository: fmt::Debug + Send + Sync + 'static {
    /// The stored answer of a call of the group; `None` on a miss.
    async fn find_answer(
        &self,
        scope: &Scope,
        group: GroupId,
        call: &str,
    ) -> Result<Option<SavedAnswer>, StoreError>;
    /// Stores the answer of a call while the group is open; otherwise does nothing.
    async fn save_answer(
        &self,
        scope: &Scope,
        group: GroupId,
        call: &str,
        answer: &SavedAnswer,
    ) -> Result<(), StoreError>;
}

/// Reads the stored responses of runs.
#[async_trait]
pub trait ResponseRepository: fmt::Debug + Send + Sync + 'static {
    /// The newest response in the workspace with this fingerprint; `None` on a miss.
    async fn find_by_fingerprint(
        &self,
        scope: &Scope,
        fingerprint: &str,
    ) -> Result<Option<Response>, StoreError>;
    /// Stored responses of the agent, of one run or of all, after `after`. `cut`: how many to skip, and how
    /// many to return at most.
    async fn responses(
        &self,
        scope: &Scope,
        agent_id: &str,
        sid: Option<RunId>,
        after: Option<ResponseCursor>,
        cut: (u64, u32),
    ) -> Result<Vec<StoredResponse>, StoreError>;
    /// The number of stored responses of the agent, of one run or of all.
    async fn count_responses(
        &self,
        scope: &Scope,
        agent_id: &str,
        sid: Option<RunId>,
    ) -> Result<u64, StoreError>;
}
