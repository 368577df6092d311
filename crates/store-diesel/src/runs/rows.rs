//! Rows of runs and groups, and their domain values.

use delta_core::{
    DocumentFailure, DocumentRef, ErrorClass, FinishedGroup, GroupState, GroupStatus, ItemError, Run, RunId,
    RunState, fail_all,
};
use diesel::Queryable;
use gen_core::{Cost, Spend, Usage};
use shared_core::{Scope, StoreError, Timestamp, UserId, WorkspaceId};

use crate::failure::corrupt;
use crate::rows::{count, from_json, optional_time, stored_count, time, to_json};

#[derive(Queryable)]
pub(super) struct RunRow {
    sid: i64,
    workspace: String,
    _agent: String,
    author: String,
    plan: String,
    state: String,
    total: i32,
    successful: i32,
    failed: i32,
    input_tokens: i64,
    output_tokens: i64,
    cached_tokens: i64,
    created: i64,
    finished: Option<i64>,
    reasoning_tokens: i64,
    stop: Option<String>,
    sequence: i64,
    cost: Option<i64>,
    _evaluation_set: Option<String>,
    _labels: String,
}

impl RunRow {
    pub(super) fn read(self) -> Result<(Scope, Run), StoreError> {
        let workspace = WorkspaceId(self.workspace);
        let run = Run {
            sid: RunId(self.sid),
            workspace: workspace.clone(),
            plan: from_json(&self.plan)?,
            state: run_state(&self.state)?,
            total: count(i64::from(self.total))?,
            successful: count(i64::from(self.successful))?,
            failed: count(i64::from(self.failed))?,
            usage: Usage {
                input_tokens: count(self.input_tokens)?,
                output_tokens: count(self.output_tokens)?,
                cached_tokens: count(self.cached_tokens)?,
                reasoning_tokens: count(self.reasoning_tokens)?,
            },
            cost: self.cost.map(count).transpose()?.map(Cost),
            created: time(self.created)?,
            finished: optional_time(self.finished)?,
            stop: self.stop.as_deref().map(from_json).transpose()?,
            sequence: count(self.sequence)?,
        };
        Ok((Scope { workspace, user: UserId(self.author) }, run))
    }
}

fn run_state(name: &str) -> Result<RunState, StoreError> {
    let found = RunState::ALL.into_iter().find(|state| state.name() == name);
    found.ok_or_else(|| corrupt(format!("'{name}' is no state of a run")))
}

/// Progress of a run: the columns that change with each of its groups.
#[derive(Clone, Debug)]
pub(super) struct Tally {
    pub(super) total: i32,
    pub(super) successful: i32,
    pub(super) failed: i32,
    pub(super) sequence: i64,
    pub(super) stop: Option<String>,
}

impl Tally {
    /// The state of a run with this tally, and when it ended.
    pub(super) fn state(&self, now: Timestamp) -> Result<(&'static str, Option<i64>), StoreError> {
        if self.successful + self.failed < self.total {
            return Ok((RunState::Running.name(), None));
        }
        let stop: Option<ItemError> = self.stop.as_deref().map(from_json).transpose()?;
        let class: Option<ErrorClass> = stop.map(|error| error.class);
        let (successful, failed) = (count(i64::from(self.successful))?, count(i64::from(self.failed))?);
        Ok((RunState::of_outcomes(successful, failed, class).name(), Some(now.micros())))
    }
}

/// `failures` of a group that was closed by a bulk operation: all its documents, with the group's own error.
pub(super) const ALL_FAILED: &str = "";

/// The columns read of a finished group.
#[derive(Queryable)]
pub(super) struct FinishedRow {
    pub(super) position: i32,
    documents: String,
    failures: String,
    error: Option<String>,
}

impl FinishedRow {
    /// `content` is its response, if it has one.
    pub(super) fn read(self, content: Option<String>) -> Result<FinishedGroup, StoreError> {
        let failures: Vec<DocumentFailure> = match (self.failures.as_str(), &self.error) {
            (ALL_FAILED, Some(error)) => {
                let documents: Vec<DocumentRef> = from_json(&self.documents)?;
                fail_all(&documents, &from_json(error)?)
            }
            (failures, _) => from_json(failures)?,
        };
        let response = content.as_deref().map(from_json).transpose()?;
        Ok(FinishedGroup { index: read_index(self.position)?, response, failures })
    }
}

/// The columns of a group's status.
#[derive(Queryable)]
pub(super) struct StatusRow {
    pub(super) position: i32,
    documents: String,
    token_usage: String,
    state: String,
    error: Option<String>,
    attempts: i32,
    sequence: Option<i64>,
}

impl StatusRow {
    pub(super) fn is_open(&self) -> bool {
        self.state == GroupState::Queued.name()
    }

    /// `job` is set for an open group: whether its job is leased, and its failed attempts.
    pub(super) fn read(self, job: Option<(bool, i32)>) -> Result<GroupStatus, StoreError> {
        let (held, failed) = job.unwrap_or((false, self.attempts));
        let (state, attempts) = match (group_state(&self.state)?, held) {
            (GroupState::Queued, true) => (GroupState::Running, failed.saturating_add(1)),
            (GroupState::Queued, false) => (GroupState::Queued, failed),
            (state, _) => (state, self.attempts),
        };
        let Spend { usage, cost } = from_json(&self.token_usage)?;
        Ok(GroupStatus {
            index: read_index(self.position)?,
            state,
            attempts: count(i64::from(attempts))?,
            error: self.error.as_deref().map(from_json).transpose()?,
            usage,
            cost,
            documents: from_json(&self.documents)?,
            sequence: self.sequence.map(count).transpose()?,
        })
    }
}

fn group_state(name: &str) -> Result<GroupState, StoreError> {
    let states = [GroupState::Queued, GroupState::Succeeded, GroupState::Failed];
    let found = states.into_iter().find(|state| state.name() == name);
    found.ok_or_else(|| corrupt(format!("'{name}' is no state of a group")))
}

/// The stored sum plus `more`, in its stored form.
pub(super) fn add_usage(stored: &str, more: Spend) -> Result<String, StoreError> {
    let mut sum: Spend = from_json(stored)?;
    sum += more;
    to_json(&sum)
}

/// Tokens of a usage in the order of a run's columns: input, output, cached, reasoning.
pub(super) fn tokens(usage: Usage) -> [i64; 4] {
    [usage.input_tokens, usage.output_tokens, usage.cached_tokens, usage.reasoning_tokens].map(stored_count)
}

/// Cost in the form of a run's column. An unknown cost makes the sum unknown.
pub(super) fn stored_cost(spent: Spend) -> Option<i64> {
    spent.cost.map(|cost| stored_count(cost.0))
}

pub(super) fn read_index(position: i32) -> Result<u32, StoreError> {
    count(i64::from(position))
}
