//! A meter that counts.

use std::sync::Arc;

use async_trait::async_trait;
use futures_util::future::BoxFuture;
use parking_lot::{Mutex, MutexGuard};
use shared_core::StoreError;

use super::turn;
use crate::{CallerContext, Estimate, LimitReached, Meter, MeterError, Reservation, Spend};

/// The reservations and settlements of a meter.
#[derive(Clone, Debug, Default)]
pub struct MeterLog {
    /// The estimates reserved, oldest first.
    pub reserved: Vec<Estimate>,
    /// The spends settled, oldest first.
    pub settled: Vec<Spend>,
    /// Number of reservations dropped without settlement.
    pub dropped: usize,
    /// Number of reservations of calls that were not made.
    pub released: usize,
}

impl MeterLog {
    /// Reservations that are neither settled nor released nor dropped.
    #[must_use]
    pub fn open(&self) -> usize {
        self.reserved.len() - self.settled.len() - self.dropped - self.released
    }
}

#[derive(Debug, Default)]
struct State {
    log: MeterLog,
    /// Reservations that are still allowed; `None` for no limit.
    remaining: Option<usize>,
    /// Whether settlements fail.
    broken: bool,
}

/// A meter that counts, and optionally limits, reservations.
#[derive(Clone, Debug, Default)]
pub struct CountingMeter(Arc<Mutex<State>>);

impl CountingMeter {
    /// Allows this many reservations; later ones fail with a `retry_after` of seven seconds.
    #[must_use]
    pub fn limited(times: usize) -> Self {
        let meter = Self::default();
        meter.state().remaining = Some(times);
        meter
    }

    /// A meter whose settlements fail.
    #[must_use]
    pub fn broken() -> Self {
        let meter = Self::default();
        meter.state().broken = true;
        meter
    }

    /// A snapshot of the counts.
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

    fn release(mut self: Box<Self>) -> BoxFuture<'static, Result<(), StoreError>> {
        self.open = false;
        self.meter.state().log.released += 1;
        Box::pin(std::future::ready(Ok(())))
    }
}

impl Drop for CountedReservation {
    fn drop(&mut self) {
        if self.open {
            self.meter.state().log.dropped += 1;
        }
    }
}
