//! Validates values against schemas, with messages in plain words and limits of time and depth.
//!
//! JSON Schema 2020-12 without dynamic references, anchors and the `unevaluated` keywords, which
//! [`Schema::new`](super::Schema::new) refuses. Formats are checked where they are known.

mod budget;
mod formats;
mod patterns;
mod scalars;
mod validator;

use serde_json::Value;
use shared_core::Violation;

use validator::{MAX_VIOLATIONS, Validator};

pub(super) use patterns::{Patterns, pattern};

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
