//! The vectors of queries. They are cached, so that repeating a query costs nothing.

use std::sync::Arc;

use gen_core::{
    CallerContext, EmbedPurpose, EmbedRequest, Fault, GenError, ModelId, ProviderError, Spend, Upstream,
};

use super::Embedder;
use super::batches::{cut, longest};
use super::in_flight::FlightKey;
use crate::ContentHash;

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
            if let Some(vector) = self.queries.find(&flight) {
                return Ok(vector);
            }
            let Some(_turn) = self.queries.flights.claim(flight.clone()) else {
                self.queries.flights.wait(std::slice::from_ref(&flight)).await;
                continue;
            };
            // Another flight may have ended between the lookup and the claim.
            if let Some(vector) = self.queries.find(&flight) {
                return Ok(vector);
            }
            let vector = self.ask(payer, model, text).await?;
            self.queries.insert(flight, &vector);
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
