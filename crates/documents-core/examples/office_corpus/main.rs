//! Measures the readers of office documents on a folder, beside what markitdown made of the same files.
//!
//! `cargo run --release -p documents-core --example office_corpus -- FOLDER PEER [--verbose] [--texts FOLDER]`
//!
//! `PEER` holds markitdown's text of each file as `NAME.md`, and its processor time in `seconds.tsv`, as
//! `xtask/peers/office_markitdown.py` writes them. F1 compares multisets of tokens:
//!
//! - **all**: everything that markitdown prints, parted by white space, marks of Markdown included.
//! - **words**: runs of letters and digits, without the addresses of links and pictures, comments and escapes.
//! - **of its words**: how many of markitdown's words were found.
#![allow(clippy::print_stdout, clippy::expect_used, reason = "a measuring program")]

mod words;

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use documents_core::{Limits, parse};
use words::{common, f1, parted, words};

/// File extensions in the order of the table.
const FORMATS: [&str; 18] = [
    "docx", "pptx", "odt", "odp", "epub", "rtf", "xlsx", "xlsm", "xls", "ods", "csv", "eml", "msg", "doc",
    "ppt", "json", "ipynb", "xml",
];
/// Runs that are averaged: the CPU clock has a resolution of milliseconds.
const RUNS: u32 = 20;

struct Row {
    name: String,
    ours: f64,
    /// The result of markitdown, if it produced a text.
    peer: Option<Peer>,
}

#[derive(Clone, Copy)]
struct Peer {
    seconds: f64,
    /// Agreement with markitdown's text by tokens and by words.
    all: f64,
    words: f64,
    /// The share of its words that were found.
    found: f64,
}

fn main() {
    let mut arguments = std::env::args().skip(1);
    let folder = PathBuf::from(arguments.next().expect("the folder of documents"));
    let peer = PathBuf::from(arguments.next().expect("the folder of markitdown's texts"));
    let verbose = std::env::args().any(|argument| argument == "--verbose");
    let texts = std::env::args().skip_while(|argument| argument != "--texts").nth(1).map(PathBuf::from);
    let seconds = seconds(&peer);
    println!(
        "| format | files | read | F1 all | F1 words | worst words | of its words | CPU, ms a file | markitdown | times |"
    );
    println!("|---|---|---|---|---|---|---|---|---|---|");
    for format in FORMATS {
        let paths = documents(&folder, format);
        let rows: Vec<Row> =
            paths.iter().filter_map(|path| row(path, &peer, &seconds, texts.as_deref())).collect();
        report(format, paths.len(), rows, verbose);
    }
}

fn documents(folder: &Path, format: &str) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry").path());
    let mut paths: Vec<PathBuf> = entries
        .filter(|path| path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case(format)))
        .collect();
    paths.sort();
    paths
}

fn seconds(peer: &Path) -> HashMap<String, f64> {
    let text = std::fs::read_to_string(peer.join("seconds.tsv")).unwrap_or_default();
    let line =
        |line: &str| line.split_once('\t').map(|(name, time)| (name.to_owned(), time.parse().unwrap_or(0.0)));
    text.lines().filter_map(line).collect()
}

fn row(path: &Path, peer: &Path, seconds: &HashMap<String, f64>, texts: Option<&Path>) -> Option<Row> {
    let bytes = std::fs::read(path).expect("readable");
    let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    let before = cpu();
    let mut result = parse(&bytes, &name, &Limits::default());
    for _ in 1..RUNS {
        result = parse(&bytes, &name, &Limits::default());
    }
    let ours = (cpu() - before) / f64::from(RUNS);
    let text = match result {
        Ok(document) => document.text,
        Err(error) => {
            println!("{name}: {error}");
            return None;
        }
    };
    if let Some(folder) = texts {
        std::fs::write(folder.join(format!("{name}.md")), &text).expect("writable");
    }
    let reference = std::fs::read_to_string(peer.join(format!("{name}.md"))).ok();
    let peer = reference.filter(|reference| !reference.trim().is_empty()).map(|reference| {
        let all = f1(&parted(&text), &parted(&reference));
        let spent = seconds.get(&name).copied().unwrap_or_default();
        let (own, its) = (words(&text), words(&reference));
        let found = common(&own, &its) as f64 / its.len().max(1) as f64;
        Peer { seconds: spent, all, words: f1(&own, &its), found }
    });
    Some(Row { name, ours, peer })
}

/// CPU time of this process, in seconds.
fn cpu() -> f64 {
    let text = std::fs::read_to_string("/proc/self/schedstat").expect("Linux");
    text.split(' ').next().and_then(|n| n.parse::<f64>().ok()).expect("a number") / 1e9
}

fn report(format: &str, files: usize, mut rows: Vec<Row>, verbose: bool) {
    let compared: Vec<(f64, Peer)> = rows.iter().filter_map(|row| Some((row.ours, row.peer?))).collect();
    let mean = |pick: fn(&Peer) -> f64| {
        compared.iter().map(|(_, peer)| pick(peer)).sum::<f64>() / compared.len().max(1) as f64
    };
    let ours = rows.iter().map(|row| row.ours).sum::<f64>() / rows.len().max(1) as f64 * 1e3;
    if compared.is_empty() {
        println!("| {format} | {files} | {} | | | | | {ours:.2} | | |", rows.len());
    } else {
        let worst = compared.iter().map(|(_, peer)| peer.words).fold(1.0, f64::min);
        let own: f64 = compared.iter().map(|(ours, _)| ours).sum::<f64>() / compared.len() as f64;
        println!(
            "| {format} | {files} | {} | {:.3} | {:.3} | {worst:.3} | {:.4} | {ours:.2} | {:.2} | {:.0} |",
            rows.len(),
            mean(|peer| peer.all),
            mean(|peer| peer.words),
            mean(|peer| peer.found),
            mean(|peer| peer.seconds) * 1e3,
            mean(|peer| peer.seconds) / own,
        );
    }
    if verbose {
        rows.sort_by(|a, b| words_of(a).total_cmp(&words_of(b)));
        for (row, peer) in rows.iter().filter_map(|row| Some((row, row.peer?))) {
            println!("    words {:.3} all {:.3} {}", peer.words, peer.all, row.name);
        }
    }
}

fn words_of(row: &Row) -> f64 {
    row.peer.map_or(f64::MAX, |peer| peer.words)
}
