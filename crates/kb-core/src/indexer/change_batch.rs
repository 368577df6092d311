//! Applies changes: the present state of an item replaces what the indexes have of it. Applying a change
//! twice has no effect.

use std::collections::HashSet;
use std::pin::pin;

use futures_util::StreamExt as _;

use super::source::{LoadedItem, PORTION, by_number, bytes, page};
use super::{Indexer, IndexerError};
use crate::{Change, ChangeKind, IndexMark, IndexedItem};

/// Changes that are read in one batch.
const CHANGES: u32 = 512;
/// Bytes of texts after which a commit is made while more changes are pending and a search waits for them: at
/// most a second of work.
const AWAITED: usize = 4 << 20;
/// The same when no search waits. Each commit creates segments, which are merged until they are large.
const COMMIT: usize = 64 << 20;

/// Items that are written to the index together.
#[derive(Debug, Default)]
struct IndexBatch {
    read: Vec<LoadedItem>,
    /// Items, with their base when known, else 0.
    items: Vec<(i64, i64)>,
    bases: Vec<i64>,
    bytes: usize,
}

impl Indexer {
    /// Applies the next changes after a mark in one commit; `None` when there are none.
    pub(super) async fn step(&self, mark: IndexMark) -> Result<Option<IndexMark>, IndexerError> {
        let (mut sequence, mut written) = (mark.sequence, 0);
        while !self.is_enough(written) {
            let changes = self.feed.changes(sequence, CHANGES).await?;
            let Some(last) = changes.last().map(|change| change.sequence) else { break };
            let (reached, bytes) = self.apply(&changes, written).await?;
            (sequence, written) = (reached, written + bytes);
            if reached < last || changes.len() < CHANGES as usize {
                break;
            }
        }
        if sequence == mark.sequence {
            return Ok(None);
        }
        let next = IndexMark { sequence, generation: mark.generation };
        self.words.commit(next).await?;
        Ok(Some(next))
    }

    /// Whether this many bytes of texts justify a commit.
    fn is_enough(&self, written: usize) -> bool {
        written >= if self.applied.is_awaited() { AWAITED } else { COMMIT }
    }

    /// Applies changes until there is enough for a commit; `before` bytes are written already. Returns the
    /// last applied change and the bytes.
    async fn apply(&self, changes: &[Change], before: usize) -> Result<(i64, usize), IndexerError> {
        let mut reads = pin!(by_number(&*self.feed, first_puts(changes)));
        let (mut seen, mut portion) = (HashSet::new(), IndexBatch::default());
        let (mut sequence, mut written) = (0, 0);
        for change in changes {
            match change.what {
                ChangeKind::Put { item } if seen.insert(item) => {
                    if let Some(read) = reads.next().await {
                        portion.put(item, read?);
                    }
                }
                ChangeKind::Gone { item } if seen.insert(item) => portion.items.push((item, 0)),
                ChangeKind::BaseGone { base } => portion.bases.push(base),
                // The present state of the item is applied already.
                ChangeKind::Put { .. } | ChangeKind::Gone { .. } => {}
            }
            sequence = change.sequence;
            if portion.bytes >= PORTION {
                written += self.write(std::mem::take(&mut portion)).await?;
                if self.is_enough(before + written) {
                    break;
                }
            }
        }
        written += self.write(portion).await?;
        Ok((sequence, written))
    }

    /// Replaces what the indexes have of the batch's items; returns the bytes of their texts.
    async fn write(&self, portion: IndexBatch) -> Result<usize, IndexerError> {
        let IndexBatch { read, items, bases, mut bytes } = portion;
        if items.is_empty() && bases.is_empty() {
            return Ok(0);
        }
        self.vectors.changed(&items, &bases).await?;
        let numbers: Vec<i64> = items.iter().map(|(item, _)| *item).collect();
        self.words.remove(&numbers, &bases).await?;
        let (mut chunks, mut longer) = (Vec::new(), Vec::new());
        for mut one in read {
            chunks.append(&mut one.chunks);
            longer.extend(one.item.zip(one.next));
        }
        self.words.put(chunks).await?;
        for (item, from) in longer {
            bytes += self.write_rest(&item, from).await?;
        }
        Ok(bytes)
    }

    /// Adds an item's chunks from a position on.
    async fn write_rest(&self, item: &IndexedItem, from: u32) -> Result<usize, IndexerError> {
        let (mut written, mut next) = (0, Some(from));
        while let Some(from) = next {
            let (chunks, following) = page(&*self.feed, item, from).await?;
            written += bytes(&chunks);
            self.words.put(chunks).await?;
            next = following;
        }
        Ok(written)
    }
}

impl IndexBatch {
    fn put(&mut self, item: i64, read: LoadedItem) {
        self.items.push((item, read.item.as_ref().map_or(0, |item| item.base)));
        self.bytes += read.bytes();
        self.read.push(read);
    }
}

/// The items to be put, in the order of their first change. An item whose first change is a deletion is not
/// read.
fn first_puts(changes: &[Change]) -> Vec<i64> {
    let mut seen = HashSet::new();
    let first = changes.iter().filter_map(|change| match change.what {
        ChangeKind::Put { item } => seen.insert(item).then_some(item),
        ChangeKind::Gone { item } => {
            seen.insert(item);
            None
        }
        ChangeKind::BaseGone { .. } => None,
    });
    first.collect()
}
