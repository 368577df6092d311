//! Measures tables in PDFs by adjacency relations.
//!
//! `cargo run --release -p documents-core --example pdf_tables -- FOLDER [--peers FILE] [--show NAME]`
//!
//! FOLDER holds PDFs with `-str.xml` files as those of the ICDAR 2013 table competition. `--peers` is
//! what `xtask/peers/pdf_tables.py FOLDER` printed. `--show` prints what is wrong in one document.
//! `--draw` writes tables of our own into FOLDER, a set to score like the other.
//! `--text` prints the Markdown of the one PDF that FOLDER then names.
//! `--count` only counts the tables of each PDF of FOLDER, for documents without any.
#![allow(clippy::print_stdout, clippy::expect_used, clippy::unwrap_used, reason = "a measuring program")]

mod drawn;
mod relations;
mod truth;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use document::{BlockKind, Document};
use documents_core::{Limits, parse};
use relations::{Cell, Relations, Score, Table, relations};

/// Maximum documents that are listed, worst first.
const MOST_ROWS: usize = 30;

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let option = |name: &str| arguments.iter().skip_while(|a| *a != name).nth(1).cloned();
    let folder = PathBuf::from(arguments.first().expect("the folder of PDFs"));
    if arguments.iter().any(|argument| argument == "--text") {
        return println!("{}", read(&folder).map(|document| document.text).unwrap_or_default());
    }
    if arguments.iter().any(|argument| argument == "--count") {
        return count(&folder);
    }
    if arguments.iter().any(|argument| argument == "--draw") {
        return draw(&folder);
    }
    let peers = option("--peers").map(|file| peers(Path::new(&file))).unwrap_or_default();
    let mut totals: BTreeMap<String, Vec<Score>> = BTreeMap::new();
    let mut rows = Vec::new();
    for path in pdfs(&folder) {
        let name = path.file_stem().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        let readings: Vec<Relations> =
            truth::readings(&path).iter().map(|tables| relations(tables)).collect();
        let document = read(&path);
        let ours = relations(&document.as_ref().map(tables_of).unwrap_or_default());
        let score = best(&readings, &ours);
        if option("--show").is_some_and(|show| show == name) {
            readings.iter().for_each(|expected| show(expected, &ours, document.as_ref()));
        }
        let kind = name.split('-').next().unwrap_or_default();
        totals.entry("formwork".to_owned()).or_default().push(score);
        totals.entry(format!("formwork, {kind}")).or_default().push(score);
        for (peer, found) in &peers {
            let theirs = relations(found.get(&name).map(Vec::as_slice).unwrap_or_default());
            totals.entry(peer.clone()).or_default().push(best(&readings, &theirs));
        }
        rows.push((name, score));
    }
    rows.sort_by(|a, b| a.1.f().total_cmp(&b.1.f()));
    println!("| document | precision | recall | F | expected | found |\n|---|---|---|---|---|---|");
    for (name, score) in rows.iter().take(MOST_ROWS) {
        println!(
            "| {name} | {:.3} | {:.3} | {:.3} | {} | {} |",
            score.precision(),
            score.recall(),
            score.f(),
            score.expected,
            score.found
        );
    }
    println!("\n| | precision | recall | F micro | F macro |\n|---|---|---|---|---|");
    for (name, scores) in &totals {
        let mut all = Score::default();
        scores.iter().for_each(|score| all.add(*score));
        let mean = scores.iter().map(Score::f).sum::<f64>() / scores.len() as f64;
        println!("| {name} | {:.3} | {:.3} | {:.3} | {mean:.3} |", all.precision(), all.recall(), all.f());
    }
}

/// The score against the best matching ground truth of a document.
fn best(readings: &[Relations], found: &Relations) -> Score {
    let scores = readings.iter().map(|expected| Score::of(expected, found));
    scores.max_by(|a, b| a.f().total_cmp(&b.f())).expect("a structure file for each PDF")
}

