//! The effect of the slot updates of a message.

use super::system_act::SystemAct;

/// The effect of the slot updates of a message.
#[derive(Debug, Default)]
pub(super) struct ApplyOutcome {
    /// System acts that report the changes.
    pub(super) parts: Vec<SystemAct>,
    /// Paths of values that were set where there was none.
    pub(super) noted: Vec<String>,
    /// Path of the first invalid value that the user meant for an empty field.
    pub(super) invalid: Option<String>,
    /// Whether any value was set, changed, confirmed or removed.
    pub(super) changed: bool,
}

/// Reports an invalid value that the user meant.
pub(super) fn reject_value(path: &str, problem: String, has_old: bool, applied: &mut ApplyOutcome) {
    let path = path.to_owned();
    if has_old {
        applied.parts.push(SystemAct::OldValueKept { path, problem });
        return;
    }
    applied.invalid.get_or_insert_with(|| path.clone());
    applied.parts.push(SystemAct::Invalid { path, problem });
}
