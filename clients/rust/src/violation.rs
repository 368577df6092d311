//! Broken rules.

use serde::Deserialize;

/// A broken rule.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[non_exhaustive]
pub struct Violation {
    /// JSON pointer into the body or the record, `?name` for a query parameter, `{name}` for a segment of the path.
    #[serde(default)]
    pub path: String,
    /// One sentence.
    #[serde(default)]
    pub message: String,
}
