//! What an extraction gives.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json::{Map, Value};

use crate::violation::Violation;

/// The record of a group of documents.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Extraction<T> {
    /// The record as the type. What the documents do not state is `None`, the default of the type, or an empty list.
    pub value: T,
    /// The record as the server gave it; what the documents do not state is null.
    pub record: Map<String, Value>,
    /// Where each value stands, by its JSON pointer.
    pub evidence: BTreeMap<String, Evidence>,
    /// Fields for which the documents have several values. `None` for groups of a run, which the server does not answer
    /// with them.
    pub conflicts: Option<Vec<Conflict>>,
    /// Rules of the form that the record breaks, such as a required value that is missing. `None` for groups of a run.
    pub errors: Option<Vec<Violation>>,
    /// What was not read of the documents.
    pub warnings: Vec<Warning>,
    /// The agent that extracted it.
    pub agent: String,
    /// The run that it belongs to.
    pub sid: i64,
}

/// Where a value stands.
#[derive(Clone, Debug, Deserialize)]
#[non_exhaustive]
pub struct Evidence {
    /// Name of the document; `None` for a value without support.
    pub document: Option<String>,
    /// Id or URL of the document.
    pub file: Option<String>,
    /// Page, from 1; `None` for documents without pages.
    pub page: Option<u32>,
    /// The text of the document.
    pub quote: Option<String>,
    /// Offset of the quote in the document's text, in Unicode characters.
    pub start: Option<u64>,
    /// Offset after the quote.
    pub end: Option<u64>,
    /// How the value matches the quote: `exact`, `normalised`, `fuzzy`, `pictured` or `unsupported`.
    pub support: String,
    /// Probability that the value is right, 0 to 1.
    pub confidence: f64,
    /// Whether the confidence is enough for the server's acceptable error rate.
    pub accepted: Option<bool>,
    /// All other keys, such as `box` in points, origin at the top left.
    #[serde(flatten)]
    pub rest: Map<String, Value>,
}

/// A field with several values.
#[derive(Clone, Debug, Deserialize)]
#[non_exhaustive]
pub struct Conflict {
    /// JSON pointer into the record.
    pub path: String,
    /// The first is the one of the record.
    pub values: Vec<ConflictValue>,
}

/// One of several values.
#[derive(Clone, Debug, Deserialize)]
#[non_exhaustive]
pub struct ConflictValue {
    /// As in a record.
    pub value: Value,
    /// Where it stands.
    pub evidence: Evidence,
}

/// Something of a document that was not read.
#[derive(Clone, Debug, Deserialize)]
#[non_exhaustive]
pub struct Warning {
    /// Stable code, such as `pages_not_read`.
    pub code: String,
    /// One sentence.
    pub message: String,
    /// All other keys, such as `document` and `pages`.
    #[serde(flatten)]
    pub rest: Map<String, Value>,
}
