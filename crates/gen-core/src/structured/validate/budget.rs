//! The steps of one validation.

use super::Patterns;

/// Maximum steps of one validation. Nested alternatives could take exponential time. Bounds the time.
const MAX_STEPS: usize = 2_000_000;

/// Counts the steps of a validation, and matches patterns within them.
pub(super) struct Budget<'a> {
    patterns: &'a Patterns,
    steps: usize,
    /// Why the validation was aborted, if it was.
    pub(super) abort_reason: Option<&'static str>,
}

impl<'a> Budget<'a> {
    pub(super) fn new(patterns: &'a Patterns) -> Self {
        Self { patterns, steps: 0, abort_reason: None }
    }

    /// Counts steps; `false` after the limit.
    pub(super) fn take_steps(&mut self, steps: usize) -> bool {
        self.steps = self.steps.saturating_add(steps);
        if self.steps > MAX_STEPS {
            self.abort_reason = Some("the answer takes too long to check against the schema");
        }
        self.abort_reason.is_none()
    }

    /// Whether a text matches a pattern; an unknown pattern matches everything.
    pub(super) fn matches(&mut self, pattern: &str, text: &str) -> bool {
        let cost = (text.len() / 1024 + 1).saturating_mul(pattern.len() / 8 + 1);
        self.take_steps(cost) && self.patterns.get(pattern).is_none_or(|regex| regex.is_match(text))
    }
}
