//! Runs, their groups, and the responses that are kept.

mod kept;
mod rows;
mod steps;

use async_trait::async_trait;
use delta_core::{
    DocumentFailure, DocumentRef, FinishedGroup, GroupOutcome, QueuedGroup, Response, ResponseCursor, Run,
    RunId, RunPlan, RunRepository, StoredResponse,
};
use diesel::{
    BoolExpressionMethods as _, ExpressionMethods as _, JoinOnDsl as _, NullableExpressionMethods as _,
    QueryDsl as _, RunQueryDsl as _,
};
use gen_core::Usage;
use shared_core::{Scope, StoreError, Timestamp};

use self::kept::Kept;
use self::rows::{NewGroup, RUNNING, RunRow, position, read_index};
use self::steps::{count_in_run, find_run, insert_groups, insert_response, insert_run, mark_done};
use crate::connection::AnyConnection;
use crate::database::Database;
use crate::failure::{Failure, corrupt};
use crate::rows::{count, from_json, to_json};
use crate::schema::{responses, run_groups, runs};

/// Runs in the database.
#[derive(Clone, Debug)]
pub struct DieselRuns(Database);

impl DieselRuns {
    /// Uses `database`.
    #[must_use]
    pub fn new(database: Database) -> Self {
        Self(database)
    }
}

#[async_trait]
impl RunRepository for DieselRuns {
    async fn create(
        &self,
        scope: &Scope,
        plan: &RunPlan,
        groups: &[Vec<DocumentRef>],
        now: Timestamp,
    ) -> Result<Run, StoreError> {
        let (scope, plan) = (scope.clone(), plan.clone());
        let nothing_spent = to_json(&Usage::default())?;
        let mut rows = Vec::with_capacity(groups.len());
        for (index, documents) in groups.iter().enumerate() {
            rows.push(NewGroup {
                workspace: scope.workspace.0.clone(),
                sid: 0,
                position: i32::try_from(index).unwrap_or(i32::MAX),
                documents: to_json(documents)?,
                done: false,
                failures: "[]".to_owned(),
                token_usage: nothing_spent.clone(),
            });
        }
        let create = move |connection: &mut AnyConnection| {
            let sid = insert_run(connection, &scope, &plan, rows.len(), now)?;
            let mut rows = rows.clone();
            rows.iter_mut().for_each(|row| row.sid = sid);
            insert_groups(connection, &rows)?;
            find_run(connection, &scope, &plan.agent_id, sid)?
                .ok_or_else(|| corrupt("the run is gone").into())
        };
        self.0.write(create).await
    }

    async fn find(&self, scope: &Scope, agent_id: &str, sid: RunId) -> Result<Option<Run>, StoreError> {
        let (scope, agent) = (scope.clone(), agent_id.to_owned());
        self.0.read(move |connection| find_run(connection, &scope, &agent, sid.0)).await
    }

    async fn queued(
        &self,
        scope: &Scope,
        sid: RunId,
        from: u32,
        limit: u32,
    ) -> Result<Vec<QueuedGroup>, StoreError> {
        let workspace = scope.workspace.0.clone();
        let list = move |connection: &mut AnyConnection| {
            let rows: Vec<(i32, String)> = run_groups::table
                .filter(run_groups::workspace.eq(&workspace).and(run_groups::sid.eq(sid.0)))
                .filter(run_groups::position.ge(position(from)).and(run_groups::done.eq(false)))
                .order(run_groups::position)
                .limit(i64::from(limit))
                .select((run_groups::position, run_groups::documents))
                .load(connection)?;
            let read = |(position, documents): (i32, String)| {
                Ok(QueuedGroup { index: read_index(position)?, documents: from_json(&documents)? })
            };
            rows.into_iter().map(read).collect()
        };
        self.0.read(list).await
    }

    async fn finished(
        &self,
        scope: &Scope,
        sid: RunId,
        from: u32,
        limit: u32,
    ) -> Result<Vec<FinishedGroup>, StoreError> {
        let workspace = scope.workspace.0.clone();
        let list = move |connection: &mut AnyConnection| {
            let same_group = responses::workspace
                .eq(run_groups::workspace)
                .and(responses::sid.eq(run_groups::sid))
                .and(responses::position.eq(run_groups::position));
            let rows: Vec<(i32, String, String, Option<String>)> = run_groups::table
                .left_join(responses::table.on(same_group))
                .filter(run_groups::workspace.eq(&workspace).and(run_groups::sid.eq(sid.0)))
                .filter(run_groups::position.ge(position(from)).and(run_groups::done.eq(true)))
                .order(run_groups::position)
                .limit(i64::from(limit))
                .select((
                    run_groups::position,
                    run_groups::failures,
                    run_groups::token_usage,
                    responses::content.nullable(),
                ))
                .load(connection)?;
            let read = |(position, failures, usage, content): (i32, String, String, Option<String>)| {
                let failures: Vec<DocumentFailure> = from_json(&failures)?;
                let response: Option<Response> = content.as_deref().map(from_json).transpose()?;
                let outcome = GroupOutcome { response, failures, usage: from_json(&usage)? };
                Ok(FinishedGroup { index: read_index(position)?, outcome })
            };
            rows.into_iter().map(read).collect()
        };
        self.0.read(list).await
    }

    async fn finish_group(
        &self,
        scope: &Scope,
        sid: RunId,
        index: u32,
        outcome: &GroupOutcome,
        now: Timestamp,
    ) -> Result<(), StoreError> {
        let (scope, outcome) = (scope.clone(), outcome.clone());
        let finish = move |connection: &mut AnyConnection| {
            let agent = mark_done(connection, &scope, (sid.0, index), &outcome)?;
            if let Some(response) = &outcome.response {
                insert_response(connection, &scope, &agent, (sid.0, index), response)?;
            }
            count_in_run(connection, &scope, sid.0, &outcome, now)
        };
        self.0.write(finish).await
    }

    async fn unfinished(&self) -> Result<Vec<(Scope, Run)>, StoreError> {
        let list = |connection: &mut AnyConnection| {
            let rows: Vec<RunRow> =
                runs::table.filter(runs::state.eq(RUNNING)).order(runs::sid).load(connection)?;
            rows.into_iter().map(|row| row.read().map_err(Failure::from)).collect()
        };
        self.0.read(list).await
    }

    async fn responses(
        &self,
        scope: &Scope,
        agent_id: &str,
        sid: Option<RunId>,
        after: Option<ResponseCursor>,
        limit: u32,
    ) -> Result<Vec<StoredResponse>, StoreError> {
        let (workspace, agent) = (scope.workspace.0.clone(), agent_id.to_owned());
        let list = move |connection: &mut AnyConnection| {
            let kept = Kept { workspace: &workspace, agent: &agent, only: sid.map(|sid| sid.0) };
            kept.page(connection, after, limit as usize)
        };
        self.0.read(list).await
    }

    async fn count_responses(
        &self,
        scope: &Scope,
        agent_id: &str,
        sid: Option<RunId>,
    ) -> Result<u64, StoreError> {
        let (workspace, agent) = (scope.workspace.0.clone(), agent_id.to_owned());
        let total = move |connection: &mut AnyConnection| {
            let mut query = responses::table
                .filter(responses::workspace.eq(&workspace).and(responses::agent.eq(&agent)))
                .count()
                .into_boxed();
            if let Some(sid) = sid {
                query = query.filter(responses::sid.eq(sid.0));
            }
            Ok(count(query.get_result::<i64>(connection)?)?)
        };
        self.0.read(total).await
    }
}
