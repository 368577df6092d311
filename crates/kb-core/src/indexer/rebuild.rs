//! Rebuilds the lexical index from the store.

use std::pin::pin;

use futures_util::StreamExt as _;

use super::source::{PORTION, bytes, of_items, page};
use super::{Indexer, IndexerError};
use crate::{ChangeFeed, FeedState, IndexMark, IndexedChunk, LexicalIndex, Rebuild};

/// Items that are read in one batch.
const ITEMS: u32 = 256;

/// Progress or result of a rebuild.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Reindexed {
    /// Items indexed.
    pub items: u64,
    /// Chunks indexed.
    pub chunks: u64,
}

/// Rebuilds the lexical index and reports its progress. The present index serves meanwhile.
///
/// # Errors
/// When the store or the index fails; the present index stays then.
pub async fn reindex(
    feed: &dyn ChangeFeed,
    words: &dyn LexicalIndex,
    progress: &mut (dyn FnMut(Reindexed) + Send),
) -> Result<(IndexMark, Reindexed), IndexerError> {
    let mut fresh = PendingRebuild::begin(feed, words).await?;
    while fresh.more(feed).await? {
        progress(fresh.done);
    }
    let done = fresh.done;
    Ok((fresh.finish().await?, done))
}

/// A rebuild in progress.
struct PendingRebuild {
    rebuild: Box<dyn Rebuild>,
    /// Changes after this mark are applied when it is done.
    mark: IndexMark,
    after: i64,
    chunks: Vec<IndexedChunk>,
    bytes: usize,
    done: Reindexed,
}

impl PendingRebuild {
    async fn begin(feed: &dyn ChangeFeed, words: &dyn LexicalIndex) -> Result<Self, IndexerError> {
        let rebuild = words.rebuild().await?;
        // Read before the first item, so that no later change is missed.
        let FeedState { latest, generation, .. } = feed.state().await?;
        let mark = IndexMark { sequence: latest, generation };
        let done = Reindexed::default();
        Ok(Self { rebuild, mark, after: i64::MIN, chunks: Vec::new(), bytes: 0, done })
    }

    /// Adds the next items; returns whether there were any.
    async fn more(&mut self, feed: &dyn ChangeFeed) -> Result<bool, IndexerError> {
        let items = feed.items(self.after, ITEMS).await?;
        let Some(last) = items.last() else { return Ok(false) };
        self.after = last.number;
        let mut reads = pin!(of_items(feed, items));
        while let Some(read) = reads.next().await {
            let read = read?;
            self.put(read.chunks).await?;
            let Some(item) = read.item else { continue };
            let mut next = read.next;
            while let Some(from) = next {
                let (chunks, following) = page(feed, &item, from).await?;
                self.put(chunks).await?;
                next = following;
            }
            self.done.items += 1;
        }
        Ok(true)
    }

    async fn put(&mut self, mut chunks: Vec<IndexedChunk>) -> Result<(), IndexerError> {
        self.done.chunks += chunks.len() as u64;
        self.bytes += bytes(&chunks);
        self.chunks.append(&mut chunks);
        if self.bytes >= PORTION {
            self.bytes = 0;
            self.rebuild.put(std::mem::take(&mut self.chunks)).await?;
        }
        Ok(())
    }

    async fn finish(mut self) -> Result<IndexMark, IndexerError> {
        self.rebuild.put(self.chunks).await?;
        self.rebuild.finish(self.mark).await?;
        Ok(self.mark)
    }
}

impl Indexer {
    /// Creates the first, empty index.
    pub(super) async fn begin(&self) -> Result<(), IndexerError> {
        let (mark, _) = reindex(&*self.feed, &*self.words, &mut |_| {}).await?;
        self.vectors.reset().await;
        self.applied.announce(mark.sequence);
        self.follow(mark).await
    }

    /// Rebuilds the lexical index and brings it up to date. A present index that still serves follows the
    /// changes meanwhile.
    pub(super) async fn rebuild(
        &self,
        why: &'static str,
        state: FeedState,
        serving: Option<IndexMark>,
    ) -> Result<(), IndexerError> {
        self.watch.rebuilding(why);
        let mut present = serving.filter(|mark| mark.sequence >= state.forgotten);
        let mut fresh = PendingRebuild::begin(&*self.feed, &*self.words).await?;
        while fresh.more(&*self.feed).await? {
            present = self.keep_up(present).await;
        }
        // The changes until now are not sent to the vector index one by one.
        self.vectors.reset().await;
        let done = fresh.done;
        let mark = fresh.finish().await?;
        self.applied.announce(mark.sequence);
        self.watch.rebuilt(done);
        self.follow(mark).await
    }

    /// Applies a batch to the present index, so that concurrent writes are found. An index that fails is
    /// abandoned.
    async fn keep_up(&self, present: Option<IndexMark>) -> Option<IndexMark> {
        let mark = present?;
        match self.step(mark).await {
            Ok(None) => Some(mark),
            Ok(Some(next)) => {
                self.applied.announce(next.sequence);
                Some(next)
            }
            Err(error) => {
                self.watch.trouble(&error);
                None
            }
        }
    }
}
