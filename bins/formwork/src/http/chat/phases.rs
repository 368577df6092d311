//! Names of the phases of a form.

use agents_core::chat::Phase;

use crate::http::ApiError;

/// The names of the phases of a form.
pub(super) const STATUSES: [&str; 5] = {
    let [filling, confirming, cancelling, submitted, cancelled] = Phase::ALL;
    [filling.name(), confirming.name(), cancelling.name(), submitted.name(), cancelled.name()]
};

/// The name of a phase.
pub(super) const fn status(phase: Phase) -> &'static str {
    phase.name()
}

/// The phase with a name.
///
/// # Errors
/// 400 when there is none.
pub(super) fn phase_named(name: &str) -> Result<Phase, ApiError> {
    Phase::ALL.into_iter().find(|phase| phase.name() == name).ok_or_else(|| {
        ApiError::invalid("?status", format!("'status' must be one of {}", STATUSES.join(", ")))
    })
}
