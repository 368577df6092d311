//! Exports batches of spans under the names of OpenTelemetry, and logs failures.

use std::time::{Duration, Instant};

use opentelemetry_sdk::Resource;
use opentelemetry_sdk::error::OTelSdkResult;
use opentelemetry_sdk::trace::{SpanData, SpanExporter};
use parking_lot::Mutex;

use super::semantics::standardise;

/// Minimum time between two lines of the log on failures.
const LOG_EVERY: Duration = Duration::from_secs(60);

/// Exports spans by another exporter.
#[derive(Debug)]
pub(super) struct StandardExporter<E> {
    exporter: E,
    losses: Mutex<Losses>,
}

impl<E> StandardExporter<E> {
    pub(super) fn new(exporter: E) -> Self {
        Self { exporter, losses: Mutex::default() }
    }
}

impl<E: SpanExporter> SpanExporter for StandardExporter<E> {
    async fn export(&self, batch: Vec<SpanData>) -> OTelSdkResult {
        let count = batch.len();
        let outcome = self.exporter.export(batch.into_iter().map(standardise).collect()).await;
        if let Err(error) = &outcome
            && let Some(lost) = self.losses.lock().add(count, Instant::now())
        {
            tracing::warn!(lost, %error, "spans of traces could not be exported");
        }
        outcome
    }

    fn set_resource(&mut self, resource: &Resource) {
        self.exporter.set_resource(resource);
    }
}

/// Spans that could not be exported.
#[derive(Debug, Default)]
struct Losses {
    /// Those that the log does not have yet.
    unlogged: usize,
    logged: Option<Instant>,
}

impl Losses {
    /// Counts lost spans. The number is what the log does not have yet, when it is time for a line.
    fn add(&mut self, count: usize, now: Instant) -> Option<usize> {
        self.unlogged = self.unlogged.saturating_add(count);
        if self.logged.is_some_and(|logged| now.saturating_duration_since(logged) < LOG_EVERY) {
            return None;
        }
        self.logged = Some(now);
        Some(std::mem::take(&mut self.unlogged))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn losses_are_logged_once_a_minute_with_their_sum() {
        let (mut losses, begun) = (Losses::default(), Instant::now());
        let after = |seconds| begun + Duration::from_secs(seconds);
        assert_eq!(losses.add(3, begun), Some(3));
        assert_eq!(losses.add(5, after(1)), None);
        assert_eq!(losses.add(7, after(59)), None);
        assert_eq!(losses.add(1, after(60)), Some(13));
        assert_eq!(losses.add(1, after(61)), None);
    }
}
