//! The Rust client (`clients/rust`) against the real binary.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests assert")]

mod extraction;
mod kit;
mod operations;
