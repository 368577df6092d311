//! The port that checks whether the knowledge bases of an agent exist.

use std::fmt;

use async_trait::async_trait;
use shared_core::{Scope, StoreError};

/// Looks up knowledge bases by id.
#[async_trait]
pub trait KnowledgeBases: fmt::Debug + Send + Sync + 'static {
    /// Whether the workspace has the base.
    async fn exists(&self, scope: &Scope, id: &str) -> Result<bool, StoreError>;
}

/// Has no knowledge bases, for embedders that offer none.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoopKnowledgeBases;

#[async_trait]
impl KnowledgeBases for NoopKnowledgeBases {
    async fn exists(&self, _: &Scope, _: &str) -> Result<bool, StoreError> {
        Ok(false)
    }
}
