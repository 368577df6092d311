//! What a reader is given, and what it makes of a message.

use chrono::NaiveDate;
use forms_core::FormSchema;
use serde_json::{Map, Value};

use super::Phase;

/// A message with what is needed to understand it.
#[derive(Clone, Copy, Debug)]
pub struct UserTurn<'a> {
    /// What the user wrote.
    pub message: &'a str,
    /// The form that is being filled.
    pub form: &'a FormSchema,
    /// Whether values are asked for, or a confirmation.
    pub phase: Phase,
    /// JSON pointer of the value that the last reply asked for; `/list/-` asks for another item of a list.
    pub asked: Option<&'a str>,
    /// Whether the last reply did not ask for that value but whether the one that is there is right.
    pub is_confirmation: bool,
    /// The values so far, typed and nested as in the record; what is not filled is absent.
    pub values: &'a Map<String, Value>,
    /// JSON pointers of the values that were filled last, latest first.
    pub recent: &'a [String],
    /// What "today" is.
    pub today: NaiveDate,
}

/// What a message says.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Interpretation {
    /// The values it states, in the order of the message.
    pub statements: Vec<SlotUpdate>,
    /// What else it does, in the order of the message.
    pub acts: Vec<DialogueAct>,
    /// JSON pointers of stated values that the message only implies, as a model says.
    pub implied: Vec<String>,
    /// A question of the user that is to be answered before the conversation goes on.
    pub question: Option<String>,
}

/// A value that a message states.
#[derive(Clone, Debug, PartialEq)]
pub struct SlotUpdate {
    /// JSON pointer of the value: `/name`, `/address/city`, `/items/0/price`; of a list as a whole: `/items`.
    pub path: String,
    /// What becomes of the place.
    pub change: SlotOperation,
    /// The value in the words of the message, or typed; a list or an object for those as a whole.
    pub value: Value,
    /// Whether it answers the question that was asked or names its field, so that the user is told when it breaks a
    /// rule. What was picked up in passing is dropped silently instead.
    pub is_meant: bool,
}

/// What a statement does to its place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SlotOperation {
    /// Puts the value there, in place of what was.
    Set,
    /// Adds the value, or each entry of a list, to the list at the place.
    Add,
    /// Takes the value, or each entry of a list, from the list at the place; with `null`, clears the place.
    Remove,
}

/// Something that a message does beside stating values.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DialogueAct {
    /// What it does.
    pub act_type: ActType,
    /// JSON pointer of the field that it is about, where the message names one; else what was asked for.
    pub path: Option<String>,
}

/// What a message can do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ActType {
    /// Agrees to what was asked for confirmation.
    Yes,
    /// Does not agree to it.
    No,
    /// Does not know the value.
    Unknown,
    /// Says that the value does not apply.
    NotApplicable,
    /// Wants to give the value later.
    Later,
    /// Wants to go on without the value.
    Skip,
    /// Wants to hear the question again.
    Repeat,
    /// Wants the question explained, or its choices.
    Explain,
    /// Wants to go back to the question before.
    Back,
    /// Wants to change a value without saying what to.
    Change,
    /// Wants to see the values so far.
    Review,
    /// Has nothing to add: no more items, or all is said.
    Finish,
    /// Wants to stop and send nothing.
    Cancel,
    /// Wants to begin again from nothing.
    Restart,
    /// Greets, thanks, or says something of no weight.
    Courtesy,
}
