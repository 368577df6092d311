//! The agent repository in memory, for tests and embedders. Nothing survives the process.

use parking_lot::{Mutex, MutexGuard};

use async_trait::async_trait;
use shared_core::{Cursor, Page, PageRequest, Revision, Scope, StoreError};

use crate::{Agent, AgentRepository};

/// In-memory agents. The store knows no forms, so `Missing("form")` never occurs.
#[derive(Debug, Default)]
pub struct MemoryAgents(Mutex<Vec<Agent>>);

impl MemoryAgents {
    fn rows(&self) -> MutexGuard<'_, Vec<Agent>> {
        self.0.lock()
    }

    /// Whether the workspace has an agent with this internal id.
    pub(crate) fn has(&self, scope: &Scope, id: &str) -> bool {
        self.rows().iter().any(|row| row.workspace == scope.workspace && row.id == id)
    }
}

fn is_namespace_taken(rows: &[Agent], scope: &Scope, agent: &Agent) -> bool {
    let twin = |row: &&Agent| row.workspace == scope.workspace && row.namespace == agent.namespace;
    rows.iter().find(twin).is_some_and(|row| row.id != agent.id)
}

#[async_trait]
impl AgentRepository for MemoryAgents {
    async fn insert(&self, scope: &Scope, agent: &Agent) -> Result<(), StoreError> {
        let mut rows = self.rows();
        if is_namespace_taken(&rows, scope, agent) {
            return Err(StoreError::Taken("namespace"));
        }
        rows.push(agent.clone());
        Ok(())
    }

    async fn find(&self, scope: &Scope, namespace: &str) -> Result<Option<Agent>, StoreError> {
        let rows = self.rows();
        Ok(rows.iter().find(|row| row.workspace == scope.workspace && row.namespace == namespace).cloned())
    }

    async fn list(&self, scope: &Scope, page: &PageRequest) -> Result<Page<Agent>, StoreError> {
        let own = self.rows().iter().filter(|row| row.workspace == scope.workspace).cloned().collect();
        Ok(Page::paginate(own, page, |row: &Agent| Cursor { created: row.created, id: row.id.clone() }))
    }

    async fn update(&self, scope: &Scope, agent: &Agent, expected: Revision) -> Result<(), StoreError> {
        let mut rows = self.rows();
        let same =
            |row: &Agent| row.workspace == scope.workspace && row.id == agent.id && row.revision == expected;
        let index = rows.iter().position(same).ok_or(StoreError::Stale)?;
        if is_namespace_taken(&rows, scope, agent) {
            return Err(StoreError::Taken("namespace"));
        }
        rows[index] = agent.clone();
        Ok(())
    }

    async fn delete(&self, scope: &Scope, namespace: &str) -> Result<bool, StoreError> {
        let mut rows = self.rows();
        let before = rows.len();
        rows.retain(|row| row.workspace != scope.workspace || row.namespace != namespace);
        Ok(rows.len() < before)
    }
}
