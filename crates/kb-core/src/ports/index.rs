//! The ports of the indexes: derived from the store, and never believed without asking it.

use std::fmt;
use std::sync::Arc;

use async_trait::async_trait;
use shared_core::BoxError;

use crate::ChunkKey;

/// Up to where an index has applied the changes of the store.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct IndexMark {
    /// The number of the last change that is in it.
    pub sequence: i64,
    /// The generation that it was made for.
    pub generation: i64,
}

/// A chunk as it is put into an index of words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IndexedChunk {
    /// Its name.
    pub key: ChunkKey,
    /// The number of its base.
    pub base: i64,
    /// The sequence number that its findings carry.
    pub sequence: i64,
    /// The title of its item.
    pub title: String,
    /// What it stands under.
    pub heading: String,
    /// Its text.
    pub text: String,
    /// Its language (ISO 639-1), where it could be told.
    pub language: Option<String>,
}

/// Items by number, for searches in some of a base's items.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ItemSet(Arc<[i64]>);

impl ItemSet {
    /// The set of these numbers.
    #[must_use]
    pub fn new(mut items: Vec<i64>) -> Self {
        items.sort_unstable();
        items.dedup();
        Self(items.into())
    }

    /// Whether it has the item.
    #[must_use]
    pub fn contains(&self, item: i64) -> bool {
        self.0.binary_search(&item).is_ok()
    }

    /// The numbers, ascending.
    #[must_use]
    pub fn numbers(&self) -> &[i64] {
        &self.0
    }
}

/// A search by words.
#[derive(Clone, Debug)]
pub struct LexicalQuery {
    /// The number of the base.
    pub base: i64,
    /// The user's words, whatever they are.
    pub text: String,
    /// Languages that occur in the base.
    pub languages: Vec<String>,
    /// Only in these items.
    pub items: Option<ItemSet>,
    /// Findings at the most.
    pub limit: usize,
}

/// A search by a vector.
#[derive(Clone, Debug)]
pub struct VectorQuery {
    /// The number of the base.
    pub base: i64,
    /// The model that the vector is of.
    pub model: String,
    /// The vector.
    pub vector: Arc<[f32]>,
    /// Only in these items.
    pub items: Option<ItemSet>,
    /// Findings at the most.
    pub limit: usize,
}

/// A finding. It may be out of date: the store is asked before it is shown.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Hit {
    /// The chunk.
    pub key: ChunkKey,
    /// The sequence number that its item had when it was indexed.
    pub sequence: i64,
    /// Higher is better. By words: the share of what a chunk could reach at the most, from 0 to 1. By vectors:
    /// the cosine, not below 0.
    pub score: f32,
}

/// Findings.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Found {
    /// Best first; equal ones by key.
    pub hits: Vec<Hit>,
    /// Whether there may be more beyond the limit.
    pub more: bool,
}

/// What is wrong with an index.
#[derive(Debug, thiserror::Error)]
pub enum IndexError {
    /// It is being made anew.
    #[error("the search index is being made anew")]
    NotReady,
    /// Its files are damaged or gone; it has to be made anew.
    #[error("the search index is damaged")]
    Damaged(#[source] BoxError),
    /// No room left.
    #[error("the storage is full")]
    Full,
    /// Anything else.
    #[error("the search index failed")]
    Failed(#[source] BoxError),
}

/// The index of words. One task writes; any number search. Implementations must pass `lexical_contract!`.
#[async_trait]
pub trait LexicalIndex: fmt::Debug + Send + Sync + 'static {
    /// What is durably in it; `None` when there is no usable index.
    async fn mark(&self) -> Result<Option<IndexMark>, IndexError>;
    /// Takes the chunks of these items out, and all of these bases; becomes visible with [`LexicalIndex::commit`].
    async fn remove(&self, items: &[i64], bases: &[i64]) -> Result<(), IndexError>;
    /// Puts chunks in; becomes visible with [`LexicalIndex::commit`].
    async fn put(&self, chunks: Vec<IndexedChunk>) -> Result<(), IndexError>;
    /// Makes what was removed and put in visible and durable, together with the mark.
    async fn commit(&self, mark: IndexMark) -> Result<(), IndexError>;
    /// Begins an empty index that takes the present one's place when it is done; until then that one serves.
    async fn rebuild(&self) -> Result<Box<dyn Rebuild>, IndexError>;
    /// Findings.
    async fn search(&self, query: &LexicalQuery) -> Result<Found, IndexError>;
}

/// An index that is being made anew. Dropping it leaves the present one.
#[async_trait]
pub trait Rebuild: fmt::Debug + Send {
    /// Puts chunks in.
    async fn put(&mut self, chunks: Vec<IndexedChunk>) -> Result<(), IndexError>;
    /// Makes it the index, with its mark.
    async fn finish(self: Box<Self>, mark: IndexMark) -> Result<(), IndexError>;
}

/// The index of vectors: what it holds, it reads from the store when it is first needed.
#[async_trait]
pub trait VectorIndex: fmt::Debug + Send + Sync + 'static {
    /// These items are others now, or gone; and so are these bases. Called before the mark of the words
    /// moves on.
    async fn changed(&self, items: &[(i64, i64)], bases: &[i64]) -> Result<(), IndexError>;
    /// Everything may have changed.
    async fn reset(&self);
    /// Findings.
    async fn search(&self, query: &VectorQuery) -> Result<Found, IndexError>;
}
