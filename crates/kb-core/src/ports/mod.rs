//! The ports of this crate: the store of bases and items, the feed of its changes, the vector store, and the
//! indexes derived from them.

mod bases;
mod feed;
mod index;
mod items;
mod new_item;
mod vector_store;

pub use bases::{BaseRepository, RemovedItems};
pub use feed::{Change, ChangeFeed, ChangeKind, FeedState, IndexedItem};
pub use index::{
    Found, Hit, IndexError, IndexMark, IndexedChunk, ItemSet, LexicalIndex, LexicalQuery, Rebuild,
    TermConstraint, TermPrefix, VectorIndex, VectorQuery,
};
pub use items::{
    ChunkRepository, EmbeddingRepository, IngestRepository, IngestResult, ItemChange, ItemFilter,
    ItemRepository, LiveChunk, Replacement, Selection, Task, Vector,
};
pub use new_item::{AddedItem, Contents, Difference, NewChunk, NewItem};
pub use vector_store::{ChunkPlace, VectorKind, VectorStore};
