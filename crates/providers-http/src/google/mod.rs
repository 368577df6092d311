//! Google: the Gemini API.

mod answer;
mod batches;
mod client;
mod map;
mod media;
mod tools;
mod wav;
mod wire;

#[cfg(test)]
mod tests;

pub use client::{Google, GoogleSettings};
pub use map::GoogleStructured;
