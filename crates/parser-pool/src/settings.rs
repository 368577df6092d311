//! How workers are started, and their limits.

use std::ffi::OsString;
use std::path::PathBuf;
use std::time::Duration;

use sandbox::SandboxMode;

/// How workers are started, and their limits.
#[derive(Clone, Debug)]
pub struct PoolSettings {
    /// The worker executable.
    pub program: PathBuf,
    /// Its arguments. The pool appends four, which `worker::WorkerLimits` parses.
    pub args: Vec<OsString>,
    /// Its whole environment; nothing is inherited.
    pub environment: Vec<(OsString, OsString)>,
    /// Maximum workers that run at the same time.
    pub workers: usize,
    /// Documents after which a worker is replaced.
    pub recycle_after: u32,
    /// How strictly workers confine themselves.
    pub sandbox: SandboxMode,
    /// Address space of a worker, in bytes.
    pub memory_bytes: u64,
    /// CPU time for a document, in seconds.
    pub cpu_seconds: u64,
    /// Wall-clock time for a document.
    pub wall: Duration,
    /// Time after which an idle worker is stopped.
    pub idle: Duration,
    /// Maximum bytes of a document.
    pub max_input: u64,
    /// Maximum bytes of an answer.
    pub max_output: usize,
}
