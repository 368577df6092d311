//! A document with its right record, by which a form teaches.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// A document and its right record.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct FormExample {
    /// The document as text or Markdown.
    pub text: String,
    /// Values of fields of the form; absent ones are not stated.
    pub record: Map<String, Value>,
}
