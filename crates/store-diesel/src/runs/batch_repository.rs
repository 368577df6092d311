//! The port of calls that wait for batches.

use async_trait::async_trait;
use delta_core::{
    BatchLease, BatchRepository, BatchStep, CallState, DeferredCall, GatheredCalls, GroupId, OpenBatch, RunId,
};
use forms_core::SavedAnswer;
use gen_core::{BatchRequest, Cost};
use shared_core::{Scope, StoreError, Timestamp, WorkspaceId};

use super::{DieselRuns, batches};

#[async_trait]
impl BatchRepository for DieselRuns {
    async fn calls(&self, scope: &Scope, group: GroupId) -> Result<Vec<(String, CallState)>, StoreError> {
        let workspace = scope.workspace.0.clone();
        self.0.query(move |connection| batches::list(connection, &workspace, group)).await
    }

    async fn defer_group(
        &self,
        scope: &Scope,
        group: GroupId,
        token: i64,
        calls: &[DeferredCall],
        times: (Timestamp, Timestamp),
    ) -> Result<(), StoreError> {
        let (workspace, calls) = (scope.workspace.0.clone(), calls.to_vec());
        let defer = move |connection: &mut _| {
            batches::defer_group(connection, &workspace, group, token, &calls, times)
        };
        self.0.write(defer).await
    }

    async fn save_read_answer(
        &self,
        scope: &Scope,
        group: GroupId,
        call: &str,
        answer: &SavedAnswer,
    ) -> Result<(), StoreError> {
        let (workspace, call, answer) = (scope.workspace.0.clone(), call.to_owned(), answer.clone());
        self.0
            .write(move |connection| batches::save_read(connection, &workspace, group, &call, &answer))
            .await
    }

    async fn forget_calls(&self, scope: &Scope, group: GroupId) -> Result<(), StoreError> {
        let workspace = scope.workspace.0.clone();
        self.0.write(move |connection| batches::forget(connection, &workspace, group)).await
    }

    async fn waiting_cost(&self, scope: &Scope, sid: RunId) -> Result<Cost, StoreError> {
        let workspace = scope.workspace.0.clone();
        self.0.read(move |connection| batches::waiting_cost(connection, &workspace, sid.0)).await
    }

    async fn open(&self, workspace: &WorkspaceId, sid: RunId) -> Result<Vec<OpenBatch>, StoreError> {
        let workspace = workspace.0.clone();
        self.0.read(move |connection| batches::open(connection, &workspace, sid.0)).await
    }

    async fn gathered(&self, workspace: &WorkspaceId, sid: RunId) -> Result<GatheredCalls, StoreError> {
        let workspace = workspace.0.clone();
        self.0.read(move |connection| batches::gathered(connection, &workspace, sid.0)).await
    }

    async fn seal(
        &self,
        lease: &BatchLease,
        (reference, model): (&str, &str),
        limits: (u32, u64),
        now: Timestamp,
    ) -> Result<(), StoreError> {
        let (lease, reference, model) = (lease.clone(), reference.to_owned(), model.to_owned());
        let seal =
            move |connection: &mut _| batches::seal(connection, &lease, (&reference, &model), limits, now);
        self.0.bulk().write(seal).await
    }

    async fn requests(
        &self,
        workspace: &WorkspaceId,
        sid: RunId,
        number: u32,
    ) -> Result<Vec<BatchRequest>, StoreError> {
        let workspace = workspace.0.clone();
        self.0.bulk().read(move |connection| batches::requests(connection, &workspace, sid.0, number)).await
    }

    async fn advance(
        &self,
        lease: &BatchLease,
        number: u32,
        step: &BatchStep,
        now: Timestamp,
    ) -> Result<(), StoreError> {
        let (lease, step) = (lease.clone(), step.clone());
        self.0.write(move |connection| batches::advance(connection, &lease, number, &step, now)).await
    }

    async fn close_batch(
        &self,
        lease: &BatchLease,
        number: u32,
        results: &[(u32, CallState)],
        rest: &CallState,
        now: Timestamp,
    ) -> Result<(), StoreError> {
        let (lease, results, rest) = (lease.clone(), results.to_vec(), rest.clone());
        let close =
            move |connection: &mut _| batches::close(connection, &lease, number, &results, &rest, now);
        self.0.bulk().write(close).await
    }

    async fn end_job(&self, lease: &BatchLease) -> Result<bool, StoreError> {
        let lease = lease.clone();
        self.0.write(move |connection| batches::end_job(connection, &lease)).await
    }
}
