//! The limits of a key per minute and per day.

use std::fmt;
use std::str::FromStr;

use shared_core::Violation;

use crate::usage::Limit;

/// Nano-dollars (10⁻⁹ US dollars) in a dollar.
const NANOS_PER_DOLLAR: u64 = 1_000_000_000;
/// The largest limit on cost: 10⁹ US dollars. In nano-dollars it fits into a 64-bit database integer.
const MAX_DOLLARS: u64 = 1_000_000_000;
/// The largest limit on requests or tokens.
const MAX_COUNT: u64 = 1_000_000_000_000_000;

/// Money in nano-dollars (10⁻⁹ US dollars), so the price of one token is an integer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Money(pub u64);

impl Money {
    /// The amount in US dollars.
    #[must_use]
    pub fn dollars(self) -> f64 {
        self.0 as f64 / 1e9
    }
}

/// Text that is not an amount of money.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("must be an amount in US dollars, such as 2.50, with at most nine decimals and up to 1000000000")]
pub struct MoneyError;

impl FromStr for Money {
    type Err = MoneyError;

    fn from_str(text: &str) -> Result<Self, MoneyError> {
        let (whole, part) = text.split_once('.').unwrap_or((text, "0"));
        let digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
        if !digits(whole) || !digits(part) || part.len() > 9 {
            return Err(MoneyError);
        }
        let whole = whole.parse().ok().filter(|whole: &u64| *whole <= MAX_DOLLARS).ok_or(MoneyError)?;
        let part: u64 = format!("{part:0<9}").parse().ok().ok_or(MoneyError)?;
        Ok(Self(whole * NANOS_PER_DOLLAR + part))
    }
}

/// In US dollars, with as few decimals as needed.
impl fmt::Display for Money {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (whole, part) = (self.0 / NANOS_PER_DOLLAR, self.0 % NANOS_PER_DOLLAR);
        if part == 0 {
            return write!(f, "{whole}");
        }
        write!(f, "{whole}.{}", format!("{part:09}").trim_end_matches('0'))
    }
}

/// The limits of a key; `None` means unlimited. Windows are the fixed minutes and days of UTC. A window
/// starts when the previous one ends, with all counts at zero.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct KeyLimits {
    /// Model calls per minute. The shell also admits at most that many requests.
    pub requests_per_minute: Option<u32>,
    /// Model calls per day.
    pub requests_per_day: Option<u64>,
    /// Input and output tokens per minute.
    pub tokens_per_minute: Option<u64>,
    /// Input and output tokens per day.
    pub tokens_per_day: Option<u64>,
    /// Cost per minute.
    pub cost_per_minute: Option<Money>,
    /// Cost per day.
    pub cost_per_day: Option<Money>,
}

impl KeyLimits {
    /// Whether no limit is set.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// The limits of one kind of window.
    #[must_use]
    pub fn window_limits(&self, span: WindowKind) -> WindowLimits {
        match span {
            WindowKind::Minute => WindowLimits {
                requests: self.requests_per_minute.map(u64::from),
                tokens: self.tokens_per_minute,
                cost: self.cost_per_minute,
            },
            WindowKind::Day => WindowLimits {
                requests: self.requests_per_day,
                tokens: self.tokens_per_day,
                cost: self.cost_per_day,
            },
        }
    }

    /// The limits that are set, such as `10 requests per day`.
    #[must_use]
    pub fn descriptions(&self) -> Vec<String> {
        let told = |span| {
            let WindowLimits { requests, tokens, cost } = self.window_limits(span);
            let cost = cost.map(|money| money.0);
            let all =
                [(Limit::Requests(span), requests), (Limit::Tokens(span), tokens), (Limit::Cost(span), cost)];
            all.into_iter()
                .filter_map(|(limit, set)| Some(format!("{} {}", limit.amount(set?), limit.name())))
        };
        [WindowKind::Minute, WindowKind::Day].into_iter().flat_map(told).collect()
    }

