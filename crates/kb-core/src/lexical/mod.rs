//! Searching by words: how chunks are scored, the index in memory, and the suite for every index.

mod bm25;
#[cfg(feature = "contract")]
#[allow(clippy::expect_used, clippy::missing_panics_doc, reason = "a conformance suite asserts")]
pub mod contract;
mod memory;

pub use bm25::{CHUNK_BM25, chunk_terms, field_terms};
pub use memory::MemoryLexicalIndex;
