//! The clients of all vendors against a scripted upstream.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests assert")]

mod common;
mod connections;
mod oidc;
mod openai;
mod rerank;
mod search;
mod tools;
mod vendors;
