//! Every PDF of the open corpus, where there is one: the folder in `FORMWORK_CORPUS`.
#![allow(
    clippy::disallowed_methods,
    clippy::print_stdout,
    reason = "the corpus is found through the environment, and a failure names its file"
)]

use std::path::{Path, PathBuf};

use documents_core::{Limits, parse};

use crate::spans_hold;

fn files(folder: &str) -> Vec<PathBuf> {
    let Ok(corpus) = std::env::var("FORMWORK_CORPUS") else {
        println!("skipped: FORMWORK_CORPUS names no folder");
        return Vec::new();
    };
    let entries = std::fs::read_dir(Path::new(&corpus).join(folder)).unwrap();
    let mut files: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
    files.retain(|path| path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("pdf")));
    files.sort();
    assert!(!files.is_empty(), "{folder} holds PDFs");
    files
}

#[test]
fn every_range_of_every_document_points_at_its_text() {
    for folder in ["documents/pdf", "documents/tables", "documents/office", "extraction/invoices"] {
        for path in files(folder) {
            if let Ok(document) = parse(&std::fs::read(&path).unwrap(), "x.pdf", &Limits::default()) {
                println!("{}", path.display());
                spans_hold(&document);
                assert!(document.text.contains(char::is_alphanumeric), "{}", path.display());
            }
        }
    }
}

#[test]
fn every_hostile_file_ends_as_text_or_error() {
    for path in files("hostile/pdf") {
        println!("{}", path.display());
        if let Ok(document) = parse(&std::fs::read(&path).unwrap(), "x.pdf", &Limits::default()) {
            spans_hold(&document);
        }
    }
}
