//! Structured answers: the compiler, the validator, and the asking.

mod asks;
mod common;
mod compiler;
mod formats;
mod schemas;
mod validator;
