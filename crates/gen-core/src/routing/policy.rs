//! Settings of retries, circuit breakers, timeouts and concurrency, with their defaults.

use std::time::Duration;

use shared_core::Backoff;

/// When failed calls are retried. The defaults of number and delays are those of the official clients of
/// OpenAI and Anthropic.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RetryPolicy {
    /// Maximum retries at the same model.
    pub retries: u32,
    /// Upper bound of the first back-off delay. It doubles from retry to retry.
    pub first_delay: Duration,
    /// Upper bound of every back-off delay. Also the longest `Retry-After` that is waited for while a
    /// fallback is left.
    pub max_delay: Duration,
    /// The longest `Retry-After` that is waited for when no fallback is left.
    pub patience: Duration,
    /// Limit of a whole request: all attempts at all models, with back-off and time in queues.
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
            // A limit of the minute ends by then; the total leaves room for one attempt of ten minutes and a
            // fallback. Chosen by hand; no measurement is recorded.
            patience: Duration::from_secs(60),
            total: Duration::from_secs(900),
        }
    }
}

/// When a backend's circuit opens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CircuitSettings {
    /// The backend's own failures in a row that open the circuit; 0 disables it.
    pub failures: u32,
    /// How long nothing is sent before a probe call.
    pub pause: Duration,
}

impl Default for CircuitSettings {
    fn default() -> Self {
        // Chosen by hand; no measurement is recorded.
        Self { failures: 5, pause: Duration::from_secs(10) }
    }
}

/// Limits of time for one backend.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Timeouts {
    /// For one attempt, with a streamed answer to its last event.
    pub attempt: Duration,
    /// From sending to the first event of a streamed answer. Reasoning models take long.
    pub first_token: Duration,
    /// Between two events of a streamed answer.
    pub idle: Duration,
    /// For the list of models.
    pub list: Duration,
}

impl Default for Timeouts {
    fn default() -> Self {
        Self {
            // Ten minutes are the default of the official clients of OpenAI and Anthropic. The others: chosen
            // by hand; no measurement is recorded.
            attempt: Duration::from_secs(600),
            first_token: Duration::from_secs(300),
            idle: Duration::from_secs(60),
            list: Duration::from_secs(30),
        }
    }
}

/// Limits of concurrency for one backend.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Capacity {
    /// Calls in flight, at least 1.
    pub concurrent: usize,
    /// Calls that wait for a permit; one more is refused.
    pub waiting: usize,
}

impl Default for Capacity {
    fn default() -> Self {
        // 64 calls in flight keep 1.04 times the ideal time in `bench delta`; the queue bounds the memory.
        Self { concurrent: 64, waiting: 1_000 }
    }
}
