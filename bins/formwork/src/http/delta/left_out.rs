//! Documents that a run leaves out, and the rows and sections that it reads.

use delta_core::{Classification, LeftOutDocument};
use document::DocumentUnit;
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Value, json};

/// A document, or pages of one, that no group of a run has.
#[derive(Serialize, JsonSchema)]
pub(super) struct LeftOutRecord {
    /// Stable code of the reason.
    code: String,
    /// One sentence.
    message: String,
    /// The reference as given.
    file: String,
    /// The pages; absent for the whole document.
    #[serde(skip_serializing_if = "Option::is_none")]
    pages: Option<String>,
    /// Where the document is in the request.
    request: RequestPlace,
    /// The likeliest form; null when it likely fills none, or was not classified.
    form_id: Option<String>,
    /// The probability of this, 0 to 1; null when it was not classified.
    probability: Option<f64>,
}

/// The place of a document in a request.
#[derive(Serialize, JsonSchema)]
struct RequestPlace {
    /// Index of the group, from 0.
    group: u32,
    /// Index of the document in it.
    index: u32,
}

impl From<LeftOutDocument> for LeftOutRecord {
    fn from(left: LeftOutDocument) -> Self {
        Self {
            code: left.code,
            message: left.message,
            file: left.url,
            pages: left.pages.map(|pages| pages.to_string()),
            request: RequestPlace { group: left.group, index: left.index },
            form_id: left.form_id,
            probability: left.probability,
        }
    }
}

/// A warning for each document that was left out, and one for those of which only the number is known.
pub(super) fn warnings(classification: &Classification) -> Vec<Value> {
    let told = classification.left_out.iter().cloned().map(|left| json!(LeftOutRecord::from(left)));
    let more = Some(classification.more_left_out).filter(|more| *more > 0).map(|more| {
        json!({
            "code": "more_left_out",
            "message": format!("{more} more documents were left out, which are not listed"),
            "count": more
        })
    });
    told.chain(more).collect()
}

/// The row or section that is meant.
pub(super) fn unit_numbers(unit: Option<DocumentUnit>) -> (Option<u32>, Option<u32>) {
    match unit {
        Some(DocumentUnit::Row(number)) => (Some(number), None),
        Some(DocumentUnit::Section(number)) => (None, Some(number)),
        None => (None, None),
    }
}

/// Adds `row` or `section` to a document.
pub(super) fn add_unit(listed: &mut Value, unit: Option<DocumentUnit>) {
    let (row, section) = unit_numbers(unit);
    for (name, number) in [("row", row), ("section", section)] {
        if let Some(number) = number {
            listed[name] = json!(number);
        }
    }
}
