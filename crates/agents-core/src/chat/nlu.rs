//! The port of natural language understanding without a model.

use std::fmt::Debug;

use language::Language;

use super::{Interpretation, UserTurn};

/// Interprets messages by rules. It only reads; the state machine validates the values and changes the form.
pub trait Nlu: Debug + Send + Sync {
    /// Whether messages in a language are understood.
    fn reads(&self, language: Language) -> bool;

    /// The slot updates, dialogue acts and side questions of a message.
    fn interpret(&self, turn: &UserTurn<'_>) -> Interpretation;
}
