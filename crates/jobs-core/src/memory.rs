//! The port in memory, for tests and embedders, and for memory stores that own jobs.

use std::collections::{BTreeMap, HashMap, HashSet};

use async_trait::async_trait;
use parking_lot::{Mutex, MutexGuard};
use shared_core::{StoreError, Timestamp, WorkspaceId};

use crate::{Claim, ClaimedJob, Job, JobKey, JobQueue, Lane, Priority, PriorityTurns, allocate_fairly};

/// Jobs in memory.
#[derive(Debug, Default)]
pub struct MemoryJobs {
    rows: Mutex<BTreeMap<JobKey, Row>>,
    served: Mutex<LastServed>,
    turns: Mutex<PriorityTurns>,
}

/// The owners served last: of all, and of each priority of a workspace. Among equals, those after it come first.
#[derive(Debug, Default)]
struct LastServed {
    owner: String,
    owners: HashMap<(WorkspaceId, Priority), String>,
}

impl LastServed {
    fn sort(&self, lanes: &mut [Lane]) {
        let next = lanes.iter().position(|lane| lane.owner > self.owner).unwrap_or_default();
        lanes.rotate_left(next);
        let of = |lane: &Lane| (lane.workspace.clone(), lane.priority);
        let mut first = HashMap::new();
        for (index, lane) in lanes.iter().enumerate() {
            first.entry(of(lane)).or_insert(index);
        }
        lanes.sort_by_cached_key(|lane| {
            let is_served = self.owners.get(&of(lane)).is_some_and(|last| lane.owner <= *last);
            (first.get(&of(lane)).copied(), is_served, lane.owner.clone())
        });
    }

    fn record(&mut self, claimed: &[ClaimedJob]) {
        for ClaimedJob { job, .. } in claimed {
            self.owner.clone_from(&job.key.owner);
            self.owners.insert((job.workspace.clone(), job.priority), job.key.owner.clone());
        }
    }
}

#[derive(Clone, Debug)]
struct Row {
    workspace: WorkspaceId,
    priority: Priority,
    /// When it can be claimed: when it is due, or when its lease expires.
    ready: Timestamp,
    worker: Option<String>,
    token: i64,
    attempts: u32,
    interrupted: u32,
}

impl Row {
    /// A row that is due at `ready`.
    fn new(workspace: WorkspaceId, priority: Priority, ready: Timestamp, token: i64) -> Self {
        Self { workspace, priority, ready, worker: None, token, attempts: 0, interrupted: 0 }
    }

    fn is_held(&self, now: Timestamp) -> bool {
        self.worker.is_some() && self.ready > now
    }

    fn is_held_by(&self, worker: &str, now: Timestamp) -> bool {
        self.worker.as_deref() == Some(worker) && self.ready > now
    }

    fn is_ready(&self, now: Timestamp) -> bool {
        self.ready <= now
    }
}