    /// Checks that each limit is within its range.
    pub(crate) fn check(&self) -> Result<(), Violation> {
        for span in [WindowKind::Minute, WindowKind::Day] {
            let WindowLimits { requests, tokens, cost } = self.window_limits(span);
            for (thing, limit, most) in [
                ("requests", requests, MAX_COUNT),
                ("tokens", tokens, MAX_COUNT),
                ("cost", cost.map(|money| money.0), MAX_DOLLARS * NANOS_PER_DOLLAR),
            ] {
                let name = format!("{thing}_per_{}", span.name());
                let least = if thing == "cost" { "more than 0" } else { "at least 1" };
                let message = match limit {
                    Some(0) => format!("'{name}' must be {least}"),
                    Some(limit) if limit > most && thing == "cost" => {
                        format!("'{name}' must be at most {MAX_DOLLARS} US dollars")
                    }
                    Some(limit) if limit > most => format!("'{name}' must be at most {most}"),
                    _ => continue,
                };
                return Err(Violation::new(format!("/{name}"), message));
            }
        }
        Ok(())
    }
}

/// The kind of a window, by its length.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum WindowKind {
    /// A minute of UTC.
    Minute,
    /// A day of UTC.
    Day,
}

impl WindowKind {
    /// The length in microseconds.
    #[must_use]
    pub fn micros(self) -> i64 {
        match self {
            Self::Minute => 60_000_000,
            Self::Day => 86_400_000_000,
        }
    }

    /// The name, `minute` or `day`.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Minute => "minute",
            Self::Day => "day",
        }
    }
}

/// The limits of one window.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct WindowLimits {
    /// Model calls.
    pub requests: Option<u64>,
    /// Input and output tokens.
    pub tokens: Option<u64>,
    /// Cost.
    pub cost: Option<Money>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn money_is_read_and_written_exactly() {
        for (text, nanos, again) in [
            ("2.50", 2_500_000_000, "2.5"),
            ("0.000000001", 1, "0.000000001"),
            ("10", 10_000_000_000, "10"),
            ("0", 0, "0"),
            ("1000000000", 1_000_000_000_000_000_000, "1000000000"),
        ] {
            let money: Money = text.parse().unwrap();
            assert_eq!((money.0, money.to_string().as_str()), (nanos, again));
        }
        for bad in [
            "",
            ".",
            "1.",
            ".5",
            "-1",
            "+1",
            "1e3",
            "0.0000000001",
            "1,5",
            "$1",
            "1000000001",
            "NaN",
            "1.5.0",
        ] {
            assert_eq!(bad.parse::<Money>(), Err(MoneyError), "{bad}");
        }
    }

    #[test]
    fn money_is_told_in_dollars() {
        assert_eq!(Money(2_500_000_000).dollars(), 2.5);
    }

    #[test]
    fn the_largest_limits_and_the_smallest_are_accepted() {
        for (count, cost) in [(1, 1), (MAX_COUNT, 1_000_000_000_000_000_000)] {
            let limits = KeyLimits {
                requests_per_minute: Some(u32::try_from(count).unwrap_or(u32::MAX)),
                requests_per_day: Some(count),
                tokens_per_minute: Some(count),
                tokens_per_day: Some(count),
                cost_per_minute: Some(Money(cost)),
                cost_per_day: Some(Money(cost)),
            };
            assert_eq!(limits.check(), Ok(()));
            assert!(!limits.is_empty());
            let beyond =
                KeyLimits { cost_per_day: Some(Money(MAX_DOLLARS * NANOS_PER_DOLLAR + 1)), ..limits };
            assert!(beyond.check().is_err());
        }
    }

    #[test]
    fn a_limit_that_allows_nothing_or_too_much_is_refused_by_its_name() {
        let none = KeyLimits::default();
        let told = |limits: KeyLimits| limits.check().unwrap_err().message;
        let limits = KeyLimits { tokens_per_day: Some(0), ..none };
        assert_eq!(told(limits), "'tokens_per_day' must be at least 1");
        let limits = KeyLimits { cost_per_minute: Some(Money(0)), ..none };
        assert_eq!(told(limits), "'cost_per_minute' must be more than 0");
        let limits = KeyLimits { requests_per_day: Some(u64::MAX), ..none };
        assert_eq!(told(limits), "'requests_per_day' must be at most 1000000000000000");
        let limits = KeyLimits { cost_per_day: Some(Money(u64::MAX)), ..none };
        assert_eq!(told(limits), "'cost_per_day' must be at most 1000000000 US dollars");
        assert!(none.check().is_ok() && none.is_empty());
        let limits =
            KeyLimits { requests_per_day: Some(10), cost_per_minute: Some(Money(500_000_000)), ..none };
        assert_eq!(limits.descriptions(), ["0.5 US dollars per minute", "10 requests per day"]);
    }
}
