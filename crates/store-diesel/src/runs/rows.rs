//! Rows of runs and groups, and what they mean.

use delta_core::{Run, RunId, RunState};
use diesel::Queryable;
use gen_core::Usage;
use shared_core::{Scope, StoreError, UserId, WorkspaceId};

use crate::failure::corrupt;
use crate::rows::{count, from_json, optional_time, time};
use crate::schema::run_groups;

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
}

impl RunRow {
    pub(super) fn read(self) -> Result<(Scope, Run), StoreError> {
        let state = match self.state.as_str() {
            RUNNING => RunState::Running,
            FINISHED => RunState::Finished,
            other => return Err(corrupt(format!("'{other}' is no state of a run"))),
        };
        let workspace = WorkspaceId(self.workspace);
        let run = Run {
            sid: RunId(self.sid),
            workspace: workspace.clone(),
            plan: from_json(&self.plan)?,
            state,
            total: count(i64::from(self.total))?,
            successful: count(i64::from(self.successful))?,
            failed: count(i64::from(self.failed))?,
            usage: Usage {
                input_tokens: count(self.input_tokens)?,
                output_tokens: count(self.output_tokens)?,
                cached_tokens: count(self.cached_tokens)?,
                ..Usage::default()
            },
            created: time(self.created)?,
            finished: optional_time(self.finished)?,
        };
        Ok((Scope { workspace, user: UserId(self.author) }, run))
    }
}

pub(super) const RUNNING: &str = "running";
pub(super) const FINISHED: &str = "finished";

#[derive(Clone, diesel::Insertable)]
#[diesel(table_name = run_groups)]
pub(super) struct NewGroup {
    pub(super) workspace: String,
    pub(super) sid: i64,
    pub(super) position: i32,
    pub(super) documents: String,
    pub(super) done: bool,
    pub(super) failures: String,
    pub(super) token_usage: String,
}

pub(super) fn position(index: u32) -> i32 {
    i32::try_from(index).unwrap_or(i32::MAX)
}

pub(super) fn read_index(position: i32) -> Result<u32, StoreError> {
    count(i64::from(position))
}
