//! Texts to vectors.

use std::fmt;

use async_trait::async_trait;

use super::{ProviderError, Usage};

/// What the vectors are for; some models make different ones.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum EmbedPurpose {
    /// Texts to be found.
    #[default]
    Document,
    /// A question to find texts by.
    Query,
}

/// Texts to embed.
#[derive(Clone, Debug, Default)]
pub struct EmbedRequest {
    /// The model's name, without its provider.
    pub model: String,
    /// The texts, none empty.
    pub texts: Vec<String>,
    /// Length of the vectors, where the model lets one choose.
    pub dimensions: Option<u32>,
    /// What they are for.
    pub purpose: EmbedPurpose,
}

/// Vectors.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Embeddings {
    /// One for each text, in order, all of one length, every number finite.
    pub vectors: Vec<Vec<f32>>,
    /// What it cost.
    pub usage: Usage,
}

/// Turns texts into vectors.
#[async_trait]
pub trait EmbedModel: fmt::Debug + Send + Sync + 'static {
    /// Embeds once, without retries; splits the texts where the provider takes fewer at once.
    async fn embed(&self, request: EmbedRequest) -> Result<Embeddings, ProviderError>;
}
