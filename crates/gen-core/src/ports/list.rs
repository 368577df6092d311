//! What models a provider has.

use std::fmt;

use async_trait::async_trait;

use super::ProviderError;
use crate::ModelKind;

/// A model as its provider lists it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ListedModel {
    /// The name to call it by.
    pub model: String,
    /// A name for people, where the provider has one.
    pub name: Option<String>,
    /// What it does, where the provider says; the catalogue tells the rest.
    pub kind: Option<ModelKind>,
    /// Tokens that it reads at most, where the provider says.
    pub context_tokens: Option<u32>,
    /// Tokens that it writes at most, where the provider says.
    pub output_tokens: Option<u32>,
}

/// Lists models.
#[async_trait]
pub trait ModelList: fmt::Debug + Send + Sync + 'static {
    /// Every model that can be called, without retired ones; at most 10,000.
    async fn list(&self) -> Result<Vec<ListedModel>, ProviderError>;
}
