//! What extraction takes and gives.

use std::sync::Arc;

use documents_core::{Document, Rect};
use gen_core::{Cost, Usage};
use indexmap::IndexMap;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use shared_core::Violation;

/// A parsed document of a group.
#[derive(Clone, Debug)]
pub struct GroupDocument {
    /// Display name.
    pub name: String,
    /// What the caller says about it.
    pub description: Option<String>,
    /// The content.
    pub document: Arc<Document>,
}

/// A checked record with what speaks for it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Extraction {
    /// The form's fields in the form's order; `null` where the documents say nothing.
    pub record: Map<String, Value>,
    /// By JSON pointer into `record`, one for each value that is not null.
    pub evidence: IndexMap<String, Evidence>,
    /// Where documents disagree.
    pub conflicts: Vec<Conflict>,
    /// Rules that the record breaks, such as a required field that is absent.
    pub errors: Vec<Violation>,
    /// Tokens spent, over all attempts.
    pub usage: Usage,
    /// What they cost; `None` when a price is not known.
    #[serde(default)]
    pub cost: Option<Cost>,
}

impl Extraction {
    /// Says of each evidence which document it is in: `named` has, for each document that was extracted from, its index
    /// among those of the caller and what the caller named it by; none for what the caller did not name.
    pub fn name_documents(&mut self, named: &[Option<(u32, String)>]) {
        let sides = self.conflicts.iter_mut().flat_map(|conflict| &mut conflict.values);
        let all = self.evidence.values_mut().chain(sides.map(|side| &mut side.evidence));
        for evidence in all {
            let own = evidence.index.and_then(|index| named.get(usize::try_from(index).ok()?)?.clone());
            (evidence.index, evidence.file) = own.unzip();
        }
    }
}

/// Where a value stands.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Evidence {
    /// Name of the document; `null` when the value is unsupported.
    pub document: Option<String>,
    /// What the caller named the document by: a file's id or a URL.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub file: Option<String>,
    /// Index of the document among those that the caller named together, from 0.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub index: Option<u32>,
    /// Page, from 1, where the format has pages.
    pub page: Option<u32>,
    /// The document's own words.
    pub quote: Option<String>,
    /// First Unicode character of the quote in the document's text.
    pub start: Option<usize>,
    /// After its last character.
    pub end: Option<usize>,
    /// The place on the page in points, origin at the top left, where the parser knows it.
    #[serde(rename = "box", default, skip_serializing_if = "Option::is_none")]
    pub rect: Option<Rect>,
    /// How the value agrees with the quote.
    pub support: Support,
    /// 0 to 1.
    #[serde(serialize_with = "shortest")]
    pub confidence: f32,
    /// Whether the value passes at the acceptable error that the server is set to; `None` for values that
    /// were not judged by it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub accepted: Option<bool>,
}

/// Writes `0.9` as it is printed, not as the nearest double of the nearest float.
fn shortest<S: serde::Serializer>(number: &f32, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_f64(number.to_string().parse().unwrap_or_else(|_| f64::from(*number)))
}

/// How a value agrees with the text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Support {
    /// Letter by letter.
    Exact,
    /// After putting case, spaces, numbers and dates in one form.
    Normalised,
    /// Most of its words, in order.
    Fuzzy,
    /// Not found.
    Unsupported,
}

/// Two documents of a group that give different values for one field.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Conflict {
    /// JSON pointer into the record.
    pub path: String,
    /// Each value with its evidence; the first is the one in the record.
    pub values: Vec<ConflictValue>,
}

/// One side of a conflict.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ConflictValue {
    /// The value.
    pub value: Value,
    /// Where it stands.
    pub evidence: Evidence,
}
