//! The usage and cost of a model call.

use std::ops::AddAssign;

use shared_core::WorkspaceId;

use super::Day;
use crate::Money;

/// Stored characters of a model's name at most.
pub const MAX_MODEL: usize = 200;
/// Upper bound for the tokens of one call. Larger counts from a provider are clamped, so that no sum leaves
/// the range of a database integer.
const MOST_TOKENS: u64 = 1_000_000_000;
/// Upper bound for the cost of one call, in nano-dollars: a million dollars.
const MOST_COST: u64 = 1_000_000_000_000_000;

/// Tokens of a call.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tokens {
    /// Tokens of the prompt.
    pub input: u64,
    /// Tokens of the completion.
    pub output: u64,
    /// Prompt tokens read from a provider's cache; part of `input`.
    pub cached: u64,
    /// Hidden reasoning tokens; part of `output`.
    pub reasoning: u64,
}

impl Tokens {
    /// Input and output.
    #[must_use]
    pub fn total(&self) -> u64 {
        self.input.saturating_add(self.output)
    }
}

/// An upper estimate of a call's usage, made before the call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Estimate {
    /// Input and output tokens.
    pub tokens: u64,
    /// Cost; `None` when the price is not known.
    pub cost: Option<Money>,
}

impl Estimate {
    /// Whether the call is free, so no cost is lost if its usage is not recorded.
    pub(super) fn is_free(&self) -> bool {
        self.cost == Some(Money(0))
    }

    pub(super) fn bounded(self) -> Self {
        Self { tokens: self.tokens.min(MOST_TOKENS), cost: self.cost.map(bounded) }
    }

    /// The usage if the whole estimate is used up. All tokens count as input, because the split is not known.
    #[must_use]
    pub fn to_usage(self) -> CallUsage {
        CallUsage { tokens: Tokens { input: self.tokens, ..Tokens::default() }, cost: self.cost }
    }
}

/// The actual usage of a call.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CallUsage {
    /// Tokens.
    pub tokens: Tokens,
    /// Cost; `None` when the price is not known.
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

/// Totals over calls.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Totals {
    /// Model calls, including failed ones.
    pub requests: u64,
    /// Tokens.
    pub tokens: Tokens,
    /// Cost of the calls whose price is known.
    pub cost: Money,
    /// Calls whose price is not known.
    pub unpriced: u64,
}

impl Totals {
    /// The totals of one call.
    #[must_use]
    pub fn of(spend: &CallUsage) -> Self {
        Self {
            requests: 1,
            tokens: spend.tokens,
            cost: spend.cost.unwrap_or_default(),
            unpriced: u64::from(spend.cost.is_none()),
        }
    }

    /// The total cost; `None` when the price of any call is not known.
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

/// The account under which a call is recorded.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct UsageKey {
    /// The workspace.
    pub workspace: WorkspaceId,
    /// Identifier of the key; `None` for calls of the service itself.
    pub key: Option<String>,
    /// The model, at most [`MAX_MODEL`] characters.
    pub model: String,
    /// The UTC day on which the call began.
    pub day: Day,
}
