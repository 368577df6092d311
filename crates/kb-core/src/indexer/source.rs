//! Reads items with their chunks in batches.

use futures_util::stream::{self, Stream, StreamExt as _};

use super::IndexerError;
use crate::{ChangeFeed, Chunk, IndexedChunk, IndexedItem};

/// Bytes of texts that are written to the lexical index together.
pub(super) const PORTION: usize = 1 << 20;
/// Chunks of an item that are read in one page.
const PAGE: u32 = 256;
/// Items that are read concurrently.
const AT_ONCE: usize = 8;

/// An item with its first chunks.
#[derive(Debug)]
pub(super) struct LoadedItem {
    /// The item; `None` when it is deleted.
    pub(super) item: Option<IndexedItem>,
    /// The first page.
    pub(super) chunks: Vec<IndexedChunk>,
    /// Position of the next page, if there is one.
    pub(super) next: Option<u32>,
}

impl LoadedItem {
    /// Bytes of its texts.
    pub(super) fn bytes(&self) -> usize {
        bytes(&self.chunks)
    }
}

/// Bytes of the texts of chunks.
pub(super) fn bytes(chunks: &[IndexedChunk]) -> usize {
    chunks.iter().map(|chunk| chunk.text.len() + chunk.heading.len() + chunk.title.len()).sum()
}

/// Reads items by number, in order.
pub(super) fn by_number(
    feed: &dyn ChangeFeed,
    numbers: Vec<i64>,
) -> impl Stream<Item = Result<LoadedItem, IndexerError>> + Send {
    let read = move |number| async move {
        match feed.item(number).await? {
            Some(item) => first(feed, item).await,
            None => Ok(LoadedItem { item: None, chunks: Vec::new(), next: None }),
        }
    };
    stream::iter(numbers).map(read).buffered(AT_ONCE)
}

/// Reads the first chunks of items, in order.
pub(super) fn of_items(
    feed: &dyn ChangeFeed,
    items: Vec<IndexedItem>,
) -> impl Stream<Item = Result<LoadedItem, IndexerError>> + Send {
    stream::iter(items).map(move |item| first(feed, item)).buffered(AT_ONCE)
}

async fn first(feed: &dyn ChangeFeed, item: IndexedItem) -> Result<LoadedItem, IndexerError> {
    let (chunks, next) = page(feed, &item, 0).await?;
    Ok(LoadedItem { item: Some(item), chunks, next })
}

/// A page of an item's chunks from a position on, and the position of the next one.
pub(super) async fn page(
    feed: &dyn ChangeFeed,
    item: &IndexedItem,
    from: u32,
) -> Result<(Vec<IndexedChunk>, Option<u32>), IndexerError> {
    let chunks: Vec<Chunk> = feed.chunks(item.number, from, PAGE).await?;
    let full = chunks.len() >= PAGE as usize;
    let next = chunks.last().filter(|_| full).map(|last| last.position.saturating_add(1));
    Ok((chunks.into_iter().map(|chunk| item.chunk(chunk)).collect(), next))
}
