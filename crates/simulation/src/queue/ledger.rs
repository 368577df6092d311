//! The leases as they must be: a model of the queue that follows what its store did.

use std::collections::BTreeMap;
use std::time::Duration;

use jobs_core::{Claim, ClaimedJob, JobKey};
use parking_lot::Mutex;
use shared_core::{Timestamp, WorkspaceId};

use crate::world::{ProcessId, World};

/// How long a process that learns of a lost lease may go on with its job: the time to get a turn.
const ABORT_DELAY: Duration = Duration::from_secs(1);
/// How long a jump of the clock of the database has an effect: until every process has read it, and the leases from before
/// have been renewed.
const JUMP_EFFECT: Duration = Duration::from_secs(60);
/// How long an answer of the store takes without a fault, and a little more.
const ANSWER_DELAY: Duration = Duration::from_secs(1);
/// How long a job may be under the lease of a healthy process that does not work on it: a slow answer from before the
/// faults ended, and two renewals, which can be a lease apart where little is in flight.
const MAX_IDLE_LEASE: Duration = Duration::from_secs(150);

#[derive(Clone, Debug)]
struct Lease {
    worker: String,
    process: ProcessId,
    workspace: WorkspaceId,
    until: Timestamp,
    /// Faults of the process when the lease was last claimed or renewed.
    faults: Option<u64>,
    /// When it was last claimed or renewed.
    renewed: Duration,
    /// When a run of it ended, or when it was claimed.
    idle_since: Duration,
}

/// A handler at work.
#[derive(Clone, Debug)]
struct Run {
    process: ProcessId,
    key: JobKey,
    began: Duration,
    /// Until when it must be aborted, since its process knows that the lease is lost; and the faults of the process.
    abort: Option<(Duration, Option<u64>)>,
}

/// The moment when a process asked the store.
#[derive(Clone, Copy, Debug)]
pub struct StoreCall {
    process: ProcessId,
    at: Duration,
    faults: Option<u64>,
}

#[derive(Debug, Default)]
struct State {
    leases: BTreeMap<JobKey, Lease>,
    tokens: BTreeMap<JobKey, i64>,
    runs: BTreeMap<u64, Run>,
    last_run: u64,
    ends: BTreeMap<JobKey, u32>,
}

/// The model of one queue.
#[derive(Debug)]
pub struct LeaseLedger {
    world: World,
    state: Mutex<State>,
}

/// A handler at work on a job, until it is dropped.
#[derive(Debug)]
pub struct RunGuard<'a>(&'a LeaseLedger, u64);

impl Drop for RunGuard<'_> {
    fn drop(&mut self) {
        let now = self.0.world.now();
        let mut state = self.0.state.lock();
        if let Some(run) = state.runs.remove(&self.1)
            && let Some(lease) = state.leases.get_mut(&run.key)
        {
            lease.idle_since = now;
        }
    }
}

impl LeaseLedger {
    /// The model of an empty queue.
    #[must_use]
    pub fn new(world: &World) -> Self {
        Self { world: world.clone(), state: Mutex::default() }
    }

    /// A process begins to ask the store.
    #[must_use]
    pub fn begin_call(&self, process: ProcessId) -> StoreCall {
        StoreCall { process, at: self.world.now(), faults: self.world.faults(process) }
    }

    /// Jobs were claimed.
    pub fn claim(
        &self,
        StoreCall { process, faults, .. }: StoreCall,
        claim: &Claim<'_>,
        jobs: &[ClaimedJob],
    ) {
        let now = self.world.now();
        let has_jumped = self.world.last_jump().is_some_and(|jump| now < jump + JUMP_EFFECT);
        let mut state = self.state.lock();
        for ClaimedJob { job, token, .. } in jobs {
            let name = name(&job.key);
            self.world.log(|| format!("{} claims {name} with token {token}", process.0));
            if let Some(held) = state.leases.get(&job.key) {
                if held.until > claim.now {
                    self.world.violate(format!("{name} was claimed before its lease expired"));
                }
                // A dead process has no faults.
                let is_healthy = held.faults.is_some()
                    && held.faults == self.world.faults(held.process)
                    && !self.world.awaits_slow_answer(held.process);
                // A process that was told of its claim late began without a lease.
                let has_run = state.runs.values().any(|run| {
                    let is_same = run.key == job.key && run.process == held.process;
                    is_same && run.began <= held.renewed + ANSWER_DELAY
                });
                if is_healthy && has_run && !has_jumped {
                    self.world.violate(format!("{name} was taken from a process without faults"));
                }
            }
            let newest = state.tokens.entry(job.key.clone()).or_default();
            if *token <= *newest {
                self.world.violate(format!("the token of {name} does not grow"));
            }
            *newest = *token;
            let lease = Lease {
                worker: claim.worker.to_owned(),
                process,
                workspace: job.workspace.clone(),
                until: claim.until,
                faults,
                renewed: now,
                idle_since: now,
            };
            state.leases.insert(job.key.clone(), lease);
        }
        for ClaimedJob { job, .. } in jobs {
            let held = state.leases.iter();
            let held = held.filter(|(_, lease)| lease.worker == claim.worker && lease.until > claim.now);
            let own = held.clone().filter(|(key, _)| key.owner == job.key.owner).count();
            let all = held.filter(|(_, lease)| lease.workspace == job.workspace).count();
            if own > claim.per_owner as usize || all > claim.per_workspace as usize {
                self.world
                    .violate(format!("{own} jobs of an owner and {all} of a workspace are under lease"));
            }
        }
    }

