//! The port of agents.

use std::fmt;

use async_trait::async_trait;
use shared_core::{Page, PageRequest, Revision, Scope, StoreError};

use crate::Agent;

/// Stores agents. Implementations must pass `contract::agent_repository!`.
#[async_trait]
pub trait AgentRepository: fmt::Debug + Send + Sync + 'static {
    /// Stores an agent. `TurnOutcome("namespace")`; `Missing("form")` when the form is not in the workspace.
    async fn insert(&self, scope: &Scope, agent: &Agent) -> Result<(), StoreError>;
    /// The agent with this namespace.
    async fn find(&self, scope: &Scope, namespace: &str) -> Result<Option<Agent>, StoreError>;
    /// Agents, newest first, then by id.
    async fn list(&self, scope: &Scope, page: &PageRequest) -> Result<Page<Agent>, StoreError>;
    /// Stores the changed agent (found by its `id`), only if the stored revision is `expected`; else
    /// `Stale`. `TurnOutcome("namespace")` and `Missing("form")` as for `insert`.
    async fn update(&self, scope: &Scope, agent: &Agent, expected: Revision) -> Result<(), StoreError>;
    /// Deletes the agent with its runs, stored responses, sessions, submissions and notes, in one unit. Answers
    /// whether it was there.
    async fn delete(&self, scope: &Scope, namespace: &str) -> Result<bool, StoreError>;
}
