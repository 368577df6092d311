//! Keeps the indexes up to date with the store: applies the changes after the mark of the lexical index, and
//! rebuilds that index when it is lost, damaged or too old.

mod change_batch;
mod index_progress;
mod rebuild;
mod source;
#[cfg(test)]
mod tests;

use std::fmt;
use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use futures_util::future::select;
use shared_core::{Clock, StoreError, Timer, Timestamp};

use crate::{ChangeFeed, FeedState, IndexError, IndexMark, LexicalIndex, VectorIndex};

pub use index_progress::IndexProgress;
pub use rebuild::{Reindexed, reindex};

/// How long changes are kept for other processes, in seconds.
const KEPT: i64 = 24 * 60 * 60;
/// Interval of forgetting old changes, in seconds.
const FORGET: f64 = 60.0 * 60.0;
/// Commits between two checks whether a rebuild was requested.
const STEPS: usize = 32;
/// First and maximum back-off after a failure.
const BACK_OFF: (Duration, Duration) = (Duration::from_millis(100), Duration::from_secs(5));

/// An indexer failure.
#[derive(Debug, thiserror::Error)]
pub enum IndexerError {
    /// The store failed.
    #[error("the store cannot be read")]
    Store(#[from] StoreError),
    /// An index failed.
    #[error("an index cannot be written")]
    Index(#[from] IndexError),
}

/// Receives the events of the indexer, for the log.
pub trait IndexerWatch: fmt::Debug + Send + Sync + 'static {
    /// A failure; it is retried.
    fn trouble(&self, error: &IndexerError);
    /// The indexes are as the store was a moment ago.
    fn caught_up(&self) {}
    /// A rebuild of the lexical index begins.
    fn rebuilding(&self, why: &'static str);
    /// A rebuild has finished.
    fn rebuilt(&self, what: Reindexed);
}

/// Logs nothing.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoopIndexerWatch;

impl IndexerWatch for NoopIndexerWatch {
    fn trouble(&self, _: &IndexerError) {}
    fn rebuilding(&self, _: &'static str) {}
    fn rebuilt(&self, _: Reindexed) {}
}

/// Intervals of the indexer.
#[derive(Clone, Copy, Debug)]
pub struct IndexerSettings {
    /// Polling interval for changes of other processes.
    pub poll: Duration,
    /// How long changes are collected for one commit when no search waits for them.
    pub gather: Duration,
}

impl Default for IndexerSettings {
    fn default() -> Self {
        Self { poll: Duration::from_secs(1), gather: Duration::from_millis(250) }
    }
}

/// The single task that writes to the indexes of a process.
#[derive(Clone, Debug)]
pub struct Indexer {
    /// The change feed.
    pub feed: Arc<dyn ChangeFeed>,
    /// The lexical index. Its mark is the last applied change.
    pub words: Arc<dyn LexicalIndex>,
    /// The vector index.
    pub vectors: Arc<dyn VectorIndex>,
    /// Progress shared with writers and searches.
    pub applied: IndexProgress,
    /// Wall clock.
    pub clock: Arc<dyn Clock>,
    /// Waits between passes.
    pub timer: Arc<dyn Timer>,
    /// Receiver of events.
    pub watch: Arc<dyn IndexerWatch>,
    /// Intervals.
    pub settings: IndexerSettings,
}

/// How far the indexes of a process are behind the store.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct IndexLag {
    /// The last change that searches see; 0 without an index.
    pub position: i64,
    /// Changes that they do not see yet.
    pub changes: i64,
    /// Age of the first of these, in seconds; 0 when there is none.
    pub seconds: f64,
}

impl Indexer {
    /// How far the indexes are behind the store.
    ///
    /// # Errors
    /// When the store fails.
    pub async fn lag(&self) -> Result<IndexLag, StoreError> {
        let latest = self.feed.state().await?.latest;
        // Read afterwards: a change in between makes the lag smaller, never negative.
        let position = self.applied.sequence().max(0);
        let changes = latest.saturating_sub(position).max(0);
        let oldest = match changes {
            0 => None,
            _ => self.feed.next_change_time(position).await?,
        };
        let seconds = oldest.map_or(0.0, |time| self.clock.now().seconds_since(time).max(0.0));
        Ok(IndexLag { position, changes, seconds })
    }

    /// Runs until `stop` resolves. Unfinished work is repeated after the next start.
    pub async fn run(self, stop: impl Future<Output = ()> + Send) {
        select(pin!(self.work()), pin!(stop)).await;
    }

    async fn work(&self) {
        let (mut pause, mut forgotten) = (BACK_OFF.0, None);
        loop {
            // Listen before checking, so that no wake-up is missed in between.
            let heard = self.applied.listen();
            match self.round(&mut forgotten).await {
                Ok(()) => {
                    self.watch.caught_up();
                    pause = BACK_OFF.0;
                    select(heard, self.timer.sleep(self.settings.poll)).await;
                    self.wait_for_changes().await;
                }
                Err(error) => {
                    self.watch.trouble(&error);
                    self.timer.sleep(pause).await;
                    pause = (pause * 2).min(BACK_OFF.1);
                }
            }
        }
    }

    /// Collects changes for one commit, unless a search waits for them.
    async fn wait_for_changes(&self) {
        let end = self.timer.elapsed() + self.settings.gather;
        loop {
            let heard = self.applied.listen();
            let left = end.saturating_sub(self.timer.elapsed());
            if left.is_zero() || self.applied.is_awaited() {
                return;
            }
            if let futures_util::future::Either::Right(_) = select(heard, self.timer.sleep(left)).await {
                return;
            }
        }
    }

    /// Brings the indexes up to date.
    async fn round(&self, forgotten: &mut Option<Timestamp>) -> Result<(), IndexerError> {
        let state = self.feed.state().await?;
        let mark = self.words.mark().await?;
        let serving = mark.filter(|mark| mark.sequence <= state.latest);
        self.applied.announce(serving.map_or(-1, |mark| mark.sequence));
        match why_unusable(mark, state) {
            // A store without changes: an empty index is normal.
            Some(_) if state.latest == 0 && mark.is_none() => self.begin().await?,
            Some(why) => self.rebuild(why, state, serving).await?,
            None => self.follow(mark.unwrap_or_default()).await?,
        }
        self.forget(forgotten).await
    }

    /// Applies the changes after a mark. With an endless stream of changes it returns from time to time, to
    /// check whether a rebuild was requested.
    async fn follow(&self, mut mark: IndexMark) -> Result<(), IndexerError> {
        for _ in 0..STEPS {
            let Some(next) = self.step(mark).await? else { return Ok(()) };
            mark = next;
            self.applied.announce(mark.sequence);
        }
        // There may be more.
        self.applied.written();
        Ok(())
    }

    /// Forgets changes that every process has had the time to apply; at intervals.
    async fn forget(&self, last: &mut Option<Timestamp>) -> Result<(), IndexerError> {
        let now = self.clock.now();
        if last.is_some_and(|last| now.seconds_since(last) < FORGET) {
            return Ok(());
        }
        while self.feed.forget(now.plus_seconds(-KEPT), self.applied.sequence()).await? > 0 {}
        *last = Some(now);
        Ok(())
    }
}

/// Why an index cannot continue from its mark; `None` when it can.
fn why_unusable(mark: Option<IndexMark>, state: FeedState) -> Option<&'static str> {
    let Some(mark) = mark else { return Some("the index is missing or damaged") };
    if mark.generation != state.generation {
        return Some("a rebuild was requested");
    }
    if mark.sequence > state.latest {
        return Some("the index is of another store, or of a later state of this one");
    }
    (mark.sequence < state.forgotten).then_some("the index is older than the retained changes")
}
