//! What a URL named.

use std::fmt;
use std::sync::Arc;

use bytes::{Bytes, BytesMut};
use documents_core::ContentStream;
use futures_util::{StreamExt as _, TryStreamExt as _, stream};

use super::{FetchCause, FetchError};

/// An answer of the web, decoded (RFC 9110, section 8.4).
#[derive(Clone, Debug)]
pub struct FetchResponse {
    /// Redirects of HTTP on the way to it.
    pub redirects: usize,
    /// The address of the answer, after all redirects, without its fragment.
    pub url: String,
    /// A file's name: that of `Content-Disposition`, else the last part of the address' path, else its host.
    pub name: String,
    /// `Content-Type` as it was sent, with its parameters.
    pub content_type: Option<String>,
    /// Size in bytes.
    pub bytes: u64,
    /// SHA-256 of the bytes, lower-case hex.
    pub sha256: String,
    /// The bytes.
    pub body: Body,
}

/// Where the bytes of an answer are. Clones share them.
#[derive(Clone, Debug)]
pub enum Body {
    /// In memory.
    Memory(Bytes),
    /// Elsewhere, until the last clone is dropped.
    Stored(Arc<dyn StoredBody>),
}

/// Bytes that are kept outside memory and removed when they are dropped.
pub trait StoredBody: fmt::Debug + Send + Sync + 'static {
    /// The bytes from the first on. The stream works on after `self` was dropped.
    fn open(&self) -> ContentStream;
}

impl FetchResponse {
    /// The bytes from the first on.
    #[must_use]
    pub fn open(&self) -> ContentStream {
        match &self.body {
            Body::Memory(bytes) => {
                let bytes = bytes.clone();
                stream::once(async move { Ok(bytes) }).boxed()
            }
            Body::Stored(kept) => kept.open(),
        }
    }

    /// All bytes.
    ///
    /// # Errors
    /// [`FetchError::TooLarge`] where there are more than `limit`, [`FetchError::FailedFields`] where they cannot be read.
    pub async fn read_all(&self, limit: u64) -> Result<Bytes, FetchError> {
        if self.bytes > limit {
            return Err(FetchError::TooLarge { limit });
        }
        if let Body::Memory(bytes) = &self.body {
            return Ok(bytes.clone());
        }
        let mut content = self.open();
        let mut all = BytesMut::new();
        while let Some(part) = content.try_next().await.map_err(read_error)? {
            if (all.len() + part.len()) as u64 > limit {
                return Err(FetchError::TooLarge { limit });
            }
            all.extend_from_slice(&part);
        }
        Ok(all.freeze())
    }

    /// The media type in small letters, without its parameters.
    #[must_use]
    pub fn media_type(&self) -> Option<String> {
        let text = self.content_type.as_deref()?.split(';').next()?.trim().to_ascii_lowercase();
        (!text.is_empty()).then_some(text)
    }
}

fn read_error(error: shared_core::BoxError) -> FetchError {
    FetchError::Failed {
        what: "what was fetched could not be read again",
        source: Some(FetchCause::from(error)),
    }
}
