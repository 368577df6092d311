//! The state of a turn in progress.

use super::system_act::SystemAct;

/// A turn in progress.
#[derive(Debug, Default)]
pub(super) struct StepOutcome {
    /// System acts of the reply, in order.
    pub(super) parts: Vec<SystemAct>,
    /// Path to ask for, instead of the next open question.
    pub(super) ask: Option<String>,
    /// Whether anything in the message was understood.
    pub(super) understood: bool,
    /// Whether a value or its status changed.
    pub(super) changed: bool,
    /// Whether the reply already asks something, so that no question follows.
    pub(super) ends: bool,
}
