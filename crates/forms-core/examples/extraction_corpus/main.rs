//! Measures `extractive@formwork` on documents with known truth: receipts (ICDAR-2019 SROIE) and
//! invoices (invoice2data's tests). Then the engine around models: what it makes of recorded answers, and
//! the evidence of right values. How well its confidence holds, the example `confidence` measures.
//!
//! `cargo run --release -p forms-core --example extraction_corpus -- FOLDER [--verbose] [--form NAME]`,
//! where FOLDER (or `extraction` in it) holds
//! `receipts/receipts.jsonl` and `invoices`. PDFs are read as the product reads them, and with poppler's
//! `pdftotext -layout`; without that program it says so.
//!
//! A hash of its name puts each document in one of two halves. `--verbose` shows the mistakes of the
//! open half alone: rules are made on it, and the blind half tells what they are worth elsewhere.
#![allow(
    clippy::print_stdout,
    clippy::expect_used,
    clippy::panic,
    reason = "a program whose product is its output"
)]

mod absent;
#[allow(dead_code, reason = "the tests tell more of each case")]
#[path = "../../tests/replay/cases.rs"]
mod cases;
#[allow(dead_code, reason = "the tests have more faults")]
#[path = "../../tests/replay/faults.rs"]
mod faults;
mod invoices;
mod observed;
mod receipts;
mod replayed;
mod score;

use std::io;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

fn main() -> ExitCode {
    let mut folder = None;
    let (mut verbose, mut form) = (false, None);
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        match argument.as_str() {
            "--verbose" => verbose = true,
            "--form" => form = arguments.next(),
            _ => folder = Some(PathBuf::from(argument)),
        }
    }
    let within =
        |folder: PathBuf| Some(folder.join("extraction")).filter(|part| part.is_dir()).unwrap_or(folder);
    let Some(folder) = folder.map(within) else {
        println!("usage: extraction_corpus FOLDER [--verbose] [--form described|bare|other-words]");
        return ExitCode::FAILURE;
    };
    let form = form.as_deref().unwrap_or("described");
    let done = receipts::measure(&folder.join("receipts"), form, verbose)
        .and_then(|()| invoices::measure(&folder.join("invoices"), verbose))
        .and_then(|()| trust(&folder, verbose));
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            println!("the corpus could not be read: {error}");
            ExitCode::FAILURE
        }
    }
}

/// Recorded answers and evidence.
fn trust(folder: &Path, verbose: bool) -> io::Result<()> {
    let mut papers = receipts::papers(&folder.join("receipts"))?;
    papers.extend(invoices::papers(&folder.join("invoices"))?);
    replayed::measure();
    let own = observed::by_built_in(&papers);
    observed::print_evidence(&own, verbose);
    observed::print_cost(&papers);
    Ok(())
}
