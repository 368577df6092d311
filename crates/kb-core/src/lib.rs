#![doc = include_str!("../README.md")]

pub mod analysis;
mod error;
mod indexer;
mod lexical;
mod model;
mod ports;
mod retrieval;
mod service;

pub use error::KnowledgeError;
pub use indexer::Applied;
#[cfg(feature = "contract")]
pub use lexical::contract as lexical_contract;
pub use lexical::{Bm25, MemoryWords, chunk_terms, field_terms};
pub use model::*;
pub use ports::*;
pub use retrieval::{Mode, SearchRequest, SearchResult};
pub use service::{KnowledgeLimits, KnowledgePorts, KnowledgeService};

/// The queue of the jobs of items.
pub const QUEUE: &str = "knowledge";
