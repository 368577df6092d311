//! The use cases of knowledge bases.

mod add;
mod bases;
mod items;
mod new_items;
mod progress;
pub mod rules;

use std::sync::Arc;
use std::time::Duration;

use documents_core::{DocumentOrigin, DocumentReader};
use files_core::FilesService;
use gen_core::GenService;
use jobs_core::DispatcherHandle;
use shared_core::{Clock, Offload, Rng, Timer};

use crate::embedding::Embedder;
use crate::retrieval::Selections;
use crate::{
    BaseRepository, ChangeFeed, ChunkRepository, EmbeddingRepository, IndexProgress, IngestRepository,
    ItemRepository, LexicalIndex, VectorIndex,
};

pub use add::{NewData, NewPassage, NewText};
pub use bases::{BaseChanges, NewBase};
pub use items::{DeletedSources, ItemUpdate, SourceDeletion};
pub use progress::BaseEvent;

/// The ports of the service.
#[derive(Clone, Debug)]
pub struct KnowledgePorts {
    /// Stores bases.
    pub bases: Arc<dyn BaseRepository>,
    /// Stores items.
    pub items: Arc<dyn ItemRepository>,
    /// The work on items.
    pub ingest: Arc<dyn IngestRepository>,
    /// The chunks of hits.
    pub chunks: Arc<dyn ChunkRepository>,
    /// The vectors of texts.
    pub embeddings: Arc<dyn EmbeddingRepository>,
    /// The change feed.
    pub feed: Arc<dyn ChangeFeed>,
    /// The lexical index.
    pub words: Arc<dyn LexicalIndex>,
    /// The vector index.
    pub vectors: Arc<dyn VectorIndex>,
    /// Stores originals and resolves files.
    pub files: FilesService,
    /// Parsed documents.
    pub documents: DocumentReader,
    /// Fetches documents of the web.
    pub web: Arc<dyn DocumentOrigin>,
    /// Embedding models.
    pub generation: GenService,
    /// Wakes the dispatcher of items.
    pub jobs: DispatcherHandle,
    /// Threads for work on the processor.
    pub workers: Arc<dyn Offload>,
    /// Time of day.
    pub clock: Arc<dyn Clock>,
    /// Waits and time limits.
    pub timer: Arc<dyn Timer>,
    /// Randomness.
    pub ids: Arc<dyn Rng>,
}

/// Limits of the service.
#[derive(Clone, Copy, Debug)]
pub struct KnowledgeLimits {
    /// Maximum items of a base.
    pub items: u64,
    /// Maximum items of one request.
    pub added: usize,
    /// Maximum attempts at an item.
    pub attempts: u32,
    /// Maximum wait of a search for the query vector when lexical search can answer without it.
    pub query_vector: Duration,
}

impl Default for KnowledgeLimits {
    fn default() -> Self {
        // Chosen by hand; no measurement recorded. The first two protect memory and time.
        Self { items: 1_000_000, added: 10_000, attempts: 5, query_vector: Duration::from_millis(1_500) }
    }
}

/// Knowledge bases of a workspace.
#[derive(Clone, Debug)]
pub struct KnowledgeService {
    pub(crate) ports: KnowledgePorts,
    pub(crate) limits: KnowledgeLimits,
    pub(crate) applied: IndexProgress,
    pub(crate) embedder: Embedder,
    pub(crate) selections: Selections,
}

impl KnowledgeService {
    /// Builds the service on its ports. `applied` is shared with the indexer of the process.
    #[must_use]
    pub fn new(ports: KnowledgePorts, limits: KnowledgeLimits, applied: IndexProgress) -> Self {
        let embedder = Embedder::new(&ports);
        Self { ports, limits, applied, embedder, selections: Selections::default() }
    }
}
