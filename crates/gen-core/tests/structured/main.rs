//! Structured answers: the compiler, the validator, and the asking.

#![allow(clippy::unwrap_used, reason = "a test fails by it")]

mod asks;
mod common;
mod compiler;
mod formats;
mod schemas;
mod validator;
