//! The adapter of runs: groups, the jobs of open groups, and stored responses.

mod batch_backlog;
mod batch_repository;
mod batch_rows;
mod batches;
mod bulk;
mod calls;
mod create;
mod groups;
mod read;
mod responses;
mod reviews;
mod rows;

use async_trait::async_trait;
use delta_core::review::{NewReview, Review, ReviewFilter, ReviewRepository};
use delta_core::{
    CallAnswerRepository, DocumentRef, FinishedGroup, GroupId, GroupOutcome, GroupRepository, GroupStatus,
    ItemError, Response, ResponseCursor, ResponseRepository, Run, RunId, RunPlan, RunRepository,
    StoredResponse,
};
use forms_core::SavedAnswer;
use gen_core::Spend;
use shared_core::{Page, PageRequest, Revision, Scope, StoreError, Timestamp, WorkspaceId};

pub use self::batch_backlog::BatchBacklog;
pub(crate) use self::read::of_evaluation_set;
use self::responses::ResponsesQuery;
use crate::database::Database;
use crate::idempotency::effect;

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
        let rows = create::rows(scope, groups)?;
        let (scope, plan) = (scope.clone(), plan.clone());
        let create = move |connection: &mut _| create::create(connection, &scope, &plan, &rows, now);
        self.0.bulk().write_effect(create, |run| effect("run", [run.sid.0])).await
    }

    async fn find(&self, scope: &Scope, agent_id: &str, sid: RunId) -> Result<Option<Run>, StoreError> {
        let (scope, agent) = (scope.clone(), agent_id.to_owned());
        self.0.query(move |connection| read::find_run(connection, &scope, &agent, sid.0)).await
    }

    async fn load(&self, workspace: &WorkspaceId, sid: RunId) -> Result<Option<(Scope, Run)>, StoreError> {
        let workspace = workspace.0.clone();
        self.0.query(move |connection| read::load_run(connection, &workspace, sid.0)).await
    }

    async fn list(
        &self,
        scope: &Scope,
        agent_id: &str,
        label: Option<&str>,
        page: &PageRequest,
    ) -> Result<Page<Run>, StoreError> {
        let (workspace, agent, page) = (scope.workspace.0.clone(), agent_id.to_owned(), page.clone());
        let label = label.map(str::to_owned);
        self.0
            .read(move |connection| read::list(connection, &workspace, &agent, label.as_deref(), &page))
            .await
    }

    async fn close(
        &self,
        scope: &Scope,
        sid: RunId,
        error: &ItemError,
        held_too: bool,
        now: Timestamp,
    ) -> Result<Run, StoreError> {
        let (workspace, error) = (scope.workspace.0.clone(), error.clone());
        let close =
            move |connection: &mut _| bulk::close(connection, &workspace, sid.0, &error, held_too, now);
        self.0.bulk().write(close).await
    }

    async fn reopen(&self, scope: &Scope, sid: RunId, now: Timestamp) -> Result<(Run, u32), StoreError> {
        let workspace = scope.workspace.0.clone();
        let reopen = move |connection: &mut _| bulk::reopen(connection, &workspace, sid.0, now);
        self.0.bulk().write_effect(reopen, |(run, _)| effect("run", [run.sid.0])).await
    }
}

#[async_trait]
impl GroupRepository for DieselRuns {
    async fn documents(&self, scope: &Scope, group: GroupId) -> Result<Option<Vec<DocumentRef>>, StoreError> {
        let workspace = scope.workspace.0.clone();
        self.0.look_up(move |connection| read::documents(connection, &workspace, group)).await
    }

    async fn first_open(&self, scope: &Scope, sid: RunId, from: u32) -> Result<u32, StoreError> {
        let workspace = scope.workspace.0.clone();
        self.0.read(move |connection| read::first_open(connection, &workspace, sid.0, from)).await
    }

    async fn finished(
        &self,
        scope: &Scope,
        sid: RunId,
        from: u32,
        limit: u32,
    ) -> Result<Vec<FinishedGroup>, StoreError> {
        let workspace = scope.workspace.0.clone();
        self.0.read(move |connection| read::finished(connection, &workspace, sid.0, (from, limit))).await
    }

    async fn statuses(
        &self,
        scope: &Scope,
        sid: RunId,
        from: u32,
        limit: u32,
        now: Timestamp,
    ) -> Result<Vec<GroupStatus>, StoreError> {
        let workspace = scope.workspace.0.clone();
        let list =
            move |connection: &mut _| read::statuses(connection, &workspace, sid.0, (from, limit), now);
        self.0.read(list).await
    }

    async fn events(
        &self,
        scope: &Scope,
        sid: RunId,
        after: u64,
        limit: u32,
    ) -> Result<Vec<GroupStatus>, StoreError> {
        let workspace = scope.workspace.0.clone();
        self.0.read(move |connection| read::events(connection, &workspace, sid.0, after, limit)).await
    }

