//! The settings of the index.

/// Resource limits of the index.
#[derive(Clone, Copy, Debug)]
pub struct LexicalSettings {
    /// Bytes of the writer's memory buffer, at least 15 MB for each thread.
    pub memory: usize,
    /// Threads that tokenise while the index is written.
    pub threads: usize,
    /// Threads that search.
    pub searchers: usize,
    /// Size in bytes up to which an index is verified before it is used. A larger one is verified in the
    /// background.
    pub checked_first: u64,
}

impl Default for LexicalSettings {
    fn default() -> Self {
        // Tantivy needs at least 30 MB for two threads. The others are chosen by hand; no measurement recorded.
        Self { memory: 32_000_000, threads: 2, searchers: 4, checked_first: 256 << 20 }
    }
}
