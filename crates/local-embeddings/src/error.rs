//! Why a model cannot be used.

use std::path::PathBuf;

/// A folder that has no usable model. `Display` is one sentence for the operator.
#[derive(Debug, thiserror::Error)]
pub enum LocalModelError {
    /// The folder's name is to be the model's.
    #[error("the folder of a local model must be named by 1 to 64 lower-case letters, digits, dots and hyphens, and not 'extractive': {}", .0.display())]
    Name(PathBuf),
    /// A file is not there, or cannot be read.
    #[error("the local model's file {} cannot be read", .path.display())]
    Unreadable {
        /// Which.
        path: PathBuf,
        /// Why.
        #[source]
        source: std::io::Error,
    },
    /// A file is not what it should be.
    #[error("the local model's file {} is not valid", .path.display())]
    Invalid {
        /// Which.
        path: PathBuf,
        /// Why.
        #[source]
        source: Box<dyn std::error::Error + Send + Sync>,
    },
    /// A model of another kind.
    #[error("the local model cannot be used: {0}")]
    Unsupported(String),
    /// No threads.
    #[error("the threads of the local model could not be started")]
    Threads(#[source] rayon::ThreadPoolBuildError),
}