    async fn finish_group(
        &self,
        scope: &Scope,
        group: GroupId,
        token: i64,
        outcome: &GroupOutcome,
        now: Timestamp,
    ) -> Result<(), StoreError> {
        let (workspace, outcome) = (scope.workspace.0.clone(), outcome.clone());
        let finish =
            move |connection: &mut _| groups::finish(connection, &workspace, group, token, &outcome, now);
        self.0.write(finish).await
    }

    async fn record_failed_attempt(
        &self,
        scope: &Scope,
        group: GroupId,
        token: i64,
        (error, usage): (&ItemError, Spend),
        forget: bool,
    ) -> Result<(), StoreError> {
        let (workspace, error) = (scope.workspace.0.clone(), error.clone());
        let note = move |connection: &mut _| {
            groups::note_failed(connection, &workspace, group, token, (&error, usage), forget)
        };
        self.0.write(note).await
    }
}

#[async_trait]
impl CallAnswerRepository for DieselRuns {
    async fn find_answer(
        &self,
        scope: &Scope,
        group: GroupId,
        call: &str,
    ) -> Result<Option<SavedAnswer>, StoreError> {
        let (workspace, call) = (scope.workspace.0.clone(), call.to_owned());
        self.0.look_up(move |connection| calls::find(connection, &workspace, group, &call)).await
    }

    async fn save_answer(
        &self,
        scope: &Scope,
        group: GroupId,
        call: &str,
        answer: &SavedAnswer,
    ) -> Result<(), StoreError> {
        let (workspace, call, answer) = (scope.workspace.0.clone(), call.to_owned(), answer.clone());
        self.0.write(move |connection| calls::keep(connection, &workspace, group, &call, &answer)).await
    }
}

#[async_trait]
impl ResponseRepository for DieselRuns {
    async fn find_by_fingerprint(
        &self,
        scope: &Scope,
        fingerprint: &str,
    ) -> Result<Option<Response>, StoreError> {
        let (workspace, fingerprint) = (scope.workspace.0.clone(), fingerprint.to_owned());
        self.0
            .look_up(move |connection| responses::find_identical(connection, &workspace, &fingerprint))
            .await
    }

    async fn responses(
        &self,
        scope: &Scope,
        agent_id: &str,
        sid: Option<RunId>,
        after: Option<ResponseCursor>,
        (skip, limit): (u64, u32),
    ) -> Result<Vec<StoredResponse>, StoreError> {
        let (workspace, agent) = (scope.workspace.0.clone(), agent_id.to_owned());
        let list = move |connection: &mut _| {
            let kept = ResponsesQuery { workspace: &workspace, agent: &agent, only: sid.map(|sid| sid.0) };
            kept.page(connection, after, (skip, limit as usize))
        };
        self.0.bulk().read(list).await
    }

    async fn count_responses(
        &self,
        scope: &Scope,
        agent_id: &str,
        sid: Option<RunId>,
    ) -> Result<u64, StoreError> {
        let (workspace, agent) = (scope.workspace.0.clone(), agent_id.to_owned());
        let only = sid.map(|sid| sid.0);
        let count =
            move |connection: &mut _| responses::count_responses(connection, &workspace, &agent, only);
        self.0.bulk().read(count).await
    }
}

#[async_trait]
impl ReviewRepository for DieselRuns {
    async fn insert(
        &self,
        scope: &Scope,
        agent_id: &str,
        group: GroupId,
        reviews: &[NewReview],
        now: Timestamp,
    ) -> Result<u32, StoreError> {
        let (workspace, agent) = (scope.workspace.0.clone(), agent_id.to_owned());
        let reviews = reviews.to_vec();
        let insert =
            move |connection: &mut _| reviews::insert(connection, (&workspace, &agent), group, &reviews, now);
        self.0.write(insert).await
    }

    async fn find(&self, scope: &Scope, ids: &[String]) -> Result<Vec<Review>, StoreError> {
        let (workspace, ids) = (scope.workspace.0.clone(), ids.to_vec());
        self.0.look_up(move |connection| reviews::find(connection, &workspace, &ids)).await
    }

    async fn list(
        &self,
        scope: &Scope,
        filter: &ReviewFilter,
        page: &PageRequest,
    ) -> Result<Page<Review>, StoreError> {
        let (workspace, filter, page) = (scope.workspace.0.clone(), filter.clone(), page.clone());
        self.0.read(move |connection| reviews::list(connection, &workspace, &filter, &page)).await
    }

    async fn update(&self, scope: &Scope, changed: &[(Review, Revision)]) -> Result<(), StoreError> {
        let (workspace, changed) = (scope.workspace.0.clone(), changed.to_vec());
        let ids: Vec<String> = changed.iter().map(|(review, _)| review.about.id.clone()).collect();
        let update = move |connection: &mut _| reviews::update(connection, &workspace, &changed);
        self.0.write_effect(update, move |()| effect("review", &ids)).await
    }
}
