//! Conversations with agents, and the records that come of them.

mod examples;
mod sessions;
mod submissions;

use super::operation::Registry;

/// Adds the operations of this folder.
pub(super) fn register(registry: &mut Registry) {
    sessions::register(registry);
    submissions::register(registry);
}
