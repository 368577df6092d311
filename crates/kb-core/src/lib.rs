#![doc = include_str!("../README.md")]

mod chunking;
mod embedding;
mod error;
mod indexer;
mod memory;
mod model;
mod ports;
mod retrieval;
mod service;

pub use chunking::chunk;
pub use error::KnowledgeError;
pub use indexer::Applied;
pub use memory::MemoryKnowledge;
pub use model::*;
pub use ports::*;
pub use retrieval::{Mode, SearchRequest, SearchResult};
pub use service::{
    BaseChanges, BaseEvent, DeletedSources, ItemUpdate, KnowledgeLimits, KnowledgePorts, KnowledgeService,
    NewBase, NewData, NewPassage, NewText, SourceDeletion, rules,
};

/// The queue of the jobs of items.
pub const QUEUE: &str = "knowledge";
