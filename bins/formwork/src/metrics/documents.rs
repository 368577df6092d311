//! Counters and histograms of documents: what parsers and OCR did.

use std::time::Duration;

use document::Format;
use parser_pool::CallReport;
use prometheus_client::encoding::EncodeLabelSet;
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::histogram::Histogram;
use prometheus_client::registry::{Registry, Unit};

/// Upper bounds of the buckets in seconds: from a small text to the longest that parsers (`workers.parser_wall_seconds`)
/// and OCR (`ocr.page_seconds`) have.
const BUCKETS: [f64; 11] = [0.002_5, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 5.0, 20.0, 60.0];

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct TaskLabels {
    task: &'static str,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct TaskFailureLabels {
    task: &'static str,
    code: &'static str,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct FormatLabels {
    format: String,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct OutcomeLabels {
    outcome: &'static str,
}

/// What is recorded of documents.
#[derive(Debug)]
pub(super) struct DocumentMetrics {
    calls: Family<TaskLabels, Histogram>,
    failures: Family<TaskFailureLabels, Counter>,
    read: Family<FormatLabels, Counter>,
    ocr: Family<OutcomeLabels, Histogram>,
}

fn histogram() -> Histogram {
    Histogram::new(BUCKETS)
}

impl Default for DocumentMetrics {
    fn default() -> Self {
        let ocr = Family::new_with_constructor(histogram as fn() -> Histogram);
        for outcome in ["read", "failed"] {
            drop(ocr.get_or_create(&OutcomeLabels { outcome }));
        }
        Self {
            calls: Family::new_with_constructor(histogram),
            failures: Family::default(),
            read: Family::default(),
            ocr,
        }
    }
}

impl DocumentMetrics {
    pub(super) fn register(&self, registry: &mut Registry) {
        let help = "Time of a call of a parser process, without the wait for one";
        registry.register_with_unit("parser_call_duration", help, Unit::Seconds, self.calls.clone());
        registry.register(
            "parser_call_failures",
            "Failed calls of parser processes, by the code of the error",
            self.failures.clone(),
        );
        registry.register("documents_read", "Documents that parsers have read", self.read.clone());
        let help = "Time of OCR of a page, without rendering it";
        registry.register_with_unit("ocr_page_duration", help, Unit::Seconds, self.ocr.clone());
    }

    /// Records OCR of a page.
    pub(super) fn record_ocr(&self, is_read: bool, took: Duration) {
        let outcome = if is_read { "read" } else { "failed" };
        self.ocr.get_or_create(&OutcomeLabels { outcome }).observe(took.as_secs_f64());
    }

    /// Records a call of a parser process.
    pub(super) fn record_call(&self, report: &CallReport) {
        let CallReport { task, format, failure, took } = *report;
        self.calls.get_or_create(&TaskLabels { task }).observe(took.as_secs_f64());
        if let Some(code) = failure {
            self.failures.get_or_create(&TaskFailureLabels { task, code }).inc();
        }
        if let Some(format) = format {
            self.read.get_or_create(&FormatLabels { format: name(format) }).inc();
        }
    }
}

/// The name of a format in answers.
fn name(format: Format) -> String {
    match serde_json::to_value(format) {
        Ok(serde_json::Value::String(name)) => name,
        _ => "other".to_owned(),
    }
}
