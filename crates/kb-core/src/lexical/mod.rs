//! Lexical search: the scores of chunks, the index in memory, and the conformance suite of indexes.

mod bm25;
#[cfg(feature = "contract")]
#[allow(clippy::expect_used, clippy::missing_panics_doc, reason = "a conformance suite asserts")]
pub mod contract;
mod memory;

pub use bm25::{CHUNK_BM25, chunk_terms, field_terms};
pub use memory::MemoryLexicalIndex;
