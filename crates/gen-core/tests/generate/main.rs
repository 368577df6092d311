//! The use case of generating, over scripted models and sources in memory.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by it")]

mod kit;
mod media;
mod rules;
mod texts;
mod tools;
