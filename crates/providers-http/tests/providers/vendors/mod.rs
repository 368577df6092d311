//! Anthropic and Google before a scripted upstream.

mod anthropic;
mod batches;
mod faults;
mod golden;
mod google;
pub(crate) mod kit;
