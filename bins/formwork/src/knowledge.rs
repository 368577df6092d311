//! Builds the knowledge base services: the store, the indexes derived from it, and the background work on
//! both.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use anyhow::Context as _;
use document::{DocumentOrigin, DocumentReader};
use files_core::FilesService;
use gen_core::GenService;
use jobs_core::{Dispatcher, DispatcherHandle, JobQueue};
use kb_core::{
    IndexProgress, Indexer, IndexerError, IndexerSettings, IndexerWatch, KnowledgeLimits, KnowledgePorts,
    KnowledgeService, QUEUE, Reindexed, VectorSweep,
};
use search_index::{LexicalSettings, OpenError, TantivyLexicalIndex};
use shared_core::{Clock, Offload, Rng};
use store_diesel::{Database, DieselJobs, DieselKnowledge};
use tokio::runtime::Handle;

use crate::background::{self, JobConcurrency, QueueWork};
use crate::settings::{KnowledgeSettings, Settings};
use crate::shutdown::drain_time;
use crate::vectors::{DatabaseVectors, Vectors};
use runtime_tokio::TokioTimer;

/// Number of attempts to open the index folder, and the pause between them. A parser process that an earlier
/// server was starting holds the folder a moment longer than that server.
const OPEN_ATTEMPTS: u32 = 20;
const OPEN_PAUSE: Duration = Duration::from_millis(50);

/// Opens the lexical index. This process then has exclusive use of it.
///
/// # Errors
/// One sentence for the operator.
pub(crate) async fn open_words(settings: &Settings) -> anyhow::Result<TantivyLexicalIndex> {
    let folder = settings.index_folder();
    for _ in 1..OPEN_ATTEMPTS {
        match open(folder.clone()).await? {
            Err(OpenError::InUse(_)) => tokio::time::sleep(OPEN_PAUSE).await,
            opened => return opened.map_err(with_advice),
        }
    }
    open(folder).await?.map_err(with_advice)
}

async fn open(folder: PathBuf) -> anyhow::Result<Result<TantivyLexicalIndex, OpenError>> {
    let opening = move || TantivyLexicalIndex::open(&folder, LexicalSettings::default());
    tokio::task::spawn_blocking(opening).await.context("the search index could not be opened")
}

/// The error, preceded by advice.
pub(crate) fn with_advice(error: OpenError) -> anyhow::Error {
    let advice = match &error {
        OpenError::InUse(_) => {
            "stop the other process, or give this one a folder of its own by knowledge.index \
             (FORMWORK_KNOWLEDGE__INDEX)"
        }
        OpenError::Unusable(..) => {
            "set knowledge.index (FORMWORK_KNOWLEDGE__INDEX) to a folder that this process may write to, on a file \
             system with locks, such as a local disk"
        }
        OpenError::Threads(_) => "give this process more threads or memory",
    };
    anyhow::Error::new(error).context(format!("the search index cannot be opened; {advice}"))
}

/// The parts of the knowledge base services.
pub(crate) struct KnowledgeBuilder {
    /// The handle of the dispatcher of items.
    pub(crate) jobs: DispatcherHandle,
    /// Bases, items, chunks and vectors.
    pub(crate) database: Database,
    /// The lexical index.
    pub(crate) words: TantivyLexicalIndex,
    /// The vector index.
    pub(crate) vectors: Vectors,
    /// Reads the files that items are made from.
    pub(crate) files: FilesService,
    /// Reads documents.
    pub(crate) documents: DocumentReader,
    /// Fetches web documents.
    pub(crate) web: Arc<dyn DocumentOrigin>,
    /// Embedding models.
    pub(crate) generation: GenService,
    /// Threads for work on the processor.
    pub(crate) workers: Arc<dyn Offload>,
    /// Time of day.
    pub(crate) clock: Arc<dyn Clock>,
    /// Randomness.
    pub(crate) ids: Arc<dyn Rng>,
}

/// Background work on knowledge bases.
#[derive(Clone, Debug)]
pub struct KnowledgeWork {
    queue: Arc<dyn JobQueue>,
    jobs: DispatcherHandle,
    /// Updates the indexes.
    pub(crate) indexer: Indexer,
    /// Whether the last change of an index failed.
    pub(crate) index_failing: Arc<AtomicBool>,
    /// Removes unreferenced vectors.
    pub(crate) sweep: VectorSweep,
    /// The vector index in the database, if that is used.
    pub(crate) vectors_in_database: Option<DatabaseVectors>,
}

