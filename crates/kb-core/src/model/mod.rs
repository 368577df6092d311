//! The values of knowledge bases.

mod base;
mod chunk;
mod ids;
mod item;

pub use base::{Base, Chunking, Counts, RerankSettings};
pub use chunk::{Chunk, ChunkKey, ContentHash};
pub use ids::{BaseId, ItemId};
pub use item::{Content, Item, ItemError, ItemStatus, Progress, Source};
