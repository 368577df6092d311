//! A base in memory, and how it follows the store.

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};

use async_lock::Mutex as AsyncMutex;
use kb_core::{ChangeFeed, ChunkKey, IndexError, ItemSet};

use super::rows::{Rows, START};
use super::shard::Shard;
use super::view::View;

/// Changed items that are noted for any base; for large ones, as many as they have items.
const NOTED: usize = 4_096;
/// Items that are read again at once.
const PORTION: usize = 512;
/// What an entry takes beside its vectors, about.
const OWN: usize = 1_024;

/// The vectors of a base, of one model and length.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Key {
    pub(super) base: i64,
    pub(super) model: String,
    pub(super) dimensions: usize,
}

/// How far a load is. It is kept between searches, so that one whose client goes away loses nothing.
#[derive(Debug)]
pub(super) struct Load {
    after: ChunkKey,
}

/// What came of bringing an entry up to date.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum State {
    /// It has all there was when it began.
    Whole,
    /// There is no room for it.
    TooLarge,
}

/// See above.
#[derive(Debug)]
pub(super) struct Entry {
    pub(super) key: Key,
    /// Only who has the turn changes the vectors.
    pub(super) turn: AsyncMutex<Load>,
    shard: RwLock<Shard>,
    /// Items that changed, each with the number of its last change.
    dirty: Mutex<HashMap<i64, u64>>,
    changes: AtomicU64,
    loaded: AtomicBool,
    too_large: AtomicBool,
    /// Whether rows may have been read that are not in yet. It stays so after a failure.
    reading: AtomicBool,
    bytes: AtomicUsize,
    /// When it was searched last, by the index's count.
    pub(super) used: AtomicU64,
    pub(super) growing: AtomicBool,
    /// Counts how often places were numbered anew.
    numbering: AtomicU64,
}

impl Entry {
    pub(super) fn new(key: Key) -> Self {
        Self {
            turn: AsyncMutex::new(Load { after: START }),
            shard: RwLock::new(Shard::new(key.dimensions)),
            key,
            dirty: Mutex::default(),
            changes: AtomicU64::new(0),
            loaded: AtomicBool::new(false),
            too_large: AtomicBool::new(false),
            reading: AtomicBool::new(false),
            bytes: AtomicUsize::new(OWN),
            used: AtomicU64::new(0),
            growing: AtomicBool::new(false),
            numbering: AtomicU64::new(0),
        }
    }

