//! OpenAI's interface against a scripted upstream.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests assert")]

mod answers;
mod faults;
mod kit;
mod requests;
mod secrets;
mod statuses;
mod streams;
