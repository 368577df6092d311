//! Tests of key-value pairs: what is extracted, what is skipped, and the recall on generated forms.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::print_stdout,
    reason = "tests assert and tell their figures"
)]

mod forms;
mod labels;
#[allow(dead_code, reason = "shared with the tests of PDF")]
#[path = "../../../documents-core/tests/pdf/writer.rs"]
mod writer;

use document::{KeyValue, key_values};
use documents_core::{Limits, parse};

/// The pairs of a document.
fn pairs_of(bytes: &[u8], name: &str) -> Vec<KeyValue> {
    key_values(&parse(bytes, name, &Limits::default()).unwrap())
}

/// The same as keys and values.
fn told(bytes: &[u8], name: &str) -> Vec<(String, String)> {
    pairs_of(bytes, name).into_iter().map(|pair| (pair.key, pair.value)).collect()
}
