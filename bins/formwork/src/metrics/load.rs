//! The metrics of what is in work at the moment, and of what waits for it.

use document::Recognition;
use gen_core::{Provider, Upstream};
use page_chromium::Chromium;
use prometheus_client::encoding::EncodeLabelSet;
use prometheus_client::metrics::counter::ConstCounter;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::gauge::{ConstGauge, Gauge};
use prometheus_client::registry::Registry;

use crate::app::AppState;

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct StateLabels {
    state: &'static str,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct ProviderLabels {
    provider: String,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct ProviderStateLabels {
    provider: String,
    state: &'static str,
}

/// Registers the load of parsers, OCR, the browser and the providers of models. What there is none of has no load: a
/// series that comes and goes cannot be watched.
pub(super) fn register_load(state: &AppState, registry: &mut Registry) {
    let parsers = state.parsers.figures();
    let processes = states([("busy", parsers.busy), ("idle", parsers.idle)]);
    registry.register("parser_processes", "Parser processes, at work and waiting for work", processes);
    let waiting = ConstGauge::new(count(parsers.waiting));
    registry.register("parser_calls_waiting", "Calls that wait for a parser process", waiting);
    let started = ConstCounter::new(parsers.started);
    registry.register("parser_processes_started", "Parser processes that were started", started);
    let ocr = state.recognition.as_ref().map(Recognition::load).unwrap_or_default();
    let pages = states([("running", ocr.running), ("waiting", ocr.waiting)]);
    registry.register("ocr_pages", "Pages in OCR, and pages that wait for it", pages);
    let browser = state.browser.as_ref().map(Chromium::load).unwrap_or_default();
    let pages = states([("running", browser.running), ("waiting", browser.waiting)]);
    registry.register("browser_pages", "Pages in the browser, and pages that wait for it", pages);
    register_providers(state, registry);
}

fn register_providers(state: &AppState, registry: &mut Registry) {
    let calls = Family::<ProviderStateLabels, Gauge>::default();
    let limits = Family::<ProviderLabels, Gauge>::default();
    for (upstream, queue) in state.generation.queues() {
        let provider = provider_name(&upstream);
        for (state, calls_there) in [("running", queue.running), ("waiting", queue.waiting)] {
            let labels = ProviderStateLabels { provider: provider.clone(), state };
            calls.get_or_create(&labels).set(count(calls_there));
        }
        limits.get_or_create(&ProviderLabels { provider }).set(count(queue.limit));
    }
    registry.register("provider_calls", "Model calls in flight, and those that wait for a permit", calls);
    registry.register("provider_call_limit", "Maximum number of model calls in flight", limits);
}

/// The name of a provider. An own server may have that of a vendor, so it is told with the provider of its models.
fn provider_name(upstream: &Upstream) -> String {
    match upstream {
        Upstream::Provider(provider) => provider.id().to_owned(),
        Upstream::Server(name) => format!("{name}@{}", Provider::Formwork.id()),
    }
}

fn states<const N: usize>(counts: [(&'static str, usize); N]) -> Family<StateLabels, Gauge> {
    let family = Family::<StateLabels, Gauge>::default();
    for (state, number) in counts {
        family.get_or_create(&StateLabels { state }).set(count(number));
    }
    family
}

fn count(number: usize) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}
