//! First stage: the message as words, sentences and clauses, in its language.

pub(crate) mod message;
pub(crate) mod message_language;
pub(crate) mod sentences;
