//! The simulated world: its time, its processes with their faults, and what is recorded of it.

mod scheduler;

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::sync::Arc;
use std::task::Waker;
use std::time::Duration;

use futures_util::future::BoxFuture;
use parking_lot::Mutex;
use shared_core::Timestamp;

use crate::random::Random;
use crate::trace::Trace;

/// The time of the database at the start: 2026-01-01T00:00:00Z.
const START_MICROS: i64 = 1_767_225_600_000_000;

/// A simulated process. A process that is started again has another number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ProcessId(pub u64);

/// What is outside of all servers and never dies: clients, vendors, receivers, and who starts and kills servers.
pub const OUTSIDE: ProcessId = ProcessId(0);

type TaskId = u64;

struct Task {
    process: ProcessId,
    /// `None` while it is polled.
    work: Option<BoxFuture<'static, ()>>,
    waker: Waker,
}

#[derive(Debug, Default)]
struct ProcessState {
    /// When it goes on; in the past unless it is stalled.
    stalled_until: u64,
    /// Faults that it suffered, such as stalls and slow or failed answers of the store.
    faults: u64,
    /// Slow answers of the store that it waits for.
    slow_answers: u64,
}

#[derive(Default)]
struct State {
    /// Microseconds since the start.
    now: u64,
    /// How far the clock of the database has jumped, in microseconds.
    jumped: i64,
    last_jump: Option<u64>,
    steps: u64,
    last_task: TaskId,
    last_process: u64,
    tasks: BTreeMap<TaskId, Task>,
    processes: BTreeMap<ProcessId, ProcessState>,
    /// Wakers by the time when they are due; the number tells those of the same time apart.
    timers: BTreeMap<(u64, u64), Waker>,
    last_timer: u64,
    calm_since: Option<u64>,
    violation: Option<String>,
    trace: Trace,
}

/// A simulated world. Clones share it.
#[derive(Clone)]
pub struct World(Arc<Inner>);

struct Inner {
    random: Random,
    state: Mutex<State>,
    ready: Arc<Mutex<BTreeSet<TaskId>>>,
}

impl fmt::Debug for World {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("World")
    }
}

impl World {
    /// The world of a seed.
    #[must_use]
    pub fn new(seed: u64) -> Self {
        let mut state = State::default();
        state.processes.insert(OUTSIDE, ProcessState::default());
        Self(Arc::new(Inner { random: Random::new(seed), state: Mutex::new(state), ready: Arc::default() }))
    }

    /// The randomness of this world.
    #[must_use]
    pub fn random(&self) -> &Random {
        &self.0.random
    }

    /// Time since the start, monotonic and the same for all.
    #[must_use]
    pub fn now(&self) -> Duration {
        Duration::from_micros(self.0.state.lock().now)
    }

    /// The time by the clock of the database.
    #[must_use]
    pub fn database_time(&self) -> Timestamp {
        let state = self.0.state.lock();
        let micros = START_MICROS + i64::try_from(state.now).unwrap_or_default() + state.jumped;
        Timestamp::from_micros(micros).unwrap_or_else(|| unreachable!("a simulation lasts some hours"))
    }

    /// Sets the clock of the database forward or back. A fault of every process.
    pub fn jump_database(&self, millis: i64) {
        let mut state = self.0.state.lock();
        state.jumped += millis * 1_000;
        state.last_jump = Some(state.now);
        state.processes.values_mut().for_each(|process| process.faults += 1);
        drop(state);
        self.log(|| format!("the clock of the database jumps by {millis} ms"));
    }

    /// Starts a process without tasks.
    #[must_use]
    pub fn start_process(&self) -> ProcessId {
        let mut state = self.0.state.lock();
        state.last_process += 1;
        let process = ProcessId(state.last_process);
        state.processes.insert(process, ProcessState::default());
        drop(state);
        self.log(|| format!("process {} starts", process.0));
        process
    }

    /// Kills a process: its tasks are dropped at once.
    pub fn kill(&self, process: ProcessId) {
        self.log(|| format!("process {} is killed", process.0));
        let mut state = self.0.state.lock();
        state.processes.remove(&process);
        let own = state.tasks.iter().filter(|(_, task)| task.process == process);
        let ids: Vec<TaskId> = own.map(|(id, _)| *id).collect();
        let dropped: Vec<Option<Task>> = ids.into_iter().map(|id| state.tasks.remove(&id)).collect();
        // What tasks hold may wake others when it is dropped.
        drop(state);
        drop(dropped);
    }

