//! Extraction: from documents and a type to values with evidence.

mod extractor;
mod outcome;
mod typed;

use schemars::JsonSchema;
use serde_json::Value;

pub use extractor::Extractor;
pub use outcome::{Conflict, ConflictValue, Evidence, Extraction, Warning};

/// The JSON Schema of a type.
pub(crate) fn schema_of<T: JsonSchema>() -> Value {
    schemars::schema_for!(T).to_value()
}
