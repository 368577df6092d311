#![doc = include_str!("../README.md")]

mod chunking;
mod embedding;
mod error;
mod indexer;
mod ingest;
mod model;
mod ports;
mod retrieval;
mod service;

pub use chunking::chunk;
pub use error::KnowledgeError;
pub use indexer::Applied;
pub use model::*;
pub use ports::*;
pub use retrieval::{Mode, SearchRequest, SearchResult};
pub use service::{KnowledgeLimits, KnowledgePorts, KnowledgeService};

/// The queue of the jobs of items.
pub const QUEUE: &str = "knowledge";
