//! How far the indexes of this process are, for those who must not miss what was just written.

use parking_lot::{Mutex, MutexGuard};
use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, AtomicUsize, Ordering};
use std::time::Duration;

use event_listener::{Event, EventListener};
use futures_util::future::{Either, select};
use shared_core::Timer;

/// What a change counts at least, in bytes of texts: small ones take time, too.
const LEAST: u64 = 1 << 10;

/// The link between whoever writes, whoever searches, and the indexer of the same process. Clones share it.
#[derive(Clone, Debug, Default)]
pub struct IndexProgress(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    /// The number of the last change that searches see; negative while there is no usable index.
    sequence: AtomicI64,
    /// How many wait for a change to be seen.
    waiting: AtomicUsize,
    moved: Event,
    written: Event,
    /// Bytes of texts that this process has written, by the change that tells of them, until searches see them.
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
    /// The number of the last change that searches see; negative while there is no usable index.
    #[must_use]
    pub fn sequence(&self) -> i64 {
        self.0.sequence.load(Ordering::Acquire)
    }

    /// Searches see changes up to this one now; negative: there is no usable index.
    pub fn announce(&self, sequence: i64) {
        // Who is woken asks the indexer to look again: waking for nothing would go round and round.
        if self.0.sequence.swap(sequence, Ordering::AcqRel) != sequence {
            let mut owed = self.backlog_bytes();
            *owed = owed.split_off(&sequence.saturating_add(1));
            drop(owed);
            self.0.moved.notify(usize::MAX);
        }
    }

    /// So many bytes of texts were written, of which this change tells.
    pub fn record_backlog(&self, sequence: i64, bytes: u64) {
        if self.sequence() < sequence {
            *self.backlog_bytes().entry(sequence).or_default() += bytes.max(LEAST);
        }
    }

    /// Waits until searches miss less than so many bytes of what this process has written, at most so long, and not at
    /// all while there is no usable index: making one anew takes longer.
    pub async fn wait_for_backlog(&self, bytes: u64, timer: &dyn Timer, at_most: Duration) {
        let deadline = timer.elapsed() + at_most;
        loop {
            // Listen before looking, so that no step is missed in between.
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

    /// There may be changes to apply.
    pub fn written(&self) {
        self.0.written.notify(usize::MAX);
    }

    /// Hears of the next [`IndexProgress::written`].
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
        let _waiting = WaitGuard::new(&self.0.waiting);
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

    /// Its time never comes.
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
