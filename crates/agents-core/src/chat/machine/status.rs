//! The status of values: their sources, or why there are none.

use crate::chat::{FieldStatus, FormState};

/// Most paths in [`FormState::trail`]. Bounds the state. Chosen by hand; no measurement is recorded.
const MAX_TRAIL: usize = 200;

/// Records the source of a value, or the reason why there is none.
pub(super) fn record_status(state: &mut FormState, path: &str, mark: FieldStatus) {
    state.marks.insert(path.to_owned(), mark);
    state.trail.retain(|settled| settled != path);
    state.trail.push(path.to_owned());
    if state.trail.len() > MAX_TRAIL {
        state.trail.remove(0);
    }
}

/// Removes the status of a path and of all paths below it.
pub(super) fn clear_status(state: &mut FormState, path: &str) {
    let is_inside =
        |other: &str| other == path || other.strip_prefix(path).is_some_and(|rest| rest.starts_with('/'));
    state.marks.retain(|other, _| !is_inside(other));
    state.trail.retain(|other| !is_inside(other));
}
