//! Runs, their groups, and the responses that are kept.

use async_trait::async_trait;
use delta_core::{
    DocumentFailure, DocumentRef, FinishedGroup, GroupOutcome, QueuedGroup, Response, ResponseCursor, Run,
    RunId, RunPlan, RunRepository, RunState, StoredResponse,
};
use diesel::{
    BoolExpressionMethods as _, ExpressionMethods as _, JoinOnDsl as _, NullableExpressionMethods as _,
    OptionalExtension as _, QueryDsl as _, Queryable, RunQueryDsl as _,
};
use gen_core::Usage;
use shared_core::{Scope, StoreError, Timestamp, UserId, WorkspaceId};

use crate::connection::AnyConnection;
use crate::database::Database;
use crate::failure::{Failure, corrupt, missing};
use crate::ids::last_id;
use crate::rows::{count, from_json, optional_time, stored_count, time, to_json};
use crate::schema::{responses, run_groups, runs};

/// Groups inserted by one statement on PostgreSQL; each takes seven of PostgreSQL's 65,535 parameters.
const INSERTED_TOGETHER: usize = 500;

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

#[derive(Queryable)]
struct RunRow {
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
    fn read(self) -> Result<(Scope, Run), StoreError> {
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
            },
            created: time(self.created)?,
            finished: optional_time(self.finished)?,
        };
        Ok((Scope { workspace, user: UserId(self.author) }, run))
    }
}

const RUNNING: &str = "running";
const FINISHED: &str = "finished";

#[derive(Clone, diesel::Insertable)]
#[diesel(table_name = run_groups)]
struct NewGroup {
    workspace: String,
    sid: i64,
    position: i32,
    documents: String,
    done: bool,
    failures: String,
    token_usage: String,
}

fn position(index: u32) -> i32 {
    i32::try_from(index).unwrap_or(i32::MAX)
}

fn insert_run(
    connection: &mut AnyConnection,
    scope: &Scope,
    plan: &RunPlan,
    total: usize,
    now: Timestamp,
) -> Result<i64, Failure> {
    diesel::insert_into(runs::table)
        .values((
            runs::workspace.eq(&scope.workspace.0),
            runs::agent.eq(&plan.agent_id),
            runs::author.eq(&scope.user.0),
            runs::plan.eq(to_json(plan)?),
            runs::state.eq(RUNNING),
            runs::total.eq(i32::try_from(total).unwrap_or(i32::MAX)),
            runs::successful.eq(0),
            runs::failed.eq(0),
            runs::input_tokens.eq(0_i64),
            runs::output_tokens.eq(0_i64),
            runs::cached_tokens.eq(0_i64),
            runs::created.eq(now.micros()),
        ))
        .execute(connection)
        .map_err(missing("agent"))?;
    last_id(connection)
}

fn insert_groups(connection: &mut AnyConnection, rows: &[NewGroup]) -> Result<(), Failure> {
    match connection {
        // Diesel wraps a batch in a transaction of its own on SQLite; there, rows are cheap one by one.
        AnyConnection::Sqlite(inner) => {
            for row in rows {
                diesel::insert_into(run_groups::table).values(row).execute(inner)?;
            }
        }
        AnyConnection::Postgres(inner) => {
            for part in rows.chunks(INSERTED_TOGETHER) {
                diesel::insert_into(run_groups::table).values(part).execute(inner)?;
            }
        }
    }
    Ok(())
}

fn find_run(
    connection: &mut AnyConnection,
    scope: &Scope,
    agent: &str,
    sid: i64,
) -> Result<Option<Run>, Failure> {
    let found = runs::table
        .filter(runs::workspace.eq(&scope.workspace.0).and(runs::agent.eq(agent)).and(runs::sid.eq(sid)))
        .first::<RunRow>(connection)
        .optional()?;
    Ok(found.map(|row| row.read().map(|(_, run)| run)).transpose()?)
}

