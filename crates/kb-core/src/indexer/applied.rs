//! How far the indexes of this process are, for those who must not miss what was just written.

use std::sync::Arc;
use std::sync::atomic::{AtomicI64, AtomicUsize, Ordering};
use std::time::Duration;

use event_listener::{Event, EventListener};
use futures_util::future::{Either, select};
use shared_core::Timer;

/// The link between whoever writes, whoever searches, and the indexer of the same process. Clones share it.
#[derive(Clone, Debug, Default)]
pub struct Applied(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    /// The number of the last change that searches see; negative while there is no usable index.
    sequence: AtomicI64,
    /// How many wait for a change to be seen.
    waiting: AtomicUsize,
    moved: Event,
    written: Event,
}

impl Default for Inner {
    fn default() -> Self {
        Self {
            sequence: AtomicI64::new(-1),
            waiting: AtomicUsize::new(0),
            moved: Event::new(),
            written: Event::new(),
        }
    }
}

impl Applied {
    /// The number of the last change that searches see; negative while there is no usable index.
    #[must_use]
    pub fn sequence(&self) -> i64 {
        self.0.sequence.load(Ordering::Acquire)
    }

    /// Searches see changes up to this one now; negative: there is no usable index.
    pub fn announce(&self, sequence: i64) {
        // Who is woken asks the indexer to look again: waking for nothing would go round and round.
        if self.0.sequence.swap(sequence, Ordering::AcqRel) != sequence {
            self.0.moved.notify(usize::MAX);
        }
    }

    /// There may be changes to apply.
    pub fn written(&self) {
        self.0.written.notify(usize::MAX);
    }

    /// Hears of the next [`Applied::written`].
    #[must_use]
    pub fn listen(&self) -> EventListener {
        self.0.written.listen()
    }

    /// Whether somebody waits for a change to be seen.
    pub(super) fn is_awaited(&self) -> bool {
        self.0.waiting.load(Ordering::Acquire) > 0
    }

    /// Waits until searches see the change, at most so long; whether they do.
    pub async fn wait(&self, sequence: i64, timer: &dyn Timer, at_most: Duration) -> bool {
        if self.sequence() >= sequence {
            return true;
        }
        let _waiting = Waiting::new(&self.0.waiting);
        let deadline = timer.elapsed() + at_most;
        loop {
            // Listen before looking, so that no step is missed in between.
            let moved = self.0.moved.listen();
            if self.sequence() >= sequence {
                return true;
            }
            self.written();
            let left = deadline.saturating_sub(timer.elapsed());
            if left.is_zero() {
                return false;
            }
            if let Either::Right(_) = select(moved, timer.sleep(left)).await {
                return self.sequence() >= sequence;
            }
        }
    }
}

/// Counts one who waits, also when the waiting is broken off.
struct Waiting<'a>(&'a AtomicUsize);

impl<'a> Waiting<'a> {
    fn new(count: &'a AtomicUsize) -> Self {
        count.fetch_add(1, Ordering::AcqRel);
        Self(count)
    }
}

impl Drop for Waiting<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::AcqRel);
    }
}
