#![doc = include_str!("../README.md")]

#[cfg(feature = "contract")]
#[allow(clippy::expect_used, clippy::missing_panics_doc, reason = "a conformance suite asserts")]
pub mod contract;
mod drive;
mod error;
mod group;
mod memory;
mod model;
mod progress;
mod record;
mod repository;
mod rules;
mod service;

pub use error::DeltaError;
pub use memory::MemoryRuns;
pub use model::{
    DocumentFailure, DocumentRef, FinishedGroup, GroupOutcome, ItemError, QueuedGroup, Response, Run, RunId,
    RunPlan, RunState, SourceDocument, StoredResponse,
};
pub use progress::{Progress, Stop};
pub use record::{OWN_KEYS, with_own_keys};
pub use repository::{ResponseCursor, RunRepository};
pub use rules::RunLimits;
pub use service::{RunPorts, RunService};
