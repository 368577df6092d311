//! Measures the PDF layer beside poppler's `pdftotext` on a folder of PDFs.
//!
//! `cargo run --release -p documents-core --example pdf_corpus -- FOLDER [--markdown] [--verbose] [--texts FOLDER]`
//!
//! The raw text is measured, or with `--markdown` the Markdown. `--texts` writes the text of each document into a folder. CPU time is user and system time: our own
//! from this process, the peer's from its processes, start included. `score.rs` says what F1 and order
//! are. Where `pdftotext` finds text and Formwork none, both are 0.
#![allow(clippy::print_stdout, clippy::expect_used, reason = "a measuring program")]

mod score;

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use document::ParseError;
use documents_core::{Limits, parse, raw_text};
use score::{Agreement, agreement, tokens};

/// The orders of `pdftotext`, the default first.
const ORDERS: [&str; 3] = ["", "-raw", "-layout"];

struct Row {
    name: String,
    pages: usize,
    ours: f64,
    theirs: f64,
    /// Agreement with each of `pdftotext`'s orders.
    with: [Agreement; 3],
}

impl Row {
    fn best(&self) -> f64 {
        self.with.iter().map(|with| with.order).fold(0.0, f64::max)
    }
}

fn main() {
    let folder = PathBuf::from(std::env::args().nth(1).expect("the folder of PDFs"));
    let verbose = std::env::args().any(|argument| argument == "--verbose");
    let markdown = std::env::args().any(|argument| argument == "--markdown");
    let texts = std::env::args().skip_while(|argument| argument != "--texts").nth(1).map(PathBuf::from);
    let mut rows = Vec::new();
    let mut failed = Vec::new();
    for path in pdfs(&folder) {
        let bytes = std::fs::read(&path).expect("readable");
        let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        let (result, ours) = timed(false, || {
            if markdown {
                parse(&bytes, &name, &Limits::default()).map(|document| document.text)
            } else {
                raw_text(&bytes, &name, &Limits::default())
            }
        });
        let (reference, theirs) = timed(true, || pdftotext(&path, ORDERS[0]));
        if let Err(error) = &result
            && !(matches!(error, ParseError::NoText) && reference.trim().is_empty())
        {
            failed.push(format!("{name}: {error} (pdftotext: {} characters)", reference.len()));
        }
        if let (Ok(document), Some(folder)) = (&result, &texts) {
            let target = folder.join(&name).with_extension("txt");
            std::fs::write(target, document).expect("writable");
        }
        rows.extend(row(markdown, &path, name, result.ok(), &reference, ours, theirs));
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

/// Compares a document; `None` when `pdftotext` finds no text.
fn row(
    markdown: bool,
    path: &Path,
    name: String,
    text: Option<String>,
    reference: &str,
    ours: f64,
    theirs: f64,
) -> Option<Row> {
    let pages = text.as_ref().map_or(0, |_| pages(path));
    let text = text.unwrap_or_default();
    let plain = if markdown {
        text.lines().filter_map(without_marks).collect::<Vec<_>>().join(
            "
",
        )
    } else {
        text
    };
    let found = tokens(&plain);
    let first = agreement(&found, &tokens(reference))?;
    let other = |mode| agreement(&found, &tokens(&pdftotext(path, mode))).unwrap_or(first);
    let with = [first, other(ORDERS[1]), other(ORDERS[2])];
    Some(Row { name, pages, ours, theirs, with })
}

/// The number of pages, from `pdfinfo`.
fn pages(path: &Path) -> usize {
    let output =
        Command::new("pdfinfo").arg(path).stderr(Stdio::null()).output().expect("pdfinfo is installed");
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let line = text.lines().find_map(|line| line.strip_prefix("Pages:"));
    line.and_then(|count| count.trim().parse().ok()).unwrap_or(0)
}

/// A line of Markdown without the syntax of headings and tables.
fn without_marks(line: &str) -> Option<String> {
    if !line.starts_with('|') {
        return Some(line.trim_start_matches('#').to_owned());
    }
    let is_rule = line.chars().all(|c| "|- ".contains(c)) && line.contains("---");
    (!is_rule).then(|| line.replace("\\|", "\u{1}").replace('|', " ").replace('\u{1}', "|"))
}

fn pdftotext(path: &Path, mode: &str) -> String {
    let mut command = Command::new("pdftotext");
    command.args(Some(mode).filter(|mode| !mode.is_empty())).arg(path).arg("-").stderr(Stdio::null());
    String::from_utf8_lossy(&command.output().expect("pdftotext is installed").stdout).into_owned()
}

/// CPU seconds of this process, or of its exited children.
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
    let pages = sum(|row| row.pages as f64);
    let (ours, theirs) = (sum(|row| row.ours), sum(|row| row.theirs));
    println!("| | formwork | pdftotext |\n|---|---|---|");
    println!("| files, pages | {}, {pages} | |", rows.len());
    println!("| CPU seconds | {ours:.2} | {theirs:.2} |");
    println!("| pages per CPU second | {:.0} | {:.0} |", pages / ours, pages / theirs);
    println!("| ratio | {:.2} | 1 |", theirs / ours);
    println!("\n| against pdftotext, mean / median | F1 | order | LCS | neighbours |\n|---|---|---|---|---|");
    for (index, mode) in ORDERS.iter().enumerate() {
        let column = |pick: fn(&Agreement) -> f64| {
            let (mean, median) = mean_and_median(rows.iter().map(|row| pick(&row.with[index])).collect());
            format!("{mean:.3} / {median:.3}")
        };
        println!(
            "| {} | {} | {} | {} | {} |",
            if mode.is_empty() { "default" } else { mode },
            column(|with| with.f1),
            column(|with| with.order),
            column(|with| with.lcs),
            column(|with| with.neighbours)
        );
    }
    let (mean, median) = mean_and_median(rows.iter().map(Row::best).collect());
    println!("| nearest of the three | | {mean:.3} / {median:.3} | | |");
    for line in failed {
        println!("failed: {line}");
    }
    let worth = |row: &Row| row.with[0].f1 + row.best();
    rows.sort_by(|a, b| worth(a).total_cmp(&worth(b)));
    for row in rows.iter().take(if verbose { 40 } else { 10 }) {
        let [plain, raw, layout] = row.with.map(|with| with.order);
        println!(
            "F1 {:.3} order {plain:.3}, raw {raw:.3}, layout {layout:.3}, pages {} {}",
            row.with[0].f1, row.pages, row.name
        );
    }
}

fn mean_and_median(mut values: Vec<f64>) -> (f64, f64) {
    values.sort_by(f64::total_cmp);
    let mean = values.iter().sum::<f64>() / values.len().max(1) as f64;
    (mean, values.get(values.len() / 2).copied().unwrap_or(f64::NAN))
}
