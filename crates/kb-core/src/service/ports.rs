//! What the service needs from outside.

use std::sync::Arc;

use document::{DocumentOrigin, DocumentReader};
use files_core::FilesService;
use gen_core::GenService;
use jobs_core::DispatcherHandle;
use shared_core::{Clock, Offload, Rng, Timer};

use crate::{
    BaseRepository, ChangeFeed, ChunkRepository, EmbeddingRepository, IngestRepository, ItemRepository,
    LexicalIndex, VectorIndex,
};

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
