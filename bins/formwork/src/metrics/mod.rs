//! Metrics for operators in the text format of OpenMetrics, which Prometheus reads.
//!
//! Counters and histograms are kept in memory as things happen. What is state, such as the length of a queue, is read
//! when the metrics are.

mod batches;
mod documents;
mod listener;
mod load;
mod measured_meter;
mod measured_recogniser;
mod process;
mod recorder;
mod state;

pub(crate) use listener::MetricsListener;
pub(crate) use measured_meter::measure;
pub(crate) use measured_recogniser::measure_ocr;
pub(crate) use recorder::Metrics;
