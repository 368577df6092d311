//! Every office document of the open corpus, where there is one: the folder in `FORMWORK_CORPUS`.
#![allow(
    clippy::disallowed_methods,
    clippy::print_stdout,
    reason = "the corpus is found through the environment, and a failure names its file"
)]

use std::path::Path;

use document::ParseError;

use crate::try_read;

#[test]
fn every_document_is_read_and_every_range_holds() {
    let Ok(corpus) = std::env::var("FORMWORK_CORPUS") else {
        println!("skipped: FORMWORK_CORPUS names no folder");
        return;
    };
    let mut count = 0;
    for entry in std::fs::read_dir(Path::new(&corpus).join("documents/office")).unwrap() {
        let path = entry.unwrap().path();
        let ending = path.extension().unwrap_or_default().to_string_lossy().to_lowercase();
        if !["docx", "pptx", "odt", "odp", "epub", "rtf"].contains(&ending.as_str()) {
            continue;
        }
        println!("{}", path.display());
        count += 1;
        match try_read(&std::fs::read(&path).unwrap()) {
            Ok(_) | Err(ParseError::NoText) => {}
            Err(error) => panic!("{error}"),
        }
    }
    assert!(count > 0, "the corpus holds office documents");
}
