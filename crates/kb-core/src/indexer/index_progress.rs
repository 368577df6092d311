//! Progress of this process's indexes, for readers that need to see recent writes.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, AtomicUsize, Ordering};
use std::time::Duration;

use event_listener::{Event, EventListener};
use futures_util::future::{Either, select};
use parking_lot::{Mutex, MutexGuard};
use shared_core::Timer;

/// Minimum weight of a change in bytes of texts: small ones take time too.
const LEAST: u64 = 1 << 10;

/// Connects the writers, the searches and the indexer of a process. Clones share it.
#[derive(Clone, Debug, Default)]
pub struct IndexProgress(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    /// The last change visible to searches; negative while there is no usable index.
    sequence: AtomicI64,
    /// Number of tasks that wait for a change to become visible.
    waiting: AtomicUsize,
    moved: Event,
    written: Event,
    /// Backlog: bytes of texts that this process has written, by change, until they are visible to searches.
    owed: Mutex<BTreeMap<i64, u64>>,
}

impl Default for Inner {
    fn default() -> Self {
        Self {
            sequence: AtomicI64::new(-1),
            waiting: AtomicUsize::new(0),
            moved: Event::new(),
            written: Event::new(),
            owed: Mutex::default(),
        }
    }
}

impl IndexProgress {
    /// The last change visible to searches; negative while there is no usable index.
    #[must_use]
    pub fn sequence(&self) -> i64 {
        self.0.sequence.load(Ordering::Acquire)
    }

    /// Announces the last visible change; negative: there is no usable index.
    pub fn announce(&self, sequence: i64) {
        // Waking waiters makes them wake the indexer, so waking without a change would loop.
        if self.0.sequence.swap(sequence, Ordering::AcqRel) != sequence {
            let mut owed = self.backlog_bytes();
            *owed = owed.split_off(&sequence.saturating_add(1));
            drop(owed);
            self.0.moved.notify(usize::MAX);
        }
    }

    /// Records the bytes of texts that were written with this change.
    pub fn record_backlog(&self, sequence: i64, bytes: u64) {
        if self.sequence() < sequence {
            *self.backlog_bytes().entry(sequence).or_default() += bytes.max(LEAST);
        }
    }

    /// Waits until the backlog of this process is below this many bytes, for at most this time. It does not
    /// wait while there is no usable index: a rebuild takes longer.
    pub async fn wait_for_backlog(&self, bytes: u64, timer: &dyn Timer, at_most: Duration) {
        let deadline = timer.elapsed() + at_most;
        loop {
            // Listen before checking, so that no notification is missed in between.
            let moved = self.0.moved.listen();
            let left = deadline.saturating_sub(timer.elapsed());
            let missed: u64 = self.backlog_bytes().values().sum();
            if missed < bytes || left.is_zero() || self.sequence() < 0 {
                return;
            }
            if let Either::Right(_) = select(moved, timer.sleep(left)).await {
                return;
            }
        }
    }

    fn backlog_bytes(&self) -> MutexGuard<'_, BTreeMap<i64, u64>> {
        self.0.owed.lock()
    }

    /// Signals that there may be changes to apply.
    pub fn written(&self) {
        self.0.written.notify(usize::MAX);
    }

    /// Listens for the next [`IndexProgress::written`].
    #[must_use]
    pub fn listen(&self) -> EventListener {
        self.0.written.listen()
    }

    /// Whether a task waits for a change to become visible.
    pub(super) fn is_awaited(&self) -> bool {
        self.0.waiting.load(Ordering::Acquire) > 0
    }

    /// Waits until the change is visible to searches, for at most this time; returns whether it is.
    pub async fn wait(&self, sequence: i64, timer: &dyn Timer, at_most: Duration) -> bool {
        if self.sequence() >= sequence {
            return true;
        }
        let _waiting = WaitGuard::new(&self.0.waiting);
        let deadline = timer.elapsed() + at_most;
        loop {
            // Listen before checking, so that no notification is missed in between.
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

/// Counts one waiting task, also when its wait is cancelled.
struct WaitGuard<'a>(&'a AtomicUsize);

impl<'a> WaitGuard<'a> {
    fn new(count: &'a AtomicUsize) -> Self {
        count.fetch_add(1, Ordering::AcqRel);
        Self(count)
    }
}

impl Drop for WaitGuard<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::AcqRel);
    }
}

#[cfg(test)]
mod tests {
    use futures_executor::block_on;
    use futures_util::FutureExt as _;

    use super::*;

    /// A timer that never fires.
    #[derive(Debug)]
    struct Still;

    #[async_trait::async_trait]
    impl Timer for Still {
        fn elapsed(&self) -> Duration {
            Duration::ZERO
        }
        async fn sleep(&self, _: Duration) {
            std::future::pending().await
        }
    }

    #[test]
    fn who_writes_waits_for_an_index_that_is_far_behind_and_no_other() {
        let applied = IndexProgress::default();
        let keeps_up =
            || applied.wait_for_backlog(5_000, &Still, Duration::from_secs(1)).now_or_never().is_some();
        applied.record_backlog(1, 9_000);
        assert!(keeps_up(), "there is no index");
        applied.announce(0);
        assert!(!keeps_up());
        applied.announce(1);
        assert!(keeps_up());
        for sequence in 2..7 {
            assert!(keeps_up(), "{sequence}");
            applied.record_backlog(sequence, 1);
        }
        assert!(!keeps_up(), "small changes count, too");
        applied.announce(3);
        assert!(keeps_up());
        applied.record_backlog(3, 99_000);
        assert!(keeps_up(), "it is seen already");
        let waiting = applied.wait_for_backlog(3_000, &Still, Duration::from_secs(1));
        block_on(futures_util::future::join(waiting, async { applied.announce(6) }));
    }
}
