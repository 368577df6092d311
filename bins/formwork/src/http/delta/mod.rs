//! Batch extraction: start runs, follow them, end them, and read what they gave.

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

/// Where runs are started, and what they gave is read.
const PATH: &str = "/v1/agent/{namespace}/workflow/delta";

/// Adds the operations of this folder.
pub(super) fn register(registry: &mut Registry) {
    start::register(registry);
    responses::register(registry);
    runs::register(registry);
    events::register(registry);
}

/// The run that a segment of the path names.
fn run_id(segment: &str) -> Result<RunId, DeltaError> {
    let id = segment.parse().ok().filter(|id| (1..=MAX_ID).contains(id) && segment == id.to_string());
    id.map(RunId).ok_or(DeltaError::RunNotFound)
}
