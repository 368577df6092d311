#![doc = include_str!("../README.md")]

#[cfg(feature = "contract")]
#[allow(clippy::expect_used, clippy::missing_panics_doc, reason = "a conformance suite asserts")]
pub mod contract;
mod error;
mod indexer;
mod memory;
mod model;
mod ports;
mod retrieval;
mod service;

pub use error::KnowledgeError;
pub use indexer::Applied;
pub use memory::MemoryKnowledge;
pub use model::*;
pub use ports::*;
pub use retrieval::{Mode, SearchRequest, SearchResult};
pub use service::{KnowledgeLimits, KnowledgePorts, KnowledgeService};

/// The queue of the jobs of items.
pub const QUEUE: &str = "knowledge";
