//! Limits and usage: calls of vendors by a key with limits, reserved, settled and recorded.

mod scenario;
mod store;

pub(crate) use scenario::begin;
