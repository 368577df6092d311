//! The one thread that writes: tantivy waits for the disk.

use std::sync::Arc;
use std::thread::{self, JoinHandle};
use std::time::Duration;

use crossbeam_channel::{Receiver, RecvTimeoutError, Sender, unbounded};
use futures_channel::oneshot;
use kb_core::{IndexError, IndexMark, IndexedChunk};
use tantivy::indexer::{IndexWriterOptions, LogMergePolicy};
use tantivy::{IndexWriter, TantivyError};

use super::failure::{Cause, guarded, meaning};
use super::schema::payload;
use super::segment::Shared;
use super::{OpenError, WordsSettings};

/// How often it is looked whether segments were merged meanwhile.
const LOOK: Duration = Duration::from_secs(1);
/// How often that is looked for after the last change.
const LOOKS: u32 = 120;
/// The share of deleted chunks from which on a segment is written anew.
const DELETED: f32 = 0.25;

/// Segments of a size that are merged into one. Few segments are smaller in all, since the ends of posting lists are
/// packed worse, and are searched faster; each chunk is written more often.
const MERGED: usize = 4;

type Job = Box<dyn FnOnce(&mut Desk) + Send>;

/// The thread that writes into one index. It ends when this is dropped, and is waited for.
#[derive(Debug)]
pub(super) struct Writer {
    jobs: Option<Sender<Job>>,
    thread: Option<JoinHandle<()>>,
}

impl Writer {
    /// Starts the thread.
    pub(super) fn start(live: Shared, settings: WordsSettings) -> Result<Self, OpenError> {
        let (jobs, inbox) = unbounded();
        let mut desk = Desk { live, settings, writer: None, looks: 0 };
        let builder = thread::Builder::new().name("words-writer".to_owned());
        let thread = builder.spawn(move || desk.run(&inbox)).map_err(OpenError::Threads)?;
        Ok(Self { jobs: Some(jobs), thread: Some(thread) })
    }

    /// Has something done and waits for it.
    pub(super) async fn ask<T: Send + 'static>(
        &self,
        work: impl FnOnce(&mut Desk) -> Result<T, IndexError> + Send + 'static,
    ) -> Result<T, IndexError> {
        let (answer, answered) = oneshot::channel();
        let job: Job = Box::new(move |desk| {
            let done = guarded(|| work(desk));
            if done.is_err() {
                // What is not committed is lost with it; who writes starts again at the mark.
                desk.writer = None;
            }
            // Who asked may have gone.
            let _ = answer.send(done);
        });
        let sent = self.jobs.as_ref().is_some_and(|jobs| jobs.send(job).is_ok());
        match answered.await {
            Ok(done) if sent => done,
            _ => Err(IndexError::Failed(Box::new(Cause("the writer has ended".to_owned())))),
        }
    }
}

impl Drop for Writer {
    fn drop(&mut self) {
        self.jobs = None;
        if let Some(thread) = self.thread.take() {
            // It has nobody to tell of a panic.
            let _ = thread.join();
        }
    }
}

/// What the thread works with.
pub(super) struct Desk {
    live: Shared,
    settings: WordsSettings,
    /// Made when it is first needed, and after a failure.
    writer: Option<IndexWriter>,
    looks: u32,
}

impl Desk {
    fn run(&mut self, inbox: &Receiver<Job>) {
        loop {
            let job = if self.looks == 0 {
                inbox.recv().map_err(|_closed| RecvTimeoutError::Disconnected)
            } else {
                inbox.recv_timeout(LOOK)
            };
            match job {
                Ok(job) => job(self),
                Err(RecvTimeoutError::Timeout) => self.look(),
                Err(RecvTimeoutError::Disconnected) => return,
            }
        }
    }

    /// Lets searches see segments that were merged, so that the files of the old ones can go.
    fn look(&mut self) {
        self.looks -= 1;
        let live = Arc::clone(&self.live);
        let moved = guarded(|| if live.is_behind()? { live.reload().map(|()| true) } else { Ok(false) });
        if let Ok(true) = moved {
            self.looks = LOOKS;
            if let Some(writer) = &self.writer {
                // Its result says which files went; what stays is tried again with the next commit.
                drop(writer.garbage_collect_files());
            }
        }
    }

    fn writer(&mut self) -> Result<&mut IndexWriter, IndexError> {
        if self.writer.is_none() {
            let options = IndexWriterOptions::builder()
                .memory_budget_per_thread(self.settings.memory / self.settings.threads.max(1))
                .num_worker_threads(self.settings.threads)
                .num_merge_threads(1)
                .build();
            let writer: IndexWriter = self.live.index.writer_with_options(options).map_err(meaning)?;
            let mut policy = LogMergePolicy::default();
            policy.set_del_docs_ratio_before_merge(DELETED);
            policy.set_min_num_segments(MERGED);
            writer.set_merge_policy(Box::new(policy));
            self.writer = Some(writer);
        }
        self.writer.as_mut().ok_or_else(|| meaning(TantivyError::SystemError("no writer".to_owned())))
    }

    /// Takes out the chunks of items and bases.
    pub(super) fn remove(&mut self, items: &[i64], bases: &[i64]) -> Result<(), IndexError> {
        let fields = self.live.fields;
        let writer = self.writer()?;
        let terms = items.iter().map(|item| fields.item(*item));
        for term in terms.chain(bases.iter().map(|base| fields.base(*base))) {
            writer.delete_term(term);
        }
        Ok(())
    }

    /// Puts chunks in.
    pub(super) fn put(&mut self, chunks: &[IndexedChunk]) -> Result<(), IndexError> {
        let fields = self.live.fields;
        let writer = self.writer()?;
        for chunk in chunks {
            writer.add_document(fields.document(chunk)).map_err(meaning)?;
        }
        Ok(())
    }

    /// Makes it durable and visible.
    pub(super) fn commit(&mut self, mark: IndexMark) -> Result<(), IndexError> {
        let mut prepared = self.writer()?.prepare_commit().map_err(meaning)?;
        prepared.set_payload(&payload(mark));
        prepared.commit().map_err(meaning)?;
        self.looks = LOOKS;
        self.live.reload()
    }
}
