//! Who is asked.

use async_trait::async_trait;

use super::Dialect;
use crate::{CallerContext, ChatAnswer, ChatRequest, GenError, GenService, ModelId};

/// Somebody who answers chat requests: one model, or several that stand in for each other.
#[async_trait]
pub trait Asker: Send + Sync {
    /// The dialects of all models that may answer.
    fn dialects(&self) -> Vec<Dialect>;

    /// Asks once.
    async fn ask(&self, request: ChatRequest) -> Result<ChatAnswer, GenError>;
}

/// One model of the service.
#[derive(Clone, Copy, Debug)]
pub struct SingleModel<'a> {
    /// What calls it.
    pub generation: &'a GenService,
    /// Who pays.
    pub payer: &'a CallerContext,
    /// Which it is.
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
