#![doc = include_str!("../README.md")]

mod batch;
mod budget;
mod call_id;
mod classification;
mod context;
#[cfg(feature = "contract")]
#[allow(clippy::expect_used, clippy::missing_panics_doc, reason = "a conformance suite asserts")]
pub mod contract;
mod deduplication;
mod error;
mod estimate;
mod expansion;
pub mod export;
mod failure;
mod followers;
mod group;
mod group_answers;
mod memory;
mod model;
mod page_warnings;
mod record;
mod repository;
mod retry;
pub mod review;
pub mod rules;
mod run_settings;
mod run_streams;
mod service;
mod target;
mod worker;

pub use batch::request_id;
pub use batch::{
    BATCH_QUEUE, BatchLease, BatchLimits, BatchRepository, BatchStep, CallState, DeferredCall, GatheredCalls,
    OpenBatch,
};
pub use classification::{Classification, DocumentClass, LeftOutDocument, RunForm};
pub use deduplication::fingerprint;
pub use error::DeltaError;
pub use estimate::RunEstimate;
pub use expansion::{DEFAULT_THRESHOLD, ExpandOptions, Expansion};
pub use failure::{DocumentFailure, DocumentRef, ErrorClass, ItemError, fail_all};
pub use followers::RunInterruption;
pub use memory::MemoryRuns;
pub use model::{
    FinishedGroup, GroupOutcome, GroupState, GroupStatus, Response, Run, RunEvent, RunId, RunPlan, RunState,
    SourceDocument, StoredResponse, UnseenSourcePages,
};
pub use record::{RESERVED_KEYS, with_reserved_keys};
pub use repository::{
    CallAnswerRepository, GroupId, GroupRepository, ResponseCursor, ResponseRepository, RunRepository,
};
pub use rules::RunLimits;
pub use run_settings::{CallMode, MAX_LABEL, MAX_LABELS, MAX_TIMEOUT, RunSettings, is_label};
pub use service::{RunOptions, RunPorts, RunService};
pub use target::RunTarget;

/// The queue of the jobs of open groups; the owner is the run's number, the position the group's index.
pub const QUEUE: &str = "delta";
