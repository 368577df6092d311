//! The port of runs and responses.

use std::fmt;

use async_trait::async_trait;
use shared_core::{Scope, StoreError, Timestamp};

use crate::{DocumentRef, FinishedGroup, GroupOutcome, QueuedGroup, Run, RunId, RunPlan, StoredResponse};

/// Where a walk through stored responses goes on: after this run and group. Runs newest first, groups
/// of a run in their order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ResponseCursor {
    /// The run of the last response seen.
    pub sid: RunId,
    /// Its group.
    pub index: u32,
}

/// Stores runs, groups and responses. Implementations must pass `contract::run_repository!`.
#[async_trait]
pub trait RunRepository: fmt::Debug + Send + Sync + 'static {
    /// Stores a run with its groups in one unit and gives it its id. `Missing("agent")`.
    async fn create(
        &self,
        scope: &Scope,
        plan: &RunPlan,
        groups: &[Vec<DocumentRef>],
        now: Timestamp,
    ) -> Result<Run, StoreError>;
    /// The run, if it is of the agent with this internal id.
    async fn find(&self, scope: &Scope, agent_id: &str, sid: RunId) -> Result<Option<Run>, StoreError>;
    /// Groups without an outcome, from index `from`, at most `limit`, in order.
    async fn queued(
        &self,
        scope: &Scope,
        sid: RunId,
        from: u32,
        limit: u32,
    ) -> Result<Vec<QueuedGroup>, StoreError>;
    /// Groups with an outcome, from index `from`, at most `limit`, in order.
    async fn finished(
        &self,
        scope: &Scope,
        sid: RunId,
        from: u32,
        limit: u32,
    ) -> Result<Vec<FinishedGroup>, StoreError>;
    /// Stores a group's result, its spend and its state in one unit, and counts it in its run; the
    /// last group finishes the run. `Stale` when the group already has an outcome, or is gone.
    async fn finish_group(
        &self,
        scope: &Scope,
        sid: RunId,
        index: u32,
        outcome: &GroupOutcome,
        now: Timestamp,
    ) -> Result<(), StoreError>;
    /// Every run that still has groups to do, of all workspaces, oldest first, with the scope it was
    /// started under: to be taken up again after a restart.
    async fn unfinished(&self) -> Result<Vec<(Scope, Run)>, StoreError>;
    /// Kept responses of the agent, of one run or of all, after `after`, at most `limit`.
    async fn responses(
        &self,
        scope: &Scope,
        agent_id: &str,
        sid: Option<RunId>,
        after: Option<ResponseCursor>,
        limit: u32,
    ) -> Result<Vec<StoredResponse>, StoreError>;
    /// How many responses the agent keeps, of one run or of all.
    async fn count_responses(
        &self,
        scope: &Scope,
        agent_id: &str,
        sid: Option<RunId>,
    ) -> Result<u64, StoreError>;
}
