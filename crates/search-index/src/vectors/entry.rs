//! A base in memory, and how it follows the store.

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};

use async_lock::Mutex as AsyncMutex;
use kb_core::{ChangeFeed, ChunkKey, IndexError, ItemSet};
use parking_lot::{Mutex, MutexGuard, RwLock, RwLockReadGuard, RwLockWriteGuard};

use super::rows::{START, VectorReader};
use super::shard::Shard;
use super::snapshot::ShardSnapshot;

/// Maximum dirty items of a base; for a larger base, as many as it has items. Protects memory.
const MAX_DIRTY: usize = 4_096;
/// Items that are read again in one batch. Protects memory.
const REFRESH_BATCH: usize = 512;
/// Approximate bytes of an entry beside its vectors. Chosen by hand; no measurement recorded.
const ENTRY_OVERHEAD: usize = 1_024;

/// Identifies the vectors of a base by model and length.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct ShardKey {
    pub(super) base: i64,
    pub(super) model: String,
    pub(super) dimensions: usize,
}

/// Progress of a load. It survives a search, so that a dropped search loses no work.
#[derive(Debug)]
pub(super) struct LoadCursor {
    after: ChunkKey,
}

/// Result of bringing an entry up to date.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum LoadState {
    /// It has all that the store had when the refresh began.
    Complete,
    /// It does not fit into memory.
    TooLarge,
}

/// A base in memory.
#[derive(Debug)]
pub(super) struct Entry {
    pub(super) key: ShardKey,
    /// Only the holder of this lock changes the vectors.
    pub(super) load_lock: AsyncMutex<LoadCursor>,
    shard: RwLock<Shard>,
    /// Dirty items, each with the number of its last change.
    dirty: Mutex<HashMap<i64, u64>>,
    changes: AtomicU64,
    loaded: AtomicBool,
    too_large: AtomicBool,
    /// Whether rows may have been read that are not added yet. It stays set after a failure.
    loading: AtomicBool,
    bytes: AtomicUsize,
    /// Logical time of the last search, by the index's counter.
    pub(super) last_used: AtomicU64,
    pub(super) building_graph: AtomicBool,
    /// Number of renumberings of the places.
    numbering: AtomicU64,
}

impl Entry {
    pub(super) fn new(key: ShardKey) -> Self {
        Self {
            load_lock: AsyncMutex::new(LoadCursor { after: START }),
            shard: RwLock::new(Shard::new(key.dimensions)),
            key,
            dirty: Mutex::default(),
            changes: AtomicU64::new(0),
            loaded: AtomicBool::new(false),
            too_large: AtomicBool::new(false),
            loading: AtomicBool::new(false),
            bytes: AtomicUsize::new(ENTRY_OVERHEAD),
            last_used: AtomicU64::new(0),
            building_graph: AtomicBool::new(false),
            numbering: AtomicU64::new(0),
        }
    }

