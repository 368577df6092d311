//! What can have notes, told by the services that keep it.

use agents_core::{AgentsError, AgentsService};
use async_trait::async_trait;
use files_core::{FileId, FilesError, FilesService};
use notes_core::{Resource, ResourceKind, Resources};
use shared_core::{Scope, StoreError};

/// Agents and files; knowledge bases once there are any.
#[derive(Clone, Debug)]
pub struct ServiceResources {
    /// Agents.
    pub agents: AgentsService,
    /// Files.
    pub files: FilesService,
}

#[async_trait]
impl Resources for ServiceResources {
    async fn exists(&self, scope: &Scope, resource: &Resource) -> Result<bool, StoreError> {
        match resource.kind {
            ResourceKind::Agent => match self.agents.get(scope, &resource.id).await {
                Ok(_) => Ok(true),
                Err(AgentsError::NotFound) => Ok(false),
                Err(AgentsError::Store(error)) => Err(error),
                Err(other) => Err(StoreError::Failed(other.into())),
            },
            ResourceKind::File => {
                let Some(id) = FileId::parse(&resource.id) else { return Ok(false) };
                match self.files.get(scope, id).await {
                    Ok(_) => Ok(true),
                    Err(FilesError::NotFound) => Ok(false),
                    Err(FilesError::Store(error)) => Err(error),
                    Err(other) => Err(StoreError::Failed(other.into())),
                }
            }
            ResourceKind::KnowledgeBase => Ok(false),
        }
    }
}
