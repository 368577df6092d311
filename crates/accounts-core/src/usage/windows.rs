//! The windows of a key's limits: usage and reservations of the current minute and day.
//!
//! Windows are the fixed minutes and days of UTC. So one row per key is enough, a daily limit is easy to
//! follow, and the time until the next window is known. The cost: around the end of a window, twice its limit
//! may be used within a shorter time.

use std::fmt;

use shared_core::Timestamp;

use super::{CallUsage, Estimate};
use crate::{KeyLimits, Money, WindowKind};

/// Usage and reservations in one window.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct UsageWindow {
    /// The number of the minute or day since 1970-01-01T00:00:00Z.
    pub start: i64,
    /// Model calls.
    pub requests: u64,
    /// Input and output tokens.
    pub tokens: u64,
    /// Cost.
    pub cost: Money,
}

/// The current windows of a key.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct UsageWindows {
    /// The minute.
    pub minute: UsageWindow,
    /// The day.
    pub day: UsageWindow,
}

/// The windows of a reservation, by their starts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ReservedWindows {
    /// The start of the minute, as in [`UsageWindow::start`].
    pub minute: i64,
    /// The start of the day, as in [`UsageWindow::start`].
    pub day: i64,
}

/// A limit of a key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Limit {
    /// Calls in a window.
    Requests(WindowKind),
    /// Tokens in a window.
    Tokens(WindowKind),
    /// Cost in a window.
    Cost(WindowKind),
}

impl Limit {
    /// Such as `requests per minute`; follows an amount.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Requests(WindowKind::Minute) => "requests per minute",
            Self::Requests(WindowKind::Day) => "requests per day",
            Self::Tokens(WindowKind::Minute) => "tokens per minute",
            Self::Tokens(WindowKind::Day) => "tokens per day",
            Self::Cost(WindowKind::Minute) => "US dollars per minute",
            Self::Cost(WindowKind::Day) => "US dollars per day",
        }
    }

    /// Formats an amount for a message; cost is in nano-dollars.
    #[must_use]
    pub fn amount(self, amount: u64) -> String {
        match self {
            Self::Requests(_) | Self::Tokens(_) => amount.to_string(),
            Self::Cost(_) => Money(amount).to_string(),
        }
    }
}

/// A limit that is reached in the current window.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LimitReached {
    /// The limit; of several, the one with the longest wait.
    pub limit: Limit,
    /// The allowed amount, in the unit of [`Limit::amount`].
    pub allowed: u64,
    /// Seconds until its window ends, at least 1.
    pub retry_after: u64,
}

/// A call that a limit can never admit. `Display` is one sentence for the user.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PermanentRefusal {
    /// It needs more than the whole limit.
    TooLarge {
        /// The limit.
        limit: Limit,
        /// The allowed amount, in the unit of [`Limit::amount`].
        allowed: u64,
        /// The estimate of the call, in the same unit.
        needed: u64,
    },
    /// Its price is not known, so a limit on cost cannot be enforced.
    Unpriced(Limit),
}

impl fmt::Display for PermanentRefusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::TooLarge { limit, allowed, needed } => {
                let (what, unit) = match limit {
                    Limit::Cost(_) => ("cost", " US dollars"),
                    Limit::Tokens(_) => ("use", " tokens"),
                    Limit::Requests(_) => ("take", " requests"),
                };
                let (needed, allowed) = (limit.amount(*needed), limit.amount(*allowed));
                write!(
                    f,
                    "the call may {what} {needed}{unit} and the key may use {allowed} {}: it never fits; ask for less",
                    limit.name()
                )
            }
            Self::Unpriced(limit) => {
                write!(f, "the model's price is not known, and the key has a limit of {}", limit.name())
            }
        }
    }
}

/// The three limits of a window, with the demand of a call on each.
fn list_demands(limits: &KeyLimits, span: WindowKind, estimate: &Estimate) -> [(Limit, Option<u64>, u64); 3] {
    let limits = limits.window_limits(span);
    [
        (Limit::Requests(span), limits.requests, 1),
        (Limit::Tokens(span), limits.tokens, estimate.tokens),
        (Limit::Cost(span), limits.cost.map(|money| money.0), estimate.cost.unwrap_or_default().0),
    ]
}

