//! What this crate asks of its surroundings: a store of bases and items, the feed of its changes, the stock of
//! vectors, and the indexes that are derived from them.

mod bases;
mod feed;
mod index;
mod items;
mod stock;

pub use bases::{BaseRepository, Removed};
pub use feed::{Change, ChangeFeed, FeedState, IndexedItem, What};
pub use index::{
    Found, Hit, IndexError, IndexMark, IndexedChunk, ItemSet, LexicalIndex, LexicalQuery, Rebuild,
    VectorIndex, VectorQuery,
};
pub use items::{
    Added, Finished, ItemChange, ItemFilter, ItemRepository, LiveChunk, Matter, NewChunk, NewItem,
    Replacement, Selection, Task, Vector,
};
pub use stock::{ChunkPlace, VectorKind, VectorStock};