    pub(super) fn read(&self) -> RwLockReadGuard<'_, Shard> {
        self.shard.read().unwrap_or_else(PoisonError::into_inner)
    }

    fn write(&self) -> RwLockWriteGuard<'_, Shard> {
        self.shard.write().unwrap_or_else(PoisonError::into_inner)
    }

    fn dirty(&self) -> MutexGuard<'_, HashMap<i64, u64>> {
        self.dirty.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn bytes(&self) -> usize {
        self.bytes.load(Ordering::Relaxed)
    }

    fn weigh(&self) {
        self.bytes.store(self.read().bytes() + OWN, Ordering::Relaxed);
    }

    /// What its state is, unless there is something to read from the store.
    pub(super) fn state(&self) -> Option<State> {
        if self.too_large.load(Ordering::Acquire) {
            return Some(State::TooLarge);
        }
        let fresh = self.loaded.load(Ordering::Acquire) && self.dirty().is_empty();
        fresh.then_some(State::Whole)
    }

    pub(super) fn view(&self, items: Option<&ItemSet>) -> View {
        self.read().view(items)
    }

    /// Whether an item is in, or may be on its way in.
    pub(super) fn may_contain(&self, item: i64) -> bool {
        self.reading.load(Ordering::SeqCst) || self.read().contains(item)
    }

    /// Notes items that changed; false when they are so many that it is better read anew.
    pub(super) fn note(&self, items: &[i64]) -> bool {
        if self.too_large.load(Ordering::Acquire) {
            return true;
        }
        let number = self.changes.fetch_add(1, Ordering::Relaxed);
        let most = self.read().items().max(NOTED);
        let mut dirty = self.dirty();
        dirty.extend(items.iter().map(|item| (*item, number)));
        dirty.len() <= most
    }

    /// It may fit after all.
    pub(super) fn try_again(&self) {
        self.too_large.store(false, Ordering::Release);
    }

    /// Reads from the store what it lacks: everything at first, then what changed. `room` makes room for what
    /// it has grown by, and says whether there was any.
    pub(super) async fn refresh(
        &self,
        feed: &dyn ChangeFeed,
        load: &mut Load,
        room: &(dyn Fn() -> bool + Sync),
    ) -> Result<State, IndexError> {
        if let Some(state) = self.state() {
            return Ok(state);
        }
        self.reading.store(true, Ordering::SeqCst);
        let state = self.catch_up(feed, load, room).await?;
        self.reading.store(false, Ordering::SeqCst);
        Ok(state)
    }

    async fn catch_up(
        &self,
        feed: &dyn ChangeFeed,
        load: &mut Load,
        room: &(dyn Fn() -> bool + Sync),
    ) -> Result<State, IndexError> {
        let Key { base, model, dimensions } = &self.key;
        let rows = Rows { feed, base: *base, model, dimensions: *dimensions };
        // Those that come while this reads are left to the next search, so that it comes to an end.
        let mut changed: Vec<(i64, u64)> =
            self.dirty().iter().map(|(item, number)| (*item, *number)).collect();
        changed.sort_unstable();
        if !self.loaded.load(Ordering::Acquire) && self.load(&rows, load, room).await? == State::TooLarge {
            return Ok(State::TooLarge);
        }
        for portion in changed.chunks(PORTION) {
            self.replace(&rows, portion).await?;
            if !room() {
                self.give_up(load);
                return Ok(State::TooLarge);
            }
        }
        self.compact();
        Ok(State::Whole)
    }

    async fn load(
        &self,
        rows: &Rows<'_>,
        load: &mut Load,
        room: &(dyn Fn() -> bool + Sync),
    ) -> Result<State, IndexError> {
        loop {
            let page = rows.after(load.after).await?;
            let Some(last) = page.last() else { break };
            self.write().append(&page);
            load.after = last.0;
            self.weigh();
            if !room() {
                self.give_up(load);
                return Ok(State::TooLarge);
            }
        }
        self.write().shrink();
        self.weigh();
        self.loaded.store(true, Ordering::Release);
        Ok(State::Whole)
    }

    fn give_up(&self, load: &mut Load) {
        load.after = START;
        self.numbering.fetch_add(1, Ordering::AcqRel);
        *self.write() = Shard::new(self.key.dimensions);
        self.loaded.store(false, Ordering::Release);
        self.too_large.store(true, Ordering::Release);
        self.dirty().clear();
        self.weigh();
    }

    /// Puts what the store has now of some items in the place of what was there.
    async fn replace(&self, rows: &Rows<'_>, changed: &[(i64, u64)]) -> Result<(), IndexError> {
        let items: Vec<i64> = changed.iter().map(|(item, _)| *item).collect();
        let mut read = Vec::new();
        rows.of(&items, |row| read.push(row)).await?;
        {
            let mut shard = self.write();
            items.iter().for_each(|item| shard.remove(*item));
            shard.append(&read);
        }
        self.weigh();
        let mut dirty = self.dirty();
        for (item, number) in changed {
            if dirty.get(item) == Some(number) {
                dirty.remove(item);
            }
        }
        Ok(())
    }

    fn compact(&self) {
        // Nobody else changes it meanwhile, and searches go on beside it.
        let old = self.read().is_wasteful().then(|| self.read().clone());
        if let Some(old) = old {
            let new = old.compacted();
            let mut shard = self.write();
            self.numbering.fetch_add(1, Ordering::AcqRel);
            *shard = new;
            drop(shard);
            self.weigh();
        }
    }

    /// The present numbering of places.
    pub(super) fn numbering(&self) -> u64 {
        self.numbering.load(Ordering::Acquire)
    }

    /// Takes a graph over that was made of places of this numbering.
    pub(super) fn set_graph(&self, graph: super::graph::Graph, numbering: u64) {
        let mut shard = self.write();
        if self.numbering() == numbering {
            shard.set_graph(std::sync::Arc::new(graph));
        }
        drop(shard);
        self.weigh();
    }
}
