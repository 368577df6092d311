//! Validates values against schemas, with messages in plain words and limits of time and depth.
//!
//! JSON Schema 2020-12 without dynamic references, anchors and the `unevaluated` keywords, which
//! [`Schema::new`](super::Schema::new) refuses. Formats are checked where they are known.

mod formats;
mod scalars;
mod validator;

use std::collections::HashMap;

use regex::Regex;
use serde_json::Value;
use shared_core::Violation;

use validator::Validator;

/// Compiled patterns by their source.
pub(super) type Patterns = HashMap<String, Regex>;

/// Maximum size of a compiled pattern in bytes. Bounds the memory of hostile patterns.
const PATTERN_BYTES: usize = 1 << 18;

/// Maximum violations reported. Bounds the answer.
const MAX_VIOLATIONS: usize = 100;

/// Compiles a pattern with a size limit, to an automaton without backtracking.
pub(super) fn pattern(text: &str) -> Result<Regex, regex::Error> {
    regex::RegexBuilder::new(text).size_limit(PATTERN_BYTES).dfa_size_limit(4 * PATTERN_BYTES).build()
}

/// The violations of `schema` by `value`, up to [`MAX_VIOLATIONS`]; `patterns` are those of the schema.
pub(super) fn violations(schema: &Value, patterns: &Patterns, value: &Value) -> Vec<Violation> {
    let mut walk = Validator::new(schema, patterns);
    let mut found = Vec::new();
    walk.check(schema, value, "", &mut found);
    found.extend(walk.abort_violation());
    found.truncate(MAX_VIOLATIONS);
    found
}

/// Whether a value matches a schema, patterns ignored.
pub(super) fn is_valid(schema: &Value, value: &Value) -> bool {
    violations(schema, &Patterns::new(), value).is_empty()
}
