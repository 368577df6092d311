//! The open batches of providers.

use std::sync::atomic::AtomicU64;

use gen_core::Provider;
use prometheus_client::encoding::EncodeLabelSet;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::registry::{Registry, Unit};
use store_diesel::BatchBacklog;

/// The states that a batch can be in until its results are stored.
const STATES: [&str; 4] = ["sealed", "submitting", "submitted", "cancelling"];

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct BatchLabels {
    provider: &'static str,
    state: &'static str,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct ProviderLabels {
    provider: &'static str,
}

/// A provider without batches is told too: a series that comes and goes cannot be watched.
pub(super) fn register_batches(registry: &mut Registry, found: &[BatchBacklog]) {
    let counts = Family::<BatchLabels, Gauge>::default();
    let ages = Family::<ProviderLabels, Gauge<f64, AtomicU64>>::default();
    for provider in Provider::ALL.into_iter().filter(|provider| *provider != Provider::Formwork) {
        let own = || found.iter().filter(|backlog| backlog.provider == provider);
        for state in STATES {
            let of_state = own().filter(|backlog| backlog.state == state);
            let count: u64 = of_state.map(|backlog| backlog.batches).sum();
            let count = i64::try_from(count).unwrap_or(i64::MAX);
            counts.get_or_create(&BatchLabels { provider: provider.id(), state }).set(count);
        }
        let oldest = own().map(|backlog| backlog.oldest_seconds).fold(0.0, f64::max);
        ages.get_or_create(&ProviderLabels { provider: provider.id() }).set(oldest);
    }
    registry.register("provider_batches", "Open batches by provider and state, of all servers", counts);
    let help = "How long ago the oldest open batch of a provider was made";
    registry.register_with_unit("provider_batch_age", help, Unit::Seconds, ages);
}
