//! Pictures and speech.

use std::fmt;

use async_trait::async_trait;
use bytes::Bytes;

use super::{ProviderError, Usage};

/// A made picture or sound.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Media {
    /// Its content; a file of its type as it is.
    pub bytes: Bytes,
    /// Such as `image/png` or `audio/wav`.
    pub content_type: String,
}

/// A picture to make.
#[derive(Clone, Debug, Default)]
pub struct ImageRequest {
    /// The model's name, without its provider.
    pub model: String,
    /// What it shows.
    pub prompt: String,
}

/// Made pictures.
#[derive(Clone, Debug, Default)]
pub struct ImageAnswer {
    /// At least one.
    pub images: Vec<Media>,
    /// What the model says beside them; often empty.
    pub text: String,
    /// What it cost.
    pub usage: Usage,
}

/// Makes pictures.
#[async_trait]
pub trait ImageModel: fmt::Debug + Send + Sync + 'static {
    /// Asks once, without retries.
    async fn image(&self, request: ImageRequest) -> Result<ImageAnswer, ProviderError>;
}

/// Text to speak.
#[derive(Clone, Debug, Default)]
pub struct SpeechRequest {
    /// The model's name, without its provider.
    pub model: String,
    /// What is spoken.
    pub text: String,
    /// The voice; the provider's setting when absent.
    pub voice: Option<String>,
}

/// Speech.
#[derive(Clone, Debug)]
pub struct SpeechAnswer {
    /// The sound.
    pub audio: Media,
    /// What it cost; nothing where the provider does not say.
    pub usage: Usage,
}

/// Speaks.
#[async_trait]
pub trait SpeechModel: fmt::Debug + Send + Sync + 'static {
    /// Asks once, without retries.
    async fn speech(&self, request: SpeechRequest) -> Result<SpeechAnswer, ProviderError>;
}
