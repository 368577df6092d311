//! Input and output of an extraction.

use std::sync::Arc;

use document::{Document, Rect};
use gen_core::{Cost, Usage};
use indexmap::IndexMap;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use shared_core::Violation;

use crate::PictureReport;

/// A parsed document of a group.
#[derive(Clone, Debug)]
pub struct GroupDocument {
    /// Display name.
    pub name: String,
    /// The caller's description of the document.
    pub description: Option<String>,
    /// The parsed document.
    pub document: Arc<Document>,
    /// For an attachment, the index in the group of the document that contains it.
    pub host: Option<usize>,
}

/// A validated record with its evidence, conflicts and errors.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Extraction {
    /// The form's fields in written order; `null` where the documents state nothing.
    pub record: Map<String, Value>,
    /// Evidence by JSON pointer into `record`, one entry for each value that is not null.
    pub evidence: IndexMap<String, Evidence>,
    /// Fields for which documents state different values.
    pub conflicts: Vec<Conflict>,
    /// Rules that the record breaks, such as a required field that is absent.
    pub errors: Vec<Violation>,
    /// Tokens spent on all model calls.
    pub usage: Usage,
    /// Cost of the tokens; `None` when a price is unknown.
    #[serde(default)]
    pub cost: Option<Cost>,
    /// Pages that the model saw as pictures, and those that it should have seen.
    #[serde(default)]
    pub pictures: PictureReport,
}

/// The place in the documents that supports a value.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Evidence {
    /// Display name of the document; `None` when the value is unsupported.
    pub document: Option<String>,
    /// The caller's reference to the document: a file id or a URL.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub file: Option<String>,
    /// Index of the document among the caller's references, from 0.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub index: Option<u32>,
    /// Page number, from 1; `None` for formats without pages.
    pub page: Option<u32>,
    /// The quoted text of the document.
    pub quote: Option<String>,
    /// Offset of the quote in the document's text, in Unicode characters.
    pub start: Option<usize>,
    /// Offset after the end of the quote.
    pub end: Option<usize>,
    /// Bounding box on the page in points, origin at the top left; `None` when the parser does not know it.
    #[serde(rename = "box", default, skip_serializing_if = "Option::is_none")]
    pub rect: Option<Rect>,
    /// How the value matches the quote.
    pub support: Support,
    /// Calibrated confidence, 0 to 1.
    #[serde(serialize_with = "shortest")]
    pub confidence: f32,
    /// Whether the confidence passes the server's acceptable error rate; `None` for values that were not
    /// judged by it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub accepted: Option<bool>,
    /// The confidence before decisions of reviewers changed it; `None` where they did not.
    #[serde(default, skip_serializing_if = "Option::is_none", serialize_with = "shortest_if_any")]
    pub base_confidence: Option<f32>,
}

impl Evidence {
    /// The evidence of a value without a place in the documents, which is not judged yet.
    #[must_use]
    pub fn without_place(support: Support, confidence: f32) -> Self {
        Self {
            document: None,
            file: None,
            index: None,
            page: None,
            quote: None,
            start: None,
            end: None,
            rect: None,
            support,
            confidence,
            accepted: None,
            base_confidence: None,
        }
    }
}

/// Serialises `0.9` as printed, not as the nearest double of the nearest float.
fn shortest<S: serde::Serializer>(number: &f32, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_f64(number.to_string().parse().unwrap_or_else(|_| f64::from(*number)))
}

/// As [`shortest`], where there is a number.
#[expect(clippy::ref_option, reason = "serde passes a reference to the field")]
fn shortest_if_any<S: serde::Serializer>(number: &Option<f32>, serializer: S) -> Result<S::Ok, S::Error> {
    match number {
        Some(number) => shortest(number, serializer),
        None => serializer.serialize_none(),
    }
}

/// How a value matches the text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Support {
    /// The text contains the value literally.
    Exact,
    /// Equal after normalising case, spaces, numbers and dates.
    Normalised,
    /// Most words of the value occur in order.
    Fuzzy,
    /// The model saw it at a place of a page that has no text there. It has page and box, and no quote.
    Pictured,
    /// The value was not found.
    Unsupported,
    /// The value was computed from others of the record.
    Computed,
}

/// Different values for one field.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Conflict {
    /// JSON pointer into the record.
    pub path: String,
    /// The values with their evidence; the first is the one in the record.
    pub values: Vec<ConflictValue>,
}

/// One of the conflicting values.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ConflictValue {
    /// The value.
    pub value: Value,
    /// The evidence of the value.
    pub evidence: Evidence,
}
