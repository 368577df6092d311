//! What a call of a model uses and costs.

use std::ops::AddAssign;

use shared_core::WorkspaceId;

use super::Day;
use crate::Money;

/// Characters of a model's name that are kept.
pub const MAX_MODEL: usize = 200;
/// No call reads or writes more tokens: what a provider counts is not believed beyond it, so that no sum
/// leaves the range of a database.
const MOST_TOKENS: u64 = 1_000_000_000;
/// No call costs more: a million dollars.
const MOST_COST: u64 = 1_000_000_000_000_000;

/// Tokens of a call.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tokens {
    /// Read.
    pub input: u64,
    /// Written.
    pub output: u64,
    /// Read from a provider's cache; part of `input`.
    pub cached: u64,
    /// Written and not shown; part of `output`.
    pub reasoning: u64,
}

impl Tokens {
    /// Input and output.
    #[must_use]
    pub fn total(&self) -> u64 {
        self.input.saturating_add(self.output)
    }
}

/// What a call may use at most, as far as can be told before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Estimate {
    /// Input and output tokens.
    pub tokens: u64,
    /// Money; `None` when the price is not known.
    pub cost: Option<Money>,
}

impl Estimate {
    /// Whether it costs nothing, so that nothing is lost with its booking.
    pub(super) fn is_free(&self) -> bool {
        self.cost == Some(Money(0))
    }

    pub(super) fn bounded(self) -> Self {
        Self { tokens: self.tokens.min(MOST_TOKENS), cost: self.cost.map(bounded) }
    }

    /// As if all of it had been used, which cannot be told apart into input and output.
    #[must_use]
    pub fn to_usage(self) -> CallUsage {
        CallUsage { tokens: Tokens { input: self.tokens, ..Tokens::default() }, cost: self.cost }
    }
}

/// What a call used.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CallUsage {
    /// Tokens.
    pub tokens: Tokens,
    /// Money; `None` when the price is not known.
    pub cost: Option<Money>,
}

impl CallUsage {
    pub(super) fn bounded(self) -> Self {
        let Tokens { input, output, cached, reasoning } = self.tokens;
        let tokens = Tokens {
            input: input.min(MOST_TOKENS),
            output: output.min(MOST_TOKENS),
            cached: cached.min(MOST_TOKENS),
            reasoning: reasoning.min(MOST_TOKENS),
        };
        Self { tokens, cost: self.cost.map(bounded) }
    }
}

fn bounded(cost: Money) -> Money {
    Money(cost.0.min(MOST_COST))
}

/// A sum over calls.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Totals {
    /// Calls of models; failed ones are calls too.
    pub requests: u64,
    /// Tokens.
    pub tokens: Tokens,
    /// Money of the calls whose price is known.
    pub cost: Money,
    /// Calls whose price is not known.
    pub unpriced: u64,
}

impl Totals {
    /// Of one call.
    #[must_use]
    pub fn of(spend: &CallUsage) -> Self {
        Self {
            requests: 1,
            tokens: spend.tokens,
            cost: spend.cost.unwrap_or_default(),
            unpriced: u64::from(spend.cost.is_none()),
        }
    }

    /// What all of it cost; `None` when the price of any part is not known.
    #[must_use]
    pub fn whole_cost(&self) -> Option<Money> {
        (self.unpriced == 0).then_some(self.cost)
    }
}

impl AddAssign for Totals {
    fn add_assign(&mut self, other: Self) {
        let add = |sum: &mut u64, part: u64| *sum = sum.saturating_add(part);
        add(&mut self.requests, other.requests);
        add(&mut self.tokens.input, other.tokens.input);
        add(&mut self.tokens.output, other.tokens.output);
        add(&mut self.tokens.cached, other.tokens.cached);
        add(&mut self.tokens.reasoning, other.tokens.reasoning);
        add(&mut self.cost.0, other.cost.0);
        add(&mut self.unpriced, other.unpriced);
    }
}

/// Where a call is booked.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct UsageKey {
    /// The workspace.
    pub workspace: WorkspaceId,
    /// Identifier of the key; none for work of the service itself.
    pub key: Option<String>,
    /// The model, at most [`MAX_MODEL`] characters.
    pub model: String,
    /// The day on which the call began.
    pub day: Day,
}

/// A sum to be added to what is booked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UsageEntry {
    /// Where.
    pub account: UsageKey,
    /// How much.
    pub totals: Totals,
    /// The reservations in whose place it comes: [`UsageRepository::open`](super::UsageRepository::open).
    pub reservations: Vec<i64>,
}
