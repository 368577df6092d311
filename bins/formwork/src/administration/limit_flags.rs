//! Flags of the command line for the limits of an API key.

use accounts_core::{KeyLimits, Money};
use clap::Args;

/// Limits of a key. Each is unlimited unless it is given. Minutes and days are those of UTC.
#[derive(Clone, Copy, Debug, Args)]
pub(crate) struct LimitFlags {
    /// Model calls per minute, and requests of any kind per minute and server
    #[arg(long, value_name = "COUNT")]
    requests_per_minute: Option<u32>,
    /// Model calls per day
    #[arg(long, value_name = "COUNT")]
    requests_per_day: Option<u64>,
    /// Input and output tokens per minute
    #[arg(long, value_name = "COUNT")]
    tokens_per_minute: Option<u64>,
    /// Input and output tokens per day
    #[arg(long, value_name = "COUNT")]
    tokens_per_day: Option<u64>,
    /// US dollars per minute, such as 0.25
    #[arg(long, value_name = "DOLLARS")]
    cost_per_minute: Option<Money>,
    /// US dollars per day, such as 12.50
    #[arg(long, value_name = "DOLLARS")]
    cost_per_day: Option<Money>,
}

impl From<LimitFlags> for KeyLimits {
    fn from(flags: LimitFlags) -> Self {
        Self {
            requests_per_minute: flags.requests_per_minute,
            requests_per_day: flags.requests_per_day,
            tokens_per_minute: flags.tokens_per_minute,
            tokens_per_day: flags.tokens_per_day,
            cost_per_minute: flags.cost_per_minute,
            cost_per_day: flags.cost_per_day,
        }
    }
}
