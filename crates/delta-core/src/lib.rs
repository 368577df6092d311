//! Batch extraction: runs, groups and responses.

mod model;
mod repository;

pub use model::{
    DocumentFailure, DocumentRef, FinishedGroup, GroupOutcome, ItemError, QueuedGroup, Response, Run, RunId,
    RunPlan, RunState, SourceDocument, StoredResponse,
};
pub use repository::{ResponseCursor, RunRepository};
