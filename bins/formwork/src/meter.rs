//! The meter of generation over recorded usage, and the task that stores the usage.
//!
//! A call that may cost something is reserved in the store before it is made. The usage of calls is summed up
//! in memory by key, model and day. The task stores the sums as soon as there are some, those of many calls
//! in one commit. A call waits for the commit that includes its usage, so that the usage of a delivered
//! answer survives a crash. A slow or unavailable store delays an answer by at most `PATIENCE` and costs no
//! memory beyond the sums.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use accounts_core::Money;
use accounts_core::usage::{self, SettlementTarget, UsageError, UsageReservation, UsageService};
use async_trait::async_trait;
use futures_util::future::BoxFuture;
use gen_core::{CallerContext, Cost, Estimate, LimitReached, Meter, MeterError, Reservation, Spend};
use shared_core::StoreError;
use tokio::sync::{Notify, oneshot, watch};

/// First back-off after a failure of the store.
const PAUSE: Duration = Duration::from_millis(250);
/// Maximum time that a call waits until its usage is stored.
const PATIENCE: Duration = Duration::from_secs(1);
/// Maximum back-off after failures of the store.
const LONGEST: Duration = Duration::from_secs(8);
/// Maximum time that the shutdown waits for the store.
const LAST: Duration = Duration::from_secs(10);

/// Reserves and settles model calls. Clones share it.
#[derive(Clone, Debug)]
pub struct UsageMeter(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    usage: UsageService,
    booked: Notify,
    /// Number of usage records in memory so far.
    bookings: AtomicU64,
    tried: watch::Sender<LastFlush>,
}

/// The last attempt to store the usage.
#[derive(Clone, Copy, Debug, Default)]
struct LastFlush {
    /// Number of usage records in this attempt and in those before.
    bookings: u64,
    failed: bool,
}

impl UsageMeter {
    /// Records usage with `usage`. What is recorded in memory is stored while [`UsageMeter::store`] runs.
    #[must_use]
    pub fn new(usage: UsageService) -> Self {
        Self(Arc::new(Inner {
            usage,
            booked: Notify::new(),
            bookings: AtomicU64::new(0),
            tried: watch::channel(LastFlush::default()).0,
        }))
    }

    /// Stores recorded usage until `stop` is dropped, and then once more. Usage recorded during a commit goes
    /// into the next one.
    pub async fn store(self, mut stop: oneshot::Receiver<()>) {
        let mut pause = Duration::ZERO;
        loop {
            tokio::select! {
                () = self.flush_age(pause) => {}
                _ = &mut stop => break,
            }
            pause = if self.flush().await { Duration::ZERO } else { LONGEST.min(PAUSE.max(pause * 2)) };
        }
        if tokio::time::timeout(LAST, self.flush()).await != Ok(true) {
            tracing::error!("the usage of the last moments could not be stored");
        }
    }

    /// Waits for a usage record, and then for further ones.
    async fn flush_age(&self, pause: Duration) {
        self.0.booked.notified().await;
        // The shortest sleep is a millisecond.
        if !pause.is_zero() {
            tokio::time::sleep(pause).await;
        }
    }

    /// Counts a usage record in memory and waits until the task has tried to store it, at most [`PATIENCE`].
    async fn stored(&self) -> Result<(), StoreError> {
        let mut tried = self.0.tried.subscribe();
        let own = self.0.bookings.fetch_add(1, Ordering::SeqCst) + 1;
        self.0.booked.notify_one();
        let trying = tried.wait_for(|tried| tried.bookings >= own);
        match tokio::time::timeout(PATIENCE, trying).await {
            Ok(Ok(tried)) if !tried.failed => Ok(()),
            _ => Err(StoreError::Unavailable("the usage is not stored yet".into())),
        }
    }

    /// Stores the recorded usage. Returns whether the store accepted all of it.
    async fn flush(&self) -> bool {
        let bookings = self.0.bookings.load(Ordering::SeqCst);
        let stored = self.0.usage.flush().await;
        self.0.tried.send_replace(LastFlush { bookings, failed: stored.is_err() });
        let dropped = self.0.usage.take_dropped();
        if dropped > 0 {
            tracing::error!(dropped, "usage was dropped: too many accounts are waiting for the store");
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
    async fn reserve(
        &self,
        payer: &CallerContext,
        estimate: &Estimate,
    ) -> Result<Box<dyn Reservation>, MeterError> {
        let asked = usage::Estimate { tokens: estimate.tokens, cost: estimate.cost.map(money) };
        let model = estimate.model.to_string();
        let held = self.0.usage.reserve(&payer.scope, payer.key.as_deref(), &model, asked).await;
        let held = held.map_err(refusal)?;
        Ok(Box::new(CallReservation { meter: self.clone(), held: Some(held) }))
    }
}

fn money(cost: Cost) -> Money {
    Money(cost.0)
}

fn refusal(error: UsageError) -> MeterError {
    match error {
        UsageError::LimitReached(reached) => MeterError::Limit(LimitReached {
            limit: reached.limit.name(),
            allowed: reached.limit.amount(reached.allowed),
            retry_after: reached.retry_after,
        }),
        UsageError::NeverAdmitted(never) => MeterError::ExceedsLimit(never.to_string()),
        UsageError::Store(error) => MeterError::Store(error),
        error @ UsageError::Invalid(_) => MeterError::Store(StoreError::Failed(error.into())),
    }
}

/// A reservation of one call.
#[derive(Debug)]
struct CallReservation {
    meter: UsageMeter,
    /// `None` once it is settled.
    held: Option<UsageReservation>,
}

impl Reservation for CallReservation {
    fn settle(mut self: Box<Self>, spend: Spend) -> BoxFuture<'static, Result<(), StoreError>> {
        // Dropped before its first poll, the reservation counts as never settled.
        Box::pin(async move {
            let Some(held) = self.held.take() else { return Ok(()) };
            let tokens = usage::Tokens {
                input: spend.usage.input_tokens,
                output: spend.usage.output_tokens,
                cached: spend.usage.cached_tokens,
                reasoning: spend.usage.reasoning_tokens,
            };
            let spend = usage::CallUsage { tokens, cost: spend.cost.map(money) };
            match self.meter.0.usage.settle(held, spend).await {
                Ok(SettlementTarget::Stored) => Ok(()),
                Ok(SettlementTarget::InMemory) => self.meter.stored().await,
                Err(error) => {
                    self.meter.0.booked.notify_one();
                    Err(error)
                }
            }
        })
    }
}

impl Drop for CallReservation {
    fn drop(&mut self) {
        if let Some(held) = self.held.take() {
            self.meter.0.usage.settle_at_estimate(held);
            self.meter.0.booked.notify_one();
        }
    }
}

#[cfg(test)]
#[path = "meter_tests.rs"]
mod tests;
