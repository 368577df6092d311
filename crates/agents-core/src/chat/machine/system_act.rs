//! The system's dialogue acts, before they are worded.

use serde_json::Value;

use crate::chat::FieldStatus;

/// A dialogue act of a reply. Paths are JSON pointers into the record.
#[derive(Clone, Debug, PartialEq)]
pub enum SystemAct {
    /// Greets the user in the first reply.
    Greeting,
    /// Responds to a courtesy.
    Courtesy,
    /// Placeholder for the answer to the user's side question.
    Answer,
    /// Reports values filled from documents.
    Prefilled(Vec<String>),
    /// Reports values noted from the message.
    Noted(Vec<String>),
    /// Reports that a value was replaced.
    Changed {
        /// Path of the value.
        path: String,
        /// The old value.
        old: Value,
    },
    /// Reports that a value was removed.
    Removed {
        /// Path of the value.
        path: String,
        /// The old value.
        old: Value,
    },
    /// Reports that the value to remove does not exist.
    NothingToRemove(String),
    /// Reports fields that no longer apply; their values were removed.
    NoLongerApplicable(Vec<String>),
    /// Reports an invalid new value; the old value stays.
    OldValueKept {
        /// Path of the value.
        path: String,
        /// The broken rule, as a sentence.
        problem: String,
    },
    /// Reports an invalid value.
    Invalid {
        /// Path of the value.
        path: String,
        /// The broken rule, as a sentence.
        problem: String,
    },
    /// Reports that values break a rule between them.
    BrokenRule {
        /// Path of the value that is asked for.
        path: String,
        /// What the rule says, as a sentence.
        problem: String,
    },
    /// Offers to skip the question.
    OfferSkip(String),
    /// Reports that a value is left open.
    LeftOpen {
        /// Path of the value.
        path: String,
        /// The reason.
        mark: FieldStatus,
    },
    /// Reports that the value is required and will be asked for again at the end.
    Required(String),
    /// Reports that the message exceeds the size limit of a form.
    TooLarge,
    /// Reports that the message was not understood.
    NotUnderstood,
    /// Explains the question.
    Explain(String),
    /// Asks for a value.
    Ask(String),
    /// Asks for a new value instead of the existing one.
    AskReplacement(String),
    /// Asks to confirm a value from a document or a model.
    AskIfCorrect(String),
    /// Asks for the next item of the list at the path.
    AskNextItem(String),
    /// Shows the values so far.
    Review,
    /// Summarises all values and asks for confirmation.
    Summary,
    /// Asks for confirmation again.
    AskConfirm,
    /// Asks which value to change.
    AskWhich,
    /// Asks whether to cancel.
    AskCancel,
    /// Reports that the record was submitted.
    Submitted,
    /// Reports that the conversation was cancelled.
    Cancelled,
    /// Reports that the record was submitted before; a new one can be started.
    AlreadySubmitted,
    /// Reports that the conversation was cancelled before.
    AlreadyCancelled,
    /// Reports that all values were discarded.
    Restarted,
}

impl SystemAct {
    /// Name of the act with its paths, for test scripts and logs.
    #[must_use]
    pub fn label(&self) -> String {
        match self {
            Self::Greeting => "greeting".into(),
            Self::Courtesy => "courtesy".into(),
            Self::Answer => "answer".into(),
            Self::Prefilled(paths) => format!("prefilled {}", paths.join(" ")),
            Self::Noted(paths) => format!("noted {}", paths.join(" ")),
            Self::Changed { path, .. } => format!("changed {path}"),
            Self::Removed { path, .. } => format!("removed {path}"),
            Self::NothingToRemove(path) => format!("not-there {path}"),
            Self::NoLongerApplicable(paths) => format!("dropped {}", paths.join(" ")),
            Self::OldValueKept { path, .. } => format!("kept {path}"),
            Self::Invalid { path, .. } => format!("invalid {path}"),
            Self::BrokenRule { path, .. } => format!("broken-rule {path}"),
            Self::OfferSkip(path) => format!("offer-skip {path}"),
            Self::LeftOpen { path, mark } => format!("left-{} {path}", mark.name()),
            Self::Required(path) => format!("required {path}"),
            Self::TooLarge => "too-much".into(),
            Self::NotUnderstood => "not-understood".into(),
            Self::Explain(path) => format!("explain {path}"),
            Self::Ask(path) => format!("ask {path}"),
            Self::AskReplacement(path) => format!("ask-again {path}"),
            Self::AskIfCorrect(path) => format!("ask-weak {path}"),
            Self::AskNextItem(path) => format!("ask-more {path}"),
            Self::Review => "review".into(),
            Self::Summary => "summary".into(),
            Self::AskConfirm => "ask-confirm".into(),
            Self::AskWhich => "ask-which".into(),
            Self::AskCancel => "ask-cancel".into(),
            Self::Submitted => "submitted".into(),
            Self::Cancelled => "cancelled".into(),
            Self::AlreadySubmitted => "already-submitted".into(),
            Self::AlreadyCancelled => "already-cancelled".into(),
            Self::Restarted => "restarted".into(),
        }
    }
}
