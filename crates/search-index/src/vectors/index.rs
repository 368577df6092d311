//! The vector index: which bases are in memory, and how they are searched.

use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Weak};

use async_lock::Mutex as AsyncMutex;
use async_trait::async_trait;
use kb_core::{ChangeFeed, Found, IndexError, VectorIndex, VectorQuery};
use parking_lot::{Mutex, MutexGuard};

use super::codes::QueryVector;
use super::entry::{Entry, LoadState, ShardKey};
use super::graph;
use super::rows::VectorReader;
use super::stream;

/// Multiplications below which a search stays on the calling thread. Chosen by hand; no measurement recorded.
const INLINE_MULTIPLICATIONS: usize = 2_000_000;
/// A graph is extended when more than this share of its vectors follows it, as a divisor.
/// Chosen by hand; no measurement recorded.
const TAIL_SHARE: u32 = 8;

/// Resource limits of the index.
#[derive(Clone, Copy, Debug)]
pub struct VectorSettings {
    /// Bytes of vectors in memory. A chunk takes twice as many bytes as its vector has dimensions, and in
    /// large bases about 150 bytes more.
    pub bytes: usize,
    /// Chunks from which on a base gets a graph.
    pub graph_from: usize,
    /// Threads that build a graph.
    pub threads: usize,
}

impl Default for VectorSettings {
    fn default() -> Self {
        // A scan of 50,000 vectors takes one to two milliseconds (`docs/benchmarks/retrieval.md`, Vectors). The
        // memory is chosen by hand; no measurement recorded.
        Self { bytes: 256 << 20, graph_from: 50_000, threads: 1 }
    }
}

/// Finds chunks by their vectors. Clones share the memory.
#[derive(Clone, Debug)]
pub struct InMemoryVectorIndex(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    feed: Arc<dyn ChangeFeed>,
    settings: VectorSettings,
    entries: Mutex<HashMap<ShardKey, Arc<Entry>>>,
    /// Logical time: the number of searches.
    now: AtomicU64,
    /// Only one base at a time is streamed from the store.
    streaming: AsyncMutex<()>,
    /// Only one graph is built at a time.
    building: Arc<Mutex<()>>,
}

impl InMemoryVectorIndex {
    /// Reads from this feed.
    #[must_use]
    pub fn new(feed: Arc<dyn ChangeFeed>, settings: VectorSettings) -> Self {
        Self(Arc::new(Inner {
            feed,
            settings,
            entries: Mutex::default(),
            now: AtomicU64::new(0),
            streaming: AsyncMutex::new(()),
            building: Arc::default(),
        }))
    }

    /// Bytes of vectors in memory.
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.0.entries().values().map(|entry| entry.bytes()).sum()
    }

    /// Waits until no graph is being built.
    #[cfg(test)]
    pub(super) fn settle(&self) {
        while self.0.entries().values().any(|entry| entry.building_graph.load(Ordering::Acquire)) {
            std::thread::yield_now();
        }
    }

    /// The number of places that each graph of a base covers.
    #[cfg(test)]
    pub(super) fn graph_places(&self, base: i64) -> Vec<u32> {
        let entries = self.0.entries();
        let of_base = entries.values().filter(|entry| entry.key.base == base);
        of_base.filter_map(|entry| entry.read().graph().map(|graph| graph.places())).collect()
    }
}

