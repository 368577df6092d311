//! Measures model calls where they are accounted for: between the reservation and the settlement, the provider works.

use std::sync::Arc;
use std::time::Instant;

use async_trait::async_trait;
use futures_util::future::BoxFuture;
use gen_core::{CallerContext, Estimate, Meter, MeterError, ModelId, Reservation, Spend};
use shared_core::StoreError;

use super::recorder::{AccountingStep, Metrics};

/// The meter, whose calls are measured if there are metrics.
pub(crate) fn measure(meter: impl Meter, metrics: Option<Metrics>) -> Arc<dyn Meter> {
    match metrics {
        Some(metrics) => Arc::new(MeasuredMeter { meter: Arc::new(meter), metrics }),
        None => Arc::new(meter),
    }
}

#[derive(Debug)]
struct MeasuredMeter {
    meter: Arc<dyn Meter>,
    metrics: Metrics,
}

#[async_trait]
impl Meter for MeasuredMeter {
    async fn reserve(
        &self,
        payer: &CallerContext,
        estimate: &Estimate,
    ) -> Result<Box<dyn Reservation>, MeterError> {
        let begun = Instant::now();
        let inner = self.meter.reserve(payer, estimate).await?;
        self.metrics.record_accounting(AccountingStep::Reserve, begun.elapsed());
        Ok(Box::new(MeasuredReservation {
            inner: Some(inner),
            metrics: self.metrics.clone(),
            model: estimate.model.clone(),
            begun: Instant::now(),
        }))
    }
}

#[derive(Debug)]
struct MeasuredReservation {
    /// `None` once it is settled.
    inner: Option<Box<dyn Reservation>>,
    metrics: Metrics,
    model: ModelId,
    begun: Instant,
}

impl Reservation for MeasuredReservation {
    fn settle(mut self: Box<Self>, spend: Spend) -> BoxFuture<'static, Result<(), StoreError>> {
        // Dropped before its first poll, the call counts as abandoned.
        Box::pin(async move {
            let Some(inner) = self.inner.take() else { return Ok(()) };
            self.metrics.record_call(&self.model, self.begun.elapsed(), &spend);
            let begun = Instant::now();
            let settled = inner.settle(spend).await;
            self.metrics.record_accounting(AccountingStep::Settle, begun.elapsed());
            settled
        })
    }

    fn release(mut self: Box<Self>) -> BoxFuture<'static, Result<(), StoreError>> {
        match self.inner.take() {
            Some(inner) => inner.release(),
            None => Box::pin(std::future::ready(Ok(()))),
        }
    }
}

impl Drop for MeasuredReservation {
    fn drop(&mut self) {
        if self.inner.is_some() {
            self.metrics.record_abandoned_call(&self.model);
        }
    }
}
