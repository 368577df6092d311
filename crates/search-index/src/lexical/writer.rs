//! The single writer thread: tantivy blocks on the disk.

use std::sync::Arc;
use std::thread::{self, JoinHandle};
use std::time::Duration;

use crossbeam_channel::{Receiver, RecvTimeoutError, Sender, unbounded};
use futures_channel::oneshot;
use kb_core::{IndexError, IndexMark, IndexedChunk};
use tantivy::indexer::{IndexWriterOptions, LogMergePolicy};
use tantivy::{IndexWriter, TantivyError};

use super::failure::{CauseError, catch_panics, to_index_error};
use super::folder::OpenError;
use super::live_index::SharedIndex;
use super::schema::payload;
use super::settings::LexicalSettings;

/// Interval of the check whether segments were merged. Chosen by hand; no measurement recorded.
const POLL_INTERVAL: Duration = Duration::from_secs(1);
/// Maximum checks after the last change. Chosen by hand; no measurement recorded.
const MAX_POLLS: u32 = 120;
/// A segment is rewritten when more than this share of its chunks is deleted.
/// Chosen by hand; no measurement recorded.
const MAX_DELETED_SHARE: f32 = 0.25;

/// Segments of one size that are merged into one. Fewer segments are smaller in all, since the ends of
/// posting lists compress worse, and are searched faster; but each chunk is written more often.
/// Chosen by hand; no measurement recorded.
const MERGE_FACTOR: usize = 4;

type Job = Box<dyn FnOnce(&mut WriterThread) + Send>;

/// Handle of the thread that writes into one index. Dropping it ends the thread and waits for it.
#[derive(Debug)]
pub(super) struct WriterHandle {
    jobs: Option<Sender<Job>>,
    thread: Option<JoinHandle<()>>,
}

impl WriterHandle {
    /// Starts the thread.
    pub(super) fn start(live: SharedIndex, settings: LexicalSettings) -> Result<Self, OpenError> {
        let (jobs, inbox) = unbounded();
        let mut thread = WriterThread { live, settings, writer: None, uncommitted: false, polls_left: 0 };
        let builder = thread::Builder::new().name("words-writer".to_owned());
        let thread = builder.spawn(move || thread.run(&inbox)).map_err(OpenError::Threads)?;
        Ok(Self { jobs: Some(jobs), thread: Some(thread) })
    }

    /// Runs work on the thread and waits for its result.
    pub(super) async fn ask<T: Send + 'static>(
        &self,
        work: impl FnOnce(&mut WriterThread) -> Result<T, IndexError> + Send + 'static,
    ) -> Result<T, IndexError> {
        let (answer, answered) = oneshot::channel();
        let job: Job = Box::new(move |thread| {
            let done = catch_panics(|| work(thread));
            if done.is_err() {
                // Uncommitted changes are lost with it; the indexer resumes at the mark.
                thread.close();
            }
            // The caller may have been dropped.
            let _ = answer.send(done);
        });
        let sent = self.jobs.as_ref().is_some_and(|jobs| jobs.send(job).is_ok());
        match answered.await {
            Ok(done) if sent => done,
            _ => Err(IndexError::Failed(Box::new(CauseError("the writer has ended".to_owned())))),
        }
    }
}

impl Drop for WriterHandle {
    fn drop(&mut self) {
        self.jobs = None;
        if let Some(thread) = self.thread.take() {
            // A panic has no receiver here.
            let _ = thread.join();
        }
    }
}

/// State of the thread.
pub(super) struct WriterThread {
    live: SharedIndex,
    settings: LexicalSettings,
    /// Created when it is first needed, and again after a failure or an idle time. It holds megabytes.
    writer: Option<IndexWriter>,
    /// Whether it has changes that are not committed.
    uncommitted: bool,
    polls_left: u32,
}

impl WriterThread {
    fn run(&mut self, inbox: &Receiver<Job>) {
        loop {
            let job = if self.polls_left == 0 {
                inbox.recv().map_err(|_closed| RecvTimeoutError::Disconnected)
            } else {
                inbox.recv_timeout(POLL_INTERVAL)
            };
            match job {
                Ok(job) => job(self),
                Err(RecvTimeoutError::Timeout) => self.poll_merges(),
                Err(RecvTimeoutError::Disconnected) => return,
            }
        }
    }

    /// Lets searches see merged segments, so that the old files can be deleted.
    fn poll_merges(&mut self) {
        self.polls_left -= 1;
        let live = Arc::clone(&self.live);
        let moved = catch_panics(|| if live.is_behind()? { live.reload().map(|()| true) } else { Ok(false) });
        if let Ok(true) = moved {
            self.polls_left = MAX_POLLS;
            if let Some(writer) = &self.writer {
                // Its result lists the deleted files. The next commit retries those that remain.
                drop(writer.garbage_collect_files());
            }
        } else if self.polls_left == 0 && !self.uncommitted {
            self.close();
        }
    }

    fn close(&mut self) {
        self.writer = None;
        self.uncommitted = false;
    }

    fn writer(&mut self) -> Result<&mut IndexWriter, IndexError> {
        if self.writer.is_none() {
            let options = IndexWriterOptions::builder()
                .memory_budget_per_thread(self.settings.memory / self.settings.threads.max(1))
                .num_worker_threads(self.settings.threads)
                .num_merge_threads(1)
                .build();
            let writer: IndexWriter = self.live.index.writer_with_options(options).map_err(to_index_error)?;
            let mut policy = LogMergePolicy::default();
            policy.set_del_docs_ratio_before_merge(MAX_DELETED_SHARE);
            policy.set_min_num_segments(MERGE_FACTOR);
            writer.set_merge_policy(Box::new(policy));
            self.writer = Some(writer);
        }
        self.writer.as_mut().ok_or_else(|| to_index_error(TantivyError::SystemError("no writer".to_owned())))
    }

    /// Deletes the chunks of items and bases.
    pub(super) fn remove(&mut self, items: &[i64], bases: &[i64]) -> Result<(), IndexError> {
        if items.is_empty() && bases.is_empty() {
            return Ok(());
        }
        let fields = self.live.fields;
        self.uncommitted = true;
        let writer = self.writer()?;
        let terms = items.iter().map(|item| fields.item(*item));
        for term in terms.chain(bases.iter().map(|base| fields.base(*base))) {
            writer.delete_term(term);
        }
        Ok(())
    }

    /// Adds chunks.
    pub(super) fn put(&mut self, chunks: &[IndexedChunk]) -> Result<(), IndexError> {
        if chunks.is_empty() {
            return Ok(());
        }
        let fields = self.live.fields;
        self.uncommitted = true;
        let writer = self.writer()?;
        for chunk in chunks {
            writer.add_document(fields.document(chunk)).map_err(to_index_error)?;
        }
        Ok(())
    }

    /// Commits: makes the changes durable and visible.
    pub(super) fn commit(&mut self, mark: IndexMark) -> Result<(), IndexError> {
        let mut prepared = self.writer()?.prepare_commit().map_err(to_index_error)?;
        prepared.set_payload(&payload(mark));
        prepared.commit().map_err(to_index_error)?;
        self.polls_left = MAX_POLLS;
        if !std::mem::take(&mut self.uncommitted) {
            // Nothing but the mark changed, as when the index of a new database is made.
            self.close();
        }
        self.live.reload()
    }
}
