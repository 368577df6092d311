//! Searching: by words, by vectors, or both; filtered, fused, and looked up in the store.

mod request;

pub use request::{Mode, SearchRequest, SearchResult};
