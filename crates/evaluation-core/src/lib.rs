#![doc = include_str!("../README.md")]

#[cfg(feature = "contract")]
#[allow(clippy::expect_used, clippy::missing_panics_doc, reason = "a conformance suite asserts")]
pub mod contract;
mod error;
mod gate;
mod import;
mod import_lines;
mod memory;
mod model;
mod repository;
pub mod retrieval;
mod rules;
pub mod score;
mod scoring;
mod service;

pub use error::EvaluationError;
pub use gate::{GateRequest, PublicationGate};
pub use memory::MemoryEvaluationSets;
pub use model::{EvaluationReport, EvaluationSet, NewEvaluationSet, TrueGroup};
pub use repository::EvaluationRepository;
pub use rules::{MAX_GROUPS, MAX_SET_NAME, MAX_WEIGHTS};
pub use scoring::EvaluationOptions;
pub use service::{EvaluationPorts, EvaluationService};
