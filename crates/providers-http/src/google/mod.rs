//! Google: the Gemini API.

mod client;
mod map;
mod media;
mod wav;
mod wire;

pub use client::{Google, GoogleSettings, GoogleStructured};
