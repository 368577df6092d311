//! Searching: by words, by vectors, or both; filtered, fused, and looked up in the store.

mod field;
mod filter;
mod find;
mod fuse;
mod near;
mod neighbours;
mod request;
mod search;
mod select;

pub use request::{Mode, SearchRequest, SearchResult};
pub(crate) use select::Selections;
