//! Scripted conversations: what the user says, how the agent replies, and how the form stands, as text files in
//! `scripts`. They are played through the built-in reader and the state machine.
//!
//! ```text
//! # what the script shows
//! form: booking                     a file in `forms`
//! language: de                      the language that the user has spoken so far
//! given: {"name": "Ada"}            values that the user gave before, greeted with "hello" after them
//! document: {"name": "Ada"}         values that a document states; `weak:` those that it hardly supports
//! implied: {"name": "Ada"}          a value that a model took from other words, and that the user is asked about
//! user: Call me Ada                 what the user says; `\n` is a line break
//! reply: noted /name, ask /day      labels of the parts of the reply, in order (`Part::label`)
//! values: {"name": "Ada"}           all values that are not null
//! marks: {"/day": "later"}          why values are absent, and where they came from if not from the user
//! phase: confirming                 where the conversation is
//! says: Please tell me              words of the reply
//! ```

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "helpers of tests")]

mod play;
mod script;

use std::path::{Path, PathBuf};

fn folder(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/conversations").join(name)
}

fn scripts() -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder("scripts")).unwrap();
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    paths
}

#[test]
fn every_scripted_conversation_goes_as_written() {
    let mut failures = Vec::new();
    for path in scripts() {
        let text = std::fs::read_to_string(&path).unwrap();
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        for (number, one) in script::conversations(&text).into_iter().enumerate() {
            if let Err(problem) = play::play(&one) {
                failures.push(format!("{name}, conversation {} ({}): {problem}", number + 1, one.title));
            }
        }
    }
    assert!(failures.is_empty(), "{} failed:\n{}", failures.len(), failures.join("\n"));
}

#[test]
fn there_are_at_least_sixty_conversations() {
    let count: usize = scripts()
        .iter()
        .map(|path| script::conversations(&std::fs::read_to_string(path).unwrap()).len())
        .sum();
    assert!(count >= 60, "{count}");
}

#[test]
fn a_script_that_expects_something_else_fails() {
    let text = "# wrong\nform: booking\nuser: hello\nreply: submitted\n";
    let one = script::conversations(text).remove(0);
    assert!(play::play(&one).unwrap_err().contains("submitted"));
}
