//! Conversations with agents, and the records that come of them.

mod converse;
mod examples;
mod live;
mod sessions;
mod submissions;
mod told;

use super::operation::Registry;

/// Adds the operations of this folder.
pub(super) fn register(registry: &mut Registry) {
    converse::register(registry);
    sessions::register(registry);
    submissions::register(registry);
}
