//! The jobs in flight in this process.

use std::collections::HashMap;

use futures_util::future::AbortHandle;
use parking_lot::{Mutex, MutexGuard};

use crate::{JobKey, LeaseCell};

/// The jobs in flight, by key.
#[derive(Debug, Default)]
pub(crate) struct RunningJobs(Mutex<State>);

#[derive(Debug, Default)]
struct State {
    jobs: HashMap<JobKey, Entry>,
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

    /// Registers a job and returns the serial number to end it with. `None` when it is in flight already; it
    /// then continues with the new token.
    pub(crate) fn begin(&self, lease: &LeaseCell, abort: AbortHandle) -> Option<u64> {
        let mut state = self.state();
        if let Some(known) = state.jobs.get(lease.key()) {
            known.lease.replace_token(lease.token());
            return None;
        }
        state.serial += 1;
        let serial = state.serial;
        state.jobs.insert(lease.key().clone(), Entry { serial, lease: lease.clone(), abort });
        Some(serial)
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
