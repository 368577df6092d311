//! Settings of providers' batches.

use serde::{Deserialize, Serialize};

/// Batches of providers, for runs with `mode=batch`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct BatchSettings {
    /// Seconds without a new call after which a batch is submitted that is not full.
    pub gather_seconds: u32,
    /// Seconds between two looks at a batch at least.
    pub poll_seconds: u32,
    /// Seconds after which a submission without an answer is repeated if the provider does not have the batch.
    pub resubmit_seconds: u32,
}

impl Default for BatchSettings {
    fn default() -> Self {
        let limits = delta_core::BatchLimits::default();
        Self {
            gather_seconds: limits.gather_seconds,
            poll_seconds: limits.poll_seconds,
            resubmit_seconds: limits.resubmit_seconds,
        }
    }
}