impl MemoryJobs {
    fn rows(&self) -> MutexGuard<'_, BTreeMap<JobKey, Row>> {
        self.rows.lock()
    }

    /// Enqueues jobs that are due at `ready`.
    pub fn put(&self, jobs: impl IntoIterator<Item = Job>, ready: Timestamp) {
        let row = |job: Job| (job.key, Row::new(job.workspace, job.priority, ready, 0));
        self.rows().extend(jobs.into_iter().map(row));
    }

    /// Enqueues a job with a fencing token above `token`. A job that exists already starts over, and its
    /// current worker loses it.
    pub fn restart(&self, job: Job, ready: Timestamp, token: i64) {
        let mut rows = self.rows();
        let token = rows.get(&job.key).map_or(token, |row| row.token) + 1;
        rows.insert(job.key, Row::new(job.workspace, job.priority, ready, token));
    }

    /// Removes jobs, also those under lease.
    pub fn remove_all<'a>(&self, keys: impl IntoIterator<Item = &'a JobKey>) {
        let mut rows = self.rows();
        for key in keys {
            rows.remove(key);
        }
    }

    /// Ends a job: `true` when the token was current.
    #[must_use]
    pub fn end(&self, key: &JobKey, token: i64) -> bool {
        let mut rows = self.rows();
        let own = rows.get(key).is_some_and(|row| row.token == token);
        own && rows.remove(key).is_some()
    }

    /// Removes the jobs of an owner; with `held_too`, also those under lease. Returns their positions.
    pub fn remove(&self, queue: &'static str, owner: &str, held_too: bool, now: Timestamp) -> Vec<u32> {
        let mut removed = Vec::new();
        self.rows().retain(|key, row| {
            let goes = key.queue == queue && key.owner == owner && (held_too || !row.is_held(now));
            if goes {
                removed.push(key.position);
            }
            !goes
        });
        removed
    }

    /// Whether the job is under lease, and its failed attempts; `None` when there is no such job.
    #[must_use]
    pub fn status(&self, key: &JobKey, now: Timestamp) -> Option<(bool, u32)> {
        self.rows().get(key).map(|row| (row.is_held(now), row.attempts))
    }

    /// Requeues a job, due at `ready`, as [`JobQueue::requeue`] does without a failed attempt.
    ///
    /// # Errors
    /// `Stale` when the token is not current.
    pub fn put_back(&self, key: &JobKey, token: i64, ready: Timestamp) -> Result<(), StoreError> {
        self.change(key, token, |row| {
            row.worker = None;
            row.ready = ready;
        })
    }

    /// Makes a job due that no worker has.
    pub fn make_due(&self, key: &JobKey, now: Timestamp) {
        if let Some(row) = self.rows().get_mut(key).filter(|row| row.worker.is_none()) {
            row.ready = row.ready.min(now);
        }
    }

    /// Whether the token is current.
    #[must_use]
    pub fn has_token(&self, key: &JobKey, token: i64) -> bool {
        self.rows().get(key).is_some_and(|row| row.token == token)
    }

    fn change(&self, key: &JobKey, token: i64, change: impl FnOnce(&mut Row)) -> Result<(), StoreError> {
        let mut rows = self.rows();
        let row = rows.get_mut(key).filter(|row| row.token == token).ok_or(StoreError::Stale)?;
        change(row);
        Ok(())
    }
}

fn lanes(
    rows: &BTreeMap<JobKey, Row>,
    &Claim { queue, worker, now, owners, .. }: &Claim<'_>,
) -> (Vec<Lane>, HashMap<WorkspaceId, u32>) {
    let (mut lanes, mut busy): (Vec<Lane>, HashMap<WorkspaceId, u32>) = Default::default();
    let mut ready = HashSet::new();
    for (key, row) in rows.iter().filter(|(key, _)| key.queue == queue) {
        if row.is_ready(now) {
            ready.insert(&key.owner);
        }
        if lanes.last().is_none_or(|lane| lane.owner != key.owner) {
            let (workspace, owner) = (row.workspace.clone(), key.owner.clone());
            lanes.push(Lane { workspace, owner, priority: row.priority, running: 0 });
        }
        if let Some(lane) = lanes.last_mut().filter(|_| row.is_held_by(worker, now)) {
            lane.running += 1;
            *busy.entry(row.workspace.clone()).or_default() += 1;
        }
    }
    // One without ready jobs takes no turn of its priority.
    lanes.retain(|lane| {
        ready.contains(&lane.owner) && owners.is_none_or(|owners| owners.contains(&lane.owner))
    });
    (lanes, busy)
}

