//! From spans to the collector: sampling, a bounded queue, and a thread that exports batches.

use std::time::Duration;

use opentelemetry::KeyValue;
use opentelemetry::trace::TracerProvider as _;
use opentelemetry_otlp::{Protocol, SpanExporter, WithExportConfig as _, WithHttpConfig as _};
use opentelemetry_sdk::Resource;
use opentelemetry_sdk::trace::{
    BatchConfigBuilder, BatchSpanProcessor, Sampler, SdkTracerProvider, SpanLimits,
};
use tokio::runtime::Handle;
use tracing::Metadata;
use tracing::level_filters::LevelFilter;
use tracing_subscriber::filter::filter_fn;
use tracing_subscriber::{Layer, Registry};

use super::collector::{Collector, EXPORT_TIME};
use super::exporter::StandardExporter;
use super::semantics::is_exported;
use crate::settings::TracesSettings;

/// Maximum spans that wait for their export; further ones are dropped. Bounds the memory to a few megabytes. This and the
/// size of a batch are the defaults of OpenTelemetry's exporters.
const MAX_QUEUE: usize = 2_048;
const MAX_BATCH: usize = 512;
/// Interval of exports. An operator who looks for a trace finds it soon; chosen by hand.
const EXPORT_EVERY: Duration = Duration::from_secs(1);
/// Time limit of the last export.
const END_TIME: Duration = Duration::from_secs(2);

/// The export of traces.
#[derive(Debug)]
pub(crate) struct Traces(SdkTracerProvider);

impl Traces {
    /// Starts the export to the collector of the settings; `None` if there is none. `runtime` drives its connections.
    ///
    /// # Errors
    /// One sentence for the operator.
    pub(crate) fn start(settings: &TracesSettings, runtime: Handle) -> anyhow::Result<Option<Self>> {
        if !settings.is_on() {
            return Ok(None);
        }
        let exporter = SpanExporter::builder()
            .with_http()
            .with_http_client(Collector::new(settings, runtime)?)
            .with_endpoint(&settings.endpoint)
            .with_protocol(Protocol::HttpBinary)
            .with_timeout(EXPORT_TIME)
            .build()?;
        let batches = BatchConfigBuilder::default()
            .with_max_queue_size(MAX_QUEUE)
            .with_max_export_batch_size(MAX_BATCH)
            .with_scheduled_delay(EXPORT_EVERY)
            .build();
        let processor = BatchSpanProcessor::builder(StandardExporter::new(exporter));
        let service = Resource::builder_empty()
            .with_service_name(settings.service_name.clone())
            .with_attribute(KeyValue::new("service.version", env!("CARGO_PKG_VERSION")))
            .build();
        let sampler = Sampler::TraceIdRatioBased(settings.sample_ratio);
        let provider = SdkTracerProvider::builder()
            .with_span_processor(processor.with_batch_config(batches).build())
            .with_sampler(Sampler::ParentBased(Box::new(sampler)))
            // Else the environment could change them.
            .with_span_limits(SpanLimits::default())
            .with_resource(service)
            .build();
        Ok(Some(Self(provider)))
    }

    /// What a subscriber needs to record the spans. Events stay in the log: they can contain anything.
    pub(crate) fn layer(&self) -> impl Layer<Registry> + Send + Sync + use<> {
        tracing_opentelemetry::layer()
            .with_tracer(self.0.tracer("formwork"))
            .with_location(false)
            .with_threads(false)
            .with_target(false)
            .with_tracked_inactivity(false)
            // Nothing here asks OpenTelemetry for the current span.
            .with_context_activation(false)
            .with_filter(filter_fn(is_recorded).with_max_level_hint(LevelFilter::ERROR))
    }

    /// Exports what is left, for two seconds at most.
    pub(crate) async fn end(self) {
        let end = tokio::task::spawn_blocking(move || self.0.shutdown_with_timeout(END_TIME));
        if !matches!(end.await, Ok(Ok(()))) {
            tracing::warn!("the last spans of traces could not be exported");
        }
    }
}

fn is_recorded(metadata: &Metadata<'_>) -> bool {
    metadata.is_span() && is_exported(metadata.name())
}
