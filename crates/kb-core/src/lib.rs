#![doc = include_str!("../README.md")]

pub mod analysis;
mod chunking;
#[cfg(feature = "contract")]
#[allow(clippy::expect_used, clippy::missing_panics_doc, reason = "a conformance suite asserts")]
pub mod contract;
mod embedding;
mod error;
mod in_memory;
mod indexer;
mod ingest;
mod layout;
mod lexical;
mod memory;
mod model;
mod ports;
mod retrieval;
mod service;
mod sweep;
mod vector_memory;

pub use chunking::chunk;
pub use error::KnowledgeError;
pub use in_memory::ProcessPorts;
pub use indexer::{
    IndexLag, IndexProgress, Indexer, IndexerError, IndexerSettings, IndexerWatch, NoopIndexerWatch,
    Reindexed, reindex,
};
pub use layout::DocumentLayout;
#[cfg(feature = "contract")]
pub use lexical::contract as lexical_contract;
pub use lexical::{CHUNK_BM25, MemoryLexicalIndex, chunk_terms, field_terms};
pub use memory::MemoryKnowledge;
pub use model::*;
pub use ports::*;
pub use retrieval::{
    Facet, FacetValue, Grounding, Mode, QuerySyntax, SearchAnswer, SearchRequest, SearchResult,
    SearchWarning, check_filter,
};
pub use service::{
    BaseChanges, BaseEvent, DeletedBase, DeletedSources, EntryAttributes, FileEntry, ItemUpdate,
    KnowledgeLimits, KnowledgePorts, KnowledgeService, NewBase, NewData, NewPassage, NewText, SourceDeletion,
    UrlEntry, rules,
};
pub use sweep::VectorSweep;
pub use vector_memory::MemoryVectorIndex;

/// Bytes of texts from which hashing moves to a worker thread: it takes about a millisecond.
const MANY_BYTES: usize = 1 << 20;

/// The queue of the jobs of items.
pub const QUEUE: &str = "knowledge";
