//! Why a local model cannot be used.

use std::path::PathBuf;

/// A folder without a usable model. `Display` is one sentence for the operator.
#[derive(Debug, thiserror::Error)]
pub enum LocalModelError {
    /// The folder's name is the model's name, and is not a valid one.
    #[error("the folder of a local model must be named by 1 to 64 lower-case letters, digits, dots and hyphens, and not 'extractive': {}", .0.display())]
    Name(PathBuf),
    /// A file is missing or cannot be read.
    #[error("the local model's file {} cannot be read", .path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// The cause.
        #[source]
        source: std::io::Error,
    },
    /// A file or folder cannot be written.
    #[error("the local model cannot be written to {}", .path.display())]
    Unwritable {
        /// The file or folder.
        path: PathBuf,
        /// The cause.
        #[source]
        source: std::io::Error,
    },
    /// There is a model of this name.
    #[error("there is a local model in {}; remove it first, or choose another name", .0.display())]
    Exists(PathBuf),
    /// There is no model of this name.
    #[error("there is no local model named '{0}'")]
    Missing(String),
    /// A file does not parse, or does not match the model's configuration.
    #[error("the local model's file {} is not valid", .path.display())]
    Invalid {
        /// The file.
        path: PathBuf,
        /// The cause.
        #[source]
        source: EncodeError,
    },
    /// The model has an architecture or pooling that is not supported.
    #[error("the local model cannot be used: {0}")]
    Unsupported(String),
    /// The operating system started no threads.
    #[error("the threads of the local model could not be started")]
    Threads(#[source] rayon::ThreadPoolBuildError),
}

/// A failure of the tokenizer or the model.
pub(crate) type EncodeError = Box<dyn std::error::Error + Send + Sync>;
