//! The models behind a structured request.

use async_trait::async_trait;

use super::Dialect;
use crate::{CallerContext, ChatAnswer, ChatRequest, GenError, GenService, ModelId};

/// Answers chat requests: one model, or several with fallbacks.
#[async_trait]
pub trait Asker: Send + Sync {
    /// The dialects of all models that may answer.
    fn dialects(&self) -> Vec<Dialect>;

    /// Makes one request.
    async fn ask(&self, request: ChatRequest) -> Result<ChatAnswer, GenError>;
}

/// One model of the gateway.
#[derive(Clone, Copy, Debug)]
pub struct SingleModel<'a> {
    /// The gateway.
    pub generation: &'a GenService,
    /// The account that pays.
    pub payer: &'a CallerContext,
    /// The model.
    pub model: &'a ModelId,
}

#[async_trait]
impl Asker for SingleModel<'_> {
    fn dialects(&self) -> Vec<Dialect> {
        vec![Dialect::of(self.model)]
    }

    async fn ask(&self, request: ChatRequest) -> Result<ChatAnswer, GenError> {
        self.generation.chat(self.payer, self.model, request).await
    }
}
