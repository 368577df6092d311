//! Input and output of natural language understanding (NLU).

use chrono::NaiveDate;
use forms_core::FormSchema;
use language::Language;
use serde_json::{Map, Value};

use super::Phase;

/// A message of the user with the context needed to interpret it.
#[derive(Clone, Copy, Debug)]
pub struct UserTurn<'a> {
    /// Text of the message.
    pub message: &'a str,
    /// The language of the user so far; unknown before a message has told it.
    pub language: Language,
    /// The form that is being filled.
    pub form: &'a FormSchema,
    /// Phase of the dialogue.
    pub phase: Phase,
    /// JSON pointer of the value that the last reply asked for; `/list/-` for the next item of a list.
    pub asked: Option<&'a str>,
    /// Whether the last reply asked to confirm the value at `asked` instead of asking for it.
    pub is_confirmation: bool,
    /// Values so far, typed and nested as in the record; unfilled fields are absent.
    pub values: &'a Map<String, Value>,
    /// JSON pointers of the values filled last, latest first.
    pub recent: &'a [String],
    /// The date that "today" refers to.
    pub today: NaiveDate,
}

/// The meaning of a message.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Interpretation {
    /// Slot updates, in the order of the message.
    pub statements: Vec<SlotUpdate>,
    /// Other dialogue acts, in the order of the message.
    pub acts: Vec<DialogueAct>,
    /// JSON pointers of statements that a model inferred and that the message does not state explicitly.
    pub implied: Vec<String>,
    /// A side question of the user, to be answered before the dialogue continues.
    pub question: Option<String>,
}

/// A slot update that a message states.
#[derive(Clone, Debug, PartialEq)]
pub struct SlotUpdate {
    /// JSON pointer of the value: `/name`, `/address/city`, `/items/0/price`; of a list as a whole: `/items`.
    pub path: String,
    /// The operation on the slot.
    pub change: SlotOperation,
    /// The value, as text of the message or typed; an array or object when `path` names a list or object.
    pub value: Value,
    /// Whether the statement answers the question or names its field. If so, the user is told when the value
    /// breaks a rule; otherwise an invalid value is dropped silently.
    pub is_meant: bool,
}

/// The operation of a slot update.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SlotOperation {
    /// Sets the value, replacing the old one.
    Set,
    /// Appends the value, or each entry of a list, to the list at `path`.
    Add,
    /// Removes the value, or each entry of a list, from the list at `path`; `null` clears the slot.
    Remove,
}

/// A dialogue act other than stating a value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DialogueAct {
    /// Type of the act.
    pub act_type: ActType,
    /// JSON pointer of the field that the message names; `None` means the field that was asked for.
    pub path: Option<String>,
}

/// Types of the user's dialogue acts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ActType {
    /// Confirms what was asked.
    Yes,
    /// Denies what was asked.
    No,
    /// Does not know the value.
    Unknown,
    /// Says that the field does not apply.
    NotApplicable,
    /// Wants to give the value later.
    Later,
    /// Wants to continue without the value.
    Skip,
    /// Wants the question repeated.
    Repeat,
    /// Wants the question or its options explained.
    Explain,
    /// Wants to return to the previous question.
    Back,
    /// Wants to change a value without stating the new one.
    Change,
    /// Wants to see the values so far.
    Review,
    /// Has nothing to add: no more items, or no more changes.
    Finish,
    /// Wants to stop without submitting.
    Cancel,
    /// Wants to discard all values and start over.
    Restart,
    /// Greets, thanks, or says something else without content.
    Courtesy,
}
