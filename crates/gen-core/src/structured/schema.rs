//! A caller's schema, checked before any call.

use std::sync::Arc;

use serde_json::{Value, json};
use shared_core::Violation;

use super::schema_check;
use super::validate::{self, Patterns};
use crate::ResponseSchema;

/// Maximum characters of a schema's name. OpenAI takes 64.
pub const MAX_SCHEMA_NAME: usize = 64;

/// A checked schema that values can be validated against. Cheap to clone.
#[derive(Clone, Debug)]
pub struct Schema {
    inner: Arc<Inner>,
}

#[derive(Debug)]
struct Inner {
    wanted: ResponseSchema,
    patterns: Patterns,
}

impl Schema {
    /// Checks a schema; violations are at `pointer` and below. The name has 1 to 64 letters, digits, `_` and
    /// `-`.
    ///
    /// # Errors
    /// All violations: of JSON Schema's own rules, references that leave the schema, patterns that need
    /// backtracking, and the limits of size and depth.
    pub fn new(name: &str, schema: Value, pointer: &str) -> Result<Self, Vec<Violation>> {
        if !Self::is_name(name) {
            let message = "a schema's name has 1 to 64 letters, digits, '_' or '-'";
            return Err(vec![Violation::new(pointer, message)]);
        }
        let patterns = schema_check::check(&schema, pointer)?;
        let wanted = ResponseSchema { name: name.to_owned(), schema };
        Ok(Self { inner: Arc::new(Inner { wanted, patterns }) })
    }

    /// Whether a text is a valid name of a schema.
    #[must_use]
    pub fn is_name(name: &str) -> bool {
        let is_allowed = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-');
        (1..=MAX_SCHEMA_NAME).contains(&name.len()) && name.chars().all(is_allowed)
    }

    /// The schema that matches any object.
    #[must_use]
    pub fn any_object() -> Self {
        let wanted = ResponseSchema { name: "answer".to_owned(), schema: json!({"type": "object"}) };
        Self { inner: Arc::new(Inner { wanted, patterns: Patterns::new() }) }
    }

    /// Whether the schema matches exactly the objects.
    pub(super) fn is_any_object(&self) -> bool {
        self.inner.wanted.schema == json!({"type": "object"})
    }

    /// The name and the schema as the caller gave them.
    #[must_use]
    pub fn wanted(&self) -> &ResponseSchema {
        &self.inner.wanted
    }

    /// All violations of a value, at most 100, by JSON pointer into the value; empty if it matches.
    #[must_use]
    pub fn validate(&self, value: &Value) -> Vec<Violation> {
        self.validate_part(&self.inner.wanted.schema, value)
    }

    /// As [`Schema::validate`], for a part of the schema that was derived from it.
    pub(super) fn validate_part(&self, part: &Value, value: &Value) -> Vec<Violation> {
        validate::violations(part, &self.inner.patterns, value)
    }
}
