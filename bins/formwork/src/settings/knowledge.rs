//! Settings of knowledge bases.

use serde::{Deserialize, Serialize};

/// Knowledge bases.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct KnowledgeSettings {
    /// Folder of the search indexes, one for each database; `index` in the data folder when empty.
    pub index: String,
    /// Files that a base may have.
    pub files: u64,
    /// Files, texts and chunks that one request may add.
    pub added: usize,
    /// Attempts at a file whose work fails in a way that may pass.
    pub attempts: u32,
    /// Files that are worked on at the same time.
    pub concurrency: usize,
    /// Milliseconds that a search waits for the vector of its query.
    pub query_vector_ms: u64,
    /// Bytes of memory for vectors.
    pub vector_memory_bytes: u64,
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
            vector_memory_bytes: 256 << 20,
        }
    }
}
