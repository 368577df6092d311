//! How far the filling of a form is.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// A form on its way, as it is stored with its session.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct FormState {
    /// The form.
    pub form_id: String,
    /// The form's revision that the values were last checked against.
    pub revision: i64,
    /// Where the conversation is.
    pub phase: Phase,
    /// The values, typed and nested as in the record; what is not filled is absent.
    pub values: Map<String, Value>,
    /// By JSON pointer: where a value came from, or why there is none.
    pub marks: BTreeMap<String, FieldStatus>,
    /// JSON pointer of the value that is being asked for; `/list/-` for another item of a list.
    pub asked: Option<String>,
    /// How often a bad value was given for what is being asked for.
    pub tries: u8,
    /// JSON pointers in the order in which they were settled, latest last.
    pub trail: Vec<String>,
}

impl FormState {
    /// Whether what is asked is if the value that is there is right.
    #[must_use]
    pub fn is_confirmation(&self) -> bool {
        let mark = self.asked.as_ref().and_then(|path| self.marks.get(path));
        self.phase == Phase::Filling && mark.is_some_and(FieldStatus::is_doubtful)
    }
}

/// Where a conversation is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Phase {
    /// Values are asked for.
    #[default]
    Filling,
    /// The values were summed up, and are to be confirmed or changed.
    Confirming,
    /// Whether to stop is to be confirmed.
    Cancelling,
    /// The record was kept.
    Submitted,
    /// The user stopped.
    Cancelled,
}

/// Where a value came from, or why there is none.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FieldStatus {
    /// The user said it.
    Said,
    /// A document says it, well supported.
    Document,
    /// A document says it, weakly supported: the user is asked whether it is right.
    Weak,
    /// The user seems to have meant it, says a model: the user is asked whether it is right.
    Implied,
    /// The form's default.
    Default,
    /// The user does not know it.
    Unknown,
    /// It does not apply, says the user.
    NotApplicable,
    /// The user wants to give it later.
    Later,
    /// The user went on without it.
    Skipped,
}

impl FieldStatus {
    /// Its name, as it is stored.
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

    /// Whether the user is asked if the value is right.
    #[must_use]
    pub const fn is_doubtful(&self) -> bool {
        matches!(self, Self::Weak | Self::Implied)
    }

    /// Whether it says why there is no value.
    #[must_use]
    pub const fn is_absence(&self) -> bool {
        matches!(self, Self::Unknown | Self::NotApplicable | Self::Later | Self::Skipped)
    }
}
