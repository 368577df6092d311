//! What a reply says, before it is put into words.

use serde_json::Value;

use crate::chat::FieldStatus;

/// One thing that a reply says. Paths are JSON pointers into the record.
#[derive(Clone, Debug, PartialEq)]
pub enum SystemAct {
    /// Greets at the beginning.
    Greeting,
    /// Answers a courtesy.
    Courtesy,
    /// The place of the answer to the user's question.
    Answer,
    /// These were found in documents.
    Prefilled(Vec<String>),
    /// These were noted from the message.
    Noted(Vec<String>),
    /// A value took the place of another.
    Changed {
        /// Where.
        path: String,
        /// What stood there.
        old: Value,
    },
    /// A value was taken out.
    Removed {
        /// Where.
        path: String,
        /// What stood there.
        old: Value,
    },
    /// What was to be taken out is not there.
    NothingToRemove(String),
    /// These no longer apply, and their values went.
    NoLongerApplicable(Vec<String>),
    /// A new value breaks a rule, and the one before it stays.
    OldValueKept {
        /// Where.
        path: String,
        /// The rule, as a sentence.
        problem: String,
    },
    /// A value breaks a rule.
    Invalid {
        /// Where.
        path: String,
        /// The rule, as a sentence.
        problem: String,
    },
    /// The question may be skipped.
    OfferSkip(String),
    /// A value is left open, for this reason.
    LeftOpen {
        /// Where.
        path: String,
        /// Why.
        mark: FieldStatus,
    },
    /// The value is required; it is asked for again in the end.
    Required(String),
    /// What the message states is more than a form may hold.
    TooLarge,
    /// The message was not understood as an answer.
    NotUnderstood,
    /// Explains the question.
    Explain(String),
    /// Asks for a value.
    Ask(String),
    /// Asks for a value in place of the one that is there.
    AskReplacement(String),
    /// Asks whether a value is right that a document or a model found.
    AskIfCorrect(String),
    /// Asks for another item of the list at the path.
    AskNextItem(String),
    /// Shows the values so far.
    Review,
    /// Sums up all values, and asks for confirmation.
    Summary,
    /// Asks for confirmation again.
    AskConfirm,
    /// Asks which value is to be changed.
    AskWhich,
    /// Asks whether to stop.
    AskCancel,
    /// The record was kept.
    Submitted,
    /// The conversation was stopped.
    Cancelled,
    /// The record was kept before; a new one can be begun.
    AlreadySubmitted,
    /// The conversation was stopped before.
    AlreadyCancelled,
    /// All begins anew.
    Restarted,
}

impl SystemAct {
    /// Its name, with the field it is about: what scripts and logs show.
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
