//! Reranking of texts by their relevance to a query.

use std::fmt;

use async_trait::async_trait;

use super::{ProviderError, Usage};

/// A query with the texts to score.
#[derive(Clone, Debug, Default)]
pub struct RerankRequest {
    /// The model's name, without its provider.
    pub model: String,
    /// The query; not empty.
    pub query: String,
    /// The texts; none is empty.
    pub texts: Vec<String>,
}

/// The scores of a request.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RerankScores {
    /// One score for each text, in the order of the texts; higher is more relevant. All are finite. Their
    /// range depends on the model: many give probabilities, some logits.
    pub scores: Vec<f32>,
    /// Tokens used.
    pub usage: Usage,
}

/// Scores texts by their relevance to a query.
#[async_trait]
pub trait RerankModel: fmt::Debug + Send + Sync + 'static {
    /// Makes one call, without retries. Splits the texts into several requests where the provider accepts
    /// fewer per request. An answer that does not have exactly one score for each text is an error.
    async fn rerank(&self, request: RerankRequest) -> Result<RerankScores, ProviderError>;
}
