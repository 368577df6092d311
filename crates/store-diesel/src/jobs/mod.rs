//! The adapter of the durable job queue.

mod backlog;
mod lanes;
mod rotation;
mod sql;
mod steps;

use std::convert::Infallible;
use std::sync::Arc;

use async_trait::async_trait;
use diesel::RunQueryDsl as _;
use jobs_core::{Claim, ClaimedJob, Job, JobKey, JobQueue, allocate_fairly};
use shared_core::{StoreError, Timestamp};

pub use self::backlog::JobBacklog;
use self::lanes::load_lanes;
use self::rotation::Rotation;
use self::sql::ClaimLock;
use self::steps::NewJob;
pub(crate) use self::steps::{
    delete_jobs_at, delete_owner_jobs, end, is_leased, make_due, put_back, put_new, reset_job,
};
use crate::connection::AnyConnection;
use crate::database::Database;
use crate::failure::Failure;
use crate::rows::position;

/// Jobs in the database. Clones share the rotation.
#[derive(Clone, Debug)]
pub struct DieselJobs {
    database: Database,
    turns: Arc<Rotation>,
}

/// A claim that can be sent to another thread.
#[derive(Clone, Debug)]
struct ClaimRequest {
    queue: &'static str,
    worker: String,
    now: i64,
    until: i64,
    count: u32,
    per_owner: u32,
    per_workspace: u32,
    owners: Option<Vec<String>>,
}

impl ClaimRequest {
    fn limits(&self) -> (u32, u32, u32) {
        (self.count, self.per_owner, self.per_workspace)
    }
}

impl DieselJobs {
    /// Uses `database`.
    #[must_use]
    pub fn new(database: Database) -> Self {
        Self { database: database.without_audit(), turns: Arc::default() }
    }

    /// Enqueues jobs, claimable from `ready` on, for owners that have no tables here. `Taken("job")` if one
    /// exists already; then none is enqueued.
    ///
    /// # Errors
    /// Those of the database.
    pub async fn put(&self, jobs: Vec<Job>, ready: Timestamp) -> Result<(), StoreError> {
        let new = |Job { key, workspace, priority }: Job| NewJob {
            queue: key.queue,
            position: position(key.position),
            owner: key.owner,
            workspace: workspace.0,
            ready: ready.micros(),
            token: 0,
            attempts: 0,
            interrupted: 0,
            priority: priority.rank(),
        };
        let rows: Vec<NewJob> = jobs.into_iter().map(new).collect();
        self.database.write(move |connection| steps::insert(connection, &rows)).await
    }
}

/// Whether a claim would find a job, as far as a read-only transaction can see.
fn has_claimable(
    connection: &mut AnyConnection,
    asked: &ClaimRequest,
    turns: &Rotation,
) -> Result<bool, Failure> {
    let found = load_lanes(connection, asked, turns)?;
    let any = |_: &_, count: u32| Ok::<_, Infallible>(vec![(); count as usize]);
    let mut turns = turns.priorities();
    let Ok(given) = allocate_fairly(found.lanes, &found.running, asked.limits(), &mut turns, any);
    Ok(!given.is_empty())
}

fn claim(
    connection: &mut AnyConnection,
    asked: &ClaimRequest,
    turns: &Rotation,
) -> Result<Vec<ClaimedJob>, Failure> {
    // Two concurrent counts of leased jobs would fill the same permits. SQLite has one writer.
    if let AnyConnection::Postgres(inner) = connection {
        ClaimLock { queue: asked.queue }.execute(inner)?;
    }
    let found = load_lanes(connection, asked, turns)?;
    let mut priorities = turns.priorities();
    let take = |lane: &_, count| steps::take(connection, asked, lane, count);
    let claimed = allocate_fairly(found.lanes, &found.running, asked.limits(), &mut priorities, take)?;
    turns.record_served(&claimed, priorities);
    Ok(claimed)
}

#[async_trait]
impl JobQueue for DieselJobs {
    async fn claim(&self, claim: &Claim<'_>) -> Result<Vec<ClaimedJob>, StoreError> {
        let asked = ClaimRequest {
            queue: claim.queue,
            worker: claim.worker.to_owned(),
            now: claim.now.micros(),
            until: claim.until.micros(),
            count: claim.count,
            per_owner: claim.per_owner,
            per_workspace: claim.per_workspace,
            owners: claim.owners.map(<[String]>::to_vec),
        };
        let (turns, looked) = (Arc::clone(&self.turns), asked.clone());
        let look = move |connection: &mut AnyConnection| has_claimable(connection, &looked, &turns);
        if !self.database.read(look).await? {
            return Ok(Vec::new());
        }
        let turns = Arc::clone(&self.turns);
        self.database.write(move |connection| self::claim(connection, &asked, &turns)).await
    }

    async fn renew(
        &self,
        queue: &'static str,
        worker: &str,
        until: Timestamp,
    ) -> Result<Vec<(JobKey, i64)>, StoreError> {
        let worker = worker.to_owned();
        self.database.write(move |connection| steps::renew(connection, queue, &worker, until.micros())).await
    }

    async fn requeue(
        &self,
        job: &JobKey,
        token: i64,
        ready: Timestamp,
        failed: bool,
    ) -> Result<(), StoreError> {
        let job = job.clone();
        self.database
            .write(move |connection| steps::put_back(connection, &job, token, ready.micros(), failed))
            .await
    }

    async fn defer(&self, queue: &'static str, owner: &str, ready: Timestamp) -> Result<(), StoreError> {
        let owner = owner.to_owned();
        self.database.write(move |connection| steps::defer(connection, queue, &owner, ready.micros())).await
    }

    async fn discard(&self, job: &JobKey, token: i64) -> Result<(), StoreError> {
        let job = job.clone();
        self.database.write(move |connection| steps::end(connection, &job, token)).await
    }

    async fn release_worker(
        &self,
        queue: &'static str,
        worker: &str,
        now: Timestamp,
    ) -> Result<u64, StoreError> {
        let worker = worker.to_owned();
        self.database
            .write(move |connection| steps::release_worker(connection, queue, &worker, now.micros()))
            .await
    }

    async fn expire_other_leases(
        &self,
        queue: &'static str,
        worker: &str,
        now: Timestamp,
    ) -> Result<u64, StoreError> {
        let worker = worker.to_owned();
        self.database
            .write(move |connection| steps::expire_other_leases(connection, queue, &worker, now.micros()))
            .await
    }

    async fn advance_due_times(
        &self,
        queue: &'static str,
        latest: Timestamp,
        now: Timestamp,
    ) -> Result<u64, StoreError> {
        let (latest, now) = (latest.micros(), now.micros());
        self.database.write(move |connection| steps::advance_due_times(connection, queue, latest, now)).await
    }
}
