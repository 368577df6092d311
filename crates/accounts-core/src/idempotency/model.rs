//! The records of idempotent requests.

use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};
use shared_core::hex;

use super::IdempotencyError;

/// An idempotency key, chosen by the client: 1 to 255 visible ASCII characters.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct RequestKey(String);

impl RequestKey {
    /// Characters of a key at most.
    pub const MAX_LENGTH: usize = 255;
    /// The format of a key as a regular expression of JSON Schema: visible ASCII characters.
    pub const PATTERN: &str = "^[!-~]+$";

    /// Checks the length and the characters.
    ///
    /// # Errors
    /// [`IdempotencyError::InvalidKey`].
    pub fn parse(text: &str) -> Result<Self, IdempotencyError> {
        let fits =
            (1..=Self::MAX_LENGTH).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_graphic());
        if fits { Ok(Self(text.to_owned())) } else { Err(IdempotencyError::InvalidKey) }
    }

    /// The key as it was sent.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// The content of a request, as a SHA-256 in hexadecimal over its parts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fingerprint(pub String);

impl Fingerprint {
    /// Hashes the parts in their order. Each is prefixed with its length, so different splits have different
    /// hashes.
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

/// A response that can be replayed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RecordedResponse {
    /// HTTP status.
    pub status: u16,
    /// Content type of the body.
    pub content_type: String,
    /// The body.
    pub body: Vec<u8>,
}

/// What a request has stored, by kind and ids: enough to build its response again.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct EffectRef {
    /// What was stored, for example `note`.
    pub kind: String,
    /// Ids of what was stored, in the order of the request.
    pub ids: Vec<String>,
}

/// The lock on a key, held by one attempt until it expires.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Attempt {
    /// The request's key.
    pub key: RequestKey,
    /// The unguessable fencing token of this attempt; a later one has another.
    pub token: String,
}

/// What the caller has to do for a request with a key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ClaimOutcome {
    /// Process the request, then complete or release the attempt.
    Granted(Attempt),
    /// Earlier attempts stored these effects, in this order, and ended without a response: continue from them,
    /// then complete or release the attempt.
    Recovered(Attempt, Vec<EffectRef>),
    /// Nothing: return this response.
    Replayed(RecordedResponse),
}
