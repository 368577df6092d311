//! The port to what an agent has extracted before, which its conversations can be asked about.

use std::fmt;

use async_trait::async_trait;
use gen_core::SourceDocument;
use shared_core::{Scope, StoreError};

use crate::Agent;

/// The stored responses of an agent.
#[async_trait]
pub trait AgentMemory: fmt::Debug + Send + Sync + 'static {
    /// What the agent's stored responses say that bears on a question, as documents, the most fitting first; within
    /// the adapter's bounds of count and size. Empty when there is nothing.
    async fn search(
        &self,
        scope: &Scope,
        agent: &Agent,
        question: &str,
    ) -> Result<Vec<SourceDocument>, StoreError>;
}

/// An agent that remembers nothing.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoopAgentMemory;

#[async_trait]
impl AgentMemory for NoopAgentMemory {
    async fn search(&self, _: &Scope, _: &Agent, _: &str) -> Result<Vec<SourceDocument>, StoreError> {
        Ok(Vec::new())
    }
}
