//! Searches the segments of an index, in parallel where there is much to read.

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

/// The block maxima were computed for the mean length of a segment and are slightly low for another mean. A
/// block is skipped only when it cannot reach this share of the threshold. `tests/same.rs` compares the
/// findings with those of the index in memory. Chosen by hand; no measurement recorded.
const MARGIN: f32 = 0.95;

/// The query of a segment search.
pub(super) struct SegmentQuery {
    pub(super) searcher: Searcher,
    pub(super) weight: Box<dyn Weight>,
    /// Restricts the search to these items.
    pub(super) items: Option<ItemSet>,
    /// Maximum number of hits.
    pub(super) limit: usize,
    /// Upper bound of the score.
    pub(super) reachable: f32,
    /// Whether blocks that cannot reach the best scores are skipped. The threads then share their threshold.
    pub(super) pruned: bool,
}

/// A search in progress, shared by the threads that read its segments.
pub(super) struct SegmentSearch {
    wanted: SegmentQuery,
    /// Index of the next segment.
    next: AtomicUsize,
    /// The highest score that some thread no longer needs, as the bits of a non-negative float.
    threshold: AtomicU32,
}

/// Result of a thread: how many segments it read, and its hits.
type ThreadResult = (usize, Result<TopChunks, IndexError>);

impl SegmentSearch {
    pub(super) fn new(wanted: SegmentQuery) -> Self {
        Self { wanted, next: AtomicUsize::new(0), threshold: AtomicU32::new(0) }
    }

    /// Searches all segments. Idle threads help where there is much to read.
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
            // A thread that took a segment always sends its result. One that comes too late takes none.
            let (count, part) =
                parts.recv().map_err(|error| IndexError::Failed(Box::new(CauseError(error.to_string()))))?;
            missing = missing.saturating_sub(count);
            top.merge(part?);
        }
        Ok(top.into_found())
    }

    /// Searches segments until none is left, and sends the hits.
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
            // After an error the receiver may be gone.
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

    /// The score that a chunk has to exceed: the higher of this thread's and the shared threshold.
    fn threshold(&self, top: &TopChunks) -> f32 {
        let known = top.threshold();
        match self.threshold.load(Ordering::Relaxed) {
            0 => known,
            told => known.max(f32::from_bits(told)),
        }
    }

    /// Publishes this thread's threshold. The bits of non-negative floats have the same order as the floats.
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
