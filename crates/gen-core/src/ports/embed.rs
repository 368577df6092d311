//! Embedding of texts.

use std::fmt;

use async_trait::async_trait;

use super::{ProviderError, Usage};

/// The purpose of an embedding; some models distinguish them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum EmbedPurpose {
    /// Texts of an index.
    #[default]
    Document,
    /// A query against an index.
    Query,
}

/// Texts to embed.
#[derive(Clone, Debug, Default)]
pub struct EmbedRequest {
    /// The model's name, without its provider.
    pub model: String,
    /// The texts; none is empty.
    pub texts: Vec<String>,
    /// Dimensions of the vectors, for models that support a choice.
    pub dimensions: Option<u32>,
    /// The purpose of the vectors.
    pub purpose: EmbedPurpose,
}

/// The vectors of a request.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Embeddings {
    /// One vector for each text, in order. All have one length, and all numbers are finite.
    pub vectors: Vec<Vec<f32>>,
    /// Tokens used.
    pub usage: Usage,
}

/// Computes embeddings.
#[async_trait]
pub trait EmbedModel: fmt::Debug + Send + Sync + 'static {
    /// Makes one call, without retries. Splits the texts into several requests where the provider accepts
    /// fewer per request.
    async fn embed(&self, request: EmbedRequest) -> Result<Embeddings, ProviderError>;
}
