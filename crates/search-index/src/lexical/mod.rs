//! The lexical index on tantivy. It knows the terms of chunks and no workspaces, and is never the source of
//! truth.

mod constraint;
mod failure;
mod folder;
mod inspection;
mod integrity_check;
mod live_index;
mod matching_items;
mod schema;
mod search;
mod search_threads;
mod segment_search;
mod settings;
mod tokenizer;
mod top;
mod writer;

use std::io;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use async_trait::async_trait;
use kb_core::{Found, IndexError, IndexMark, IndexedChunk, ItemSet, LexicalIndex, LexicalQuery, Rebuild};
use parking_lot::{Mutex, MutexGuard};

pub use folder::OpenError;
pub use inspection::IndexContent;
pub use settings::LexicalSettings;

use failure::{CauseError, DamageError, catch_panics, io_to_index_error};
use folder::IndexFolder;
use integrity_check::IntegrityCheck;
use live_index::{LiveIndex, SharedIndex};
use search_threads::SearchThreads;
use writer::{WriterHandle, WriterThread};

/// The lexical index in a folder that only this process uses. Clones share it.
#[derive(Clone, Debug)]
pub struct TantivyLexicalIndex(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    // Dropped before the lock of the folder is released.
    check: Mutex<Option<IntegrityCheck>>,
    settings: LexicalSettings,
    searchers: SearchThreads,
    state: Mutex<IndexState>,
    root: IndexFolder,
}

/// The index in use.
#[derive(Debug, Default)]
struct IndexState {
    live: Option<SharedIndex>,
    writer: Option<Arc<WriterHandle>>,
    mark: Option<IndexMark>,
}

impl TantivyLexicalIndex {
    /// Opens the index in a folder, which is created if it does not exist. A damaged, unfinished or
    /// incompatible index counts as absent and has to be rebuilt. Blocks while the files of a small one are
    /// verified.
    pub fn open(folder: &Path, settings: LexicalSettings) -> Result<Self, OpenError> {
        let root = IndexFolder::lock(folder)?;
        let searchers = SearchThreads::start(settings.searchers)?;
        let mut state = IndexState::default();
        let current = root.current();
        let opened = current.as_deref().and_then(|folder| catch_panics(|| LiveIndex::open(folder)).ok());
        let mut unchecked = None;
        if let Some((live, mark)) = opened {
            let live = Arc::new(live);
            if live.bytes() > settings.checked_first {
                unchecked = Some(Arc::clone(&live));
            }
            if unchecked.is_some() || catch_panics(|| live.check(&AtomicBool::new(false))).is_ok() {
                state.live = Some(live);
                state.mark = Some(mark);
            }
        }
        let used = state.live.as_ref().map(|live| live.folder.as_path());
        root.remove_unused(used).map_err(|error| OpenError::Unusable(folder.to_owned(), error))?;
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

    /// Verifies a large index in the background. A damaged one is discarded.
    fn check(&self, live: SharedIndex) -> io::Result<()> {
        let words = Arc::downgrade(&self.0);
        let check = IntegrityCheck::start(move |stopped| {
            if let Err(IndexError::Damaged(_)) = catch_panics(|| live.check(stopped))
                && let Some(words) = words.upgrade()
            {
                Self(words).discard_index(Some(&live));
            }
        })?;
        *self.0.check.lock() = Some(check);
        Ok(())
    }

    fn state(&self) -> MutexGuard<'_, IndexState> {
        self.0.state.lock()
    }

    fn writer(&self) -> Result<Arc<WriterHandle>, IndexError> {
        let mut state = self.state();
        if let (Some(live), None) = (&state.live, &state.writer) {
            let writer = WriterHandle::start(Arc::clone(live), self.0.settings);
            state.writer = Some(Arc::new(writer.map_err(|error| IndexError::Failed(Box::new(error)))?));
        }
        state.writer.clone().ok_or(IndexError::NotReady)
    }

    /// Runs a write. An index that turns out to be damaged is discarded.
    async fn write<T: Send + 'static>(
        &self,
        work: impl FnOnce(&mut WriterThread) -> Result<T, IndexError> + Send + 'static,
    ) -> Result<T, IndexError> {
        let writer = self.writer()?;
        match writer.ask(work).await {
            Err(error) => Err(self.classify_error(error)),
            done => done,
        }
    }

    /// Runs a search. An index that turns out to be damaged is discarded.
    async fn read<T: Send + 'static>(
        &self,
        work: impl FnOnce(&LiveIndex) -> Result<T, IndexError> + Send + 'static,
    ) -> Result<T, IndexError> {
        let live = self.state().live.clone().ok_or(IndexError::NotReady)?;
        let searched = Arc::clone(&live);
        let found = self.0.searchers.run(move || catch_panics(|| work(&searched))).await;
        let found = found.unwrap_or_else(|| Err(threads_ended()));
        if let Err(IndexError::Damaged(_)) = &found {
            self.discard_index(Some(&live));
        }
        found
    }

    /// Classifies an error of the writer, which does not itself report a full disk.
    fn classify_error(&self, error: IndexError) -> IndexError {
        if !matches!(error, IndexError::Damaged(_)) {
            return error;
        }
        if let Err(error @ IndexError::Full) = self.0.root.probe_space().map_err(io_to_index_error) {
            return error;
        }
        self.discard_index(None);
        error
    }

    /// Discards the index in use, unless it has been replaced meanwhile.
    fn discard_index(&self, which: Option<&SharedIndex>) {
        let mut state = self.state();
        let same = which.is_none_or(|which| state.live.as_ref().is_some_and(|live| Arc::ptr_eq(live, which)));
        if same {
            state.live = None;
            state.mark = None;
        }
    }
}

