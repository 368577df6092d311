//! The extraction engine with a scripted model.
#![allow(clippy::unwrap_used, reason = "helpers of tests assert, too")]

mod common;
mod evidence;
mod steps;
