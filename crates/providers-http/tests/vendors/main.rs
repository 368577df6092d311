//! Anthropic and Google before a scripted upstream.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests assert")]

mod anthropic;
mod faults;
mod golden;
mod google;
mod kit;
