//! Search: lexical, by vectors, or both; filtered, fused, and verified against the store.

mod field;
mod filter;
mod find;
mod fuse;
mod grounding;
mod near_duplicates;
mod neighbours;
mod passage;
mod representative;
mod request;
mod rerank;
mod search;
mod select;
mod selections;
mod target_reranker;
mod values;

pub use filter::check_filter;
pub use grounding::Grounding;
pub use request::{Mode, SearchAnswer, SearchRequest, SearchResult, SearchWarning};
pub(crate) use rerank::check_reranker;
pub(crate) use selections::Selections;
