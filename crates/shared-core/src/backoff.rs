//! Exponential back-off.

use std::time::Duration;

/// Delays that double from attempt to attempt, up to a bound.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Backoff {
    /// The delay after the first failed attempt.
    pub first: Duration,
    /// The longest delay.
    pub max: Duration,
}

impl Backoff {
    /// The delay after so many failed attempts before this one: `first · 2^failed`, at most `max`.
    #[must_use]
    pub fn delay(&self, failed: u32) -> Duration {
        self.first.saturating_mul(2_u32.saturating_pow(failed)).min(self.max)
    }

    /// The delay, or what the other side asked for where that is longer, at most `max`.
    #[must_use]
    pub fn delay_or(&self, failed: u32, requested: Option<Duration>) -> Duration {
        self.delay(failed).max(requested.unwrap_or_default().min(self.max))
    }

    /// A delay between nothing and [`Self::delay`], by 64 unpredictable bits ("full jitter", M. Brooker, Exponential Backoff
    /// and Jitter, 2015).
    #[must_use]
    pub fn jittered_delay(&self, failed: u32, random: u64) -> Duration {
        let nanos = (self.delay(failed).as_nanos() * u128::from(random)) >> 64;
        Duration::from_nanos(u64::try_from(nanos).unwrap_or(u64::MAX))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const BACKOFF: Backoff = Backoff { first: Duration::from_secs(2), max: Duration::from_secs(60) };

    #[test]
    fn delays_double_up_to_their_bound() {
        let seconds: Vec<u64> = (0..7).map(|failed| BACKOFF.delay(failed).as_secs()).collect();
        assert_eq!(seconds, [2, 4, 8, 16, 32, 60, 60]);
        assert_eq!(BACKOFF.delay(u32::MAX), BACKOFF.max);
    }

    #[test]
    fn a_longer_delay_that_was_requested_counts_up_to_the_bound() {
        let requested = |seconds| BACKOFF.delay_or(0, Some(Duration::from_secs(seconds))).as_secs();
        assert_eq!([requested(0), requested(30), requested(3_600)], [2, 30, 60]);
    }

    #[test]
    fn jitter_spreads_delays_between_nothing_and_the_delay() {
        assert_eq!(BACKOFF.jittered_delay(1, 0), Duration::ZERO);
        assert_eq!(BACKOFF.jittered_delay(1, 1 << 63), Duration::from_secs(2));
        assert!(BACKOFF.jittered_delay(1, u64::MAX) <= Duration::from_secs(4));
    }
}
