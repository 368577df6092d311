//! Where vectors are searched: in the memory of this server, or in PostgreSQL by pgvector.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

use anyhow::Context as _;
use async_trait::async_trait;
use kb_core::{Found, IndexError, VectorIndex, VectorQuery};
use search_index::{InMemoryVectorIndex, VectorSettings};
use shared_core::StoreError;
use store_diesel::{Database, DieselKnowledge, PgVectorError, PgVectorIndex, PgVectorSettings};
use tokio::sync::Notify;

use crate::settings::{KnowledgeSettings, VectorMode};

/// Minimum pause between two passes of the upkeep, each of which counts all rows. Chosen by hand; no measurement
/// recorded.
const PAUSE: Duration = Duration::from_secs(5);
/// Maximum pause, for the changes that other servers made.
const LONGEST_PAUSE: Duration = Duration::from_secs(60);

/// The vector index of this server.
#[derive(Clone, Debug)]
pub(crate) struct Vectors {
    /// The tables of vectors in PostgreSQL.
    pub(crate) index: Arc<dyn VectorIndex>,
    /// The index in the database, which needs upkeep.
    pub(crate) in_database: Option<DatabaseVectors>,
}

/// Opens the vector index that the settings choose.
///
/// # Errors
/// One sentence for the operator, when pgvector is required and cannot be used.
pub(crate) async fn open(settings: &KnowledgeSettings, database: &Database) -> anyhow::Result<Vectors> {
    let feed = Arc::new(DieselKnowledge::new(database.clone()));
    let memory = InMemoryVectorIndex::new(feed, memory_limits(settings));
    let required = settings.vectors == VectorMode::Pgvector;
    let opened = match settings.vectors {
        VectorMode::Memory => None,
        // Only who asks for it gets an extension that nobody has created in the database before.
        VectorMode::Auto | VectorMode::Pgvector => {
            Some(PgVectorIndex::open(database.clone(), PgVectorSettings::default(), required).await)
        }
    };
    match opened {
        Some(Ok(index)) => {
            tracing::info!("vectors are searched in the database, by pgvector");
            let in_database = DatabaseVectors::new(index, memory);
            Ok(Vectors { index: Arc::new(in_database.clone()), in_database: Some(in_database) })
        }
        Some(Err(error)) if required => Err(error).context(
            "vectors cannot be searched by pgvector as knowledge.vectors (FORMWORK_KNOWLEDGE__VECTORS) asks",
        ),
        Some(Err(PgVectorError::Store(error))) => Err(error).context("the database cannot be read"),
        Some(Err(_)) | None => Ok(Vectors { index: Arc::new(memory), in_database: None }),
    }
}

fn memory_limits(settings: &KnowledgeSettings) -> VectorSettings {
    let bytes = usize::try_from(settings.vector_memory_bytes).unwrap_or(usize::MAX);
    // Half of the processors, so that building graphs does not slow requests down.
    let threads = std::thread::available_parallelism().map_or(1, |count| count.get().div_ceil(2));
    VectorSettings { bytes, threads, ..VectorSettings::default() }
}

/// Searches in the database; in memory until the database has all vectors.
#[derive(Clone, Debug)]
pub(crate) struct DatabaseVectors(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    index: PgVectorIndex,
    memory: InMemoryVectorIndex,
    /// Whether the tables have all vectors of the changes that this server has applied.
    complete: AtomicBool,
    /// Number of resets: one during a reconciliation makes another necessary.
    resets: AtomicU64,
    changed: Notify,
}

impl DatabaseVectors {
    fn new(index: PgVectorIndex, memory: InMemoryVectorIndex) -> Self {
        Self(Arc::new(Inner {
            index,
            memory,
            complete: AtomicBool::new(false),
            resets: AtomicU64::new(0),
            changed: Notify::new(),
        }))
    }

    /// Adds what is missing in the tables, and builds graphs. Never ends.
    pub(crate) async fn keep_up(&self) {
        loop {
            if let Err(error) = self.pass().await {
                tracing::warn!(%error, "the vectors in the database could not be tended; retrying");
            }
            tokio::time::sleep(PAUSE).await;
            tokio::time::timeout(LONGEST_PAUSE, self.0.changed.notified()).await.ok();
        }
    }

    async fn pass(&self) -> Result<(), StoreError> {
        if !self.0.complete.load(Ordering::Acquire) {
            self.reconcile().await?;
        }
        while self.0.index.maintain().await? {}
        Ok(())
    }

    async fn reconcile(&self) -> Result<(), StoreError> {
        let (resets, mut after) = (self.0.resets.load(Ordering::Acquire), 0);
        while let Some(next) = self.0.index.reconcile(after).await? {
            after = next;
        }
        if self.0.resets.load(Ordering::Acquire) == resets {
            self.0.complete.store(true, Ordering::Release);
            self.0.memory.reset().await;
            tracing::info!("the database has all vectors");
        }
        Ok(())
    }
}

#[async_trait]
impl VectorIndex for DatabaseVectors {
    async fn changed(&self, items: &[(i64, i64)], bases: &[i64]) -> Result<(), IndexError> {
        self.0.index.changed(items, bases).await?;
        self.0.memory.changed(items, bases).await?;
        self.0.changed.notify_one();
        Ok(())
    }

    async fn reset(&self) {
        self.0.resets.fetch_add(1, Ordering::AcqRel);
        self.0.complete.store(false, Ordering::Release);
        self.0.memory.reset().await;
        self.0.changed.notify_one();
    }

    async fn search(&self, query: &VectorQuery) -> Result<Found, IndexError> {
        match self.0.complete.load(Ordering::Acquire) {
            true => self.0.index.search(query).await,
            false => self.0.memory.search(query).await,
        }
    }
}