/// The limit that can never admit the call; `None` when there is none.
pub(super) fn find_permanent_refusal(limits: &KeyLimits, estimate: &Estimate) -> Option<PermanentRefusal> {
    [WindowKind::Minute, WindowKind::Day].into_iter().find_map(|span| {
        list_demands(limits, span, estimate).into_iter().find_map(|(limit, allowed, needed)| {
            let allowed = allowed?;
            if matches!(limit, Limit::Cost(_)) && estimate.cost.is_none() {
                return Some(PermanentRefusal::Unpriced(limit));
            }
            (needed > allowed).then_some(PermanentRefusal::TooLarge { limit, allowed, needed })
        })
    })
}

impl UsageWindow {
    /// Resets the window when it is over. A later one stays, because another server's clock may be ahead.
    fn roll(&mut self, now: Timestamp, span: WindowKind) {
        let present = now.micros().div_euclid(span.micros());
        if self.start < present {
            *self = Self { start: present, ..Self::default() };
        }
    }

    fn find_reached_limit(
        &self,
        now: Timestamp,
        span: WindowKind,
        limits: &KeyLimits,
        estimate: &Estimate,
    ) -> Option<LimitReached> {
        let end = self.start.saturating_add(1).saturating_mul(span.micros());
        let left = end.saturating_sub(now.micros()).max(1);
        let retry_after = u64::try_from(left).unwrap_or(1).div_ceil(1_000_000);
        let used = [self.requests, self.tokens, self.cost.0];
        list_demands(limits, span, estimate).into_iter().zip(used).find_map(
            |((limit, allowed, needed), used)| {
                let allowed = allowed?;
                (used.saturating_add(needed) > allowed).then_some(LimitReached {
                    limit,
                    allowed,
                    retry_after,
                })
            },
        )
    }

    fn add_estimate(&mut self, estimate: &Estimate) {
        self.requests = self.requests.saturating_add(1);
        self.tokens = self.tokens.saturating_add(estimate.tokens);
        self.cost.0 = self.cost.0.saturating_add(estimate.cost.unwrap_or_default().0);
    }

    fn settle(&mut self, start: i64, estimate: &Estimate, spend: &CallUsage) {
        // A reservation ends with its window.
        if self.start != start {
            return;
        }
        self.tokens = self.tokens.saturating_sub(estimate.tokens).saturating_add(spend.tokens.total());
        // Without a price the estimated cost stays reserved.
        if let Some(cost) = spend.cost {
            let kept = estimate.cost.unwrap_or_default().0;
            self.cost.0 = self.cost.0.saturating_sub(kept).saturating_add(cost.0);
        }
    }
}

impl UsageWindows {
    /// Reserves a call in both windows, or in neither.
    ///
    /// # Errors
    /// The limit that is reached.
    pub fn reserve(
        &mut self,
        now: Timestamp,
        limits: &KeyLimits,
        estimate: &Estimate,
    ) -> Result<ReservedWindows, LimitReached> {
        self.minute.roll(now, WindowKind::Minute);
        self.day.roll(now, WindowKind::Day);
        let day = self.day.find_reached_limit(now, WindowKind::Day, limits, estimate);
        if let Some(reached) =
            day.or_else(|| self.minute.find_reached_limit(now, WindowKind::Minute, limits, estimate))
        {
            return Err(reached);
        }
        self.minute.add_estimate(estimate);
        self.day.add_estimate(estimate);
        Ok(ReservedWindows { minute: self.minute.start, day: self.day.start })
    }

    /// Replaces the estimate of a call with its usage.
    pub fn settle(&mut self, room: ReservedWindows, estimate: &Estimate, spend: &CallUsage) {
        self.minute.settle(room.minute, estimate, spend);
        self.day.settle(room.day, estimate, spend);
    }
}

#[cfg(test)]
mod tests {
    use super::super::Tokens;
    use super::*;

    const NOON: i64 = 1_767_268_800_000_000;

    fn at(seconds: i64) -> Timestamp {
        Timestamp::from_micros(NOON + seconds * 1_000_000).unwrap()
    }

    fn estimate(tokens: u64, cost: u64) -> Estimate {
        Estimate { tokens, cost: Some(Money(cost)) }
    }

    fn spend(tokens: u64, cost: Option<u64>) -> CallUsage {
        CallUsage { tokens: Tokens { input: tokens, ..Tokens::default() }, cost: cost.map(Money) }
    }

    #[test]
    fn a_window_gives_room_up_to_its_limit_and_again_when_the_next_begins() {
        let limits = KeyLimits { requests_per_minute: Some(2), ..KeyLimits::default() };
        let mut windows = UsageWindows::default();
        for second in [0, 59] {
            assert!(windows.reserve(at(second), &limits, &estimate(1, 0)).is_ok());
        }
        let refused = windows.reserve(at(59), &limits, &estimate(1, 0)).unwrap_err();
        let limit = Limit::Requests(WindowKind::Minute);
        assert_eq!(refused, LimitReached { limit, allowed: 2, retry_after: 1 });
        assert!(windows.reserve(at(60), &limits, &estimate(1, 0)).is_ok());
    }

