#![doc = include_str!("../README.md")]

mod calls;
#[cfg(feature = "contract")]
#[allow(clippy::expect_used, clippy::missing_panics_doc, reason = "a conformance suite asserts")]
pub mod contract;
mod error;
pub mod export;
mod follow;
mod group;
mod identical;
mod memory;
mod model;
mod reading;
mod record;
mod repository;
mod retry;
pub mod rules;
mod service;
mod worker;

pub use error::DeltaError;
pub use follow::Stop;
pub use identical::fingerprint;
pub use memory::MemoryRuns;
pub use model::{
    DocumentFailure, DocumentRef, ErrorClass, FinishedGroup, GroupOutcome, GroupState, GroupStatus,
    ItemError, Response, Run, RunEvent, RunId, RunPlan, RunState, SourceDocument, StoredResponse, all_failed,
};
pub use record::{OWN_KEYS, with_own_keys};
pub use repository::{GroupId, ResponseCursor, RunRepository};
pub use rules::RunLimits;
pub use service::{RunOptions, RunPorts, RunService};

/// The queue of the jobs of open groups.
pub const QUEUE: &str = "delta";
