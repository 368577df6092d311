//! Lists of models.

use std::fmt;

use async_trait::async_trait;

use super::ProviderError;
use crate::ModelKind;

/// A model in its provider's list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ListedModel {
    /// The name in calls.
    pub model: String,
    /// The display name, where the provider has one.
    pub name: Option<String>,
    /// Its capability, where the provider says; else the catalogue decides.
    pub kind: Option<ModelKind>,
    /// Maximum input in tokens, where the provider says.
    pub context_tokens: Option<u32>,
    /// Maximum output in tokens, where the provider says.
    pub output_tokens: Option<u32>,
}

/// Lists models.
#[async_trait]
pub trait ModelList: fmt::Debug + Send + Sync + 'static {
    /// All models that can be called, without retired ones; at most 10,000.
    async fn list(&self) -> Result<Vec<ListedModel>, ProviderError>;
}
