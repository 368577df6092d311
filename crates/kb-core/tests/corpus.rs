//! Every document of the open corpus that can be read, cut into chunks, where there is one: the folder in
//! `FORMWORK_CORPUS`.
#![allow(
    clippy::disallowed_methods,
    clippy::print_stdout,
    clippy::unwrap_used,
    reason = "the corpus is found through the environment, a failure names its file, and helpers may fail loudly"
)]

use std::path::{Path, PathBuf};

use documents_core::{Limits, parse};
use kb_core::{Chunking, chunk};

/// Bytes of a file that is read; a parse of more takes long without optimisation.
const MOST: u64 = 300_000;

fn files(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            files(&path, found);
        } else if path.metadata().unwrap().len() <= MOST {
            found.push(path);
        }
    }
}

#[test]
fn every_document_is_its_chunks_and_they_are_of_a_size_to_read() {
    let Ok(corpus) = std::env::var("FORMWORK_CORPUS") else {
        println!("skipped: FORMWORK_CORPUS names no folder");
        return;
    };
    let mut found = Vec::new();
    files(&Path::new(&corpus).join("documents"), &mut found);
    found.sort();
    let (mut documents, mut sizes) = (0, Vec::new());
    for path in found {
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        let Ok(document) = parse(&std::fs::read(&path).unwrap(), &name, &Limits::default()) else { continue };
        println!("{}", path.display());
        let chunks = chunk(&document, Chunking::default());
        let all: String = chunks.iter().map(|chunk| chunk.text.as_str()).collect();
        assert_eq!(all, document.text);
        for chunk in &chunks {
            assert!(!chunk.text.trim().is_empty());
            let words: Vec<&str> = chunk.text.split_whitespace().collect();
            let size = gen_core::estimate_tokens(&words.join(" "));
            assert!(size <= 450, "{size} tokens");
            sizes.push(size);
        }
        documents += 1;
    }
    sizes.sort_unstable();
    let at = |share: usize| sizes[sizes.len() * share / 100];
    println!(
        "{documents} documents, {} chunks, tokens: 10% {}, half {}, 90% {}",
        sizes.len(),
        at(10),
        at(50),
        at(90)
    );
    assert!(documents > 50 && at(50) >= 150, "half of the chunks are of a size that says something");
}
