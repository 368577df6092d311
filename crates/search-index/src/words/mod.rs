//! The index of words on tantivy. It knows terms of chunks and nothing of workspaces, and is never the truth.

mod check;
mod failure;
mod folder;
mod reading;
mod schema;
mod search;
mod searchers;
mod segment;
mod tokenizer;
mod top;
mod writer;

use std::io;
use std::path::Path;
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use async_trait::async_trait;
use kb_core::{Found, IndexError, IndexMark, IndexedChunk, LexicalIndex, LexicalQuery, Rebuild};

pub use folder::OpenError;

use check::Check;
use failure::{Cause, Damage, guarded, io_meaning};
use folder::Root;
use searchers::Searchers;
use segment::{Live, Shared};
use writer::{Desk, Writer};

/// What the index may take.
#[derive(Clone, Copy, Debug)]
pub struct WordsSettings {
    /// Bytes that chunks take in memory before they are written, at least 15 MB for each thread.
    pub memory: usize,
    /// Threads that make terms of texts while the index is written.
    pub threads: usize,
    /// Threads that search.
    pub searchers: usize,
    /// Bytes of an index up to which it is read through before it is used; a larger one is beside its use.
    pub checked_first: u64,
}

impl Default for WordsSettings {
    fn default() -> Self {
        Self { memory: 32_000_000, threads: 2, searchers: 4, checked_first: 256 << 20 }
    }
}

/// The index of words in a folder that this process alone uses. Clones share it.
#[derive(Clone, Debug)]
pub struct TantivyWords(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    // Dropped before the folder is free for others.
    check: Mutex<Option<Check>>,
    settings: WordsSettings,
    searchers: Searchers,
    state: Mutex<State>,
    root: Root,
}

/// The index in use.
#[derive(Debug, Default)]
struct State {
    live: Option<Shared>,
    writer: Option<Arc<Writer>>,
    mark: Option<IndexMark>,
}

impl TantivyWords {
    /// Opens the index in a folder, which is made where it is not there. What is damaged, half made or of another
    /// format is none: it has to be made anew. Blocks while the files of a small one are read through.
    pub fn open(folder: &Path, settings: WordsSettings) -> Result<Self, OpenError> {
        let root = Root::take(folder)?;
        let searchers = Searchers::start(settings.searchers)?;
        let mut state = State::default();
        let current = root.current();
        let opened = current.as_deref().and_then(|folder| guarded(|| Live::open(folder)).ok());
        let mut unchecked = None;
        if let Some((live, mark)) = opened {
            let live = Arc::new(live);
            if live.bytes() > settings.checked_first {
                unchecked = Some(Arc::clone(&live));
            }
            if unchecked.is_some() || guarded(|| live.check(&AtomicBool::new(false))).is_ok() {
                state.live = Some(live);
                state.mark = Some(mark);
            }
        }
        let used = state.live.as_ref().map(|live| live.folder.as_path());
        root.tidy(used).map_err(|error| OpenError::Unusable(folder.to_owned(), error))?;
        let words = Self(Arc::new(Inner {
            check: Mutex::default(),
            settings,
            searchers,
            state: Mutex::new(state),
            root,
        }));
        if let Some(live) = unchecked {
            words.check(live).map_err(OpenError::Threads)?;
        }
        Ok(words)
    }

    /// Reads a large index through while it is used already; a damaged one is none from then on.
    fn check(&self, live: Shared) -> io::Result<()> {
        let words = Arc::downgrade(&self.0);
        let check = Check::start(move |stopped| {
            if let Err(IndexError::Damaged(_)) = guarded(|| live.check(stopped))
                && let Some(words) = words.upgrade()
            {
                Self(words).give_up(Some(&live));
            }
        })?;
        *self.0.check.lock().unwrap_or_else(PoisonError::into_inner) = Some(check);
        Ok(())
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.0.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn writer(&self) -> Result<Arc<Writer>, IndexError> {
        let mut state = self.state();
        if let (Some(live), None) = (&state.live, &state.writer) {
            let writer = Writer::start(Arc::clone(live), self.0.settings);
            state.writer = Some(Arc::new(writer.map_err(|error| IndexError::Failed(Box::new(error)))?));
        }
        state.writer.clone().ok_or(IndexError::NotReady)
    }

    /// Has something written; an index that turns out to be damaged is none from then on.
    async fn write<T: Send + 'static>(
        &self,
        work: impl FnOnce(&mut Desk) -> Result<T, IndexError> + Send + 'static,
    ) -> Result<T, IndexError> {
        let writer = self.writer()?;
        match writer.ask(work).await {
            Err(error) => Err(self.judged(error)),
            done => done,
        }
    }

    /// What an error of the writer is: one that has no room does not say so.
    fn judged(&self, error: IndexError) -> IndexError {
        if !matches!(error, IndexError::Damaged(_)) {
            return error;
        }
        if let Err(error @ IndexError::Full) = self.0.root.probe().map_err(io_meaning) {
            return error;
        }
        self.give_up(None);
        error
    }

