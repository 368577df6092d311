//! The meter of generation over the books of accounts, and the task that stores what is booked.
//!
//! Calls never wait for that task: what it has not stored yet is summed up in memory, by key, model and
//! day, so that a slow store costs accuracy after a crash and neither time nor memory.

use std::sync::Arc;
use std::time::Duration;

use accounts_core::Money;
use accounts_core::usage::{self, Held, UsageError, UsageService};
use async_trait::async_trait;
use futures_util::future::BoxFuture;
use gen_core::{Cost, Estimate, LimitReached, Meter, MeterError, Payer, Reservation, Spend};
use shared_core::StoreError;
use tokio::sync::{Notify, oneshot};

/// From a booking to its storing; together with the commit it must stay under a second.
const PAUSE: Duration = Duration::from_millis(250);
/// The longest pause after a store that failed.
const LONGEST: Duration = Duration::from_secs(8);
/// How long the end of the process waits for the store.
const LAST: Duration = Duration::from_secs(10);

/// Books calls of models. Clones share it.
#[derive(Clone, Debug)]
pub struct UsageMeter(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    usage: UsageService,
    booked: Notify,
}

impl UsageMeter {
    /// Books with `usage`. What is booked in memory is stored while [`UsageMeter::store`] runs.
    #[must_use]
    pub fn new(usage: UsageService) -> Self {
        Self(Arc::new(Inner { usage, booked: Notify::new() }))
    }

    /// Stores what is booked, a moment after it was, until `stop` is dropped; then once more.
    pub async fn store(self, mut stop: oneshot::Receiver<()>) {
        let mut pause = PAUSE;
        loop {
            tokio::select! {
                () = self.booked_for(pause) => {}
                _ = &mut stop => break,
            }
            pause = if self.flush().await { PAUSE } else { LONGEST.min(pause * 2) };
        }
        if tokio::time::timeout(LAST, self.flush()).await != Ok(true) {
            tracing::error!("the usage of the last moments could not be stored");
        }
    }

    /// Waits for a booking, and then for others.
    async fn booked_for(&self, pause: Duration) {
        self.0.booked.notified().await;
        tokio::time::sleep(pause).await;
    }

    /// Whether the store took all.
    async fn flush(&self) -> bool {
        let stored = self.0.usage.flush().await;
        let dropped = self.0.usage.take_dropped();
        if dropped > 0 {
            tracing::error!(dropped, "calls were not booked: too many accounts wait for the store");
        }
        if let Err(error) = &stored {
            tracing::warn!(%error, "usage could not be stored yet");
            self.0.booked.notify_one();
        }
        stored.is_ok()
    }
}

#[async_trait]
impl Meter for UsageMeter {
    async fn reserve(&self, payer: &Payer, estimate: &Estimate) -> Result<Box<dyn Reservation>, MeterError> {
        let asked = usage::Estimate { tokens: estimate.tokens, cost: estimate.cost.map(money) };
        let model = estimate.model.to_string();
        let held = self.0.usage.reserve(&payer.scope, payer.key.as_deref(), &model, asked).await;
        let held = held.map_err(refusal)?;
        Ok(Box::new(Booking { meter: self.clone(), held: Some(held) }))
    }
}

fn money(cost: Cost) -> Money {
    Money(cost.0)
}

fn refusal(error: UsageError) -> MeterError {
    match error {
        UsageError::Reached(reached) => MeterError::Limit(LimitReached {
            limit: reached.limit.name(),
            allowed: reached.limit.amount(reached.allowed),
            retry_after: reached.retry_after,
        }),
        UsageError::Never(never) => MeterError::Never(never.to_string()),
        UsageError::Store(error) => MeterError::Store(error),
        error @ UsageError::Invalid(_) => MeterError::Store(StoreError::Failed(error.into())),
    }
}

/// Leave for one call.
#[derive(Debug)]
struct Booking {
    meter: UsageMeter,
    /// There until it is booked.
    held: Option<Held>,
}

impl Reservation for Booking {
    fn settle(mut self: Box<Self>, spend: Spend) -> BoxFuture<'static, Result<(), StoreError>> {
        // Dropped before its first poll, it is booked as one that nobody settles.
        Box::pin(async move {
            let Some(held) = self.held.take() else { return Ok(()) };
            let tokens = usage::Tokens {
                input: spend.usage.input_tokens,
                output: spend.usage.output_tokens,
                cached: spend.usage.cached_tokens,
                reasoning: spend.usage.reasoning_tokens,
            };
            let spend = usage::Spend { tokens, cost: spend.cost.map(money) };
            let settled = self.meter.0.usage.settle(held, spend).await;
            self.meter.0.booked.notify_one();
            settled
        })
    }
}

impl Drop for Booking {
    fn drop(&mut self) {
        if let Some(held) = self.held.take() {
            self.meter.0.usage.abandon(held);
            self.meter.0.booked.notify_one();
        }
    }
}

#[cfg(test)]
#[path = "meter_tests.rs"]
mod tests;
