//! The values of knowledge bases.

mod base;
mod chunk;
mod item;

pub use base::{Base, BaseId, Chunking, Counts};
pub use chunk::{Chunk, ChunkKey, ContentHash};
pub use item::{Content, Item, ItemError, ItemId, ItemStatus, Progress, Source};