    /// Stops using the index in use, unless it is another one by now.
    fn give_up(&self, which: Option<&Shared>) {
        let mut state = self.state();
        let same = which.is_none_or(|which| state.live.as_ref().is_some_and(|live| Arc::ptr_eq(live, which)));
        if same {
            state.live = None;
            state.mark = None;
        }
    }
}

#[async_trait]
impl LexicalIndex for TantivyWords {
    async fn mark(&self) -> Result<Option<IndexMark>, IndexError> {
        Ok(self.state().mark)
    }

    async fn remove(&self, items: &[i64], bases: &[i64]) -> Result<(), IndexError> {
        let (items, bases) = (items.to_vec(), bases.to_vec());
        self.write(move |desk| desk.remove(&items, &bases)).await
    }

    async fn put(&self, chunks: Vec<IndexedChunk>) -> Result<(), IndexError> {
        self.write(move |desk| desk.put(&chunks)).await
    }

    async fn commit(&self, mark: IndexMark) -> Result<(), IndexError> {
        self.write(move |desk| desk.commit(mark)).await?;
        self.state().mark = Some(mark);
        Ok(())
    }

    async fn rebuild(&self) -> Result<Box<dyn Rebuild>, IndexError> {
        let words = self.clone();
        // Only one index is written at a time, so that the memory of one is taken.
        let last = self.state().writer.take();
        let made = self.0.searchers.run(move || {
            drop(last);
            guarded(|| {
                let used = words.state().live.as_ref().map(|live| live.folder.clone());
                words.0.root.tidy(used.as_deref()).map_err(io_meaning)?;
                let folder = words.0.root.fresh().map_err(io_meaning)?;
                let live = Arc::new(Live::create(&folder)?);
                let writer = Writer::start(Arc::clone(&live), words.0.settings)
                    .map_err(|error| IndexError::Failed(Box::new(error)))?;
                Ok(Fresh { words: words.clone(), live, writer: Some(writer) })
            })
        });
        Ok(Box::new(made.await.unwrap_or_else(|| Err(ended()))?))
    }

    async fn search(&self, query: &LexicalQuery) -> Result<Found, IndexError> {
        let live = self.state().live.clone().ok_or(IndexError::NotReady)?;
        let (searched, query) = (Arc::clone(&live), query.clone());
        let helpers = self.0.searchers.helpers();
        let search = move || guarded(|| search::search(&searched, &query, &helpers));
        let found = self.0.searchers.run(search).await;
        let found = found.unwrap_or_else(|| Err(ended()));
        if let Err(IndexError::Damaged(_)) = &found {
            self.give_up(Some(&live));
        }
        found
    }
}

fn ended() -> IndexError {
    IndexError::Failed(Box::new(Cause("the threads of the index have ended".to_owned())))
}

/// An index that is being made anew, in a folder of its own.
#[derive(Debug)]
struct Fresh {
    words: TantivyWords,
    live: Shared,
    writer: Option<Writer>,
}

impl Fresh {
    async fn ask(
        &self,
        work: impl FnOnce(&mut Desk) -> Result<(), IndexError> + Send + 'static,
    ) -> Result<(), IndexError> {
        let gone = || IndexError::Damaged(Box::new(Damage("it is done already".to_owned())));
        let done = self.writer.as_ref().ok_or_else(gone)?.ask(work).await;
        match done {
            Err(IndexError::Damaged(error)) => Err(match self.words.0.root.probe().map_err(io_meaning) {
                Err(full @ IndexError::Full) => full,
                _ => IndexError::Damaged(error),
            }),
            done => done,
        }
    }
}

#[async_trait]
impl Rebuild for Fresh {
    async fn put(&mut self, chunks: Vec<IndexedChunk>) -> Result<(), IndexError> {
        self.ask(move |desk| desk.put(&chunks)).await
    }

    async fn finish(mut self: Box<Self>, mark: IndexMark) -> Result<(), IndexError> {
        self.ask(move |desk| desk.commit(mark)).await?;
        let words = self.words.clone();
        let (live, writer) = (Arc::clone(&self.live), self.writer.take());
        let done = self.words.0.searchers.run(move || {
            words.0.root.switch(&live.folder).map_err(io_meaning)?;
            let folder = live.folder.clone();
            let next = State { live: Some(live), writer: writer.map(Arc::new), mark: Some(mark) };
            // Dropped when the state is no longer held: the end of a writer is waited for.
            drop(std::mem::replace(&mut *words.state(), next));
            // What is left of the old one is removed when the index is next opened.
            let _ = words.0.root.tidy(Some(&folder));
            Ok(())
        });
        done.await.unwrap_or_else(|| Err(ended()))
    }
}
