//! A change feed that has only vectors, for tests and measurements: no items and no changes.

use std::fmt;
use std::sync::Arc;

use async_trait::async_trait;
use kb_core::{Change, ChangeFeed, Chunk, ChunkKey, FeedState, IndexedItem};
use shared_core::{StoreError, Timestamp};

/// A page of vectors with the sequence numbers of their items.
pub(crate) type Page = Vec<(ChunkKey, i64, Arc<[f32]>)>;

/// Returns the vectors that [`ChangeFeed::vectors`] asks for.
pub(crate) trait Rows: fmt::Debug + Send + Sync + 'static {
    /// As [`ChangeFeed::vectors`].
    fn page(&self, base: i64, model: &str, after: ChunkKey, limit: u32) -> Result<Page, StoreError>;
}

/// The port, backed by rows.
#[derive(Debug)]
pub(crate) struct RowsAlone<R>(pub(crate) Arc<R>);

#[async_trait]
impl<R: Rows> ChangeFeed for RowsAlone<R> {
    async fn state(&self) -> Result<FeedState, StoreError> {
        Ok(FeedState::default())
    }

    async fn changes(&self, _: i64, _: u32) -> Result<Vec<Change>, StoreError> {
        Ok(Vec::new())
    }

    async fn next_change_time(&self, _: i64) -> Result<Option<Timestamp>, StoreError> {
        Ok(None)
    }

    async fn item(&self, _: i64) -> Result<Option<IndexedItem>, StoreError> {
        Ok(None)
    }

    async fn items(&self, _: i64, _: u32) -> Result<Vec<IndexedItem>, StoreError> {
        Ok(Vec::new())
    }

    async fn chunks(&self, _: i64, _: u32, _: u32) -> Result<Vec<Chunk>, StoreError> {
        Ok(Vec::new())
    }

    async fn vectors(&self, base: i64, model: &str, after: ChunkKey, limit: u32) -> Result<Page, StoreError> {
        self.0.page(base, model, after, limit)
    }

    async fn renew(&self) -> Result<i64, StoreError> {
        Ok(0)
    }

    async fn forget(&self, _: Timestamp, _: i64) -> Result<u64, StoreError> {
        Ok(0)
    }
}
