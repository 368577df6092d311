//! Counters and histograms, kept in memory as things happen.

use std::collections::HashSet;
use std::sync::Arc;
use std::sync::atomic::AtomicU64;
use std::time::Duration;

use gen_core::{Incident, ModelId, Spend};
use parking_lot::Mutex;
use parser_pool::{CallObserver, CallReport};
use prometheus_client::encoding::EncodeLabelSet;
use prometheus_client::encoding::text::encode_registry;
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::histogram::Histogram;
use prometheus_client::registry::{Registry, Unit};
use shared_core::DomainError as _;

use super::documents::DocumentMetrics;

/// Upper bounds of the buckets of requests and accounting in seconds: from what the fastest operation takes to the
/// longest that a client waits.
const REQUEST_BUCKETS: [f64; 14] =
    [0.000_5, 0.001, 0.002_5, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 10.0, 60.0];
/// The same for calls of models, which take up to ten minutes (`models.call_seconds`).
const CALL_BUCKETS: [f64; 12] = [0.001, 0.01, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0, 120.0, 600.0];
/// Models with metrics of their own. Own servers have models of any name, and each is a series of every metric.
const MAX_MODELS: usize = 200;
/// The name of all others.
const OTHER_MODELS: &str = "other";

/// The metrics of this process. Clones share them.
#[derive(Clone, Debug)]
pub struct Metrics(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    registry: Registry,
    requests: Family<RequestLabels, Histogram>,
    calls: Family<ModelLabels, Histogram>,
    abandoned: Family<ModelLabels, Counter>,
    failures: Family<FailureLabels, Counter>,
    accounting: Family<StepLabels, Histogram>,
    tokens: Family<TokenLabels, Counter>,
    cost: Family<ModelLabels, Counter<f64, AtomicU64>>,
    unpriced: Family<ModelLabels, Counter>,
    documents: DocumentMetrics,
    /// The names of models that have series.
    models: Mutex<HashSet<String>>,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct RequestLabels {
    operation: &'static str,
    status: u16,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct ModelLabels {
    model: String,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct FailureLabels {
    model: String,
    code: &'static str,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct StepLabels {
    step: &'static str,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct TokenLabels {
    model: String,
    kind: &'static str,
}

/// A step of the accounting of a model call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum AccountingStep {
    /// The reservation before the call.
    Reserve,
    /// The settlement after it.
    Settle,
}

impl AccountingStep {
    fn name(self) -> &'static str {
        match self {
            Self::Reserve => "reserve",
            Self::Settle => "settle",
        }
    }
}

fn request_histogram() -> Histogram {
    Histogram::new(REQUEST_BUCKETS)
}

fn call_histogram() -> Histogram {
    Histogram::new(CALL_BUCKETS)
}

impl Default for Metrics {
    fn default() -> Self {
        let mut inner = Inner {
            registry: Registry::with_prefix("formwork"),
            requests: Family::new_with_constructor(request_histogram),
            calls: Family::new_with_constructor(call_histogram),
            abandoned: Family::default(),
            failures: Family::default(),
            accounting: Family::new_with_constructor(request_histogram),
            tokens: Family::default(),
            cost: Family::default(),
            unpriced: Family::default(),
            documents: DocumentMetrics::default(),
            models: Mutex::default(),
        };
        inner.register();
        Self(Arc::new(inner))
    }
}

impl Inner {
    fn register(&mut self) {
        let (registry, seconds) = (&mut self.registry, || Unit::Seconds);
        let help = "Time from a request's head to its answer's head, by operation and status";
        registry.register_with_unit("http_request_duration", help, seconds(), self.requests.clone());
        let help = "Time from the reservation of a model call to its end, which is the provider's";
        registry.register_with_unit("model_call_duration", help, seconds(), self.calls.clone());
        let help = "Time of the server's own accounting of a model call, which is not the provider's";
        registry.register_with_unit("model_call_accounting", help, seconds(), self.accounting.clone());
        registry.register(
            "model_calls_abandoned",
            "Model calls whose client went away",
            self.abandoned.clone(),
        );
        registry.register("model_call_failures", "Failed attempts at a model", self.failures.clone());
        registry.register("model_tokens", "Tokens of model calls", self.tokens.clone());
        registry.register("model_cost_dollars", "Cost of model calls in US dollars", self.cost.clone());
        registry.register("model_calls_unpriced", "Model calls without a known price", self.unpriced.clone());
        self.documents.register(registry);
    }

    /// The label of a model.
    fn model(&self, model: &ModelId) -> String {
        let name = model.to_string();
        let mut known = self.models.lock();
        if known.contains(&name) {
            return name;
        }
        if known.len() >= MAX_MODELS {
            return OTHER_MODELS.to_owned();
        }
        known.insert(name.clone());
        name
    }
}

impl Metrics {
    /// Records an answered request.
    pub(crate) fn record_request(&self, operation: &'static str, status: u16, took: Duration) {
        self.0.requests.get_or_create(&RequestLabels { operation, status }).observe(took.as_secs_f64());
    }

    /// Records a model call that ended, with its usage.
    pub(crate) fn record_call(&self, model: &ModelId, took: Duration, spend: &Spend) {
        let model = self.0.model(model);
        let usage = &spend.usage;
        for (kind, tokens) in [
            ("input", usage.input_tokens),
            ("output", usage.output_tokens),
            ("cached", usage.cached_tokens),
            ("reasoning", usage.reasoning_tokens),
        ] {
            let labels = TokenLabels { model: model.clone(), kind };
            self.0.tokens.get_or_create(&labels).inc_by(tokens);
        }
        let labels = ModelLabels { model };
        self.0.calls.get_or_create(&labels).observe(took.as_secs_f64());
        match spend.cost {
            Some(cost) => drop(self.0.cost.get_or_create(&labels).inc_by(cost.dollars())),
            None => drop(self.0.unpriced.get_or_create(&labels).inc()),
        }
    }

    /// Records a model call that nobody waits for any more.
    pub(crate) fn record_abandoned_call(&self, model: &ModelId) {
        let labels = ModelLabels { model: self.0.model(model) };
        self.0.abandoned.get_or_create(&labels).inc();
    }

    /// Records the time of the server's own part in a model call.
    pub(crate) fn record_accounting(&self, step: AccountingStep, took: Duration) {
        let labels = StepLabels { step: step.name() };
        self.0.accounting.get_or_create(&labels).observe(took.as_secs_f64());
    }

    /// Records what no answer reports.
    pub(crate) fn record_incident(&self, incident: &Incident<'_>) {
        let Incident::AttemptFailed { model, error, .. } = incident else { return };
        let labels = FailureLabels { model: self.0.model(model), code: error.code() };
        self.0.failures.get_or_create(&labels).inc();
    }

    /// What is recorded of documents.
    pub(super) fn documents(&self) -> &DocumentMetrics {
        &self.0.documents
    }

    /// Writes the counters and histograms.
    pub(super) fn encode(&self, text: &mut String) -> std::fmt::Result {
        encode_registry(text, &self.0.registry)
    }
}

impl CallObserver for Metrics {
    fn note(&self, report: &CallReport) {
        self.0.documents.record_call(report);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_hundred_models_have_series_and_all_others_share_one() {
        let metrics = Metrics::default();
        for number in 0..300 {
            let model: ModelId = format!("model-{number}@openai").parse().unwrap();
            metrics.record_call(&model, Duration::from_millis(5), &Spend::default());
        }
        let mut text = String::new();
        metrics.encode(&mut text).unwrap();
        let counts =
            text.lines().filter(|line| line.starts_with("formwork_model_call_duration_seconds_count"));
        assert_eq!(counts.count(), MAX_MODELS + 1);
        assert!(text.contains("formwork_model_call_duration_seconds_count{model=\"other\"} 100"), "{text}");
    }
}
