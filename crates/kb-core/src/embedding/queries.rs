//! The vectors of queries, with an LRU cache, so that repeating a query costs nothing.

use std::sync::Arc;

use gen_core::{
    CallerContext, EmbedPurpose, EmbedRequest, Fault, GenError, ModelId, ProviderError, Spend, Upstream,
};
use shared_core::{Capacity, Clock, TtlCache};

use super::Embedder;
use super::batches::{cut, longest};
use super::in_flight::{FlightKey, TextsInFlight};
use crate::ContentHash;

/// What is cached: some thousand queries. An entry with its key has more than 256 bytes.
const CAPACITY: Capacity = Capacity { entries: 32_768, bytes: 8 << 20 };
/// A vector never changes; an hour bounds how long an idle server keeps it.
const TTL_SECONDS: u32 = 3_600;

/// The cache and the queries in flight. Clones share them.
#[derive(Clone, Debug)]
pub(super) struct QueryCache {
    flights: TextsInFlight,
    recent: Arc<TtlCache<FlightKey, Arc<[f32]>>>,
}

impl QueryCache {
    pub(super) fn new(clock: Arc<dyn Clock>) -> Self {
        Self { flights: TextsInFlight::default(), recent: Arc::new(TtlCache::new(clock, CAPACITY)) }
    }
}

impl Embedder {
    /// The vector of a query, charged to `payer`. Concurrent equal queries are embedded once (single flight).
    pub(crate) async fn query(
        &self,
        payer: &CallerContext,
        model: &ModelId,
        text: &str,
    ) -> Result<Arc<[f32]>, GenError> {
        let text = cut(text.trim(), longest(&self.generation, model));
        let flight = FlightKey {
            workspace: payer.scope.workspace.clone(),
            model: model.to_string().into(),
            hash: ContentHash::of(text),
        };
        loop {
            if let Some(vector) = self.queries.recent.get(&flight) {
                return Ok(vector);
            }
            let Some(_turn) = self.queries.flights.claim(flight.clone()) else {
                self.queries.flights.wait(std::slice::from_ref(&flight)).await;
                continue;
            };
            // Another flight may have ended between the lookup and the claim.
            if let Some(vector) = self.queries.recent.get(&flight) {
                return Ok(vector);
            }
            let vector = self.ask(payer, model, text).await?;
            self.queries.recent.insert(flight, Arc::clone(&vector), size(&vector), TTL_SECONDS);
            return Ok(vector);
        }
    }

    async fn ask(&self, payer: &CallerContext, model: &ModelId, text: &str) -> Result<Arc<[f32]>, GenError> {
        let request = EmbedRequest {
            model: model.model.clone(),
            texts: vec![text.to_owned()],
            dimensions: None,
            purpose: EmbedPurpose::Query,
        };
        let made = self.generation.embed(payer, model, request).await?;
        let vector = made.answer.vectors.into_iter().next().map(Arc::from);
        vector.ok_or_else(|| GenError::Provider {
            upstream: Upstream::Provider(model.provider),
            error: Box::new(ProviderError::new(Fault::Protocol, "the provider gave no vector")),
            spent: Spend { usage: made.usage, cost: made.cost },
        })
    }
}

/// Bytes of a vector, and approximately of its entry.
fn size(vector: &[f32]) -> usize {
    size_of_val(vector) + 2 * size_of::<FlightKey>() + 128
}
