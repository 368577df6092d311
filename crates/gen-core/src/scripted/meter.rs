//! A meter that counts.

use parking_lot::{Mutex, MutexGuard};
use std::sync::Arc;

use async_trait::async_trait;
use futures_util::future::BoxFuture;
use shared_core::StoreError;

use super::turn;
use crate::{CallerContext, Estimate, LimitReached, Meter, MeterError, Reservation, Spend};

/// What was asked of a meter, and booked.
#[derive(Clone, Debug, Default)]
pub struct MeterLog {
    /// Leaves given, oldest first.
    pub reserved: Vec<Estimate>,
    /// Spends booked, oldest first.
    pub settled: Vec<Spend>,
    /// Reservations that were dropped without a spend.
    pub dropped: usize,
}

impl MeterLog {
    /// Reservations that are neither settled nor dropped.
    #[must_use]
    pub fn open(&self) -> usize {
        self.reserved.len() - self.settled.len() - self.dropped
    }
}

#[derive(Debug, Default)]
struct State {
    log: MeterLog,
    /// Leaves that are still given.
    remaining: Option<usize>,
    /// Whether booking fails.
    broken: bool,
}

/// Gives leave so often, and keeps the books.
#[derive(Clone, Debug, Default)]
pub struct CountingMeter(Arc<Mutex<State>>);

impl CountingMeter {
    /// Gives leave so often, and then no more for seven seconds.
    #[must_use]
    pub fn limited(times: usize) -> Self {
        let meter = Self::default();
        meter.state().remaining = Some(times);
        meter
    }

    /// Cannot book anything.
    #[must_use]
    pub fn broken() -> Self {
        let meter = Self::default();
        meter.state().broken = true;
        meter
    }

    /// The books as they are now.
    pub fn log(&self) -> MeterLog {
        self.state().log.clone()
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.0.lock()
    }
}

#[async_trait]
impl Meter for CountingMeter {
    async fn reserve(
        &self,
        _: &CallerContext,
        estimate: &Estimate,
    ) -> Result<Box<dyn Reservation>, MeterError> {
        turn().await;
        let mut state = self.state();
        if let Some(left) = &mut state.remaining {
            *left = left.checked_sub(1).ok_or_else(|| {
                MeterError::Limit(LimitReached {
                    limit: "requests per minute",
                    allowed: "a few".to_owned(),
                    retry_after: 7,
                })
            })?;
        }
        state.log.reserved.push(estimate.clone());
        Ok(Box::new(CountedReservation { meter: self.clone(), open: true }))
    }
}

#[derive(Debug)]
struct CountedReservation {
    meter: CountingMeter,
    open: bool,
}

impl Reservation for CountedReservation {
    fn settle(mut self: Box<Self>, spend: Spend) -> BoxFuture<'static, Result<(), StoreError>> {
        Box::pin(async move {
            self.open = false;
            self.meter.state().log.settled.push(spend);
            turn().await;
            if self.meter.state().broken { Err(StoreError::Full) } else { Ok(()) }
        })
    }
}

impl Drop for CountedReservation {
    fn drop(&mut self) {
        if self.open {
            self.meter.state().log.dropped += 1;
        }
    }
}