impl KnowledgeBuilder {
    /// The service and its background work.
    pub(crate) fn build(self, settings: &Settings) -> (KnowledgeService, KnowledgeWork) {
        let store = Arc::new(DieselKnowledge::new(self.database.clone()));
        let (jobs, applied) = (self.jobs, IndexProgress::default());
        let index_failing = Arc::<AtomicBool>::default();
        let indexer = Indexer {
            feed: store.clone(),
            words: Arc::new(self.words),
            vectors: self.vectors.index,
            applied: applied.clone(),
            clock: self.clock.clone(),
            timer: Arc::new(TokioTimer::default()),
            watch: Arc::new(IndexerLog { index_failing: Arc::clone(&index_failing) }),
            settings: IndexerSettings::default(),
        };
        let sweep = VectorSweep { stock: store.clone(), clock: self.clock.clone() };
        let ports = KnowledgePorts {
            bases: store.clone(),
            items: store.clone(),
            ingest: store.clone(),
            chunks: store.clone(),
            embeddings: store.clone(),
            feed: store,
            words: indexer.words.clone(),
            vectors: indexer.vectors.clone(),
            files: self.files,
            documents: self.documents,
            web: self.web,
            generation: self.generation,
            jobs: jobs.clone(),
            workers: self.workers,
            clock: self.clock,
            timer: indexer.timer.clone(),
            ids: self.ids,
        };
        let service = KnowledgeService::new(ports, limits(&settings.knowledge), applied);
        let queue = Arc::new(DieselJobs::new(self.database));
        let vectors_in_database = self.vectors.in_database;
        (service, KnowledgeWork { queue, jobs, indexer, index_failing, sweep, vectors_in_database })
    }
}

/// Logs the indexer's activity, and remembers whether it fails.
#[derive(Clone, Debug)]
struct IndexerLog {
    index_failing: Arc<AtomicBool>,
}

impl IndexerWatch for IndexerLog {
    fn trouble(&self, error: &IndexerError) {
        let cause = std::error::Error::source(error).map(ToString::to_string);
        tracing::error!(%error, cause, "the search index is not being updated; retrying");
        if matches!(error, IndexerError::Index(_)) {
            self.index_failing.store(true, Ordering::Relaxed);
        }
    }

    fn caught_up(&self) {
        self.index_failing.store(false, Ordering::Relaxed);
    }

    fn rebuilding(&self, why: &'static str) {
        tracing::info!(why, "the search index is being rebuilt");
    }

    fn rebuilt(&self, Reindexed { items, chunks }: Reindexed) {
        tracing::info!(items, chunks, "the search index was rebuilt");
    }
}

fn limits(settings: &KnowledgeSettings) -> KnowledgeLimits {
    KnowledgeLimits {
        items: settings.files,
        added: settings.added,
        attempts: settings.attempts,
        query_vector: Duration::from_millis(settings.query_vector_ms),
        rerank: Duration::from_millis(settings.rerank_ms),
    }
}

impl KnowledgeWork {
    /// The dispatcher of ingest jobs. `alone` means that no other server uses the database.
    pub(crate) fn dispatcher(
        &self,
        service: &KnowledgeService,
        ports: (Arc<dyn Clock>, Arc<dyn Rng>, Handle),
        settings: &Settings,
        alone: bool,
    ) -> Dispatcher {
        let (clock, ids, background) = ports;
        let places = settings.knowledge.concurrency;
        background::dispatcher(QueueWork {
            name: QUEUE,
            queue: Arc::clone(&self.queue),
            handler: service.worker(|error| {
                tracing::error!(%error, "knowledge base processing is waiting for the store");
            }),
            jobs: self.jobs.clone(),
            clock,
            ids,
            background,
            // A single knowledge base may use all permits.
            places: JobConcurrency { total: places, per_owner: places, per_workspace: places },
            lease: settings.limits.lease_seconds,
            drain: drain_time(&settings.limits),
            max_delay: background::MAX_BATCH_DELAY,
            alone,
        })
    }
}