#[async_trait]
impl LexicalIndex for TantivyLexicalIndex {
    async fn mark(&self) -> Result<Option<IndexMark>, IndexError> {
        Ok(self.state().mark)
    }

    async fn remove(&self, items: &[i64], bases: &[i64]) -> Result<(), IndexError> {
        let (items, bases) = (items.to_vec(), bases.to_vec());
        self.write(move |thread| thread.remove(&items, &bases)).await
    }

    async fn put(&self, chunks: Vec<IndexedChunk>) -> Result<(), IndexError> {
        self.write(move |thread| thread.put(&chunks)).await
    }

    async fn commit(&self, mark: IndexMark) -> Result<(), IndexError> {
        self.write(move |thread| thread.commit(mark)).await?;
        self.state().mark = Some(mark);
        Ok(())
    }

    async fn rebuild(&self) -> Result<Box<dyn Rebuild>, IndexError> {
        let words = self.clone();
        // Only one index is written at a time, so that only one memory buffer is allocated.
        let last = self.state().writer.take();
        let made = self.0.searchers.run(move || {
            drop(last);
            catch_panics(|| {
                let used = words.state().live.as_ref().map(|live| live.folder.clone());
                words.0.root.remove_unused(used.as_deref()).map_err(io_to_index_error)?;
                let folder = words.0.root.create_next().map_err(io_to_index_error)?;
                let live = Arc::new(LiveIndex::create(&folder)?);
                let writer = WriterHandle::start(Arc::clone(&live), words.0.settings)
                    .map_err(|error| IndexError::Failed(Box::new(error)))?;
                Ok(TantivyRebuild { words: words.clone(), live, writer: Some(writer) })
            })
        });
        Ok(Box::new(made.await.unwrap_or_else(|| Err(threads_ended()))?))
    }

    async fn search(&self, query: &LexicalQuery) -> Result<Found, IndexError> {
        let (query, helpers) = (query.clone(), self.0.searchers.helpers());
        self.read(move |live| search::search(live, &query, &helpers)).await
    }

    async fn matching_items(&self, query: &LexicalQuery) -> Result<ItemSet, IndexError> {
        let query = query.clone();
        self.read(move |live| matching_items::matching_items(live, &query)).await
    }
}

fn threads_ended() -> IndexError {
    IndexError::Failed(Box::new(CauseError("the threads of the index have ended".to_owned())))
}

/// An index that is being rebuilt in a subfolder of its own.
#[derive(Debug)]
struct TantivyRebuild {
    words: TantivyLexicalIndex,
    live: SharedIndex,
    writer: Option<WriterHandle>,
}

impl TantivyRebuild {
    async fn ask(
        &self,
        work: impl FnOnce(&mut WriterThread) -> Result<(), IndexError> + Send + 'static,
    ) -> Result<(), IndexError> {
        let gone = || IndexError::Damaged(Box::new(DamageError("the rebuild has finished".to_owned())));
        let done = self.writer.as_ref().ok_or_else(gone)?.ask(work).await;
        match done {
            Err(IndexError::Damaged(error)) => {
                Err(match self.words.0.root.probe_space().map_err(io_to_index_error) {
                    Err(full @ IndexError::Full) => full,
                    _ => IndexError::Damaged(error),
                })
            }
            done => done,
        }
    }
}

#[async_trait]
impl Rebuild for TantivyRebuild {
    async fn put(&mut self, chunks: Vec<IndexedChunk>) -> Result<(), IndexError> {
        self.ask(move |thread| thread.put(&chunks)).await
    }

    async fn finish(mut self: Box<Self>, mark: IndexMark) -> Result<(), IndexError> {
        self.ask(move |thread| thread.commit(mark)).await?;
        let words = self.words.clone();
        let (live, writer) = (Arc::clone(&self.live), self.writer.take());
        let done = self.words.0.searchers.run(move || {
            words.0.root.make_current(&live.folder).map_err(io_to_index_error)?;
            let folder = live.folder.clone();
            let next = IndexState { live: Some(live), writer: writer.map(Arc::new), mark: Some(mark) };
            // Dropped after the state's lock is released: the drop waits for the writer's end.
            drop(std::mem::replace(&mut *words.state(), next));
            // Whatever remains of the old index is removed when the index is next opened.
            let _ = words.0.root.remove_unused(Some(&folder));
            Ok(())
        });
        done.await.unwrap_or_else(|| Err(threads_ended()))
    }
}