    /// Whether the process runs.
    #[must_use]
    pub fn is_alive(&self, process: ProcessId) -> bool {
        self.0.state.lock().processes.contains_key(&process)
    }

    /// Stops a process for a while, as a machine that swaps or is moved: its tasks are not polled, time goes on.
    pub fn stall(&self, process: ProcessId, duration: Duration) {
        let mut state = self.0.state.lock();
        let until = state.now + micros(duration);
        if let Some(process) = state.processes.get_mut(&process) {
            process.stalled_until = until;
            process.faults += 1;
        }
        drop(state);
        self.log(|| format!("process {} stalls for {duration:?}", process.0));
    }

    /// Counts a fault of a process, such as a slow answer of the store.
    pub fn count_fault(&self, process: ProcessId) {
        if let Some(process) = self.0.state.lock().processes.get_mut(&process) {
            process.faults += 1;
        }
    }

    /// A slow answer of the store begins, and ends. Both are faults: what was asked before the end suffers from it, too.
    pub fn count_slow_answer(&self, process: ProcessId, begins: bool) {
        if let Some(process) = self.0.state.lock().processes.get_mut(&process) {
            process.faults += 1;
            process.slow_answers = process.slow_answers.saturating_add_signed(if begins { 1 } else { -1 });
        }
    }

    /// Whether the process waits for a slow answer of the store.
    #[must_use]
    pub fn awaits_slow_answer(&self, process: ProcessId) -> bool {
        self.0.state.lock().processes.get(&process).is_some_and(|process| process.slow_answers > 0)
    }

    /// Faults that the process suffered so far; `None` when it is dead.
    #[must_use]
    pub fn faults(&self, process: ProcessId) -> Option<u64> {
        self.0.state.lock().processes.get(&process).map(|process| process.faults)
    }

    /// Ends all faults: from now on the system must come to rest.
    pub fn calm(&self) {
        let mut state = self.0.state.lock();
        state.calm_since = Some(state.now);
        state.processes.values_mut().for_each(|process| process.stalled_until = 0);
        drop(state);
        self.log(|| "faults end".to_owned());
    }

    /// Whether faults have ended.
    #[must_use]
    pub fn is_calm(&self) -> bool {
        self.0.state.lock().calm_since.is_some()
    }

    /// When faults ended.
    #[must_use]
    pub fn calm_since(&self) -> Option<Duration> {
        self.0.state.lock().calm_since.map(Duration::from_micros)
    }

    /// When the clock of the database last jumped.
    #[must_use]
    pub fn last_jump(&self) -> Option<Duration> {
        self.0.state.lock().last_jump.map(Duration::from_micros)
    }

    /// Records an event in the trace.
    pub fn log(&self, event: impl FnOnce() -> String) {
        let text = event();
        let mut state = self.0.state.lock();
        let now = state.now;
        state.trace.event(now, text);
    }

    /// Reports a broken invariant. The first one counts.
    pub fn violate(&self, invariant: impl Into<String>) {
        let invariant = invariant.into();
        self.log(|| format!("VIOLATION: {invariant}"));
        self.0.state.lock().violation.get_or_insert(invariant);
    }

    /// The first broken invariant.
    #[must_use]
    pub fn violation(&self) -> Option<String> {
        self.0.state.lock().violation.clone()
    }

    /// Steps so far.
    #[must_use]
    pub fn steps(&self) -> u64 {
        self.0.state.lock().steps
    }

    /// The hash over all steps and events.
    #[must_use]
    pub fn trace_hash(&self) -> u64 {
        self.0.state.lock().trace.hash()
    }

    /// The last events, oldest first.
    #[must_use]
    pub fn trace(&self) -> Vec<String> {
        self.0.state.lock().trace.events()
    }
}

fn micros(duration: Duration) -> u64 {
    u64::try_from(duration.as_micros()).unwrap_or(u64::MAX / 2)
}

#[cfg(test)]
mod tests;
