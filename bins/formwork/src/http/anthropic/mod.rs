//! The base for programs that were written for Anthropic's interface: `/anthropic/v1`. Its operations translate those of
//! this server, as the OpenAI-compatible base does, with which they share how conversations are read.

mod blocks;
mod body;
mod count;
mod error;
mod messages;
mod record;
mod stream;

use super::operation::Registry;

pub(super) use error::{AnthropicErrorBody, failure_body, failure_example, is_of_base};

/// Registers the operations of this folder.
pub(super) fn register(registry: &mut Registry) {
    messages::register(registry);
    count::register(registry);
}
