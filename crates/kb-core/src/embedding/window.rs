//! Embeds a window of some hundred chunks.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};

use futures_util::stream::{self, StreamExt as _};
use gen_core::{CallerContext, ModelId};
use shared_core::{StoreError, offload};

use super::batches::{Text, batches, texts};
use super::in_flight::{FlightGuard, FlightKey};
use super::{EmbedFailure, Embedder, Progress};
use crate::{Chunk, MANY_BYTES};

/// Maximum concurrent calls for one item.
const CALLS: usize = 4;

/// The work on one item.
pub(super) struct ItemEmbedding<'a> {
    pub(super) embedder: &'a Embedder,
    pub(super) payer: CallerContext,
    pub(super) model: &'a ModelId,
    /// Name of the model in the store.
    pub(super) name: String,
    /// Maximum tokens of a text that the model reads.
    pub(super) longest: usize,
    /// Number of all chunks.
    pub(super) total: u64,
    pub(super) progress: &'a dyn Progress,
    /// Dimensions of the vectors, once one is known.
    pub(super) length: OnceLock<usize>,
}

impl ItemEmbedding<'_> {
    /// Embeds the chunks without a vector, after `done` others. Returns how many are done then.
    pub(super) async fn window(&self, chunks: &[Chunk], done: u64) -> Result<u64, EmbedFailure> {
        let end = done + chunks.len() as u64;
        let mut open = self.texts(chunks).await?;
        let mut done = end - open.iter().map(|text| text.chunks).sum::<u64>();
        loop {
            let (mine, others) = self.claim(open);
            let missing = self.missing(mine, &mut done).await?;
            done = self.embed(missing, done).await?;
            if others.is_empty() {
                break;
            }
            let flights: Vec<FlightKey> = others.iter().map(|text| self.flight(text)).collect();
            self.embedder.flights.wait(&flights).await;
            open = others;
        }
        self.progress.report(end, self.total).await?;
        Ok(end)
    }

    /// The distinct texts of chunks. Long ones are prepared on a worker thread, since each is hashed.
    async fn texts(&self, chunks: &[Chunk]) -> Result<Vec<Text>, EmbedFailure> {
        let bytes: usize = chunks.iter().map(|chunk| chunk.heading.len() + chunk.text.len()).sum();
        if bytes < MANY_BYTES {
            return Ok(texts(chunks, self.longest));
        }
        let (chunks, longest) = (chunks.to_vec(), self.longest);
        let made = offload(self.embedder.workers.as_ref(), move || texts(&chunks, longest)).await;
        made.ok_or_else(|| {
            EmbedFailure::Store(StoreError::Unavailable("the preparation of texts was cancelled".into()))
        })
    }

    /// Claims the texts that no other task embeds; returns those and the others.
    fn claim(&self, open: Vec<Text>) -> (Vec<(Text, FlightGuard)>, Vec<Text>) {
        let (mut mine, mut others) = (Vec::new(), Vec::new());
        for text in open {
            match self.embedder.flights.claim(self.flight(&text)) {
                Some(turn) => mine.push((text, turn)),
                None => others.push(text),
            }
        }
        (mine, others)
    }

    /// The texts without a vector in the store; counts the others as done.
    async fn missing(
        &self,
        mine: Vec<(Text, FlightGuard)>,
        done: &mut u64,
    ) -> Result<Vec<(Text, FlightGuard)>, EmbedFailure> {
        if mine.is_empty() {
            return Ok(mine);
        }
        let hashes: Vec<_> = mine.iter().map(|(text, _)| text.hash).collect();
        let there = self.embedder.embeddings.find_embedded(&self.payer.scope, &self.name, &hashes).await?;
        let (there, missing): (Vec<_>, Vec<_>) =
            mine.into_iter().partition(|(text, _)| there.contains(&text.hash));
        *done += there.iter().map(|(text, _)| text.chunks).sum::<u64>();
        Ok(missing)
    }

    /// Embeds texts with several concurrent calls. After a failure no call is started, but those in flight
    /// are awaited, since they are paid.
    async fn embed(&self, texts: Vec<(Text, FlightGuard)>, mut done: u64) -> Result<u64, EmbedFailure> {
        let (texts, _turns): (Vec<Text>, Vec<FlightGuard>) = texts.into_iter().unzip();
        let failed = AtomicBool::new(false);
        let calls = batches(texts).into_iter().map(|batch| {
            let failed = &failed;
            async move {
                if failed.load(Ordering::Relaxed) {
                    return Ok(0);
                }
                let chunks = batch.iter().map(|text| text.chunks).sum();
                self.portion(batch).await.map(|()| chunks)
            }
        });
        let mut calls = stream::iter(calls).buffer_unordered(CALLS);
        let mut failure = None;
        while let Some(outcome) = calls.next().await {
            let heard = match outcome {
                Ok(chunks) => {
                    done += chunks;
                    self.progress.report(done, self.total).await
                }
                Err(error) => Err(error),
            };
            if let Err(error) = heard {
                failed.store(true, Ordering::Relaxed);
                failure.get_or_insert(error);
            }
        }
        failure.map_or(Ok(done), Err)
    }

    fn flight(&self, text: &Text) -> FlightKey {
        FlightKey {
            workspace: self.payer.scope.workspace.clone(),
            model: Arc::from(self.name.as_str()),
            hash: text.hash,
        }
    }
}
