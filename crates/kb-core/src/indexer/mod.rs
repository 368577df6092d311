//! Keeps the indexes up to date with the store: replays what changed after the mark of the index of words, and makes
//! that index anew where it is lost, damaged or too old.

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
/// How often old changes are forgotten, in seconds.
const FORGET: f64 = 60.0 * 60.0;
/// Commits after which it is looked whether the index is to be made anew.
const STEPS: usize = 32;
/// How long it waits after a failure at first, and at the most.
const BACK_OFF: (Duration, Duration) = (Duration::from_millis(100), Duration::from_secs(5));

/// What went wrong.
#[derive(Debug, thiserror::Error)]
pub enum IndexerError {
    /// The store failed.
    #[error("the store cannot be read")]
    Store(#[from] StoreError),
    /// An index failed.
    #[error("an index cannot be written")]
    Index(#[from] IndexError),
}

/// Is told what the indexer does, for the log.
pub trait IndexerWatch: fmt::Debug + Send + Sync + 'static {
    /// Something failed; it is tried again.
    fn trouble(&self, error: &IndexerError);
    /// The index of words is being made anew.
    fn rebuilding(&self, why: &'static str);
    /// It was made anew.
    fn rebuilt(&self, what: Reindexed);
}

/// Times.
#[derive(Clone, Copy, Debug)]
pub struct IndexerSettings {
    /// How often the store is looked at when nothing is heard: changes of other processes.
    pub poll: Duration,
    /// How long changes are gathered for one commit while nobody waits for them.
    pub gather: Duration,
}

impl Default for IndexerSettings {
    fn default() -> Self {
        Self { poll: Duration::from_secs(1), gather: Duration::from_millis(250) }
    }
}

/// The one task that writes to the indexes of a process.
#[derive(Clone, Debug)]
pub struct Indexer {
    /// What changed.
    pub feed: Arc<dyn ChangeFeed>,
    /// The index of words, whose mark tells what is applied.
    pub words: Arc<dyn LexicalIndex>,
    /// The index of vectors.
    pub vectors: Arc<dyn VectorIndex>,
    /// The link to those who write and search.
    pub applied: IndexProgress,
    /// Time of day.
    pub clock: Arc<dyn Clock>,
    /// Waiting.
    pub timer: Arc<dyn Timer>,
    /// Who is told.
    pub watch: Arc<dyn IndexerWatch>,
    /// Times.
    pub settings: IndexerSettings,
}

impl Indexer {
    /// Works until `stop` is done. What is broken off then is done again at the next start.
    pub async fn run(self, stop: impl Future<Output = ()> + Send) {
        select(pin!(self.work()), pin!(stop)).await;
    }

    async fn work(&self) {
        let (mut pause, mut forgotten) = (BACK_OFF.0, None);
        loop {
            // Listen before looking, so that no wake-up is missed in between.
            let heard = self.applied.listen();
            match self.round(&mut forgotten).await {
                Ok(()) => {
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

    /// Lets changes come together, unless somebody waits for them.
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
            // Where nothing was ever written, an empty index is no news.
            Some(_) if state.latest == 0 && mark.is_none() => self.begin().await?,
            Some(why) => self.rebuild(why, state, serving).await?,
            None => self.follow(mark.unwrap_or_default()).await?,
        }
        self.forget(forgotten).await
    }

    /// Applies the changes after a mark.
    /// While changes come without end, it stops now and then to look whether the index is to be made anew.
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

    /// Forgets changes that every process has had the time to apply, now and then.
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

/// Why an index cannot go on from its mark, if so.
fn why_unusable(mark: Option<IndexMark>, state: FeedState) -> Option<&'static str> {
    let Some(mark) = mark else { return Some("there is none, or it is damaged") };
    if mark.generation != state.generation {
        return Some("it was asked for");
    }
    if mark.sequence > state.latest {
        return Some("it is of another store, or of a later state of this one");
    }
    (mark.sequence < state.forgotten).then_some("it is older than the changes that are kept")
}
