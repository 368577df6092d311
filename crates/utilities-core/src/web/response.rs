//! The response of a fetch.

use std::fmt;
use std::sync::Arc;

use bytes::{Bytes, BytesMut};
use document::ContentStream;
use futures_util::{StreamExt as _, TryStreamExt as _, stream};

use super::{FetchCause, FetchError};

/// A response of the web with its content coding removed (RFC 9110, section 8.4).
#[derive(Clone, Debug)]
pub struct FetchResponse {
    /// HTTP redirects that were followed.
    pub redirects: usize,
    /// The final URL after all redirects, without its fragment.
    pub url: String,
    /// File name: from `Content-Disposition`, else the last segment of the URL's path, else the host.
    pub name: String,
    /// `Content-Type` as it was received, with its parameters.
    pub content_type: Option<String>,
    /// Size in bytes.
    pub bytes: u64,
    /// SHA-256 of the bytes, lower-case hex.
    pub sha256: String,
    /// The bytes.
    pub body: Body,
}

/// Where the bytes of a response are. Clones share them.
#[derive(Clone, Debug)]
pub enum Body {
    /// Held in the process.
    Memory(Bytes),
    /// In a store, until the last clone is dropped.
    Stored(Arc<dyn StoredBody>),
}

/// Bytes outside memory, removed on drop.
pub trait StoredBody: fmt::Debug + Send + Sync + 'static {
    /// Streams the bytes from the start. The stream stays valid after `self` is dropped.
    fn open(&self) -> ContentStream;
}

impl FetchResponse {
    /// Streams the bytes from the start.
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
    /// [`FetchError::TooLarge`] when there are more than `limit`, [`FetchError::Failed`] when they cannot be
    /// read.
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

    /// The media type in lower case, without its parameters.
    #[must_use]
    pub fn media_type(&self) -> Option<String> {
        let text = self.content_type.as_deref()?.split(';').next()?.trim().to_ascii_lowercase();
        (!text.is_empty()).then_some(text)
    }
}

fn read_error(error: shared_core::BoxError) -> FetchError {
    FetchError::Failed { what: "the stored answer could not be read", source: Some(FetchCause::from(error)) }
}
