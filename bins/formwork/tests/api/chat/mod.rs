//! Conversations as their users see them.

mod events;
mod exports;
pub(crate) mod kit;
mod sessions;
mod submissions;
