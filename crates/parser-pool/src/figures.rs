//! What a pool does at the moment, and what is known of each of its calls.

use std::fmt;
use std::time::Duration;

use document::Format;

/// What a pool does at the moment.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PoolFigures {
    /// Processes at work.
    pub busy: usize,
    /// Processes that wait for work.
    pub idle: usize,
    /// Calls that wait for a process.
    pub waiting: usize,
    /// Processes that were started since the pool exists.
    pub started: u64,
}

/// A call that has ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CallReport {
    /// The kind of task.
    pub task: &'static str,
    /// The format of the document, where one was parsed.
    pub format: Option<Format>,
    /// The code of its error, if it failed.
    pub failure: Option<&'static str>,
    /// Its time, without the wait for a process.
    pub took: Duration,
}

/// Takes note of calls.
pub trait CallObserver: fmt::Debug + Send + Sync + 'static {
    /// A call has ended. A call that nobody waits for any more is not reported.
    fn note(&self, report: &CallReport);
}

/// Ignores calls.
#[derive(Clone, Copy, Debug)]
pub(crate) struct NoopCallObserver;

impl CallObserver for NoopCallObserver {
    fn note(&self, _: &CallReport) {}
}
