//! Conversations as their users see them.

mod events;
mod exports;
mod free;
mod guided;
pub(crate) mod kit;
mod records;
mod sessions;
mod submissions;
mod takeovers;
