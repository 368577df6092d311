//! The ports of the indexes. They are derived from the store, and each hit is verified against it.

use std::fmt;
use std::sync::Arc;

use async_trait::async_trait;
use shared_core::BoxError;

use crate::ChunkKey;

/// How far an index has applied the changes of the store.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct IndexMark {
    /// The last change that it contains.
    pub sequence: i64,
    /// The generation that it was built for.
    pub generation: i64,
}

/// A chunk for a lexical index.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IndexedChunk {
    /// Item number and position.
    pub key: ChunkKey,
    /// The number of its base.
    pub base: i64,
    /// The sequence number that its hits carry.
    pub sequence: i64,
    /// The title of its item.
    pub title: String,
    /// The headings above it.
    pub heading: String,
    /// The chunk's text, without the headings.
    pub text: String,
    /// Its language (ISO 639-1), if detected.
    pub language: Option<String>,
}

/// Item numbers, for searches restricted to some items of a base.
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

/// What hits must have and must not have, as terms of the analysis.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TermConstraint {
    /// A hit has at least one term of each.
    pub required: Vec<Vec<String>>,
    /// A hit has none of them.
    pub excluded: Vec<String>,
    /// Each counts as a further word of the query.
    pub prefixes: Vec<TermPrefix>,
}

/// A word of which only the beginning is given.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TermPrefix {
    /// How its terms begin. An index may take only the first [`TermPrefix::MAX_TERMS`] of them.
    pub prefix: String,
    /// Further terms of it: what the analysis makes of the beginning itself.
    pub terms: Vec<String>,
}

impl TermPrefix {
    /// Maximum terms of a prefix, in the order of their bytes. Protects time.
    pub const MAX_TERMS: usize = 64;
}

/// A lexical search.
#[derive(Clone, Debug, Default)]
pub struct LexicalQuery {
    /// The number of the base.
    pub base: i64,
    /// The user's query; it has no syntax.
    pub text: String,
    /// Languages of the base.
    pub languages: Vec<String>,
    /// Restricts the search to these items.
    pub items: Option<ItemSet>,
    /// Restricts the search to chunks with and without some terms.
    pub constraint: TermConstraint,
    /// Maximum hits.
    pub limit: usize,
}

/// A vector search.
#[derive(Clone, Debug)]
pub struct VectorQuery {
    /// The number of the base.
    pub base: i64,
    /// The model of the vector.
    pub model: String,
    /// The embedded query.
    pub vector: Arc<[f32]>,
    /// Restricts the search to these items.
    pub items: Option<ItemSet>,
    /// Whether all vectors are compared, without an approximate index.
    pub exact: bool,
    /// Maximum hits.
    pub limit: usize,
}

/// A hit. It may be outdated: it is verified against the store before it is returned.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Hit {
    /// The chunk.
    pub key: ChunkKey,
    /// The sequence number of its item when it was indexed.
    pub sequence: i64,
    /// Higher is better. Lexical: the share of the maximum reachable score, from 0 to 1. Vectors: the cosine,
    /// at least 0.
    pub score: f32,
}

/// The hits of a search.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Found {
    /// Best first; equal scores by key.
    pub hits: Vec<Hit>,
    /// Whether there may be more beyond the limit.
    pub more: bool,
}

/// What is wrong with an index.
#[derive(Debug, thiserror::Error)]
pub enum IndexError {
    /// It is being rebuilt.
    #[error("the search index is being rebuilt")]
    NotReady,
    /// Its files are damaged or missing; it has to be rebuilt.
    #[error("the search index is damaged")]
    Damaged(#[source] BoxError),
    /// The disk is full.
    #[error("the storage is full")]
    Full,
    /// Anything else.
    #[error("the search index failed")]
    Failed(#[source] BoxError),
}

/// The lexical index, with one writing task and any number of searches. Implementations must pass
/// `lexical_contract!`.
#[async_trait]
pub trait LexicalIndex: fmt::Debug + Send + Sync + 'static {
    /// The mark of its durable state; `None` when there is no usable index.
    async fn mark(&self) -> Result<Option<IndexMark>, IndexError>;
    /// Removes the chunks of these items and of all these bases; visible with [`LexicalIndex::commit`].
    async fn remove(&self, items: &[i64], bases: &[i64]) -> Result<(), IndexError>;
    /// Adds chunks; visible with [`LexicalIndex::commit`].
    async fn put(&self, chunks: Vec<IndexedChunk>) -> Result<(), IndexError>;
    /// Makes the pending writes visible and durable, together with the mark.
    async fn commit(&self, mark: IndexMark) -> Result<(), IndexError>;
    /// Begins an empty index that replaces the present one when it is finished; until then the present one
    /// serves.
    async fn rebuild(&self) -> Result<Box<dyn Rebuild>, IndexError>;
    /// The best hits of a query; [`IndexError::NotReady`] while there is no usable index.
    async fn search(&self, query: &LexicalQuery) -> Result<Found, IndexError>;
    /// All items that have a hit of the query, whatever its limit; else as [`LexicalIndex::search`].
    async fn matching_items(&self, query: &LexicalQuery) -> Result<ItemSet, IndexError>;
}

/// An index that is being rebuilt. Dropping it keeps the present one.
#[async_trait]
pub trait Rebuild: fmt::Debug + Send {
    /// Puts chunks in.
    async fn put(&mut self, chunks: Vec<IndexedChunk>) -> Result<(), IndexError>;
    /// Makes it the present index, with its mark.
    async fn finish(self: Box<Self>, mark: IndexMark) -> Result<(), IndexError>;
}

/// The vector index. It loads a base from the store when the base is first searched.
#[async_trait]
pub trait VectorIndex: fmt::Debug + Send + Sync + 'static {
    /// Invalidates changed or deleted items and deleted bases. Called before the lexical index's mark
    /// advances.
    async fn changed(&self, items: &[(i64, i64)], bases: &[i64]) -> Result<(), IndexError>;
    /// Invalidates everything.
    async fn reset(&self);
    /// The chunks nearest to the query vector.
    async fn search(&self, query: &VectorQuery) -> Result<Found, IndexError>;
    /// The share of the nearest ten that searches of a base find, from 0 to 1, as measured on its own vectors;
    /// `None` where it was not measured.
    fn recall(&self, _base: i64) -> Option<f32> {
        None
    }
}
