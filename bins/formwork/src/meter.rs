//! The meter of generation over the books of accounts, and the task that stores what is booked.
//!
//! A call that may cost something is noted in the store before it is made. What calls used is summed up in memory,
//! by key, model and day; the task stores the sums at once, those of many calls in one commit, and a call waits for
//! the commit that has its own, so that an answer that was given is booked though the process die. A store that is
//! slow or down holds an answer back for [`PATIENCE`], and costs no memory beyond the sums.

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

/// The first pause after a store that failed.
const PAUSE: Duration = Duration::from_millis(250);
/// How long a call waits for its booking.
const PATIENCE: Duration = Duration::from_secs(1);
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
    /// Bookings in memory so far.
    bookings: AtomicU64,
    tried: watch::Sender<LastFlush>,
}

/// The last try to store what was booked.
#[derive(Clone, Copy, Debug, Default)]
struct LastFlush {
    /// The bookings that were in it or in those before.
    bookings: u64,
    failed: bool,
}

impl UsageMeter {
    /// Books with `usage`. What is booked in memory is stored while [`UsageMeter::store`] runs.
    #[must_use]
    pub fn new(usage: UsageService) -> Self {
        Self(Arc::new(Inner {
            usage,
            booked: Notify::new(),
            bookings: AtomicU64::new(0),
            tried: watch::channel(LastFlush::default()).0,
        }))
    }

    /// Stores what is booked as soon as it is, until `stop` is dropped; then once more. What is booked while it
    /// stores goes into the next commit together.
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

    /// Waits for a booking, and then for others.
    async fn flush_age(&self, pause: Duration) {
        self.0.booked.notified().await;
        // The shortest sleep is a millisecond.
        if !pause.is_zero() {
            tokio::time::sleep(pause).await;
        }
    }

    /// Counts a booking in memory, and waits for the try to store it; no longer than [`PATIENCE`].
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

    /// Whether the store took all.
    async fn flush(&self) -> bool {
        let bookings = self.0.bookings.load(Ordering::SeqCst);
        let stored = self.0.usage.flush().await;
        self.0.tried.send_replace(LastFlush { bookings, failed: stored.is_err() });
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

/// Leave for one call.
#[derive(Debug)]
struct CallReservation {
    meter: UsageMeter,
    /// There until it is booked.
    held: Option<UsageReservation>,
}

impl Reservation for CallReservation {
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
