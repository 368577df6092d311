#![doc = include_str!("../README.md")]

#[cfg(feature = "contract")]
#[allow(clippy::expect_used, clippy::missing_panics_doc, reason = "a conformance suite asserts")]
pub mod contract;
mod dispatcher;
mod handle;
mod job;
mod memory;
mod one_thread;
mod queue;
mod running;
mod share;

pub use dispatcher::{Dispatcher, DispatcherSettings, JobHandler, Spawner, Verdict};
pub use handle::Jobs;
pub use job::{ClaimedJob, Job, JobKey, LeaseCell};
pub use memory::MemoryJobs;
pub use one_thread::OneThread;
pub use queue::{Claim, JobQueue};
pub use share::{Lane, share};
