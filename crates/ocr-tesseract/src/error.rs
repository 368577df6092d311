//! Errors of the search for a usable program.

use std::path::PathBuf;

/// Why the program cannot be used.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum FindError {
    /// It does not start, or gives no usable answer.
    #[error("{} cannot be used for OCR: {reason}", program.display())]
    Unusable {
        /// Path of the executable.
        program: PathBuf,
        /// The reason, one sentence.
        reason: String,
    },
    /// A configured language is not installed.
    #[error("tesseract has no data for the language '{language}'; it has {installed}")]
    NoLanguage {
        /// Its code, such as `deu`.
        language: String,
        /// The installed languages.
        installed: String,
    },
    /// No language is installed.
    #[error("tesseract has no data for any language")]
    NoLanguages,
}
