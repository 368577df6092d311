//! The ports of this crate: the store of bases and items, the feed of its changes, the vector store, and the
//! indexes derived from them.

mod bases;
mod feed;
mod index;
mod items;
mod vector_store;

pub use bases::{BaseRepository, RemovedItems};
pub use feed::{Change, ChangeFeed, ChangeKind, FeedState, IndexedItem};
pub use index::{
    Found, Hit, IndexError, IndexMark, IndexedChunk, ItemSet, LexicalIndex, LexicalQuery, Rebuild,
    TermConstraint, TermPrefix, VectorIndex, VectorQuery,
};
pub use items::{
    AddedItem, ChunkRepository, Contents, EmbeddingRepository, IngestRepository, IngestResult, ItemChange,
    ItemFilter, ItemRepository, LiveChunk, NewChunk, NewItem, Replacement, Selection, Task, Vector,
};
pub use vector_store::{ChunkPlace, VectorKind, VectorStore};
