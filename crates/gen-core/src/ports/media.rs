//! Generation of images and speech.

use std::fmt;

use async_trait::async_trait;
use bytes::Bytes;

use super::{ProviderError, Usage};

/// A generated image or sound.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Media {
    /// The content of a file of this type.
    pub bytes: Bytes,
    /// The media type, such as `image/png` or `audio/wav`.
    pub content_type: String,
}

/// The type of a picture by its first bytes, one of [`super::PICTURE_TYPES`].
#[must_use]
pub fn picture_type(bytes: &[u8]) -> Option<&'static str> {
    match bytes {
        [0x89, b'P', b'N', b'G', ..] => Some("image/png"),
        [0xff, 0xd8, 0xff, ..] => Some("image/jpeg"),
        [b'R', b'I', b'F', b'F', _, _, _, _, b'W', b'E', b'B', b'P', ..] => Some("image/webp"),
        [b'G', b'I', b'F', b'8', ..] => Some("image/gif"),
        _ => None,
    }
}

/// An image request.
#[derive(Clone, Debug, Default)]
pub struct ImageRequest {
    /// The model's name, without its provider.
    pub model: String,
    /// What the image shows.
    pub prompt: String,
}

/// Generated images.
#[derive(Clone, Debug, Default)]
pub struct ImageAnswer {
    /// At least one.
    pub images: Vec<Media>,
    /// Text of the model beside the images; often empty.
    pub text: String,
    /// Tokens used.
    pub usage: Usage,
}

/// Generates images.
#[async_trait]
pub trait ImageModel: fmt::Debug + Send + Sync + 'static {
    /// Makes one call, without retries.
    async fn image(&self, request: ImageRequest) -> Result<ImageAnswer, ProviderError>;
}

/// A speech request.
#[derive(Clone, Debug, Default)]
pub struct SpeechRequest {
    /// The model's name, without its provider.
    pub model: String,
    /// The text to speak.
    pub text: String,
    /// The voice; `None` for the default of the provider's settings.
    pub voice: Option<String>,
}

/// Generated speech.
#[derive(Clone, Debug)]
pub struct SpeechAnswer {
    /// The sound.
    pub audio: Media,
    /// Tokens used; zero where the provider does not report them.
    pub usage: Usage,
}

/// Generates speech.
#[async_trait]
pub trait SpeechModel: fmt::Debug + Send + Sync + 'static {
    /// Makes one call, without retries.
    async fn speech(&self, request: SpeechRequest) -> Result<SpeechAnswer, ProviderError>;
}
