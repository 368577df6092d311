//! Reading vectors from the store.

use kb_core::{ChangeFeed, ChunkKey, IndexError};

use super::block::VectorRow;

/// Bytes of vectors that are read at once, about.
const PAGE_BYTES: usize = 4 << 20;
/// Chunks that are read first of an item that changed; most have fewer.
const FIRST_LIMIT: u32 = 16;

/// Before every chunk.
pub(super) const START: ChunkKey = ChunkKey { item: i64::MIN, position: 0 };

/// The vectors of a base that a model made.
#[derive(Clone, Copy, Debug)]
pub(super) struct VectorReader<'a> {
    pub(super) feed: &'a dyn ChangeFeed,
    pub(super) base: i64,
    pub(super) model: &'a str,
    pub(super) dimensions: usize,
}

impl VectorReader<'_> {
    fn page_limit(&self) -> u32 {
        (PAGE_BYTES / (4 * self.dimensions.max(1))).clamp(64, 2_048) as u32
    }

    /// The next ones after a key; at the end none.
    pub(super) async fn read_after(&self, key: ChunkKey) -> Result<Vec<VectorRow>, IndexError> {
        self.read_page(key, self.page_limit()).await
    }

    async fn read_page(&self, after: ChunkKey, limit: u32) -> Result<Vec<VectorRow>, IndexError> {
        let rows = self.feed.vectors(self.base, self.model, after, limit).await;
        let mut rows = rows.map_err(|error| IndexError::Failed(error.into()))?;
        // A store that does not go forward must not keep this going for ever.
        let mut last = after;
        rows.retain(|(key, ..)| {
            let forward = *key > last;
            last = last.max(*key);
            forward
        });
        Ok(rows)
    }

    /// Those of some items, which are ascending.
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
            // Items that follow each other are read in pages that grow; gaps are left out.
            (after, limit) = match next == last.item {
                true => (last, (limit * 4).min(self.page_limit())),
                false => (key_before(next), limit),
            };
        }
    }
}

/// Before every chunk of an item.
fn key_before(item: i64) -> ChunkKey {
    ChunkKey { item: item.saturating_sub(1), position: u32::MAX }
}
