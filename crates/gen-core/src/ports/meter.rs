//! Who pays, and what calls cost: leave is asked before an attempt, and it is booked afterwards.

use std::fmt;
use std::ops::AddAssign;

use async_trait::async_trait;
use futures_util::future::BoxFuture;
use serde::{Deserialize, Serialize};
use shared_core::{Scope, StoreError};

use super::Usage;
use crate::ModelId;

/// On whose account a call is made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CallerContext {
    /// The workspace and user.
    pub scope: Scope,
    /// Identifier of the API key that asked for it; none for work of the service itself.
    pub key: Option<String>,
}

impl CallerContext {
    /// Work of the service itself, or of an embedder without keys.
    #[must_use]
    pub fn keyless(scope: Scope) -> Self {
        Self { scope, key: None }
    }
}

/// Money in thousand-millionths of a US dollar, so that the price of one token is a whole number.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Cost(pub u64);

impl Cost {
    /// In US dollars.
    #[must_use]
    pub fn dollars(self) -> f64 {
        self.0 as f64 / 1e9
    }
}

impl AddAssign for Cost {
    fn add_assign(&mut self, other: Self) {
        self.0 = self.0.saturating_add(other.0);
    }
}

/// What an attempt will cost at most, as far as can be told before.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Estimate {
    /// The model.
    pub model: ModelId,
    /// Input and output tokens.
    pub tokens: u64,
    /// Money; `None` when the price is not known.
    pub cost: Option<Cost>,
}

/// What attempts cost. By default nothing was spent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Spend {
    /// Tokens.
    #[serde(flatten)]
    pub usage: Usage,
    /// Money; `None` once a price is not known.
    #[serde(default)]
    pub cost: Option<Cost>,
}

impl Default for Spend {
    fn default() -> Self {
        Self { usage: Usage::default(), cost: Some(Cost(0)) }
    }
}

impl Spend {
    /// What is left without `part`, which was counted in it; never below nothing.
    #[must_use]
    pub fn without(self, part: Self) -> Self {
        let cost = self.cost.zip(part.cost).map(|(all, part)| Cost(all.0.saturating_sub(part.0)));
        Self { usage: self.usage.without(part.usage), cost }
    }
}

impl AddAssign for Spend {
    fn add_assign(&mut self, other: Self) {
        self.usage += other.usage;
        self.cost = self.cost.zip(other.cost).map(|(mut sum, more)| {
            sum += more;
            sum
        });
    }
}

/// A limit that leaves no room for an attempt.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LimitReached {
    /// Which, such as `requests per minute`.
    pub limit: &'static str,
    /// How much it allows, as text with its unit.
    pub allowed: String,
    /// Seconds until there is room again.
    pub retry_after: u64,
}

/// Why there is no leave.
#[derive(Debug, thiserror::Error)]
pub enum MeterError {
    /// A limit of the key.
    #[error("the key's limit of {} {} is reached", .0.allowed, .0.limit)]
    Limit(LimitReached),
    /// A limit of the key that never gives room to such an attempt, however long one waits: one sentence
    /// for the user.
    #[error("{0}")]
    ExceedsLimit(String),
    /// The store failed.
    #[error("the usage could not be booked")]
    Store(#[from] StoreError),
}

/// Books attempts.
#[async_trait]
pub trait Meter: fmt::Debug + Send + Sync + 'static {
    /// Gives leave for one attempt, and keeps room for it under the payer's limits. For a payer
    /// without limits it waits for no commit.
    async fn reserve(
        &self,
        payer: &CallerContext,
        estimate: &Estimate,
    ) -> Result<Box<dyn Reservation>, MeterError>;
}

/// Room kept for one attempt. Dropped without [`Reservation::settle`], as when the client goes away
/// in the middle of a call, the attempt is booked at its estimate, since the provider may charge it.
pub trait Reservation: fmt::Debug + Send + Sync {
    /// Books what the attempt cost, and gives the rest of the room back. Ends when the spend is durable, or
    /// when the store failed or took too long, and the spend is kept for later. The first poll takes the spend: a future
    /// that is dropped after it books it all the same, as when the client goes away in the middle of a
    /// stream.
    fn settle(self: Box<Self>, spend: Spend) -> BoxFuture<'static, Result<(), StoreError>>;
}

/// Books nothing; for embedders without accounts.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoopMeter;

#[async_trait]
impl Meter for NoopMeter {
    async fn reserve(&self, _: &CallerContext, _: &Estimate) -> Result<Box<dyn Reservation>, MeterError> {
        Ok(Box::new(Self))
    }
}

impl Reservation for NoopMeter {
    fn settle(self: Box<Self>, _: Spend) -> BoxFuture<'static, Result<(), StoreError>> {
        Box::pin(std::future::ready(Ok(())))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_unknown_price_makes_the_whole_cost_unknown() {
        let usage = Usage { input_tokens: 3, ..Usage::default() };
        let mut sum = Spend::default();
        sum += Spend { usage, cost: Some(Cost(5)) };
        assert_eq!((sum.usage.input_tokens, sum.cost), (3, Some(Cost(5))));
        assert_eq!(sum.without(sum), Spend::default());
        sum += Spend { usage, cost: None };
        sum += Spend { usage, cost: Some(Cost(5)) };
        assert_eq!((sum.usage.input_tokens, sum.cost), (9, None));
    }
}
