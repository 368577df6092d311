//! What is kept of a request.

use sha2::{Digest as _, Sha256};
use shared_core::hex;

use super::IdempotencyError;

/// The text that a client names its request by: 1 to 255 visible ASCII characters.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct RequestKey(String);

impl RequestKey {
    /// Characters of a key.
    pub const MAX_LENGTH: usize = 255;
    /// What a key looks like, as a regular expression of JSON Schema: visible ASCII characters.
    pub const PATTERN: &str = "^[!-~]+$";

    /// Checks the text.
    ///
    /// # Errors
    /// [`IdempotencyError::InvalidKey`].
    pub fn parse(text: &str) -> Result<Self, IdempotencyError> {
        let fits =
            (1..=Self::MAX_LENGTH).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_graphic());
        if fits { Ok(Self(text.to_owned())) } else { Err(IdempotencyError::InvalidKey) }
    }

    /// As it was sent.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// What a request asks for, as a SHA-256 in hexadecimal over its parts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fingerprint(pub String);

impl Fingerprint {
    /// Of the parts in their order; a part cannot run into the next.
    #[must_use]
    pub fn of<'a>(parts: impl IntoIterator<Item = &'a [u8]>) -> Self {
        let mut hash = Sha256::new();
        for part in parts {
            hash.update((part.len() as u64).to_le_bytes());
            hash.update(part);
        }
        Self(hex(&hash.finalize()))
    }
}

/// An answer that can be given again.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RecordedResponse {
    /// HTTP status.
    pub status: u16,
    /// Content type of the body.
    pub content_type: String,
    /// The body.
    pub body: Vec<u8>,
}

/// The right to do a request, held by one attempt until it runs out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Attempt {
    /// The request's key.
    pub key: RequestKey,
    /// Unguessable name of this attempt; a later one has another.
    pub token: String,
}

/// What a request with a key has to do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ClaimOutcome {
    /// Do it, then complete or release the attempt.
    Granted(Attempt),
    /// Nothing: this was the answer.
    Replayed(RecordedResponse),
}
