//! Why a schema cannot be compiled to a dialect.

use crate::{Fault, ProviderError};

/// Why a schema cannot be compiled to a dialect.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum UnsupportedSchema {
    /// It exceeds a limit of one request; fewer properties may be within it.
    #[error("the response schema has {found} {what}, and the model supports at most {limit}")]
    TooWide {
        /// What is counted.
        what: &'static str,
        /// The count.
        found: usize,
        /// The limit.
        limit: usize,
    },
    /// The dialect cannot express it.
    #[error("the model cannot enforce the response schema: {what} at {}", place(path))]
    Inexpressible {
        /// The unsupported construct.
        what: &'static str,
        /// JSON pointer into the schema, references followed.
        path: String,
    },
}

fn place(path: &str) -> String {
    if path.is_empty() { "its root".to_owned() } else { format!("'{path}'") }
}

impl From<UnsupportedSchema> for ProviderError {
    fn from(cause: UnsupportedSchema) -> Self {
        Self::new(Fault::Unsupported, cause.to_string())
    }
}

/// The error of a construct that the dialect cannot express.
pub(super) fn inexpressible(what: &'static str, path: &str) -> UnsupportedSchema {
    UnsupportedSchema::Inexpressible { what, path: path.to_owned() }
}
