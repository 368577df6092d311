//! Conversations with agents, and the submissions that result from them.

mod examples;
mod people;
mod phases;
mod responses;
mod session_records;
mod sessions;
mod streaming;
mod submissions;
mod takeovers;
mod turns;

use super::operation::Registry;
pub(super) use examples::guided as guided_example;
pub(super) use responses::{FormRecord, answer, visible_reply};
pub(super) use sessions::{SessionQuery, form_record};
pub(super) use streaming::{AnswerPiece, pieces};

/// Registers the operations of this folder.
pub(super) fn register(registry: &mut Registry) {
    turns::register(registry);
    sessions::register(registry);
    submissions::register(registry);
    takeovers::register(registry);
}
