//! The jobs in flight in this process.

use std::collections::{BTreeMap, HashMap};

use futures_util::future::AbortHandle;
use parking_lot::{Mutex, MutexGuard};

use crate::{ClaimedJob, JobKey, LeaseCell};

/// The jobs in flight, by key.
#[derive(Debug, Default)]
pub(crate) struct RunningJobs(Mutex<State>);

#[derive(Debug, Default)]
struct State {
    jobs: BTreeMap<JobKey, Entry>,
    serial: u64,
}

#[derive(Clone, Debug)]
struct Entry {
    serial: u64,
    lease: LeaseCell,
    abort: AbortHandle,
}

/// The jobs in flight at one moment, to be compared with the leases that the store reports a little later.
#[derive(Debug)]
pub(crate) struct Snapshot(Vec<(JobKey, Entry)>);

impl RunningJobs {
    fn state(&self) -> MutexGuard<'_, State> {
        self.0.lock()
    }

    pub(crate) fn len(&self) -> usize {
        self.state().jobs.len()
    }

    pub(crate) fn contains(&self, key: &JobKey) -> bool {
        self.state().jobs.contains_key(key)
    }

    /// Whether the job is in flight already: its lease expired and was claimed again. It then continues with the
    /// new token.
    pub(crate) fn replace_lease(&self, claimed: &ClaimedJob) -> bool {
        let state = self.state();
        let known = state.jobs.get(&claimed.job.key);
        known.inspect(|entry| entry.lease.replace_token(claimed.token)).is_some()
    }

    /// Registers a job and returns the serial number to end it with.
    pub(crate) fn begin(&self, lease: &LeaseCell, abort: AbortHandle) -> u64 {
        let mut state = self.state();
        state.serial += 1;
        let serial = state.serial;
        state.jobs.insert(lease.key().clone(), Entry { serial, lease: lease.clone(), abort });
        serial
    }

    pub(crate) fn end(&self, key: &JobKey, serial: u64) {
        let mut state = self.state();
        if state.jobs.get(key).is_some_and(|entry| entry.serial == serial) {
            state.jobs.remove(key);
        }
    }

    pub(crate) fn abort_where(&self, chosen: impl Fn(&JobKey) -> bool) {
        let aborts: Vec<AbortHandle> = {
            let state = self.state();
            state.jobs.iter().filter(|(key, _)| chosen(key)).map(|(_, entry)| entry.abort.clone()).collect()
        };
        aborts.iter().for_each(AbortHandle::abort);
    }

    pub(crate) fn snapshot(&self) -> Snapshot {
        Snapshot(self.state().jobs.iter().map(|(key, entry)| (key.clone(), entry.clone())).collect())
    }
}

impl Snapshot {
    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Cancels the jobs that the worker no longer holds: another worker claimed them, or they were ended.
    pub(crate) fn abort_lost(&self, held: &HashMap<JobKey, i64>) {
        let lost =
            |(key, entry): &&(JobKey, Entry)| held.get(key).is_none_or(|token| *token > entry.lease.token());
        self.0.iter().filter(lost).for_each(|(_, entry)| entry.abort.abort());
    }
}

#[cfg(test)]
mod tests {
    use shared_core::WorkspaceId;

    use super::*;
    use crate::{ClaimedJob, Job, Priority};

    fn claimed(queue: &'static str, owner: &str, token: i64) -> ClaimedJob {
        let key = JobKey { queue, owner: owner.into(), position: 0 };
        let job = Job { key, workspace: WorkspaceId("w".into()), priority: Priority::Normal };
        ClaimedJob { job, token, attempts: 0, interrupted: 0 }
    }

    fn lease(queue: &'static str, owner: &str, token: i64) -> LeaseCell {
        LeaseCell::new(&claimed(queue, owner, token))
    }

    fn begin(jobs: &RunningJobs, lease: &LeaseCell) -> AbortHandle {
        let (abort, _) = AbortHandle::new_pair();
        jobs.begin(lease, abort.clone());
        abort
    }

    #[test]
    fn a_job_is_lost_when_another_worker_claimed_it_or_it_ended_and_not_otherwise() {
        let jobs = RunningJobs::default();
        let leases = ["held", "claimed", "renewed", "ended"].map(|owner| lease("q", owner, 2));
        let aborts = leases.each_ref().map(|lease| begin(&jobs, lease));
        let [held, claimed, renewed, _] = &leases;
        // The answer of the store is older than the token with which this worker claimed `renewed` again.
        let answer = [(held, 2), (claimed, 3), (renewed, 1)];
        let answer = answer.map(|(lease, token)| (lease.key().clone(), token)).into_iter().collect();
        jobs.snapshot().abort_lost(&answer);
        assert_eq!(aborts.each_ref().map(AbortHandle::is_aborted), [false, true, false, true]);
    }

    #[test]
    fn a_job_that_is_claimed_again_while_it_runs_goes_on_with_the_new_token() {
        let (jobs, first) = (RunningJobs::default(), lease("q", "o", 1));
        let (abort, _) = AbortHandle::new_pair();
        assert!(!jobs.replace_lease(&claimed("q", "o", 1)), "it is not in flight yet");
        jobs.begin(&first, abort.clone());
        assert!(jobs.replace_lease(&claimed("q", "o", 2)));
        assert!(!jobs.replace_lease(&claimed("q", "p", 2)), "another job");
        assert_eq!((first.token(), jobs.len()), (2, 1));
        let answer = HashMap::from([(first.key().clone(), 2)]);
        jobs.snapshot().abort_lost(&answer);
        assert!(!abort.is_aborted());
    }

    #[test]
    fn the_end_of_an_earlier_run_does_not_end_a_later_one() {
        let (jobs, lease) = (RunningJobs::default(), lease("q", "o", 1));
        assert!(jobs.snapshot().is_empty());
        let start = || jobs.begin(&lease, AbortHandle::new_pair().0);
        let first = start();
        jobs.end(lease.key(), first);
        let second = start();
        jobs.end(lease.key(), first);
        assert_eq!((jobs.len(), jobs.snapshot().is_empty()), (1, false));
        jobs.end(lease.key(), second);
        assert_eq!(jobs.len(), 0);
    }

    #[test]
    fn jobs_of_another_owner_or_queue_go_on_when_those_of_one_are_aborted() {
        let handle = crate::DispatcherHandle::default();
        let aborts = [("q", "o"), ("q", "p"), ("r", "o")]
            .map(|(queue, owner)| begin(handle.running(), &lease(queue, owner, 1)));
        handle.abort_jobs("q", "o");
        assert_eq!(aborts.each_ref().map(AbortHandle::is_aborted), [true, false, false]);
    }
}
