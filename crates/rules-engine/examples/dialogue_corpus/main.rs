//! Measures the built-in reader on conversations with known results: only what the user says is replayed, through the
//! state machine, which asks the next open field in order whatever the user speaks of.
//!
//! `cargo run --release -p rules-engine --example dialogue_corpus -- FOLDER [--verbose]`, where FOLDER (or
//! `dialogue` in it) holds `dialogues.jsonl`. The first half is open: rules are made on it, and `--verbose` shows its
//! mistakes; the second tells what they are worth elsewhere.
#![allow(clippy::print_stdout, reason = "a program whose product is its output")]

mod replay;
mod score;

use std::fs;
use std::io;
use std::path::PathBuf;
use std::process::ExitCode;

use serde_json::Value;

fn main() -> ExitCode {
    let (mut folder, mut verbose) = (None, false);
    for argument in std::env::args().skip(1) {
        match argument.as_str() {
            "--verbose" => verbose = true,
            _ => folder = Some(PathBuf::from(argument)),
        }
    }
    let within =
        |folder: PathBuf| Some(folder.join("dialogue")).filter(|part| part.is_dir()).unwrap_or(folder);
    let Some(folder) = folder.map(within) else {
        println!("usage: dialogue_corpus FOLDER [--verbose]");
        return ExitCode::FAILURE;
    };
    match measure(&folder, verbose) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            println!("the corpus could not be read: {error}");
            ExitCode::FAILURE
        }
    }
}

fn measure(folder: &std::path::Path, verbose: bool) -> io::Result<()> {
    let text = fs::read_to_string(folder.join("dialogues.jsonl"))?;
    let dialogues: Vec<Value> = text
        .lines()
        .map(|line| serde_json::from_str(line).map_err(io::Error::from))
        .collect::<Result<_, _>>()?;
    let (open, blind) = dialogues.split_at(dialogues.len() / 2);
    for (name, half, verbose) in [("open", open, verbose), ("blind", blind, false)] {
        let mut score = score::Score::default();
        for (number, dialogue) in half.iter().enumerate() {
            let Some(played) = replay::replay(dialogue) else { continue };
            score.add(number, dialogue, &played, verbose);
        }
        println!("== {name} half: {} conversations", half.len());
        score.print();
    }
    Ok(())
}