    pub(super) fn read(&self) -> RwLockReadGuard<'_, Shard> {
        self.shard.read()
    }

    fn write(&self) -> RwLockWriteGuard<'_, Shard> {
        self.shard.write()
    }

    fn dirty(&self) -> MutexGuard<'_, HashMap<i64, u64>> {
        self.dirty.lock()
    }

    pub(super) fn bytes(&self) -> usize {
        self.bytes.load(Ordering::Relaxed)
    }

    fn update_size(&self) {
        self.bytes.store(self.read().bytes() + ENTRY_OVERHEAD, Ordering::Relaxed);
    }

    /// Its state; `None` when it has to read from the store.
    pub(super) fn state(&self) -> Option<LoadState> {
        if self.too_large.load(Ordering::Acquire) {
            return Some(LoadState::TooLarge);
        }
        let fresh = self.loaded.load(Ordering::Acquire) && self.dirty().is_empty();
        fresh.then_some(LoadState::Complete)
    }

    pub(super) fn snapshot(&self, items: Option<&ItemSet>, exact: bool) -> ShardSnapshot {
        self.read().snapshot(items, exact)
    }

    /// Whether an item is loaded, or may be in a load in progress.
    pub(super) fn may_contain(&self, item: i64) -> bool {
        self.loading.load(Ordering::SeqCst) || self.read().contains(item)
    }

    /// Marks items as dirty; false when there are so many that a full reload is better.
    pub(super) fn mark_dirty(&self, items: &[i64]) -> bool {
        if self.too_large.load(Ordering::Acquire) {
            return true;
        }
        let number = self.changes.fetch_add(1, Ordering::Relaxed);
        let most = self.read().items().max(MAX_DIRTY);
        let mut dirty = self.dirty();
        dirty.extend(items.iter().map(|item| (*item, number)));
        dirty.len() <= most
    }

    /// Clears the mark: it may fit after all.
    pub(super) fn clear_too_large(&self) {
        self.too_large.store(false, Ordering::Release);
    }

    /// Reads from the store what is missing: everything at first, then the dirty items. `room` evicts others
    /// for its growth, and returns whether it fits.
    pub(super) async fn refresh(
        &self,
        feed: &dyn ChangeFeed,
        load: &mut LoadCursor,
        room: &(dyn Fn() -> bool + Sync),
    ) -> Result<LoadState, IndexError> {
        if let Some(state) = self.state() {
            return Ok(state);
        }
        self.loading.store(true, Ordering::SeqCst);
        let state = self.catch_up(feed, load, room).await?;
        self.loading.store(false, Ordering::SeqCst);
        Ok(state)
    }

    async fn catch_up(
        &self,
        feed: &dyn ChangeFeed,
        load: &mut LoadCursor,
        room: &(dyn Fn() -> bool + Sync),
    ) -> Result<LoadState, IndexError> {
        let ShardKey { base, model, dimensions } = &self.key;
        let rows = VectorReader { feed, base: *base, model, dimensions: *dimensions };
        // Items that become dirty during this read are left to the next search, so that this one ends.
        let mut changed: Vec<(i64, u64)> =
            self.dirty().iter().map(|(item, number)| (*item, *number)).collect();
        changed.sort_unstable();
        if !self.loaded.load(Ordering::Acquire) && self.load(&rows, load, room).await? == LoadState::TooLarge
        {
            return Ok(LoadState::TooLarge);
        }
        for portion in changed.chunks(REFRESH_BATCH) {
            self.replace(&rows, portion).await?;
            if !room() {
                self.unload(load);
                return Ok(LoadState::TooLarge);
            }
        }
        self.compact();
        Ok(LoadState::Complete)
    }

    async fn load(
        &self,
        rows: &VectorReader<'_>,
        load: &mut LoadCursor,
        room: &(dyn Fn() -> bool + Sync),
    ) -> Result<LoadState, IndexError> {
        loop {
            let page = rows.read_after(load.after).await?;
            let Some(last) = page.last() else { break };
            self.write().append(&page);
            load.after = last.0;
            self.update_size();
            if !room() {
                self.unload(load);
                return Ok(LoadState::TooLarge);
            }
        }
        self.write().shrink();
        self.update_size();
        self.loaded.store(true, Ordering::Release);
        Ok(LoadState::Complete)
    }

    fn unload(&self, load: &mut LoadCursor) {
        load.after = START;
        self.numbering.fetch_add(1, Ordering::AcqRel);
        *self.write() = Shard::new(self.key.dimensions);
        self.loaded.store(false, Ordering::Release);
        self.too_large.store(true, Ordering::Release);
        self.dirty().clear();
        self.update_size();
    }

    /// Replaces the vectors of some items by those that the store has now.
    async fn replace(&self, rows: &VectorReader<'_>, changed: &[(i64, u64)]) -> Result<(), IndexError> {
        let items: Vec<i64> = changed.iter().map(|(item, _)| *item).collect();
        let mut read = Vec::new();
        rows.read_items(&items, |row| read.push(row)).await?;
        {
            let mut shard = self.write();
            items.iter().for_each(|item| shard.remove(*item));
            shard.append(&read);
        }
        self.update_size();
        let mut dirty = self.dirty();
        for (item, number) in changed {
            if dirty.get(item) == Some(number) {
                dirty.remove(item);
            }
        }
        Ok(())
    }

    fn compact(&self) {
        // Only this task changes the shard, and searches continue meanwhile.
        let old = self.read().is_wasteful().then(|| self.read().clone());
        if let Some(old) = old {
            let new = old.compacted();
            let mut shard = self.write();
            self.numbering.fetch_add(1, Ordering::AcqRel);
            *shard = new;
            drop(shard);
            self.update_size();
        }
    }

    /// The present numbering of places.
    pub(super) fn numbering(&self) -> u64 {
        self.numbering.load(Ordering::Acquire)
    }

    /// Sets a graph, if it was built for the present numbering of places.
    pub(super) fn set_graph(&self, graph: super::graph::Graph, numbering: u64) {
        let mut shard = self.write();
        if self.numbering() == numbering {
            shard.set_graph(std::sync::Arc::new(graph));
        }
        drop(shard);
        self.update_size();
    }
}
