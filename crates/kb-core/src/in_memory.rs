//! Knowledge bases on ports in memory, for tests and embedders.

use std::sync::Arc;
use std::time::Duration;

use document::{DocumentParser, DocumentReader, MemoryParsedDocuments};
use files_core::{FileOrigin, FileUrls, FilesConfig, FilesService, MemoryBlobs, MemoryFiles, Sniff};
use futures_util::FutureExt as _;
use gen_core::GenService;
use jobs_core::{Dispatcher, DispatcherHandle, DispatcherSettings};
use shared_core::{Clock, Offload, Rng, Spawn, Timer};

use crate::{
    Indexer, IndexerSettings, KnowledgeLimits, KnowledgePorts, KnowledgeService, MemoryKnowledge,
    MemoryLexicalIndex, MemoryVectorIndex, NoopIndexerWatch, QUEUE,
};

/// Items that are ingested at the same time.
const CONCURRENCY: u32 = 2;
/// Maximum size of an original file, in bytes.
const MAX_FILE_BYTES: u64 = 256 << 20;
/// Seconds that a job is leased for; no other process takes it over.
const LEASE_SECONDS: u32 = 60;

/// What the process provides: time, randomness, threads, and a parser.
#[derive(Clone, Debug)]
pub struct ProcessPorts {
    /// Time of day.
    pub clock: Arc<dyn Clock>,
    /// Waiting.
    pub timer: Arc<dyn Timer>,
    /// Randomness.
    pub rng: Arc<dyn Rng>,
    /// Runs the indexer and the ingestion beside the caller.
    pub spawn: Arc<dyn Spawn>,
    /// Threads for work on the processor.
    pub offload: Arc<dyn Offload>,
    /// Parses documents.
    pub parser: Arc<dyn DocumentParser>,
    /// Detects the content type of a file.
    pub sniff: Sniff,
}

impl KnowledgeService {
    /// Knowledge bases in memory: store, files, both indexes, indexer and ingestion. Nothing survives the process. `models` embeds,
    /// where a base wants vectors. The background work runs as long as `process.spawn` does.
    #[must_use]
    pub fn in_memory(models: GenService, process: &ProcessPorts) -> Self {
        let store = Arc::new(MemoryKnowledge::default());
        let (clock, rng) = (&process.clock, &process.rng);
        let config = FilesConfig {
            max_bytes: MAX_FILE_BYTES,
            sniff: process.sniff,
            urls: FileUrls::new("https://files.invalid"),
        };
        let (records, blobs) = (Arc::new(MemoryFiles::default()), Arc::new(MemoryBlobs::default()));
        let files = FilesService::new(records, blobs, Arc::clone(clock), Arc::clone(rng), config);
        let origin = Arc::new(FileOrigin(files.clone()));
        let parsed = Arc::new(MemoryParsedDocuments::default());
        let ports = KnowledgePorts {
            bases: store.clone(),
            items: store.clone(),
            ingest: store.clone(),
            chunks: store.clone(),
            embeddings: store.clone(),
            feed: store.clone(),
            words: Arc::new(MemoryLexicalIndex::new()),
            vectors: Arc::new(MemoryVectorIndex::new(store.clone())),
            documents: DocumentReader::new(
                origin.clone(),
                Arc::clone(&process.parser),
                parsed,
                Arc::clone(clock),
            ),
            web: origin,
            files,
            generation: models,
            jobs: DispatcherHandle::default(),
            workers: Arc::clone(&process.offload),
            clock: Arc::clone(clock),
            timer: Arc::clone(&process.timer),
            ids: Arc::clone(rng),
        };
        let service = Self::new(ports, KnowledgeLimits::default(), crate::IndexProgress::default());
        service.spawn_background_work(&store, process);
        service
    }

    fn spawn_background_work(&self, store: &MemoryKnowledge, process: &ProcessPorts) {
        let indexer = Indexer {
            feed: Arc::clone(&self.ports.feed),
            words: Arc::clone(&self.ports.words),
            vectors: Arc::clone(&self.ports.vectors),
            applied: self.applied.clone(),
            clock: Arc::clone(&process.clock),
            timer: Arc::clone(&process.timer),
            watch: Arc::new(NoopIndexerWatch),
            settings: IndexerSettings::default(),
        };
        let dispatcher = Dispatcher {
            queue: store.jobs(),
            handler: self.worker(|_| {}),
            jobs: self.ports.jobs.clone(),
            clock: Arc::clone(&process.clock),
            timer: Arc::clone(&process.timer),
            spawner: Arc::clone(&process.spawn),
            settings: DispatcherSettings {
                queue: QUEUE,
                worker: "in-memory".to_owned(),
                concurrency: CONCURRENCY,
                per_owner: CONCURRENCY,
                per_workspace: CONCURRENCY,
                lease: LEASE_SECONDS,
                poll: Duration::from_secs(1),
                drain: Duration::ZERO,
                max_delay: Duration::from_secs(3_600),
                is_exclusive: true,
            },
        };
        process.spawn.spawn(indexer.run(std::future::pending()).boxed());
        process.spawn.spawn(dispatcher.run(std::future::pending(), std::future::pending()).boxed());
    }
}
