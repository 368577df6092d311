//! Measures the lexical index: `FORMWORK_CORPUS=… cargo run --release -p search-index --example words --
//! quality`, `cargo run --release -p search-index --example words -- scale <folder> <bases> <chunks of
//! each>`.
#![allow(clippy::expect_used, clippy::print_stdout, reason = "a measurement")]

mod quality;
mod scale;

use std::path::Path;

use futures_executor::block_on;
use kb_core::{IndexMark, LexicalIndex, MemoryLexicalIndex};
use search_index::{LexicalSettings, TantivyLexicalIndex};

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match arguments.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["quality"] => measure_quality(),
        ["scale", folder, bases, chunks] => {
            scale::run(Path::new(folder), bases.parse().expect("bases"), chunks.parse().expect("chunks"));
        }
        _ => println!("quality | scale <folder> <bases> <chunks of each>"),
    }
}

fn measure_quality() {
    #[expect(clippy::disallowed_methods, reason = "the corpus is named by it")]
    let Ok(corpus) = std::env::var("FORMWORK_CORPUS") else {
        println!("FORMWORK_CORPUS is not set: nothing to measure");
        return;
    };
    let corpus = Path::new(&corpus);
    quality::run(corpus, "memory", &|| Box::new(MemoryLexicalIndex::new()));
    let folder = tempfile::tempdir().expect("a folder");
    quality::run(corpus, "tantivy", &|| Box::new(empty(folder.path())));
}

/// A new, empty index.
fn empty(folder: &Path) -> TantivyLexicalIndex {
    let words = TantivyLexicalIndex::open(folder, LexicalSettings::default()).expect("open");
    block_on(async { words.rebuild().await?.finish(IndexMark::default()).await }).expect("an empty index");
    words
}