    /// The leases of a worker were renewed, as far as it has not lost them. Returns the handlers at work whose leases it
    /// has lost.
    pub fn renew(&self, begun: StoreCall, worker: &str, until: Timestamp) -> Vec<u64> {
        let (now, state) = (self.world.now(), &mut *self.state.lock());
        for lease in state.leases.values_mut().filter(|lease| lease.worker == worker) {
            (lease.until, lease.faults, lease.renewed) = (until, begun.faults, now);
        }
        let own = |run: &Run| run.process == begun.process && run.began <= begun.at;
        let is_lost = |run: &Run| state.leases.get(&run.key).is_none_or(|lease| lease.worker != worker);
        let lost = state.runs.iter().filter(|(_, run)| own(run) && is_lost(run));
        lost.map(|(id, _)| *id).collect()
    }

    /// A process got the answer to its renewal, and has lost the leases of these handlers.
    pub fn confirm_renewal(&self, begun: StoreCall, lost: &[u64]) {
        let faults = self.world.faults(begun.process);
        if faults != begun.faults {
            return;
        }
        let (abort_by, mut state) = (self.world.now() + ABORT_DELAY, self.state.lock());
        for (_, run) in state.runs.iter_mut().filter(|(id, _)| lost.contains(id)) {
            run.abort.get_or_insert((abort_by, faults));
        }
    }

    /// A job was given back under a token.
    pub fn requeue(&self, process: ProcessId, key: &JobKey, token: i64) {
        self.world.log(|| format!("{} gives back {}", process.0, name(key)));
        self.check_token(key, token, "given back");
        self.state.lock().leases.remove(key);
    }

    /// A job ended, with its result if it has one.
    pub fn end(&self, process: ProcessId, key: &JobKey, token: i64) {
        self.world.log(|| format!("{} ends {}", process.0, name(key)));
        self.check_token(key, token, "ended");
        let mut state = self.state.lock();
        state.leases.remove(key);
        let ends = state.ends.entry(key.clone()).or_default();
        *ends += 1;
        if *ends > 1 {
            self.world.violate(format!("{} ended twice", name(key)));
        }
    }

    /// Jobs of an owner may be enqueued again after they ended, under the same keys.
    pub fn reopen(&self, owner: &str) {
        let mut state = self.state.lock();
        state.ends.retain(|key, _| key.owner != owner);
    }

    /// The jobs of an owner were removed.
    pub fn remove(&self, owner: &str) {
        self.state.lock().leases.retain(|key, _| key.owner != owner);
    }

    /// A worker released its jobs.
    pub fn release(&self, worker: &str) {
        self.state.lock().leases.retain(|_, lease| lease.worker != worker);
    }

    /// The leases of other workers expired at this time.
    pub fn expire(&self, worker: &str, now: Timestamp) {
        let mut state = self.state.lock();
        for lease in state.leases.values_mut().filter(|lease| lease.worker != worker) {
            lease.until = lease.until.min(now);
        }
    }

    /// A handler begins.
    #[must_use]
    pub fn run(&self, process: ProcessId, key: &JobKey) -> RunGuard<'_> {
        let mut state = self.state.lock();
        state.last_run += 1;
        let run = state.last_run;
        state.runs.insert(run, Run { process, key: key.clone(), began: self.world.now(), abort: None });
        RunGuard(self, run)
    }

    /// Handlers at work in a process.
    #[must_use]
    pub fn runs_of(&self, process: ProcessId) -> usize {
        self.state.lock().runs.values().filter(|run| run.process == process).count()
    }

    /// Jobs under lease.
    #[must_use]
    pub fn leased(&self) -> usize {
        self.state.lock().leases.len()
    }

    /// Checks what must hold at any time.
    pub fn check(&self) {
        let now = self.world.now();
        let state = self.state.lock();
        for run in state.runs.values() {
            let Some((by, faults)) = run.abort else { continue };
            if now > by && faults.is_some() && faults == self.world.faults(run.process) {
                self.world.violate(format!("{} goes on after its lease was lost", name(&run.key)));
            }
        }
        let (Some(calm), time) = (self.world.calm_since(), self.world.database_time()) else { return };
        for (key, lease) in state.leases.iter().filter(|(_, lease)| lease.until > time) {
            let has_run = state.runs.values().any(|run| run.key == *key && run.process == lease.process);
            if !has_run
                && now > lease.idle_since.max(calm) + MAX_IDLE_LEASE
                && self.world.is_alive(lease.process)
            {
                self.world.violate(format!("{} is under a lease that nobody works on", name(key)));
            }
        }
    }

    fn check_token(&self, key: &JobKey, token: i64, what: &str) {
        let newest = self.state.lock().tokens.get(key).copied().unwrap_or_default();
        if token != newest {
            self.world
                .violate(format!("{} was {what} under token {token}, and its newest is {newest}", name(key)));
        }
    }
}

fn name(key: &JobKey) -> String {
    format!("{}/{}", key.owner, key.position)
}
