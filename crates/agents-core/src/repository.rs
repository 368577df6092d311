//! The port of agents.

use std::fmt;

use async_trait::async_trait;
use shared_core::{Page, PageRequest, Revision, Scope, StoreError};

use crate::Agent;

/// Stores agents. Implementations must pass `agent_repository_contract!`.
#[async_trait]
pub trait AgentRepository: fmt::Debug + Send + Sync + 'static {
    /// Inserts an agent. Errors: `Taken("namespace")`; `Missing("form")` when the workspace has no such form.
    async fn insert(&self, scope: &Scope, agent: &Agent) -> Result<(), StoreError>;
    /// The agent with this namespace; `None` when the workspace has none.
    async fn find(&self, scope: &Scope, namespace: &str) -> Result<Option<Agent>, StoreError>;
    /// Agents, newest first, then by id.
    async fn list(&self, scope: &Scope, page: &PageRequest) -> Result<Page<Agent>, StoreError>;
    /// Replaces the agent with this `id` if the stored revision equals `expected`, else `Stale`.
    /// `Taken("namespace")` and `Missing("form")` as for `insert`.
    async fn update(&self, scope: &Scope, agent: &Agent, expected: Revision) -> Result<(), StoreError>;
    /// Deletes the agent with its runs, stored responses, sessions, submissions and notes in one transaction.
    /// Returns whether it existed.
    async fn delete(&self, scope: &Scope, namespace: &str) -> Result<bool, StoreError>;
}
