//! Usage metering: an attempt is reserved before the call, and settled at its actual usage after it.

use std::fmt;
use std::ops::AddAssign;

use async_trait::async_trait;
use futures_util::future::BoxFuture;
use serde::{Deserialize, Serialize};
use shared_core::{Scope, StoreError};

use super::Usage;
use crate::ModelId;

/// The account of a call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CallerContext {
    /// The workspace and user.
    pub scope: Scope,
    /// The id of the calling API key; `None` for work of the service itself.
    pub key: Option<String>,
}

impl CallerContext {
    /// The context for work of the service itself, or of an embedder without keys.
    #[must_use]
    pub fn keyless(scope: Scope) -> Self {
        Self { scope, key: None }
    }
}

/// Money in billionths of a US dollar, so that the price of one token is a whole number.
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

/// The maximum usage of an attempt, estimated before the call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Estimate {
    /// The model.
    pub model: ModelId,
    /// Input and output tokens.
    pub tokens: u64,
    /// Cost; `None` when the price is unknown.
    pub cost: Option<Cost>,
}

/// Usage and cost of attempts; zero by default.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Spend {
    /// Tokens.
    #[serde(flatten)]
    pub usage: Usage,
    /// Cost; `None` when a price is unknown.
    #[serde(default)]
    pub cost: Option<Cost>,
}

impl Default for Spend {
    fn default() -> Self {
        Self { usage: Usage::default(), cost: Some(Cost(0)) }
    }
}

impl Spend {
    /// Subtracts `part`, saturating at zero.
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

/// A reached limit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LimitReached {
    /// The limit, such as `requests per minute`.
    pub limit: &'static str,
    /// Its value as text, with the unit.
    pub allowed: String,
    /// Seconds until the limit allows calls again.
    pub retry_after: u64,
}

/// Why an attempt could not be reserved.
#[derive(Debug, thiserror::Error)]
pub enum MeterError {
    /// A limit of the API key is reached.
    #[error("the key's limit of {} {} is reached", .0.allowed, .0.limit)]
    Limit(LimitReached),
    /// The attempt exceeds a limit of the API key by itself, so waiting does not help. One sentence for the
    /// user.
    #[error("{0}")]
    ExceedsLimit(String),
    /// The store failed.
    #[error("the usage could not be recorded")]
    Store(#[from] StoreError),
}

/// Reserves attempts; a [`Reservation`] settles them.
#[async_trait]
pub trait Meter: fmt::Debug + Send + Sync + 'static {
    /// Reserves one attempt under the payer's limits. For a payer without limits this waits for no commit.
    async fn reserve(
        &self,
        payer: &CallerContext,
        estimate: &Estimate,
    ) -> Result<Box<dyn Reservation>, MeterError>;
}

/// The reservation of one attempt. Dropping it without [`Reservation::settle`], as when a client disconnects
/// during a call, records the estimate, as the provider may charge it.
pub trait Reservation: fmt::Debug + Send + Sync {
    /// Records the actual usage and releases the rest. Completes when the spend is durable. If the store
    /// fails or is too slow, it completes with that result and the spend is recorded later. The first poll
    /// takes the spend: dropping the future after it still records it, as when a client disconnects during a
    /// stream.
    fn settle(self: Box<Self>, spend: Spend) -> BoxFuture<'static, Result<(), StoreError>>;

    /// Releases the reservation of a call that was not made.
    fn release(self: Box<Self>) -> BoxFuture<'static, Result<(), StoreError>>;
}

/// Records nothing; for embedders without accounts.
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

    fn release(self: Box<Self>) -> BoxFuture<'static, Result<(), StoreError>> {
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
