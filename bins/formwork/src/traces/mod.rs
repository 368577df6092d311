//! Traces for operators: the spans of the log, exported by OTLP over HTTP.
//!
//! Spans and their fields have names of this program where they are made. The exporter gives them those of
//! OpenTelemetry's conventions, and drops every field that it does not know.

mod collector;
mod exporter;
mod pipeline;
mod propagation;
mod request_trace;
mod semantics;

pub(crate) use pipeline::Traces;
pub(crate) use propagation::sent_to_providers;
pub(crate) use request_trace::RequestTrace;
