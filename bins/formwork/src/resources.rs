//! Adapters that check references between services: the resources of notes, and the knowledge bases of
//! agents.

use agents_core::{AgentsError, AgentsService, KnowledgeBases};
use async_trait::async_trait;
use files_core::{FileId, FilesError, FilesService};
use kb_core::{BaseId, KnowledgeError, KnowledgeService};
use notes_core::{Resource, ResourceKind, ResourceLookup};
use shared_core::{Scope, StoreError};

/// The resources of notes: agents, files and knowledge bases.
#[derive(Clone, Debug)]
pub struct ServiceResources {
    /// Looks up agents.
    pub agents: AgentsService,
    /// Looks up files.
    pub files: FilesService,
    /// Looks up knowledge bases.
    pub knowledge: KnowledgeService,
}

/// The knowledge bases that agents may reference.
#[derive(Clone, Debug)]
pub struct NamedBases(pub KnowledgeService);

#[async_trait]
impl KnowledgeBases for NamedBases {
    async fn exists(&self, scope: &Scope, id: &str) -> Result<bool, StoreError> {
        match self.0.get(scope, &BaseId(id.to_owned())).await {
            Ok(_) => Ok(true),
            Err(KnowledgeError::BaseNotFound(_)) => Ok(false),
            Err(KnowledgeError::Store(error)) => Err(error),
            Err(other) => Err(StoreError::Failed(other.into())),
        }
    }
}

#[async_trait]
impl ResourceLookup for ServiceResources {
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
            ResourceKind::KnowledgeBase => {
                NamedBases(self.knowledge.clone()).exists(scope, &resource.id).await
            }
        }
    }
}
