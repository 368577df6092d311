//! The meter of generation over recorded usage, and the task that stores the usage.
//!
//! A call that may cost something, or whose key has limits, is reserved in the store before it is made. Its usage is
//! stored before its answer is delivered, so that it survives a crash. The task commits what waits for both, one commit
//! at a time; what arrives meanwhile shares the next one. A slow or unavailable store delays an answer by at most
//! `PATIENCE`.

use std::sync::Arc;
use std::time::Duration;

use accounts_core::Money;
use accounts_core::usage::{self, UsageError, UsageReservation, UsageService};
use async_trait::async_trait;
use futures_util::future::BoxFuture;
use gen_core::{CallerContext, Cost, Estimate, LimitReached, Meter, MeterError, Reservation, Spend};
use shared_core::StoreError;
use tokio::sync::oneshot;
use tokio::time::timeout;

/// First back-off after a failure of the store.
const PAUSE: Duration = Duration::from_millis(250);
/// Maximum time that a call waits until its usage is stored.
const PATIENCE: Duration = Duration::from_secs(1);
/// Maximum back-off after failures of the store.
const LONGEST: Duration = Duration::from_secs(8);
/// Maximum time that the shutdown waits for the store.
const LAST: Duration = Duration::from_secs(10);

/// How long a call waits for its reservation.
#[derive(Clone)]
pub struct ReservationDeadline {
    /// As long as an operation of the database may take.
    pub limit: Duration,
    /// Whether the database works on many rows, which delays other changes.
    pub is_delayed: Arc<dyn Fn() -> bool + Send + Sync>,
}

impl std::fmt::Debug for ReservationDeadline {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("ReservationDeadline").field("limit", &self.limit).finish_non_exhaustive()
    }
}

/// Reserves and settles model calls. Clones share it.
#[derive(Clone, Debug)]
pub struct UsageMeter {
    usage: UsageService,
    deadline: ReservationDeadline,
}

impl UsageMeter {
    /// Records usage with `usage`. Calls wait while [`UsageMeter::store`] does not run.
    #[must_use]
    pub fn new(usage: UsageService, deadline: ReservationDeadline) -> Self {
        Self { usage, deadline }
    }

    /// Commits reservations and usage until `stop` is dropped, and then what still waits.
    pub async fn store(self, mut stop: oneshot::Receiver<()>) {
        let mut pause = Duration::ZERO;
        loop {
            tokio::select! {
                () = self.pending(pause) => {}
                _ = &mut stop => break,
            }
            pause = if self.commit().await { Duration::ZERO } else { LONGEST.min(PAUSE.max(pause * 2)) };
        }
        if !matches!(timeout(LAST, self.usage.flush()).await, Ok(Ok(()))) {
            tracing::error!("the usage of the last moments could not be stored");
        }
    }

    /// Waits until there is something to commit. After a failure, usage waits for the pause; a call that waits for its
    /// reservation does not.
    async fn pending(&self, pause: Duration) {
        // The shortest sleep is a millisecond.
        if !pause.is_zero() {
            timeout(pause, self.usage.opening_pending()).await.ok();
        }
        self.usage.pending().await;
    }

    /// Commits what waits. Returns whether the store accepted it.
    async fn commit(&self) -> bool {
        let stored = self.usage.commit().await;
        let dropped = self.usage.take_dropped();
        if dropped > 0 {
            tracing::error!(dropped, "usage was dropped: too many accounts are waiting for the store");
        }
        if let Err(error) = &stored {
            tracing::warn!(%error, "usage could not be stored yet");
        }
        stored.is_ok()
    }

    async fn open(&self, payer: &CallerContext, estimate: &Estimate) -> Result<UsageReservation, MeterError> {
        let asked = usage::Estimate { tokens: estimate.tokens, cost: estimate.cost.map(money) };
        let model = estimate.model.to_string();
        let opening = self.usage.reserve(&payer.scope, payer.key.as_deref(), &model, asked);
        let mut opening = std::pin::pin!(opening);
        loop {
            match timeout(self.deadline.limit, &mut opening).await {
                Ok(opened) => return opened.map_err(refusal),
                Err(_late) if (self.deadline.is_delayed)() => {}
                Err(late) => return Err(MeterError::Store(StoreError::Unavailable(late.into()))),
            }
        }
    }
}

#[async_trait]
impl Meter for UsageMeter {
    async fn reserve(
        &self,
        payer: &CallerContext,
        estimate: &Estimate,
    ) -> Result<Box<dyn Reservation>, MeterError> {
        let held = self.open(payer, estimate).await?;
        Ok(Box::new(CallReservation { usage: self.usage.clone(), held: Some(held) }))
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
    usage: UsageService,
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
            let settled = timeout(PATIENCE, self.usage.settle(held, spend)).await;
            settled.unwrap_or_else(|late| Err(StoreError::Unavailable(late.into())))
        })
    }

    fn release(mut self: Box<Self>) -> BoxFuture<'static, Result<(), StoreError>> {
        if let Some(held) = self.held.take() {
            self.usage.release(held);
        }
        Box::pin(std::future::ready(Ok(())))
    }
}

impl Drop for CallReservation {
    fn drop(&mut self) {
        if let Some(held) = self.held.take() {
            self.usage.settle_at_estimate(held);
        }
    }
}

#[cfg(test)]
#[path = "meter_tests.rs"]
mod tests;
