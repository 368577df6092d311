//! Conversations: several clients write into the same sessions, on several servers.

mod scenario;
mod store;

pub(crate) use scenario::begin;
