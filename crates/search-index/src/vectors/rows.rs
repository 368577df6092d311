//! Reading vectors from the store.

use kb_core::{ChangeFeed, ChunkKey, IndexError};

use super::block::VectorRow;

/// Approximate bytes of vectors that are read in one page. Protects memory.
const PAGE_BYTES: usize = 4 << 20;
/// Chunks in the first page of a changed item; most items have fewer.
/// Chosen by hand; no measurement recorded.
const FIRST_LIMIT: u32 = 16;

/// The key before every chunk.
pub(super) const START: ChunkKey = ChunkKey { item: i64::MIN, position: 0 };

/// Reads the vectors that one model made of a base.
#[derive(Clone, Copy, Debug)]
pub(super) struct VectorReader<'a> {
    pub(super) feed: &'a dyn ChangeFeed,
    pub(super) base: i64,
    pub(super) model: &'a str,
    pub(super) dimensions: usize,
}

impl VectorReader<'_> {
    fn page_limit(&self) -> u32 {
        // A number takes four bytes. The range is chosen by hand; no measurement recorded.
        (PAGE_BYTES / (4 * self.dimensions.max(1))).clamp(64, 2_048) as u32
    }

    /// The next page after a key; empty at the end.
    pub(super) async fn read_after(&self, key: ChunkKey) -> Result<Vec<VectorRow>, IndexError> {
        self.read_page(key, self.page_limit()).await
    }

    async fn read_page(&self, after: ChunkKey, limit: u32) -> Result<Vec<VectorRow>, IndexError> {
        let rows = self.feed.vectors(self.base, self.model, after, limit).await;
        let mut rows = rows.map_err(|error| IndexError::Failed(error.into()))?;
        // A store that does not advance must not cause an endless loop.
        let mut last = after;
        rows.retain(|(key, ..)| {
            let forward = *key > last;
            last = last.max(*key);
            forward
        });
        Ok(rows)
    }

    /// The vectors of some items, whose ids are ascending.
    pub(super) async fn read_items(
        &self,
        items: &[i64],
        mut take: impl FnMut(VectorRow),
    ) -> Result<(), IndexError> {
        let Some(first) = items.first() else { return Ok(()) };
        let (mut after, mut limit) = (key_before(*first), FIRST_LIMIT);
        loop {
            let rows = self.read_page(after, limit).await?;
            let read = rows.len();
            let Some(last) = rows.last().map(|row| row.0) else { return Ok(()) };
            rows.into_iter().filter(|row| items.binary_search(&row.0.item).is_ok()).for_each(&mut take);
            let next = items.get(items.partition_point(|item| *item < last.item)).copied();
            let Some(next) = next.filter(|_| read as u32 == limit) else { return Ok(()) };
            // Adjacent items are read in growing pages; gaps between items are skipped.
            (after, limit) = match next == last.item {
                true => (last, (limit * 4).min(self.page_limit())),
                false => (key_before(next), limit),
            };
        }
    }
}

/// The key before every chunk of an item.
fn key_before(item: i64) -> ChunkKey {
    ChunkKey { item: item.saturating_sub(1), position: u32::MAX }
}
