//! The port to knowledge bases: whether those that an agent names are there.

use std::fmt;

use async_trait::async_trait;
use shared_core::{Scope, StoreError};

/// Tells which knowledge bases there are.
#[async_trait]
pub trait KnowledgeBases: fmt::Debug + Send + Sync + 'static {
    /// Whether the workspace has the base.
    async fn exists(&self, scope: &Scope, id: &str) -> Result<bool, StoreError>;
}

/// No base is there: for embedders without knowledge bases.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoopKnowledgeBases;

#[async_trait]
impl KnowledgeBases for NoopKnowledgeBases {
    async fn exists(&self, _: &Scope, _: &str) -> Result<bool, StoreError> {
        Ok(false)
    }
}
