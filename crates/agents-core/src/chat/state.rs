//! The state of a form that a conversation fills.

use std::collections::BTreeMap;

use forms_core::Evidence;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// Progress of a form, stored with its session.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct FormState {
    /// Id of the form.
    pub form_id: String,
    /// The version of the form that the values were last validated against, as a negative number; in older sessions the
    /// revision of the form.
    pub revision: i64,
    /// Phase of the dialogue.
    pub phase: Phase,
    /// Values, typed and nested as in the record; unfilled fields are absent.
    pub values: Map<String, Value>,
    /// Status by JSON pointer: the source of a value, or the reason why there is none.
    pub marks: BTreeMap<String, FieldStatus>,
    /// JSON pointer of the value that the last reply asked for; `/list/-` for the next item of a list.
    pub asked: Option<String>,
    /// Number of invalid values given for `asked`.
    pub tries: u8,
    /// JSON pointers in the order in which they were decided, latest last.
    pub trail: Vec<String>,
    /// Rules between fields that were asked about: JSON pointer of the field, and what the rule said with the values.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub asked_rules: Vec<(String, String)>,
    /// The places in documents that state values, by JSON pointer.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub evidence: BTreeMap<String, Evidence>,
}

impl FormState {
    /// Whether the open question asks the user to confirm a doubtful value.
    #[must_use]
    pub fn is_confirmation(&self) -> bool {
        let mark = self.asked.as_ref().and_then(|path| self.marks.get(path));
        self.phase == Phase::Filling && mark.is_some_and(FieldStatus::is_doubtful)
    }
}

/// Phase of a dialogue.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Phase {
    /// Collecting values.
    #[default]
    Filling,
    /// The summary was shown; waiting for confirmation or changes.
    Confirming,
    /// Waiting for confirmation that the user wants to cancel.
    Cancelling,
    /// The record was submitted.
    Submitted,
    /// The user cancelled.
    Cancelled,
}

impl Phase {
    /// Every phase.
    pub const ALL: [Self; 5] =
        [Self::Filling, Self::Confirming, Self::Cancelling, Self::Submitted, Self::Cancelled];

    /// Stable name, as stored.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Filling => "filling",
            Self::Confirming => "confirming",
            Self::Cancelling => "cancelling",
            Self::Submitted => "submitted",
            Self::Cancelled => "cancelled",
        }
    }
}

/// The source of a value, or the reason why there is none.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FieldStatus {
    /// The user stated it.
    Said,
    /// From a document, with sufficient support.
    Document,
    /// From a document, with weak support; the user is asked to confirm it.
    Weak,
    /// A model inferred it from the message; the user is asked to confirm it.
    Implied,
    /// The form's default.
    Default,
    /// The user does not know the value.
    Unknown,
    /// The user says that the field does not apply.
    NotApplicable,
    /// The user wants to give the value later.
    Later,
    /// The user skipped the field.
    Skipped,
}

impl FieldStatus {
    /// Stable name, as stored.
    #[must_use]
    pub const fn name(&self) -> &'static str {
        match self {
            Self::Said => "said",
            Self::Document => "document",
            Self::Weak => "weak",
            Self::Implied => "implied",
            Self::Default => "default",
            Self::Unknown => "unknown",
            Self::NotApplicable => "not-applicable",
            Self::Later => "later",
            Self::Skipped => "skipped",
        }
    }

    /// Whether the user is asked to confirm the value.
    #[must_use]
    pub const fn is_doubtful(&self) -> bool {
        matches!(self, Self::Weak | Self::Implied)
    }

    /// Whether it gives the reason why there is no value.
    #[must_use]
    pub const fn is_absence(&self) -> bool {
        matches!(self, Self::Unknown | Self::NotApplicable | Self::Later | Self::Skipped)
    }
}
