//! What a subject shows of itself while it runs.

/// A scenario in a world: its tasks do the work, this looks at them.
pub(crate) trait Scenario {
    /// Whether everything has ended that was begun.
    fn is_done(&self) -> bool;
    /// Reports invariants that are broken, after each step.
    fn check(&self);
    /// Reports invariants that are broken at the end.
    fn check_end(&self);
    /// What has not ended.
    fn describe(&self) -> String;
}
