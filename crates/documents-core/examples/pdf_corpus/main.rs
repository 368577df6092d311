//! Measures the PDF layer beside poppler's `pdftotext` on a folder of PDFs.
//!
//! `cargo run --release -p documents-core --example pdf_corpus -- FOLDER [--verbose]`
//!
//! CPU time is user and system time: our own from this process, the peer's from its processes, start
//! included. Token F1 compares the multisets of white-space separated tokens; order is the longest
//! common subsequence of tokens, twice its length over the sum of both lengths.
#![allow(clippy::print_stdout, clippy::expect_used, reason = "a measuring program")]

mod score;

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use documents_core::{Document, Limits, ParseError, parse};

struct Row {
    name: String,
    pages: usize,
    ours: f64,
    theirs: f64,
    f1: f64,
    order: f64,
}

fn main() {
    let folder = PathBuf::from(std::env::args().nth(1).expect("the folder of PDFs"));
    let verbose = std::env::args().any(|argument| argument == "--verbose");
    let texts = std::env::args().skip_while(|argument| argument != "--texts").nth(1).map(PathBuf::from);
    let mut rows = Vec::new();
    let mut failed = Vec::new();
    for path in pdfs(&folder) {
        let bytes = std::fs::read(&path).expect("readable");
        let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        let (result, ours) = timed(false, || parse(&bytes, &name, &Limits::default()));
        let (reference, theirs) = timed(true, || pdftotext(&path));
        match result {
            Ok(document) => {
                if let Some(folder) = &texts {
                    let target = folder.join(&name).with_extension("txt");
                    std::fs::write(target, &document.text).expect("writable");
                }
                rows.push(row(name, &document, &reference, ours, theirs));
            }
            Err(ParseError::NoText) if reference.trim().is_empty() => {}
            Err(error) => failed.push(format!("{name}: {error} (pdftotext: {} characters)", reference.len())),
        }
    }
    report(rows, &failed, verbose);
}

fn pdfs(folder: &Path) -> Vec<PathBuf> {
    let mut paths: Vec<PathBuf> = std::fs::read_dir(folder)
        .expect("a folder")
        .map(|entry| entry.expect("an entry").path())
        .filter(|path| path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("pdf")))
        .collect();
    paths.sort();
    paths
}

fn row(name: String, document: &Document, reference: &str, ours: f64, theirs: f64) -> Row {
    let text = document.text.lines().map(|line| line.trim_start_matches('#')).collect::<Vec<_>>().join("\n");
    let (a, b): (Vec<&str>, Vec<&str>) =
        (text.split_whitespace().collect(), reference.split_whitespace().collect());
    Row {
        name,
        pages: document.pages.len(),
        ours,
        theirs,
        f1: score::f1(&a, &b),
        order: score::order(&a, &b),
    }
}

fn pdftotext(path: &Path) -> String {
    let output = Command::new("pdftotext").arg(path).arg("-").stderr(Stdio::null()).output();
    String::from_utf8_lossy(&output.expect("pdftotext is installed").stdout).into_owned()
}

/// Seconds of processor time of this process, or of its ended children.
fn timed<T>(children: bool, work: impl FnOnce() -> T) -> (T, f64) {
    let before = cpu(children);
    let result = work();
    (result, cpu(children) - before)
}

fn cpu(children: bool) -> f64 {
    // Fields 14 to 17 of /proc/self/stat are user and system ticks, own and of children. They tick in
    // hundredths; schedstat has the own time in nanoseconds.
    if !children {
        let text = std::fs::read_to_string("/proc/self/schedstat").expect("Linux");
        return text.split(' ').next().and_then(|n| n.parse::<f64>().ok()).expect("a number") / 1e9;
    }
    let text = std::fs::read_to_string("/proc/self/stat").expect("Linux");
    let after = text.rsplit(')').next().expect("fields");
    let fields: Vec<f64> = after.split_whitespace().map(|field| field.parse().unwrap_or(0.0)).collect();
    (fields[13] + fields[14]) / 100.0
}

fn report(mut rows: Vec<Row>, failed: &[String], verbose: bool) {
    let sum = |pick: fn(&Row) -> f64| rows.iter().map(pick).sum::<f64>();
    let compared: Vec<&Row> = rows.iter().filter(|row| row.f1.is_finite()).collect();
    let mean =
        |pick: fn(&Row) -> f64| compared.iter().map(|row| pick(row)).sum::<f64>() / compared.len() as f64;
    let pages = sum(|row| row.pages as f64);
    let (ours, theirs) = (sum(|row| row.ours), sum(|row| row.theirs));
    println!("| | formwork | pdftotext |\n|---|---|---|");
    println!("| files, pages | {}, {pages} | |", rows.len());
    println!("| CPU seconds | {ours:.2} | {theirs:.2} |");
    println!("| pages per CPU second | {:.0} | {:.0} |", pages / ours, pages / theirs);
    println!("| ratio | {:.2} | 1 |", theirs / ours);
    println!("| token F1, mean of {} | {:.4} | |", compared.len(), mean(|row| row.f1));
    println!("| order, mean | {:.4} | |", mean(|row| row.order));
    for line in failed {
        println!("failed: {line}");
    }
    rows.retain(|row| row.f1.is_finite());
    rows.sort_by(|a, b| (a.f1 + a.order).total_cmp(&(b.f1 + b.order)));
    for row in rows.iter().take(if verbose { 40 } else { 10 }) {
        println!("F1 {:.3} order {:.3} pages {} {}", row.f1, row.order, row.pages, row.name);
    }
}
