//! Batches of a model's provider: the first calls of a run's groups are gathered, submitted together, and their groups
//! are processed again once they are answered.

mod lifecycle;
mod repository;
mod round;
mod stage;
mod worker;

pub(crate) use repository::batch_job;
pub use repository::request_id;
pub(crate) use stage::BatchRound;

pub use repository::{
    BatchLease, BatchRepository, BatchStep, CallState, DeferredCall, GatheredCalls, OpenBatch,
};

/// The queue of the runs with batches: the owner is the run's number, the position 0.
pub const BATCH_QUEUE: &str = "batches";

/// How large batches may be, and how often their provider is asked.
#[derive(Clone, Copy, Debug)]
pub struct BatchLimits {
    /// Requests of a batch at most.
    pub requests: u32,
    /// Bytes of the requests of a batch at most, unless one alone has more.
    pub bytes: u64,
    /// Seconds without a new call after which a batch is submitted that is not full.
    pub gather_seconds: u32,
    /// Seconds between two looks at a batch at least. They grow with its age.
    pub poll_seconds: u32,
    /// Seconds after which a submission without an answer is repeated if the provider does not have the batch.
    pub resubmit_seconds: u32,
}

impl Default for BatchLimits {
    fn default() -> Self {
        // Requests and results of a batch are in memory, so that their limits are below those of the providers. A
        // submission may arrive as long as its connection lives, ten minutes. The others: chosen by hand; no measurement
        // is recorded.
        Self { requests: 1_000, bytes: 16 << 20, gather_seconds: 15, poll_seconds: 60, resubmit_seconds: 900 }
    }
}
