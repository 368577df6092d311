//! Search: lexical, by vectors, or both; filtered, fused, and verified against the store.

mod chunk_matcher;
mod facet_counter;
mod facets;
mod field;
mod field_name;
mod filter;
mod find;
mod fuse;
mod grounding;
mod item_matcher;
mod near_duplicates;
mod neighbours;
mod passage;
mod query_syntax;
mod representative;
mod request;
mod rerank;
mod search;
mod select;
mod selections;
mod target_reranker;
mod targets;
mod values;

pub use facet_counter::{Facet, FacetValue};
pub use filter::check_filter;
pub use grounding::Grounding;
pub use request::{Mode, QuerySyntax, SearchAnswer, SearchRequest, SearchResult, SearchWarning};
pub(crate) use rerank::check_reranker;
pub(crate) use selections::Selections;
