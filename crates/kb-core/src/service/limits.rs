//! Limits of the service.

use std::time::Duration;

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
    /// Maximum wait of a search for a reranking model.
    pub rerank: Duration,
}

impl Default for KnowledgeLimits {
    fn default() -> Self {
        // Chosen by hand; no measurement recorded. The first two protect memory and time.
        Self {
            items: 1_000_000,
            added: 10_000,
            attempts: 5,
            query_vector: Duration::from_millis(1_500),
            rerank: Duration::from_secs(3),
        }
    }
}
