//! Anthropic: the Messages API.

mod client;
mod map;
mod wire;

pub use client::{Anthropic, AnthropicSettings};
