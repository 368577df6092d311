//! The OpenAI-compatible base: `/openai/v1`, for programs that were written for that interface. Each operation is a
//! thin translation of one of this server's own.

mod chat;
mod chat_body;
mod chat_stream;
mod completion;
mod content;
mod conversation;
mod embeddings;
mod error;
mod files;
mod media;
mod messages;
mod models;
mod pages;
mod parameters;
mod responses;
mod tools;
mod vector_stores;

use super::operation::Registry;

pub(super) use content::{AttachedFile, ContentPart};
pub(super) use conversation::{Conversation, MessagePlaces};
pub(super) use error::{OpenAiErrorBody, explained, failure_body, failure_example, is_of_base};
pub(super) use parameters::{effort_of, refuse, without_effect};

/// Registers the operations of this folder.
pub(super) fn register(registry: &mut Registry) {
    chat::register(registry);
    responses::register(registry);
    embeddings::register(registry);
    files::register(registry);
    media::register(registry);
    models::register(registry);
    vector_stores::register(registry);
}
