//! What can go wrong with a group, and with its documents.

use document::{DocumentUnit, PageRanges};
use serde::{Deserialize, Serialize};

use crate::classification::DocumentClass;

/// One document as the caller named it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct DocumentRef {
    /// The caller's description; empty if none.
    #[serde(default)]
    pub description: String,
    /// A web URL, an own file URL, or a file id in decimal.
    pub url: String,
    /// The pages that are meant; `None` for the whole document.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pages: Option<PageRanges>,
    /// The row or section of these pages that is meant; `None` for all of them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unit: Option<DocumentUnit>,
    /// The form that it was found to fill, in a run of several forms.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub class: Option<Box<DocumentClass>>,
}

impl DocumentRef {
    /// A whole document without a description.
    #[must_use]
    pub fn new(url: impl Into<String>) -> Self {
        Self { description: String::new(), url: url.into(), pages: None, unit: None, class: None }
    }
}

/// The class of a failure.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ErrorClass {
    /// The document was not found or could not be fetched.
    Fetch,
    /// The document could not be parsed.
    Parse,
    /// The model could not be called, or refused to answer.
    Model,
    /// The model's answers contain no record.
    Validation,
    /// A limit on requests, tokens or cost.
    Budget,
    /// The run was cancelled.
    Cancelled,
    /// A defect or an outage of this service.
    #[default]
    Internal,
}

impl ErrorClass {
    /// Every class.
    pub const ALL: [Self; 7] = [
        Self::Fetch,
        Self::Parse,
        Self::Model,
        Self::Validation,
        Self::Budget,
        Self::Cancelled,
        Self::Internal,
    ];

    /// The name in responses and stores.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Fetch => "fetch",
            Self::Parse => "parse",
            Self::Model => "model",
            Self::Validation => "validation",
            Self::Budget => "budget",
            Self::Cancelled => "cancelled",
            Self::Internal => "internal",
        }
    }
}

/// A document that failed.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct DocumentFailure {
    /// The document as the caller named it.
    #[serde(flatten)]
    pub document: DocumentRef,
    /// The error.
    pub error: ItemError,
}

/// The error of a group or of one of its documents.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ItemError {
    /// The class of the failure.
    #[serde(default)]
    pub class: ErrorClass,
    /// Stable code.
    pub code: String,
    /// One sentence for the user.
    pub message: String,
}

/// Lists all documents of a group with the group's error.
#[must_use]
pub fn fail_all(documents: &[DocumentRef], error: &ItemError) -> Vec<DocumentFailure> {
    let failure =
        |document: &DocumentRef| DocumentFailure { document: document.clone(), error: error.clone() };
    documents.iter().map(failure).collect()
}