/// Marks the group done; `Stale` when it was already, or is gone. Answers its run's agent.
fn mark_done(
    connection: &mut AnyConnection,
    scope: &Scope,
    (sid, index): (i64, u32),
    outcome: &GroupOutcome,
) -> Result<String, Failure> {
    let open = run_groups::table
        .filter(run_groups::workspace.eq(&scope.workspace.0).and(run_groups::sid.eq(sid)))
        .filter(run_groups::position.eq(position(index)).and(run_groups::done.eq(false)));
    let changed = diesel::update(open)
        .set((
            run_groups::done.eq(true),
            run_groups::failures.eq(to_json(&outcome.failures)?),
            run_groups::token_usage.eq(to_json(&outcome.usage)?),
        ))
        .execute(connection)?;
    if changed == 0 {
        return Err(StoreError::Stale.into());
    }
    let own = runs::table.filter(runs::workspace.eq(&scope.workspace.0).and(runs::sid.eq(sid)));
    Ok(own.select(runs::agent).first(connection)?)
}

fn insert_response(
    connection: &mut AnyConnection,
    scope: &Scope,
    agent: &str,
    (sid, index): (i64, u32),
    response: &Response,
) -> Result<(), Failure> {
    diesel::insert_into(responses::table)
        .values((
            responses::workspace.eq(&scope.workspace.0),
            responses::agent.eq(agent),
            responses::sid.eq(sid),
            responses::position.eq(position(index)),
            responses::gid.eq(&response.gid),
            responses::content.eq(to_json(response)?),
            responses::created.eq(response.created.micros()),
        ))
        .execute(connection)?;
    Ok(())
}

/// Counts the group in its run, and finishes the run with its last group.
fn count_in_run(
    connection: &mut AnyConnection,
    scope: &Scope,
    sid: i64,
    outcome: &GroupOutcome,
    now: Timestamp,
) -> Result<(), Failure> {
    let own = || runs::table.filter(runs::workspace.eq(&scope.workspace.0).and(runs::sid.eq(sid)));
    let succeeded = i32::from(outcome.response.is_some());
    diesel::update(own())
        .set((
            runs::successful.eq(runs::successful + succeeded),
            runs::failed.eq(runs::failed + (1 - succeeded)),
            runs::input_tokens.eq(runs::input_tokens + stored_count(outcome.usage.input_tokens)),
            runs::output_tokens.eq(runs::output_tokens + stored_count(outcome.usage.output_tokens)),
            runs::cached_tokens.eq(runs::cached_tokens + stored_count(outcome.usage.cached_tokens)),
        ))
        .execute(connection)?;
    diesel::update(own().filter((runs::successful + runs::failed).ge(runs::total)))
        .set((runs::state.eq(FINISHED), runs::finished.eq(Some(now.micros()))))
        .execute(connection)?;
    Ok(())
}

fn read_index(position: i32) -> Result<u32, StoreError> {
    count(i64::from(position))
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
            let mut query = responses::table
                .filter(responses::workspace.eq(&workspace).and(responses::agent.eq(&agent)))
                .order((responses::sid.desc(), responses::position.asc()))
                .limit(i64::from(limit))
                .select((responses::sid, responses::position, responses::content))
                .into_boxed();
            if let Some(sid) = sid {
                query = query.filter(responses::sid.eq(sid.0));
            }
            if let Some(seen) = after {
                let later = responses::sid.eq(seen.sid.0).and(responses::position.gt(position(seen.index)));
                query = query.filter(responses::sid.lt(seen.sid.0).or(later));
            }
            let rows: Vec<(i64, i32, String)> = query.load(connection)?;
            let read = |(sid, position, content): (i64, i32, String)| {
                Ok(StoredResponse {
                    sid: RunId(sid),
                    index: read_index(position)?,
                    response: from_json(&content)?,
                })
            };
            rows.into_iter().map(read).collect()
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
