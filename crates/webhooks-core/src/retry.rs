//! The back-off after a failed attempt.

use std::time::Duration;

const SECOND: u64 = 1;
const MINUTE: u64 = 60;
const HOUR: u64 = 3_600;

/// Back-off after the first, second, … failed attempt: the schedule that the Standard Webhooks specification
/// suggests, some three days in total.
const RETRY_DELAYS: [u64; 9] =
    [5 * SECOND, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 5 * HOUR, 10 * HOUR, 14 * HOUR, 20 * HOUR, 24 * HOUR];

/// Attempts at a delivery before it fails.
pub const MAX_ATTEMPTS: u32 = RETRY_DELAYS.len() as u32 + 1;

/// The longest back-off: the last one with its jitter.
pub const MAX_DELAY: Duration = Duration::from_secs(24 * HOUR + 24 * HOUR / 10);

/// The longest `Retry-After` that is respected.
const MAX_RETRY_AFTER: Duration = Duration::from_secs(24 * HOUR);

/// The back-off after `failed` failed attempts; `None` when the attempts are used up. `asked` is the
/// receiver's `Retry-After`: it can lengthen the back-off, up to a day. `spread` (0 to 255) adds up to a
/// tenth as jitter, so deliveries that failed together are not retried together.
#[must_use]
pub fn retry_delay(failed: u32, asked: Option<Duration>, spread: u8) -> Option<Duration> {
    let planned = RETRY_DELAYS.get(usize::try_from(failed.checked_sub(1)?).ok()?)?;
    let planned =
        Duration::from_secs(*planned) + Duration::from_millis(planned * 100) * u32::from(spread) / 255;
    Some(asked.map_or(planned, |asked| asked.min(MAX_RETRY_AFTER).max(planned)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pauses_grow_to_a_day_and_then_there_is_no_more() {
        let all: Vec<Duration> =
            (1..MAX_ATTEMPTS).filter_map(|failed| retry_delay(failed, None, 0)).collect();
        assert_eq!(all.len(), 9);
        assert!(all.is_sorted());
        assert_eq!((all[0], all[8]), (Duration::from_secs(5), Duration::from_secs(86_400)));
        assert_eq!(retry_delay(MAX_ATTEMPTS, None, 0), None);
        assert_eq!(retry_delay(0, None, 0), None);
    }

    #[test]
    fn a_receiver_can_ask_for_a_longer_pause_and_not_for_a_shorter_one() {
        let asked = |seconds| retry_delay(2, Some(Duration::from_secs(seconds)), 0).unwrap().as_secs();
        assert_eq!((asked(1), asked(400), asked(u64::MAX)), (300, 400, 86_400));
    }

    #[test]
    fn a_tenth_at_the_most_is_added() {
        assert_eq!(retry_delay(2, None, 255), Some(Duration::from_secs(330)));
        assert_eq!(retry_delay(MAX_ATTEMPTS - 1, None, 255), Some(MAX_DELAY));
        assert!(retry_delay(2, None, 128).unwrap() < Duration::from_secs(330));
    }
}
