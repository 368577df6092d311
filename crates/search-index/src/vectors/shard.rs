//! The vectors of one base and model. Searches share the blocks and see a snapshot; a change copies the
//! blocks that a search still reads (copy-on-write).

use std::collections::HashMap;
use std::ops::Range;
use std::sync::Arc;

use kb_core::ItemSet;

use super::block::{BLOCK_LEN, Block, VectorRow};
use super::graph::Graph;
use super::snapshot::ShardSnapshot;
use super::view::{PlaceFilter, ShardView};

/// Minimum dead vectors for a compaction. Chosen by hand; no measurement recorded.
const MIN_DEAD: usize = 4_096;
/// Maximum places of chosen items that are gathered. With more, the item of every hit is checked instead.
/// Chosen by hand; no measurement recorded.
const MAX_GATHERED: usize = 50_000;

/// The vectors of one base and model. A place identifies a vector until [`Shard::compacted`] renumbers.
#[derive(Clone, Debug)]
pub(super) struct Shard {
    dimensions: usize,
    blocks: Arc<Vec<Arc<Block>>>,
    /// A bit for each place.
    dead: Arc<Vec<u64>>,
    dead_count: usize,
    places: u32,
    items: HashMap<i64, Range<u32>>,
    graph: Option<Arc<Graph>>,
}

impl Shard {
    pub(super) fn new(dimensions: usize) -> Self {
        Self {
            dimensions,
            blocks: Arc::default(),
            dead: Arc::default(),
            dead_count: 0,
            places: 0,
            items: HashMap::new(),
            graph: None,
        }
    }

    /// Appends vectors, the chunks of an item in sequence. Vectors of another length, or without direction,
    /// are skipped.
    pub(super) fn append(&mut self, rows: &[VectorRow]) {
        let dimensions = self.dimensions;
        for row in rows.iter().filter(|row| row.2.len() == dimensions) {
            if self.places == u32::MAX {
                return;
            }
            let blocks = Arc::make_mut(&mut self.blocks);
            if blocks.last().is_none_or(|block| block.len() == BLOCK_LEN) {
                blocks.push(Arc::default());
            }
            let Some(block) = blocks.last_mut().map(Arc::make_mut) else { return };
            if !block.push(row) {
                continue;
            }
            if block.len() == BLOCK_LEN {
                block.shrink();
            }
            self.push_place(row.0.item);
        }
    }

    /// Records the next place as the item's. The places of an item are always adjacent: the item is removed
    /// before its chunks are appended.
    fn push_place(&mut self, item: i64) {
        let place = self.places;
        self.places += 1;
        if place.is_multiple_of(64) {
            Arc::make_mut(&mut self.dead).push(0);
        }
        let range = self.items.entry(item).or_insert(place..place);
        if range.end == place {
            range.end += 1;
        } else {
            self.mark_dead(place..place + 1);
        }
    }

    /// Marks the chunks of an item as dead.
    pub(super) fn remove(&mut self, item: i64) {
        if let Some(range) = self.items.remove(&item) {
            self.mark_dead(range);
        }
    }

    fn mark_dead(&mut self, places: Range<u32>) {
        let dead = Arc::make_mut(&mut self.dead);
        for place in places {
            if let Some(word) = dead.get_mut(place as usize / 64) {
                *word |= 1 << (place % 64);
                self.dead_count += 1;
            }
        }
    }

    pub(super) fn contains(&self, item: i64) -> bool {
        self.items.contains_key(&item)
    }

    pub(super) fn items(&self) -> usize {
        self.items.len()
    }

    pub(super) fn places(&self) -> u32 {
        self.places
    }

    /// Number of live vectors.
    pub(super) fn live(&self) -> usize {
        self.places as usize - self.dead_count
    }

    pub(super) fn graph(&self) -> Option<&Arc<Graph>> {
        self.graph.as_ref()
    }

    pub(super) fn set_graph(&mut self, graph: Arc<Graph>) {
        self.graph = Some(graph);
    }

    /// Releases unused capacity.
    pub(super) fn shrink(&mut self) {
        if let Some(block) = Arc::make_mut(&mut self.blocks).last_mut() {
            Arc::make_mut(block).shrink();
        }
        self.items.shrink_to_fit();
    }

    pub(super) fn bytes(&self) -> usize {
        let blocks: usize = self.blocks.iter().map(|block| block.bytes()).sum();
        let items = self.items.capacity() * (size_of::<(i64, Range<u32>)>() + 1);
        blocks + items + self.dead.len() * 8 + self.graph.as_ref().map_or(0, |graph| graph.bytes())
    }

    /// Whether most of it is dead.
    pub(super) fn is_wasteful(&self) -> bool {
        self.dead_count > MIN_DEAD && self.dead_count > self.live()
    }

    /// A copy without the dead vectors and without a graph.
    pub(super) fn compacted(&self) -> Self {
        let mut new = Self::new(self.dimensions);
        let mut blocks: Vec<Arc<Block>> = Vec::new();
        let mut open = Block::default();
        let view = self.view(None);
        for place in (0..self.places).filter(|place| view.is_live(*place)) {
            let (block, at) = view.locate(place);
            let Some(key) = block.and_then(|block| block.keys.get(at)) else { continue };
            if let Some(block) = block {
                open.copy(block, at);
            }
            new.push_place(key.item);
            if open.len() == BLOCK_LEN {
                blocks.push(Arc::new(std::mem::take(&mut open)));
            }
        }
        if open.len() > 0 {
            blocks.push(Arc::new(open));
        }
        new.blocks = Arc::new(blocks);
        new.shrink();
        new
    }

    /// A snapshot for a search, `exact` without the graph.
    pub(super) fn snapshot(&self, items: Option<&ItemSet>, exact: bool) -> ShardSnapshot {
        ShardSnapshot { view: self.view(items), graph: self.graph.clone().filter(|_| !exact) }
    }

    /// The vectors without the graph.
    pub(super) fn view(&self, items: Option<&ItemSet>) -> ShardView {
        ShardView {
            dimensions: self.dimensions,
            blocks: Arc::clone(&self.blocks),
            dead: Arc::clone(&self.dead),
            places: self.places,
            live: self.live(),
            filter: items.map_or(PlaceFilter::All, |items| self.resolve_filter(items)),
        }
    }

    fn resolve_filter(&self, items: &ItemSet) -> PlaceFilter {
        let mut ranges = Vec::new();
        let mut gathered = 0;
        for item in items.numbers() {
            if let Some(range) = self.items.get(item) {
                gathered += range.len();
                ranges.push(range.clone());
            }
            if gathered > MAX_GATHERED {
                return PlaceFilter::Items(items.clone());
            }
        }
        ranges.sort_unstable_by_key(|range| range.start);
        PlaceFilter::Places(ranges)
    }
}