    #[test]
    fn of_two_limits_that_are_reached_the_one_that_takes_longer_is_told() {
        let limits =
            KeyLimits { requests_per_minute: Some(1), cost_per_day: Some(Money(10)), ..KeyLimits::default() };
        let mut windows = UsageWindows::default();
        windows.reserve(at(0), &limits, &estimate(1, 10)).unwrap();
        let refused = windows.reserve(at(1), &limits, &estimate(1, 1)).unwrap_err();
        assert_eq!((refused.limit, refused.retry_after), (Limit::Cost(WindowKind::Day), 12 * 3_600 - 1));
    }

    #[test]
    fn settling_gives_back_what_was_not_used_and_counts_what_was_used_beyond() {
        let limits = KeyLimits { tokens_per_minute: Some(100), ..KeyLimits::default() };
        let mut windows = UsageWindows::default();
        let room = windows.reserve(at(0), &limits, &estimate(90, 0)).unwrap();
        assert!(windows.reserve(at(0), &limits, &estimate(11, 0)).is_err());
        windows.settle(room, &estimate(90, 0), &spend(40, Some(0)));
        let room = windows.reserve(at(1), &limits, &estimate(60, 0)).unwrap();
        windows.settle(room, &estimate(60, 0), &spend(200, Some(0)));
        assert_eq!((windows.minute.tokens, windows.minute.requests), (240, 2));
        assert!(windows.reserve(at(2), &limits, &estimate(0, 0)).is_err(), "it was used beyond the limit");
    }

    #[test]
    fn what_is_settled_after_its_minute_still_counts_in_its_day_alone() {
        let limits =
            KeyLimits { tokens_per_minute: Some(100), tokens_per_day: Some(100), ..KeyLimits::default() };
        let mut windows = UsageWindows::default();
        let room = windows.reserve(at(0), &limits, &estimate(50, 0)).unwrap();
        windows.reserve(at(60), &limits, &estimate(20, 0)).unwrap();
        windows.settle(room, &estimate(50, 0), &spend(10, Some(0)));
        assert_eq!((windows.minute.tokens, windows.day.tokens), (20, 30));
    }

    #[test]
    fn a_clock_that_is_behind_does_not_empty_a_window() {
        let limits = KeyLimits { requests_per_minute: Some(1), ..KeyLimits::default() };
        let mut windows = UsageWindows::default();
        windows.reserve(at(60), &limits, &estimate(1, 0)).unwrap();
        let refused = windows.reserve(at(59), &limits, &estimate(1, 0)).unwrap_err();
        assert_eq!(refused.retry_after, 61);
    }

    #[test]
    fn a_cost_that_is_not_known_leaves_the_room_taken() {
        let limits = KeyLimits { cost_per_day: Some(Money(10)), ..KeyLimits::default() };
        let mut windows = UsageWindows::default();
        let room = windows.reserve(at(0), &limits, &estimate(1, 10)).unwrap();
        windows.settle(room, &estimate(1, 10), &spend(1, None));
        assert!(windows.reserve(at(0), &limits, &estimate(1, 1)).is_err());
    }

    #[test]
    fn a_call_that_never_fits_is_told_so_with_what_it_needs() {
        let limits = KeyLimits { tokens_per_minute: Some(100), ..KeyLimits::default() };
        let told = |limits: &KeyLimits, asked: &Estimate| {
            find_permanent_refusal(limits, asked).map(|never| never.to_string())
        };
        assert_eq!(
            told(&limits, &estimate(101, 0)).as_deref(),
            Some(
                "the call may use 101 tokens and the key may use 100 tokens per minute: it never fits; ask for less"
            )
        );
        assert_eq!(told(&limits, &estimate(100, u64::MAX)), None);
        let limits = KeyLimits { cost_per_day: Some(Money(500_000_000)), ..KeyLimits::default() };
        assert_eq!(
            told(&limits, &estimate(1, 1_250_000_000)).as_deref(),
            Some(
                "the call may cost 1.25 US dollars and the key may use 0.5 US dollars per day: it never fits; ask for less"
            )
        );
        let unpriced = Estimate { tokens: 1, cost: None };
        assert_eq!(
            told(&limits, &unpriced).as_deref(),
            Some("the model's price is not known, and the key has a limit of US dollars per day")
        );
    }
}