fn read(path: &Path) -> Option<Document> {
    parse(&std::fs::read(path).expect("readable"), "a.pdf", &Limits::default()).ok()
}

/// Tables of a document; each row on the page of its first cell.
fn tables_of(document: &Document) -> Vec<Table> {
    let characters: Vec<char> = document.text.chars().collect();
    let mut tables = Vec::new();
    for block in &document.blocks {
        let BlockKind::Table { cells } = &block.kind else { continue };
        let mut pages: BTreeMap<u32, Table> = BTreeMap::new();
        for cell in cells {
            let (row, column) = (cell.row as usize, cell.column as usize);
            let page = document.page_at(cell.start).or(block.page).unwrap_or(1);
            pages.entry(page).or_insert_with(|| Table { page, cells: Vec::new() }).cells.push(Cell {
                rows: (row, row + cell.row_span as usize - 1),
                columns: (column, column + cell.column_span as usize - 1),
                text: characters[cell.start..cell.end].iter().collect(),
            });
        }
        tables.extend(pages.into_values());
    }
    tables
}

/// The tables that peers found, by peer and document.
fn peers(file: &Path) -> BTreeMap<String, BTreeMap<String, Vec<Table>>> {
    let mut peers: BTreeMap<String, BTreeMap<String, Vec<Table>>> = BTreeMap::new();
    for line in std::fs::read_to_string(file).expect("readable").lines() {
        let value: serde_json::Value = serde_json::from_str(line).expect("JSON");
        let text = |key: &str| value[key].as_str().unwrap_or_default().to_owned();
        let tables = value["tables"].as_array().into_iter().flatten().map(|table| Table {
            page: table["page"].as_u64().unwrap_or(1) as u32,
            cells: cells(&table["rows"]),
        });
        peers.entry(text("peer")).or_default().insert(text("name"), tables.collect());
    }
    peers
}

fn cells(rows: &serde_json::Value) -> Vec<Cell> {
    let rows = rows.as_array().into_iter().flatten().enumerate();
    rows.flat_map(|(row, cells)| {
        cells.as_array().into_iter().flatten().enumerate().map(move |(column, text)| Cell {
            rows: (row, row),
            columns: (column, column),
            text: text.as_str().unwrap_or_default().to_owned(),
        })
    })
    .collect()
}

/// Writes generated tables with their ground truth into a folder, as a set to score.
fn draw(folder: &Path) {
    std::fs::create_dir_all(folder).expect("a folder");
    for sample in drawn::samples(400) {
        std::fs::write(folder.join(format!("{}.pdf", sample.name)), &sample.pdf).expect("writable");
        let truth = folder.join(format!("{}-str.xml", sample.name));
        std::fs::write(truth, truth::xml(&sample.tables)).expect("writable");
    }
}

fn count(folder: &Path) {
    let mut total = 0;
    for path in pdfs(folder) {
        let Some(document) = read(&path) else { continue };
        let tables: Vec<(u32, usize)> = document
            .blocks
            .iter()
            .filter_map(|block| match &block.kind {
                BlockKind::Table { cells } => Some((block.page.unwrap_or(0), cells.len())),
                _ => None,
            })
            .collect();
        total += tables.len();
        let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        println!("{name}: {} pages, {} tables {tables:?}", document.pages.len(), tables.len());
    }
    println!("{total} tables");
}

fn show(expected: &Relations, found: &Relations, document: Option<&Document>) {
    for (key, n) in expected {
        if found.get(key).unwrap_or(&0) < n {
            println!("missing {key:?}");
        }
    }
    for (key, n) in found {
        if expected.get(key).unwrap_or(&0) < n {
            println!("wrong {key:?}");
        }
    }
    for block in document.into_iter().flat_map(|document| &document.blocks) {
        let BlockKind::Table { .. } = block.kind else { continue };
        let text: String = document
            .expect("a document")
            .text
            .chars()
            .skip(block.start)
            .take(block.end - block.start)
            .collect();
        println!("page {:?} {:?}\n{text}", block.page, block.rect);
    }
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
