//! The body of error answers.

use schemars::JsonSchema;
use serde::Serialize;

/// The body of every error answer.
#[derive(Debug, Serialize, JsonSchema)]
pub struct ErrorBody {
    /// Always `failure`.
    pub status: &'static str,
    /// Stable, in snake case.
    pub code: String,
    /// One sentence.
    pub message: String,
    /// Every violated rule, for validation errors; every part that is down, for `not_ready`.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub errors: Vec<ErrorItem>,
}

/// A violated rule.
#[derive(Debug, Serialize, JsonSchema)]
pub struct ErrorItem {
    /// JSON pointer into the body.
    pub path: String,
    /// One sentence.
    pub message: String,
}
