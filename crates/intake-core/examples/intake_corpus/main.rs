//! Measures the division of bundles and the classification of their documents.
//!
//! `cargo run --release -p intake-core --example intake_corpus -- FOLDER [--learn] [--verbose]`, where FOLDER has the
//! bundles that `xtask/peers/intake_bundles.py` makes. Each figure is of one half; rules and weights are made on the
//! open half alone, and `--verbose` shows its mistakes and no others. `--learn` prints weights learned from it.
#![allow(
    clippy::print_stdout,
    clippy::expect_used,
    clippy::panic,
    reason = "a program whose product is its output"
)]

mod boundaries;
mod bundles;
mod forms;
mod learning;

use std::path::PathBuf;

use bundles::Half;

fn main() {
    let mut folder = None;
    let (mut learn, mut verbose) = (false, false);
    for argument in std::env::args().skip(1) {
        match argument.as_str() {
            "--learn" => learn = true,
            "--verbose" => verbose = true,
            _ => folder = Some(PathBuf::from(argument)),
        }
    }
    let folder = folder.expect("usage: intake_corpus FOLDER [--learn] [--verbose]");
    let bundles = bundles::read(&folder).expect("the folder has the bundles and their truth");
    for half in [Half::Open, Half::Blind] {
        boundaries::measure(&bundles, half, verbose);
    }
    for half in [Half::Open, Half::Blind] {
        forms::measure(&bundles, half, verbose);
    }
    if learn {
        boundaries::learn(&bundles);
        forms::learn(&bundles);
    }
}
