//! A few warm workers, and a queue before them.

use std::ffi::OsString;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use async_trait::async_trait;
use documents_core::{Document, DocumentParser, ParseError, Source};
use tokio::sync::Semaphore;

use crate::process::{Ended, Worker};

/// How workers are started and what they may use.
#[derive(Clone, Debug)]
pub struct PoolSettings {
    /// The program.
    pub program: PathBuf,
    /// Its arguments; three numbers that `worker::WorkerLimits` reads follow them.
    pub args: Vec<OsString>,
    /// Its whole environment.
    pub environment: Vec<(OsString, OsString)>,
    /// Workers at the same time.
    pub workers: usize,
    /// Documents after which a worker is replaced.
    pub recycle_after: u32,
    /// Bytes of address space of a worker.
    pub memory_bytes: u64,
    /// Seconds of processor time for a document.
    pub cpu_seconds: u64,
    /// Time for a document by the clock.
    pub wall: Duration,
    /// Time after which an idle worker is ended.
    pub idle: Duration,
    /// Bytes of a document.
    pub max_input: u64,
    /// Bytes of an answer.
    pub max_output: usize,
}

/// Parses documents in worker processes. Clones share them.
#[derive(Clone, Debug)]
pub struct ParserPool(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    settings: PoolSettings,
    free: Semaphore,
    warm: Mutex<Vec<(Worker, Instant)>>,
}

impl ParserPool {
    /// Starts no process yet.
    #[must_use]
    pub fn new(settings: PoolSettings) -> Self {
        let free = Semaphore::new(settings.workers.max(1));
        Self(Arc::new(Inner { settings, free, warm: Mutex::new(Vec::new()) }))
    }

    /// Ends workers that have been idle for long.
    pub async fn end_idle(&self) {
        let old: Vec<Worker> = {
            let mut warm = self.0.warm.lock().unwrap_or_else(PoisonError::into_inner);
            let idle = self.0.settings.idle;
            let (old, young) = warm.drain(..).partition(|(_, since)| since.elapsed() >= idle);
            *warm = young;
            let old: Vec<(Worker, Instant)> = old;
            old.into_iter().map(|(worker, _)| worker).collect()
        };
        for worker in old {
            worker.end().await;
        }
    }

    /// Ends idle workers from time to time, for as long as the future is polled.
    pub async fn tend(&self) {
        let mut tick = tokio::time::interval(self.0.settings.idle.max(Duration::from_secs(1)));
        loop {
            tick.tick().await;
            self.end_idle().await;
        }
    }

    fn take(&self) -> Result<Worker, ParseError> {
        let warm = self.0.warm.lock().unwrap_or_else(PoisonError::into_inner).pop();
        match warm {
            Some((worker, _)) => Ok(worker),
            None => Worker::spawn(&self.0.settings).map_err(|error| ParseError::Unavailable(error.into())),
        }
    }

    fn put_back(&self, worker: Worker) {
        if worker.served < self.0.settings.recycle_after {
            self.0.warm.lock().unwrap_or_else(PoisonError::into_inner).push((worker, Instant::now()));
        }
    }

    async fn attempt(&self, mut worker: Worker, source: Source) -> Result<Document, ParseError> {
        let settings = &self.0.settings;
        match tokio::time::timeout(settings.wall, worker.parse(source, settings.max_output)).await {
            Ok(Ok(document)) => {
                self.put_back(worker);
                Ok(document)
            }
            Ok(Err(Ended::Answered(error))) => {
                self.put_back(worker);
                Err(error)
            }
            // The worker is dropped, which kills it.
            Ok(Err(Ended::Abandoned(error))) => Err(error),
            Ok(Err(Ended::Died)) => Err(worker.verdict().await),
            Err(_) => Err(ParseError::Limit("time")),
        }
    }
}

#[async_trait]
impl DocumentParser for ParserPool {
    async fn parse(&self, source: Source) -> Result<Document, ParseError> {
        if source.bytes == 0 {
            return Err(ParseError::Empty);
        }
        if source.bytes > self.0.settings.max_input {
            return Err(ParseError::Limit("room"));
        }
        let _place = self.0.free.acquire().await.map_err(|error| ParseError::Unavailable(error.into()))?;
        let worker = self.take()?;
        self.attempt(worker, source).await
    }
}
