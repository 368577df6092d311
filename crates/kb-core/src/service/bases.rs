//! The use cases of bases: create, get, list, update, delete.

use gen_core::{ModelId, ModelIdError, ModelKind};
use shared_core::{Author, Page, PageRequest, Revision, Scope, StoreError, Violation, new_id};

use super::KnowledgeService;
use super::rules::RequestValidator;
use crate::retrieval::check_reranker;
use crate::{Base, BaseId, Chunking, Counts, KnowledgeError, QUEUE, RerankSettings};

/// Maximum attempts of an update after concurrent changes. Chosen by hand; no measurement recorded.
const UPDATE_ATTEMPTS: usize = 8;

/// A base to be made.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct NewBase {
    /// Display name.
    pub name: String,
    /// Free text.
    pub description: Option<String>,
    /// The embedding model, as `model@provider`; `None`: lexical search only.
    pub embedding: Option<String>,
    /// How documents are chunked.
    pub chunking: Option<Chunking>,
    /// How results are reranked.
    pub rerank: RerankSettings,
}

/// Changes to a base. `None` keeps a value, `Some(None)` clears it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct BaseChanges {
    /// New display name.
    pub name: Option<String>,
    /// New free text.
    pub description: Option<String>,
    /// New embedding model. The former vectors serve until all new ones exist.
    pub embedding: Option<Option<String>>,
    /// Chunking of documents that are added or replaced from now on.
    pub chunking: Option<Chunking>,
    /// New model that reranks results.
    pub rerank_model: Option<Option<String>>,
    /// New number of results that are reranked.
    pub rerank_depth: Option<u32>,
}

/// Result of the deletion of a base.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DeletedBase {
    /// The namespaces of the agents that named it and no longer do.
    pub agents: Vec<String>,
    /// The number of the change.
    pub position: Option<i64>,
}

impl KnowledgeService {
    /// Creates a base.
    ///
    /// # Errors
    /// When a value violates a rule, the model is unknown or makes no vectors, or the store fails.
    pub async fn create(&self, scope: &Scope, author: &Author, new: NewBase) -> Result<Base, KnowledgeError> {
        let now = self.ports.clock.now();
        let base = Base {
            id: BaseId(new_id("kb", now, self.ports.ids.as_ref())),
            number: 0,
            workspace: scope.workspace.clone(),
            author: author.clone(),
            name: new.name,
            description: new.description.unwrap_or_default(),
            embedding: new.embedding.clone(),
            serving: new.embedding,
            chunking: new.chunking.unwrap_or_default(),
            rerank: new.rerank,
            counts: Counts::default(),
            languages: Vec::new(),
            written: 0,
            revision: Revision::FIRST,
            created: now,
            updated: now,
        };
        self.check(&base)?;
        Ok(self.ports.bases.insert(scope, &base).await?)
    }

    /// The base with this id.
    ///
    /// # Errors
    /// [`KnowledgeError::BaseNotFound`], or when the store fails.
    pub async fn get(&self, scope: &Scope, id: &BaseId) -> Result<Base, KnowledgeError> {
        self.ports.bases.find(scope, id).await?.ok_or_else(|| not_found(id))
    }

    /// The recall of vector searches of a base, from 0 to 1, where it was measured.
    #[must_use]
    pub fn vector_recall(&self, base: &Base) -> Option<f32> {
        self.ports.vectors.recall(base.number)
    }

    /// Bases, newest first.
    ///
    /// # Errors
    /// When the store fails.
    pub async fn list(&self, scope: &Scope, page: &PageRequest) -> Result<Page<Base>, KnowledgeError> {
        Ok(self.ports.bases.list(scope, page).await?)
    }

    /// Changes a base. With another model, its vectors are made in the background.
    ///
    /// # Errors
    /// [`KnowledgeError::BaseNotFound`], and as [`KnowledgeService::create`].
    pub async fn update(
        &self,
        scope: &Scope,
        id: &BaseId,
        changes: BaseChanges,
    ) -> Result<Base, KnowledgeError> {
        let mut attempt = 1;
        loop {
            let old = self.get(scope, id).await?;
            let expected = old.revision;
            let base = changed(old, changes.clone());
            self.check(&base)?;
            match self.ports.bases.update(scope, &base, expected, self.ports.clock.now()).await {
                Ok(base) => {
                    self.stored();
                    return Ok(base);
                }
                Err(StoreError::Stale) if attempt < UPDATE_ATTEMPTS => attempt += 1,
                Err(error) => return Err(error.into()),
            }
        }
    }

    /// Deletes a base with its items and notes.
    ///
    /// # Errors
    /// [`KnowledgeError::BaseNotFound`], or when the store fails.
    pub async fn delete(&self, scope: &Scope, id: &BaseId) -> Result<DeletedBase, KnowledgeError> {
        let removed = self.ports.bases.delete(scope, id, self.ports.clock.now()).await?;
        let removed = removed.ok_or_else(|| not_found(id))?;
        self.ports.jobs.abort_jobs(QUEUE, &id.0);
        self.applied.written();
        self.ports.files.remove_unreferenced(&removed.orphans).await;
        Ok(DeletedBase { agents: removed.agents, position: removed.position })
    }

    fn check(&self, base: &Base) -> Result<(), KnowledgeError> {
        let mut check = RequestValidator::default();
        check.base(base);
        check.done()?;
        base.embedding.as_deref().map_or(Ok(()), |model| self.check_model(model))?;
        let reranker = base.rerank.model.as_deref();
        reranker.map_or(Ok(()), |model| check_reranker(&self.ports.generation, model, "/rerankModel"))
    }

    /// Validates the model; its vendor may still lack a key.
    fn check_model(&self, model: &str) -> Result<(), KnowledgeError> {
        let unknown = |rule: String| KnowledgeError::UnknownModel([Violation::new("/embeddingModel", rule)]);
        let id: ModelId = model.parse().map_err(|error: ModelIdError| {
            unknown(error.to_string().replace("'modelId'", "'embeddingModel'"))
        })?;
        let checked = self.ports.generation.check_for(&id, ModelKind::TextToEmbedding);
        checked.map_err(|error| unknown(error.to_string()))
    }

    /// Wakes the indexer and the dispatcher of this process.
    pub(super) fn stored(&self) {
        self.ports.jobs.wake();
        self.applied.written();
    }
}

pub(super) fn not_found(id: &BaseId) -> KnowledgeError {
    KnowledgeError::BaseNotFound(id.0.clone())
}

fn changed(old: Base, changes: BaseChanges) -> Base {
    Base {
        name: changes.name.unwrap_or(old.name),
        description: changes.description.unwrap_or(old.description),
        embedding: changes.embedding.unwrap_or(old.embedding),
        chunking: changes.chunking.unwrap_or(old.chunking),
        rerank: RerankSettings {
            model: changes.rerank_model.unwrap_or(old.rerank.model),
            depth: changes.rerank_depth.unwrap_or(old.rerank.depth),
        },
        ..old
    }
}
