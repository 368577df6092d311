#![doc = include_str!("../README.md")]

#[cfg(feature = "contract")]
#[allow(clippy::expect_used, clippy::missing_panics_doc, reason = "a conformance suite asserts")]
pub mod contract;
mod dispatcher;
mod drain;
mod fair_share;
mod handle;
mod isolation;
mod job;
mod local_executor;
mod memory;
mod origins;
mod priority;
mod queue;
mod running_jobs;

pub use dispatcher::{Dispatcher, DispatcherSettings, JobHandler, JobOutcome};
pub use drain::OwnerWait;
pub use fair_share::{Lane, allocate_fairly};
pub use handle::DispatcherHandle;
pub use isolation::Isolation;
pub use job::{ClaimedJob, Job, JobKey, LeaseCell};
pub use local_executor::LocalExecutor;
pub use memory::MemoryJobs;
pub use priority::{Priority, PriorityTurns};
pub use queue::{Claim, JobQueue};
