//! Batch extraction: start, follow and cancel runs, and read their responses.

mod answer;
mod duplicates;
mod estimate;
mod events;
mod examples;
mod groups;
mod left_out;
mod prefer;
mod record;
mod responses;
mod runs;
mod settings;
mod start;

use delta_core::{DeltaError, RunId};
use shared_core::MAX_ID;

use super::ApiError;
use super::operation::Registry;

/// Path to start runs and to read their responses.
const PATH: &str = "/v1/agent/{namespace}/workflow/delta";

/// Registers the operations of this folder.
pub(super) fn register(registry: &mut Registry) {
    start::register(registry);
    estimate::register(registry);
    responses::register(registry);
    runs::register(registry);
    events::register(registry);
}

/// A run that a parameter of a query names.
///
/// # Errors
/// 400 when the number is out of range.
pub(super) fn named_run(parameter: &str, sid: i64) -> Result<RunId, ApiError> {
    let rule = || format!("'{parameter}' must be 1 to {MAX_ID}");
    let run = Some(RunId(sid)).filter(|_| (1..=MAX_ID).contains(&sid));
    run.ok_or_else(|| ApiError::invalid(format!("?{parameter}"), rule()))
}

/// Parses the run id in a path segment.
pub(super) fn run_id(segment: &str) -> Result<RunId, DeltaError> {
    let id = segment.parse().ok().filter(|id| (1..=MAX_ID).contains(id) && segment == id.to_string());
    id.map(RunId).ok_or(DeltaError::RunNotFound)
}
