//! What goes over the pipes.
//!
//! A request is the name (length as `u32` little-endian, bytes), then the content in chunks (length,
//! bytes) ended by a chunk of length zero. An answer is a length and that many bytes of JSON.

use documents_core::{Document, ParseError};
use serde::{Deserialize, Serialize};

/// Bytes of a name at the most.
pub(crate) const MAX_NAME: usize = 8_192;
/// Bytes of a chunk at the most.
pub(crate) const MAX_CHUNK: usize = 1 << 20;

/// A parser's answer.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) enum Answer {
    /// It was read.
    Document(Box<Document>),
    /// It was not.
    Failure(Failure),
}

/// A [`ParseError`] that can travel.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) enum Failure {
    Empty,
    Unsupported(String),
    Encrypted,
    Damaged(String),
    NoText,
    Limit,
}

impl From<ParseError> for Failure {
    fn from(error: ParseError) -> Self {
        match error {
            ParseError::Empty => Self::Empty,
            ParseError::Unsupported(kind) => Self::Unsupported(kind),
            ParseError::Encrypted => Self::Encrypted,
            ParseError::NoText => Self::NoText,
            ParseError::Limit(_) => Self::Limit,
            other => Self::Damaged(other.to_string()),
        }
    }
}

impl From<Failure> for ParseError {
    fn from(failure: Failure) -> Self {
        match failure {
            Failure::Empty => Self::Empty,
            Failure::Unsupported(kind) => Self::Unsupported(kind),
            Failure::Encrypted => Self::Encrypted,
            Failure::Damaged(reason) => Self::Damaged(reason),
            Failure::NoText => Self::NoText,
            Failure::Limit => Self::Limit("room"),
        }
    }
}
