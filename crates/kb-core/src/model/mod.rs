//! The values of knowledge bases.

mod attributes;
mod base;
mod chunk;
mod ids;
mod item;

pub use attributes::ItemAttributes;
pub use base::{Base, Chunking, Counts, RerankSettings};
pub use chunk::{Chunk, ChunkKey, ContentHash};
pub use ids::{BaseId, ItemId};
pub use item::{Content, Item, ItemError, ItemStatus, Progress, Source};