impl Inner {
    fn entries(&self) -> MutexGuard<'_, HashMap<ShardKey, Arc<Entry>>> {
        self.entries.lock()
    }

    fn entry(&self, query: &VectorQuery) -> Arc<Entry> {
        let key = ShardKey { base: query.base, model: query.model.clone(), dimensions: query.vector.len() };
        let mut entries = self.entries();
        let entry = entries.entry(key).or_insert_with_key(|key| Arc::new(Entry::new(key.clone())));
        entry.last_used.store(self.now.fetch_add(1, Ordering::Relaxed), Ordering::Relaxed);
        Arc::clone(entry)
    }

    /// Evicts the least recently searched bases until the rest fits; returns whether this one fits.
    fn evict_for(&self, own: &Arc<Entry>) -> bool {
        let mut entries = self.entries();
        let mut total: usize = entries.values().map(|entry| entry.bytes()).sum();
        while total > self.settings.bytes {
            let others = entries.values().filter(|entry| !Arc::ptr_eq(entry, own));
            let oldest = others.min_by_key(|entry| entry.last_used.load(Ordering::Relaxed));
            let Some(oldest) = oldest.map(Arc::clone) else { break };
            total -= oldest.bytes().min(total);
            entries.remove(&oldest.key);
        }
        own.bytes() <= self.settings.bytes
    }

    async fn bring_up_to_date(&self, entry: &Arc<Entry>) -> Result<LoadState, IndexError> {
        if let Some(state) = entry.state() {
            return Ok(state);
        }
        let mut load = entry.load_lock.lock().await;
        let state = entry.refresh(self.feed.as_ref(), &mut load, &|| self.evict_for(entry)).await?;
        self.schedule_graph(entry);
        Ok(state)
    }

    /// Schedules building a graph, or extending the present one, where that pays off.
    fn schedule_graph(&self, entry: &Arc<Entry>) {
        let wanted = {
            let shard = entry.read();
            let covered = shard.graph().map_or(0, |graph| graph.places());
            let tail = (shard.places() - covered) as usize;
            shard.live() >= self.settings.graph_from
                && tail >= self.settings.graph_from.min((covered / TAIL_SHARE) as usize).max(1)
        };
        if !wanted || entry.building_graph.swap(true, Ordering::AcqRel) {
            return;
        }
        let (weak, building) = (Arc::downgrade(entry), Arc::clone(&self.building));
        let threads = self.settings.threads;
        let work = move || {
            let _one = building.lock();
            build(&weak, threads);
        };
        // Without a thread there is no graph, and searches scan.
        if std::thread::Builder::new().name("vector-graph".to_owned()).spawn(work).is_err() {
            entry.building_graph.store(false, Ordering::Release);
        }
    }

    async fn stream(
        &self,
        entry: &Arc<Entry>,
        probe: &QueryVector,
        query: &VectorQuery,
    ) -> Result<Found, IndexError> {
        let _one = self.streaming.lock().await;
        let ShardKey { base, model, dimensions } = &entry.key;
        let rows = VectorReader { feed: self.feed.as_ref(), base: *base, model, dimensions: *dimensions };
        let (found, count) = stream::search(&rows, probe, query.items.as_ref(), query.limit).await?;
        // Most of what a chunk takes in memory is twice the length of its vectors.
        if count.is_some_and(|count| count * 2 * dimensions < self.settings.bytes / 2) {
            entry.clear_too_large();
        }
        Ok(found)
    }
}

/// Builds a graph of the present vectors of an entry; stops when the entry is evicted.
fn build(entry: &Weak<Entry>, threads: usize) {
    let Some((view, numbering, old)) = entry.upgrade().map(|entry| {
        let shard = entry.read();
        (shard.view(None), entry.numbering(), shard.graph().map(Arc::clone))
    }) else {
        return;
    };
    let stop = || entry.upgrade().is_none_or(|entry| entry.numbering() != numbering);
    let graph = graph::build(&view, old.as_deref(), threads, &stop);
    if let Some(entry) = entry.upgrade() {
        if let Some(graph) = graph {
            entry.set_graph(graph, numbering);
        }
        entry.building_graph.store(false, Ordering::Release);
    }
}

#[async_trait]
impl VectorIndex for InMemoryVectorIndex {
    async fn changed(&self, items: &[(i64, i64)], bases: &[i64]) -> Result<(), IndexError> {
        let mut of_base: HashMap<i64, Vec<i64>> = HashMap::new();
        for (item, base) in items {
            of_base.entry(*base).or_default().push(*item);
        }
        let unknown = of_base.remove(&0).unwrap_or_default();
        self.0.entries().retain(|key, entry| {
            if bases.contains(&key.base) {
                return false;
            }
            let mut changed: Vec<i64> =
                unknown.iter().copied().filter(|item| entry.may_contain(*item)).collect();
            changed.extend(of_base.get(&key.base).into_iter().flatten());
            changed.is_empty() || entry.mark_dirty(&changed)
        });
        Ok(())
    }

    async fn reset(&self) {
        self.0.entries().clear();
    }

    async fn search(&self, query: &VectorQuery) -> Result<Found, IndexError> {
        // A vector without direction is near to nothing.
        let Some(probe) = QueryVector::new(&query.vector) else { return Ok(Found::default()) };
        let entry = self.0.entry(query);
        if self.0.bring_up_to_date(&entry).await? == LoadState::TooLarge {
            return self.0.stream(&entry, &probe, query).await;
        }
        let (items, limit, exact) = (query.items.clone(), query.limit, query.exact);
        if entry.read().places() as usize * probe.dimensions() <= INLINE_MULTIPLICATIONS {
            return Ok(entry.snapshot(items.as_ref(), exact).search(&probe, limit));
        }
        offload(move || entry.snapshot(items.as_ref(), exact).search(&probe, limit)).await
    }

    fn recall(&self, base: i64) -> Option<f32> {
        let entries = self.0.entries();
        let of_base = entries.values().filter(|entry| entry.key.base == base);
        let recalls =
            of_base.filter_map(|entry| entry.read().graph().map(|graph| graph.calibration().recall));
        recalls.min_by(f32::total_cmp)
    }
}

/// Runs CPU-bound work on a blocking thread, where there is a runtime.
async fn offload<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> Result<T, IndexError> {
    match tokio::runtime::Handle::try_current() {
        Ok(runtime) => runtime.spawn_blocking(work).await.map_err(|error| IndexError::Failed(error.into())),
        Err(_) => Ok(work()),
    }
}
