//! Form schemas: validates a schema as sent, and parses it into typed fields.
//!
//! A schema is a map from field name to definition. It is stored and returned exactly as sent; this module
//! only reads it.

mod applicability;
mod condition;
mod condition_rules;
mod example;
mod field;
mod field_rules;
mod formats;
mod json_schema;
mod key_notes;
mod mark;
mod money;
mod pairs;
mod record_rules;
mod rules;
mod suggestions;
mod union_types;
mod validate;
mod violations;

pub use applicability::InapplicableFields;
pub use condition::Condition;
pub use example::FormExample;
pub use field::{Field, FieldType, FormSchema};
pub use field_rules::{FieldRule, MAX_RULES};
pub(crate) use formats::{is_email, is_url};
pub(crate) use json_schema::option_value;
pub use mark::Mark;
pub(crate) use money::parts as money_definitions;
pub(crate) use pairs::{KEY, VALUE};
pub use pairs::{map_of_pairs, pairs_of_map};
pub use record_rules::RecordFinding;
pub use suggestions::{is_json_schema, misspelt_keys};
pub use union_types::UNION_TYPES;
pub use validate::validate_schema;
pub(crate) use violations::{Violations, pointer_token};
pub use violations::{pointer_tokens, value_at};

/// The types of fields.
pub const TYPES: [&str; 12] = [
    "string", "number", "integer", "boolean", "email", "date", "url", "array", "object", "money", "map",
    "union",
];
// These bound memory, stack and time of forms from outside. They are part of the interface (docs/forms.md);
// how high they are is chosen by hand.
/// Most levels of nesting below the form, arrays and objects counted alike.
pub const MAX_DEPTH: usize = 7;
/// Most fields of a form, including nested ones.
pub const MAX_FIELDS: usize = 1_000;
/// Most characters of a field's name.
pub const MAX_NAME: usize = 256;
/// Most characters of a description.
pub const MAX_DESCRIPTION: usize = 10_000;
/// Most entries of an enum.
pub const MAX_ENUM: usize = 1_000;
/// Most characters of an enum entry.
pub const MAX_OPTION: usize = 1_000;
/// Most entries of a `when`.
pub const MAX_CONDITIONS: usize = 20;
/// Most values of an entry of a `when`.
pub const MAX_CONDITION_VALUES: usize = 100;
/// Most aliases of a field.
pub const MAX_ALIASES: usize = 50;
/// Most currencies that a field of money names.
pub const MAX_CURRENCIES: usize = 50;
/// Most characters of a pattern.
pub const MAX_PATTERN: usize = 1_000;
/// Most violations reported.
pub const MAX_VIOLATIONS: usize = 1_000;
/// Most bytes of a compiled pattern.
pub(crate) const PATTERN_BYTES: usize = 1 << 20;

/// Compiles a field's pattern, limited to [`PATTERN_BYTES`].
pub(crate) fn compile_pattern(pattern: &str) -> Result<regex::Regex, regex::Error> {
    regex::RegexBuilder::new(pattern).size_limit(PATTERN_BYTES).build()
}
