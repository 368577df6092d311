//! Errors of the settings.

/// Why the settings cannot be loaded. `Display` is one sentence for the operator.
#[derive(Debug, thiserror::Error)]
pub enum SettingsError {
    /// The file cannot be read.
    #[error("the settings file {path} cannot be read: {reason}")]
    File {
        /// Path of the settings file.
        path: String,
        /// Error of the operating system.
        reason: String,
    },
    /// The file is not TOML.
    #[error("the settings file {path} is not valid TOML: {reason} (line {line})")]
    Syntax {
        /// Path of the settings file.
        path: String,
        /// Error of the parser.
        reason: String,
        /// Line, from 1.
        line: usize,
    },
    /// A value is invalid or a key is unknown.
    #[error("the settings are not valid: {0}")]
    Invalid(String),
}

/// The error of a value or key.
pub(super) fn invalid(sentence: String) -> SettingsError {
    SettingsError::Invalid(sentence)
}
