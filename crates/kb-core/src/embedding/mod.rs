//! Embeds texts: those of chunks, each paid once per workspace and stored as soon as it is returned, and
//! those of queries. It knows no index and no job.

mod batches;
mod failure;
mod in_flight;
mod queries;
mod query_batch;
mod query_cache;
mod window;

#[cfg(test)]
mod tests;

use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use gen_core::{CallerContext, GenService, ModelId};
use shared_core::{Offload, Timer};

pub(crate) use failure::{EmbedFailure, Retryability};

use crate::{Chunk, ChunkRepository, EmbeddingRepository, KnowledgePorts, Task};
use in_flight::TextsInFlight;
use query_cache::QueryCache;

/// Chunks that are processed together, with one query to the store for existing vectors.
const WINDOW: usize = 512;

/// How long a found vector is relied on before a stored chunk needs it. Unneeded vectors are swept
/// ([`VectorSweep`](crate::VectorSweep)), so after a longer time it is looked up again.
const RELIED_ON: Duration = Duration::from_secs(60 * 60);

/// Receives the progress of the work.
#[async_trait]
pub(crate) trait Progress: Send + Sync {
    /// Reports how many of all chunks have vectors. An error stops the work and becomes its result.
    async fn report(&self, done: u64, total: u64) -> Result<(), EmbedFailure>;
}

/// Makes vectors. Clones share the texts in flight and the query cache, so a process has one.
#[derive(Clone, Debug)]
pub(crate) struct Embedder {
    chunks: Arc<dyn ChunkRepository>,
    embeddings: Arc<dyn EmbeddingRepository>,
    timer: Arc<dyn Timer>,
    workers: Arc<dyn Offload>,
    generation: GenService,
    flights: TextsInFlight,
    queries: QueryCache,
}

impl Embedder {
    pub(crate) fn new(ports: &KnowledgePorts) -> Self {
        Self {
            chunks: Arc::clone(&ports.chunks),
            embeddings: Arc::clone(&ports.embeddings),
            timer: Arc::clone(&ports.timer),
            workers: Arc::clone(&ports.workers),
            generation: ports.generation.clone(),
            flights: TextsInFlight::default(),
            queries: QueryCache::new(Arc::clone(&ports.clock)),
        }
    }

    /// Ensures that the store has a vector of every non-blank chunk. Only texts without a vector are
    /// embedded, charged to the author of the item. Vectors that were paid before a failure are kept.
    pub(crate) async fn embed(
        &self,
        task: &Task,
        chunks: &[Chunk],
        model: &ModelId,
        progress: &dyn Progress,
    ) -> Result<(), EmbedFailure> {
        let total = chunks.len() as u64;
        let work = self.work(task, model, total, progress);
        loop {
            let begun = self.timer.elapsed();
            let mut done = 0;
            for window in chunks.chunks(WINDOW) {
                done = work.window(window, done).await?;
            }
            if self.timer.elapsed().saturating_sub(begun) < RELIED_ON {
                return Ok(());
            }
        }
    }

    /// As [`Embedder::embed`], for the stored chunks of the item.
    pub(crate) async fn embed_stored(
        &self,
        task: &Task,
        model: &ModelId,
        progress: &dyn Progress,
    ) -> Result<(), EmbedFailure> {
        let work = self.work(task, model, task.item.chunks, progress);
        let (mut from, mut done) = (0, 0);
        loop {
            let stored = self.chunks.chunks(&task.scope, &task.item.id, from, WINDOW as u32).await?;
            let Some(last) = stored.last() else { return Ok(()) };
            from = last.position.saturating_add(1);
            done = work.window(&stored, done).await?;
        }
    }

    fn work<'a>(
        &'a self,
        task: &'a Task,
        model: &'a ModelId,
        total: u64,
        progress: &'a dyn Progress,
    ) -> window::ItemEmbedding<'a> {
        let payer = CallerContext { scope: task.scope.clone(), key: task.item.key.clone() };
        let name = model.to_string();
        let longest = batches::longest(&self.generation, model);
        window::ItemEmbedding {
            embedder: self,
            payer,
            model,
            name,
            longest,
            total,
            progress,
            length: std::sync::OnceLock::new(),
        }
    }
}
