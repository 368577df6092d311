//! The grammar of forms: checking a schema as it was sent, and reading it into typed fields.
//!
//! A schema is a map from field name to definition. It is stored and answered exactly as sent; what
//! stands here only reads it.

mod applicability;
mod condition;
mod condition_rules;
mod field;
mod formats;
mod json_schema;
mod rules;
mod validate;

pub use applicability::InapplicableFields;
pub use condition::Condition;
pub use field::{Field, FieldType, FormSchema};
pub(crate) use formats::{is_email, is_url};
pub use validate::validate_schema;

/// The types a field may have.
pub const TYPES: [&str; 9] =
    ["string", "number", "integer", "boolean", "email", "date", "url", "array", "object"];
/// Levels of nesting below the form, arrays and objects counted alike.
pub const MAX_DEPTH: usize = 7;
/// Fields of a form, nested ones included.
pub const MAX_FIELDS: usize = 1_000;
/// Characters of a field's name.
pub const MAX_NAME: usize = 256;
/// Characters of a description.
pub const MAX_DESCRIPTION: usize = 10_000;
/// Entries of an enum.
pub const MAX_ENUM: usize = 1_000;
/// Characters of one enum entry.
pub const MAX_OPTION: usize = 1_000;
/// Other fields that one field may depend on.
pub const MAX_CONDITIONS: usize = 20;
/// Values of which such a field may have one.
pub const MAX_CONDITION_VALUES: usize = 100;
/// Characters of a pattern.
pub const MAX_PATTERN: usize = 1_000;
/// Violations that are reported at the most.
pub const MAX_VIOLATIONS: usize = 1_000;
/// Bytes that a compiled pattern may take.
pub(crate) const PATTERN_BYTES: usize = 1 << 20;

/// Compiles a field's pattern within bounds.
pub(crate) fn compile_pattern(pattern: &str) -> Result<regex::Regex, regex::Error> {
    regex::RegexBuilder::new(pattern).size_limit(PATTERN_BYTES).build()
}
