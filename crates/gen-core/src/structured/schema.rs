//! A schema as a caller gives it, checked before any model is asked.

use std::sync::Arc;

use serde_json::{Value, json};
use shared_core::Violation;

use super::schema_check;
use super::validate::{self, Patterns};
use crate::ResponseSchema;

/// Bytes of a schema.
pub const MAX_SCHEMA: usize = 256 * 1024;
/// Characters of a schema's name.
pub const MAX_SCHEMA_NAME: usize = 64;

/// A schema that values can be checked against. Cheap to clone.
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
    /// Checks a schema; violations are at `pointer` and below. The name has letters, digits, `_` and
    /// `-`, at most 64 characters.
    ///
    /// # Errors
    /// Every rule that the schema breaks: JSON Schema's own, references that leave it, patterns that
    /// need tracking back, and the bounds of size and depth.
    pub fn new(name: &str, schema: Value, pointer: &str) -> Result<Self, Vec<Violation>> {
        if !Self::is_name(name) {
            let message = "a schema's name has 1 to 64 letters, digits, '_' or '-'";
            return Err(vec![Violation::new(pointer, message)]);
        }
        let patterns = schema_check::check(&schema, pointer)?;
        let wanted = ResponseSchema { name: name.to_owned(), schema };
        Ok(Self { inner: Arc::new(Inner { wanted, patterns }) })
    }

    /// Whether a text can name a schema.
    #[must_use]
    pub fn is_name(name: &str) -> bool {
        let is_allowed = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-');
        (1..=MAX_SCHEMA_NAME).contains(&name.len()) && name.chars().all(is_allowed)
    }

    /// The schema of any object.
    #[must_use]
    pub fn any_object() -> Self {
        let wanted = ResponseSchema { name: "answer".to_owned(), schema: json!({"type": "object"}) };
        Self { inner: Arc::new(Inner { wanted, patterns: Patterns::new() }) }
    }

    /// Whether every object fits, and nothing else.
    pub(super) fn is_any_object(&self) -> bool {
        self.inner.wanted.schema == json!({"type": "object"})
    }

    /// The schema as it is asked for.
    #[must_use]
    pub fn wanted(&self) -> &ResponseSchema {
        &self.inner.wanted
    }

    /// Every rule that a value breaks, at most 100, by JSON pointer into the value; none when it fits.
    #[must_use]
    pub fn validate(&self, value: &Value) -> Vec<Violation> {
        self.validate_part(&self.inner.wanted.schema, value)
    }

    /// The same for a part of the schema that was made from it.
    pub(super) fn validate_part(&self, part: &Value, value: &Value) -> Vec<Violation> {
        validate::violations(part, &self.inner.patterns, value)
    }
}
