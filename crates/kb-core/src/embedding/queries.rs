//! The vectors of queries, with an LRU cache, so that repeating a query costs nothing.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use gen_core::{
    CallerContext, EmbedPurpose, EmbedRequest, Fault, GenError, ModelId, ProviderError, Spend, Upstream,
};
use parking_lot::{Mutex, MutexGuard};

use super::Embedder;
use super::batches::{cut, longest};
use super::in_flight::{FlightKey, TextsInFlight};
use crate::ContentHash;

/// Bytes of the cached vectors: some thousand queries.
const REMEMBERED: usize = 8 << 20;

/// The cache and the queries in flight. Clones share them.
#[derive(Clone, Debug, Default)]
pub(super) struct QueryCache {
    flights: TextsInFlight,
    recent: Arc<Mutex<LruVectors>>,
}

impl QueryCache {
    fn recent(&self) -> MutexGuard<'_, LruVectors> {
        self.recent.lock()
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
            if let Some(vector) = self.queries.recent().find(&flight) {
                return Ok(vector);
            }
            let Some(_turn) = self.queries.flights.claim(flight.clone()) else {
                self.queries.flights.wait(std::slice::from_ref(&flight)).await;
                continue;
            };
            // Another flight may have ended between the lookup and the claim.
            if let Some(vector) = self.queries.recent().find(&flight) {
                return Ok(vector);
            }
            let vector = self.ask(payer, model, text).await?;
            self.queries.recent().keep(flight, &vector);
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

/// Vectors by the time of their last use.
#[derive(Debug, Default)]
struct LruVectors {
    vectors: HashMap<FlightKey, (Arc<[f32]>, u64)>,
    order: BTreeMap<u64, FlightKey>,
    /// Logical time: the number of lookups.
    now: u64,
    bytes: usize,
}

impl LruVectors {
    fn find(&mut self, flight: &FlightKey) -> Option<Arc<[f32]>> {
        let (vector, asked) = self.vectors.get_mut(flight)?;
        self.now += 1;
        self.order.remove(asked);
        *asked = self.now;
        self.order.insert(self.now, flight.clone());
        Some(Arc::clone(vector))
    }

    fn keep(&mut self, flight: FlightKey, vector: &Arc<[f32]>) {
        self.now += 1;
        self.bytes += size(vector);
        self.order.insert(self.now, flight.clone());
        if let Some((old, asked)) = self.vectors.insert(flight, (Arc::clone(vector), self.now)) {
            self.bytes -= size(&old);
            self.order.remove(&asked);
        }
        while self.bytes > REMEMBERED {
            let Some((_, oldest)) = self.order.pop_first() else { break };
            if let Some((vector, _)) = self.vectors.remove(&oldest) {
                self.bytes -= size(&vector);
            }
        }
    }
}

/// Bytes of a vector, and approximately of its entry.
fn size(vector: &[f32]) -> usize {
    size_of_val(vector) + 2 * size_of::<FlightKey>() + 128
}

#[cfg(test)]
mod tests {
    use shared_core::WorkspaceId;

    use super::*;

    fn flight(number: u32) -> FlightKey {
        let workspace = WorkspaceId("w".to_owned());
        FlightKey { workspace, model: "m".into(), hash: ContentHash::of(&number.to_string()) }
    }

    #[test]
    fn what_was_asked_longest_ago_is_forgotten_first_and_the_bytes_are_bounded() {
        let mut recent = LruVectors::default();
        let vector: Arc<[f32]> = vec![0.0; 1 << 18].into();
        for number in 0..6 {
            recent.keep(flight(number), &vector);
        }
        assert!(recent.find(&flight(0)).is_some());
        for number in 6..12 {
            recent.keep(flight(number), &vector);
            assert!(recent.find(&flight(0)).is_some(), "{number}");
        }
        assert!(recent.find(&flight(1)).is_none() && recent.find(&flight(11)).is_some());
        assert!(recent.bytes <= REMEMBERED && recent.vectors.len() == recent.order.len());
        recent.keep(flight(11), &vector);
        assert_eq!(recent.bytes, recent.vectors.len() * size(&vector));
    }
}
