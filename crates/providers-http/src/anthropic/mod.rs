//! Anthropic: the Messages API.

mod answer;
mod batches;
mod client;
mod map;
mod tools;
mod wire;

#[cfg(test)]
mod tests;

pub use client::{Anthropic, AnthropicSettings};
