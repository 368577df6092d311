//! The port to an agent's stored responses, which its conversations can search.

use std::fmt;

use async_trait::async_trait;
use gen_core::SourceDocument;
use shared_core::{Scope, StoreError};

use crate::Agent;

/// The stored responses of an agent.
#[async_trait]
pub trait AgentMemory: fmt::Debug + Send + Sync + 'static {
    /// The stored responses that are relevant to a question, as documents, best match first. The adapter
    /// bounds their count and size. Empty when nothing matches.
    async fn search(
        &self,
        scope: &Scope,
        agent: &Agent,
        question: &str,
    ) -> Result<Vec<SourceDocument>, StoreError>;
}

/// An agent memory that is always empty.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoopAgentMemory;

#[async_trait]
impl AgentMemory for NoopAgentMemory {
    async fn search(&self, _: &Scope, _: &Agent, _: &str) -> Result<Vec<SourceDocument>, StoreError> {
        Ok(Vec::new())
    }
}
