//! Reading the segments of an index, several at once where there is much to read.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, AtomicUsize, Ordering};

use crossbeam_channel::{Sender, unbounded};
use kb_core::{Found, IndexError, ItemSet};
use tantivy::columnar::ColumnValues;
use tantivy::query::Weight;
use tantivy::{DocId, Searcher, SegmentReader, TantivyError};

use super::failure::{CauseError, catch_panics, to_index_error};
use super::schema::{ITEM, POSITION, SEQUENCE};
use super::search_threads::HelperThreads;
use super::top::{Candidate, TopChunks};

/// The bounds of blocks were made for the average length of a segment, and are a little low for another average: blocks
/// are skipped when they cannot reach this share of what is needed.
const MARGIN: f32 = 0.95;

/// What is to be found.
pub(super) struct SegmentQuery {
    pub(super) searcher: Searcher,
    pub(super) weight: Box<dyn Weight>,
    /// Only chunks of these items.
    pub(super) items: Option<ItemSet>,
    /// Findings that are kept.
    pub(super) limit: usize,
    /// The score that no chunk exceeds.
    pub(super) reachable: f32,
    /// Whether blocks are skipped that cannot reach the best; then threads help each other.
    pub(super) pruned: bool,
}

/// A search on its way through the segments, shared by the threads that read them.
pub(super) struct SegmentSearch {
    wanted: SegmentQuery,
    /// The segment that is read next.
    next: AtomicUsize,
    /// The highest score that some thread does not need any more; bits of a number that is not negative.
    threshold: AtomicU32,
}

/// What a thread did: how many segments, and what it found in them.
type ThreadResult = (usize, Result<TopChunks, IndexError>);

impl SegmentSearch {
    pub(super) fn new(wanted: SegmentQuery) -> Self {
        Self { wanted, next: AtomicUsize::new(0), threshold: AtomicU32::new(0) }
    }

    /// Reads all segments. Threads that are free help where there is much to read.
    pub(super) fn search_all(self: Arc<Self>, helpers: &HelperThreads) -> Result<Found, IndexError> {
        let segments = self.wanted.searcher.segment_readers().len();
        let (done, parts) = unbounded();
        if self.wanted.pruned {
            helpers.offer(segments.saturating_sub(1), || {
                let (shared, done) = (Arc::clone(&self), done.clone());
                move || shared.work(&done)
            });
        }
        self.work(&done);
        drop(done);
        let mut top = self.top();
        let mut missing = segments;
        while missing > 0 {
            // A thread that took a segment always tells; those that come too late take none.
            let (count, part) =
                parts.recv().map_err(|error| IndexError::Failed(Box::new(CauseError(error.to_string()))))?;
            missing = missing.saturating_sub(count);
            top.merge(part?);
        }
        Ok(top.into_found())
    }

    /// Reads segments until there is none left, and tells what was found.
    fn work(&self, done: &Sender<ThreadResult>) {
        let mut count = 0;
        let part = catch_panics(|| {
            let mut top = self.top();
            while let Some(segment) = self.next_segment() {
                count += 1;
                self.collect(segment, &mut top).map_err(to_index_error)?;
            }
            Ok(top)
        });
        if count > 0 {
            // Nobody may be waiting any more, after an error.
            let _ = done.send((count, part));
        }
    }

    fn next_segment(&self) -> Option<&SegmentReader> {
        let next = self.next.fetch_add(1, Ordering::Relaxed);
        self.wanted.searcher.segment_readers().get(next)
    }

    fn top(&self) -> TopChunks {
        TopChunks::new(self.wanted.limit, self.wanted.reachable)
    }

    /// The score that a chunk has to exceed: what this thread knows, or another.
    fn threshold(&self, top: &TopChunks) -> f32 {
        let known = top.threshold();
        match self.threshold.load(Ordering::Relaxed) {
            0 => known,
            told => known.max(f32::from_bits(told)),
        }
    }

    /// Tells the others what this thread need not be told any more. The bits of numbers that are not negative are in
    /// the order of the numbers.
    fn share_threshold(&self, top: &TopChunks) {
        let known = top.threshold();
        if known > 0.0 {
            self.threshold.fetch_max(known.to_bits(), Ordering::Relaxed);
        }
    }

    fn collect(&self, segment: &SegmentReader, top: &mut TopChunks) -> Result<(), TantivyError> {
        let columns = Columns::of(segment)?;
        let items = self.wanted.items.as_ref();
        let needed = self.threshold(top);
        let mut each = |doc: DocId, score: f32| {
            let needed = self.threshold(top);
            if score <= needed || segment.alive_bitset().is_some_and(|alive| alive.is_deleted(doc)) {
                return needed;
            }
            let item = columns.item.get_val(doc);
            if items.is_none_or(|items| items.contains(item)) {
                let position = u32::try_from(columns.position.get_val(doc)).unwrap_or(u32::MAX);
                top.add(Candidate { score, item, position }, || columns.sequence.get_val(doc));
                self.share_threshold(top);
            }
            self.threshold(top)
        };
        if self.wanted.pruned {
            return self
                .wanted
                .weight
                .for_each_pruning(needed * MARGIN, segment, &mut |doc, score| each(doc, score) * MARGIN);
        }
        self.wanted.weight.for_each(segment, &mut |doc, score| {
            each(doc, score);
        })
    }
}

/// The columns of a segment.
struct Columns {
    item: Arc<dyn ColumnValues<i64>>,
    position: Arc<dyn ColumnValues<u64>>,
    sequence: Arc<dyn ColumnValues<i64>>,
}

impl Columns {
    fn of(segment: &SegmentReader) -> Result<Self, TantivyError> {
        let columns = segment.fast_fields();
        Ok(Self {
            item: columns.column_first_or_default(ITEM)?,
            position: columns.column_first_or_default(POSITION)?,
            sequence: columns.column_first_or_default(SEQUENCE)?,
        })
    }
}
