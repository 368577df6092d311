//! Names of the phases of a form.

use agents_core::chat::Phase;

/// The names of the phases of a form.
pub(super) const STATUSES: [&str; 5] = ["filling", "confirming", "cancelling", "submitted", "cancelled"];

/// The name of a phase.
pub(super) const fn status(phase: Phase) -> &'static str {
    let [filling, confirming, cancelling, submitted, cancelled] = STATUSES;
    match phase {
        Phase::Filling => filling,
        Phase::Confirming => confirming,
        Phase::Cancelling => cancelling,
        Phase::Submitted => submitted,
        Phase::Cancelled => cancelled,
    }
}
