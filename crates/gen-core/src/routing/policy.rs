//! How patient the gateway is: settings with their defaults.

use std::time::Duration;

use shared_core::Backoff;

/// When a failed call is made again. The defaults of number and delays are those of the official
/// clients of OpenAI and Anthropic.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RetryPolicy {
    /// Further attempts at the same model, after the first.
    pub retries: u32,
    /// Upper bound of the first delay, which doubles from retry to retry.
    pub first_delay: Duration,
    /// Upper bound of every delay; also the longest `RetryPolicy-NumberSuffix` that is waited for while another
    /// model is left.
    pub max_delay: Duration,
    /// The longest `RetryPolicy-NumberSuffix` that is waited for when no other model is left.
    pub patience: Duration,
    /// Time for all attempts at all models together, with every delay and all waiting for a place.
    pub total: Duration,
}

impl RetryPolicy {
    /// Its back-off.
    #[must_use]
    pub fn backoff(&self) -> Backoff {
        Backoff { first: self.first_delay, max: self.max_delay }
    }
}

impl Default for RetryPolicy {
    fn default() -> Self {
        Self {
            retries: 2,
            first_delay: Duration::from_millis(500),
            max_delay: Duration::from_secs(8),
            patience: Duration::from_secs(60),
            total: Duration::from_secs(900),
        }
    }
}

/// When a backend that keeps failing is left alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CircuitSettings {
    /// Failures of the backend's own in a row that open the circuit; 0 for never.
    pub failures: u32,
    /// How long nothing is sent then, until one call tries whether it is back.
    pub pause: Duration,
}

impl Default for CircuitSettings {
    fn default() -> Self {
        Self { failures: 5, pause: Duration::from_secs(10) }
    }
}

/// How long a backend may take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Timeouts {
    /// For one attempt, a streamed answer to its last token included.
    pub attempt: Duration,
    /// From sending to the first token of a streamed answer. Models that think first are slow here.
    pub first_token: Duration,
    /// Between two tokens of a streamed answer.
    pub idle: Duration,
    /// For the list of models.
    pub list: Duration,
}

impl Default for Timeouts {
    fn default() -> Self {
        Self {
            attempt: Duration::from_secs(600),
            first_token: Duration::from_secs(300),
            idle: Duration::from_secs(60),
            list: Duration::from_secs(30),
        }
    }
}

/// How much a backend is given at once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Capacity {
    /// Calls at the same time, at least one.
    pub concurrent: usize,
    /// Calls that wait for a place; one more is refused.
    pub waiting: usize,
}

impl Default for Capacity {
    fn default() -> Self {
        Self { concurrent: 64, waiting: 1_000 }
    }
}
