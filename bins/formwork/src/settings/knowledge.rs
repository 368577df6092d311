//! Settings of knowledge bases.

use serde::{Deserialize, Serialize};

/// Knowledge bases.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct KnowledgeSettings {
    /// Folder of the search indexes, one per database; `index` in the data folder when empty.
    pub index: String,
    /// Maximum number of files of a knowledge base.
    pub files: u64,
    /// Maximum number of files, texts and chunks that one request may add.
    pub added: usize,
    /// Maximum number of attempts at a file after retryable failures.
    pub attempts: u32,
    /// Maximum number of files processed concurrently.
    pub concurrency: usize,
    /// Milliseconds that a search waits for the embedding of its query.
    pub query_vector_ms: u64,
    /// Milliseconds that a search waits for a reranking model.
    pub rerank_ms: u64,
    /// Maximum memory for vectors in bytes.
    pub vector_memory_bytes: u64,
    /// Where vectors are searched.
    pub vectors: VectorMode,
}

/// Where vectors are searched.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum VectorMode {
    /// In the database where its extension pgvector exists, else in memory.
    Auto,
    /// In the memory of each server.
    Memory,
    /// In the database; the server does not start without it.
    Pgvector,
}

impl Default for KnowledgeSettings {
    fn default() -> Self {
        Self {
            index: String::new(),
            files: 1_000_000,
            added: 10_000,
            attempts: 5,
            concurrency: 16,
            query_vector_ms: 1_500,
            rerank_ms: 3_000,
            vector_memory_bytes: 256 << 20,
            vectors: VectorMode::Auto,
        }
    }
}
