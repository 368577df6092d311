//! Batch extraction: start, follow and cancel runs, and read their responses.

mod answer;
mod events;
mod examples;
mod groups;
mod prefer;
mod record;
mod responses;
mod runs;
mod start;

use delta_core::{DeltaError, RunId};
use shared_core::MAX_ID;

use super::operation::Registry;

/// Path to start runs and to read their responses.
const PATH: &str = "/v1/agent/{namespace}/workflow/delta";

/// Registers the operations of this folder.
pub(super) fn register(registry: &mut Registry) {
    start::register(registry);
    responses::register(registry);
    runs::register(registry);
    events::register(registry);
}

/// Parses the run id in a path segment.
pub(super) fn run_id(segment: &str) -> Result<RunId, DeltaError> {
    let id = segment.parse().ok().filter(|id| (1..=MAX_ID).contains(id) && segment == id.to_string());
    id.map(RunId).ok_or(DeltaError::RunNotFound)
}