#[async_trait]
impl JobQueue for MemoryJobs {
    async fn claim(&self, claim: &Claim<'_>) -> Result<Vec<ClaimedJob>, StoreError> {
        let mut rows = self.rows();
        let (mut lanes, busy) = lanes(&rows, claim);
        let mut served = self.served.lock();
        served.sort(&mut lanes);
        let limits = (claim.count, claim.per_owner, claim.per_workspace);
        let claimed: Result<Vec<ClaimedJob>, StoreError> =
            allocate_fairly(lanes, &busy, limits, &mut self.turns.lock(), |lane, count| {
                let own = |key: &JobKey| key.queue == claim.queue && key.owner == lane.owner;
                let mut ready: Vec<(&JobKey, &mut Row)> =
                    rows.iter_mut().filter(|(key, row)| own(key) && row.is_ready(claim.now)).collect();
                ready.sort_by_key(|(key, row)| (row.ready, key.position));
                Ok(ready
                    .into_iter()
                    .take(count as usize)
                    .map(|(key, row)| claim_row(key, row, claim))
                    .collect())
            });
        if let Ok(claimed) = &claimed {
            served.record(claimed);
        }
        claimed
    }

    async fn renew(
        &self,
        queue: &'static str,
        worker: &str,
        until: Timestamp,
    ) -> Result<Vec<(JobKey, i64)>, StoreError> {
        let mut held = Vec::new();
        for (key, row) in self.rows().iter_mut().filter(|(key, _)| key.queue == queue) {
            if row.worker.as_deref() == Some(worker) {
                row.ready = until;
                held.push((key.clone(), row.token));
            }
        }
        Ok(held)
    }

    async fn requeue(
        &self,
        job: &JobKey,
        token: i64,
        ready: Timestamp,
        failed: bool,
    ) -> Result<(), StoreError> {
        self.change(job, token, |row| {
            row.worker = None;
            row.ready = ready;
            row.attempts += u32::from(failed);
        })
    }

    async fn defer(&self, queue: &'static str, owner: &str, ready: Timestamp) -> Result<(), StoreError> {
        let own = |key: &JobKey| key.queue == queue && key.owner == owner;
        for (_, row) in self.rows().iter_mut().filter(|(key, row)| own(key) && row.worker.is_none()) {
            row.ready = row.ready.max(ready);
        }
        Ok(())
    }

    async fn discard(&self, job: &JobKey, token: i64) -> Result<(), StoreError> {
        if self.end(job, token) { Ok(()) } else { Err(StoreError::Stale) }
    }

    async fn release_worker(
        &self,
        queue: &'static str,
        worker: &str,
        now: Timestamp,
    ) -> Result<u64, StoreError> {
        let mut count = 0;
        for (_, row) in self.rows().iter_mut().filter(|(key, _)| key.queue == queue) {
            if row.worker.as_deref() == Some(worker) {
                row.worker = None;
                row.ready = now;
                // A worker that still processes it has lost it.
                row.token += 1;
                count += 1;
            }
        }
        Ok(count)
    }

    async fn expire_other_leases(
        &self,
        queue: &'static str,
        worker: &str,
        now: Timestamp,
    ) -> Result<u64, StoreError> {
        let mut count = 0;
        for (_, row) in self.rows().iter_mut().filter(|(key, _)| key.queue == queue) {
            if row.worker.as_deref().is_some_and(|other| other != worker) {
                row.ready = row.ready.min(now);
                count += 1;
            }
        }
        Ok(count)
    }

    async fn advance_due_times(
        &self,
        queue: &'static str,
        latest: Timestamp,
        now: Timestamp,
    ) -> Result<u64, StoreError> {
        let mut rows = self.rows();
        let late = rows.iter_mut().filter(|(key, row)| key.queue == queue && row.ready > latest);
        Ok(late.map(|(_, row)| row.ready = now).count() as u64)
    }
}

fn claim_row(key: &JobKey, row: &mut Row, claim: &Claim<'_>) -> ClaimedJob {
    row.interrupted += u32::from(row.worker.as_deref().is_some_and(|worker| worker != claim.worker));
    row.worker = Some(claim.worker.to_owned());
    row.token += 1;
    row.ready = claim.until;
    ClaimedJob {
        job: Job { key: key.clone(), workspace: row.workspace.clone(), priority: row.priority },
        token: row.token,
        attempts: row.attempts,
        interrupted: row.interrupted,
    }
}
