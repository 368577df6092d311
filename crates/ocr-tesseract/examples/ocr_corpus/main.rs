//! Measures OCR on pages whose text is known: pages of PDFs are drawn as a scanner would see them, read by
//! `tesseract`, laid out, and compared with the text layer.
//!
//! `cargo xtask bench documents ocr [--dpi N] [--pages N] [--verbose]` measures the open corpus: pages of
//! `documents/tables`, and the pictures of `extraction/receipts`. `cargo run --release -p ocr-tesseract --example
//! ocr_corpus -- FOLDER` measures the PDFs of a folder;
//! `... -- --needs FOLDER` lists the pages of a folder's files that need OCR; `... -- --receipts FOLDER` reads the
//! pictures of receipts and compares them with their word boxes; `... -- --show FILE` prints what is read in a file.
#![allow(
    clippy::print_stdout,
    clippy::expect_used,
    clippy::disallowed_methods,
    reason = "a measuring program"
)]

#[path = "../../../documents-core/examples/pdf_corpus/score.rs"]
#[allow(dead_code, reason = "shared with another measuring program")]
mod score;

use std::path::{Path, PathBuf};
use std::time::Duration;

use document::{Document, ParseError, RecognisedPage, RenderSize, TextRecogniser as _};
use documents_core::render::page;
use documents_core::{Limits, parse, parse_recognised};
use ocr_tesseract::{Tesseract, TesseractSettings};
use score::{Agreement, agreement, tokens};

/// Tokens of a page that is worth measuring, at least.
const MIN_TOKENS: usize = 50;

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let has = |name: &str| arguments.iter().any(|argument| argument == name);
    let number = |name: &str, usual: u32| {
        let place = arguments.iter().position(|argument| argument == name);
        place.and_then(|place| arguments.get(place + 1)?.parse().ok()).unwrap_or(usual)
    };
    let mut paths = arguments.iter().filter(|argument| Path::new(argument).exists());
    let path = PathBuf::from(paths.next_back().expect("a folder or file"));
    if has("--needs") {
        return needs(&path);
    }
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
    let reader = Reader { tesseract: runtime.block_on(found()), runtime, dpi: number("--dpi", 200) };
    if has("--show") {
        let document = reader.read_whole(&path).expect("readable");
        println!("{}", document.text);
    } else if has("--receipts") {
        receipts(&reader, &path, has("--verbose"));
    } else {
        let pages = number("--pages", 20) as usize;
        let corpus = path.join("documents/tables");
        measure(&reader, if corpus.is_dir() { &corpus } else { &path }, pages, has("--verbose"));
        if corpus.is_dir() {
            receipts(&reader, &path.join("extraction/receipts"), has("--verbose"));
        }
    }
}

async fn found() -> Tesseract {
    let search = std::env::var_os("PATH").unwrap_or_default();
    let program = Tesseract::search(&search).expect("tesseract is installed");
    let settings = TesseractSettings {
        launcher: None,
        program,
        data: None,
        languages: String::new(),
        page_time: Duration::from_secs(120),
        memory_bytes: 1 << 30,
    };
    let tesseract = Tesseract::find(settings).await.expect("tesseract works");
    println!("tesseract {}, {}", tesseract.version(), tesseract.languages().join("+"));
    tesseract
}

struct Reader {
    tesseract: Tesseract,
    runtime: tokio::runtime::Runtime,
    dpi: u32,
}

/// A page after OCR.
struct Read {
    page: RecognisedPage,
    /// CPU seconds for rendering and OCR.
    drawn: f64,
    read: f64,
}

impl Reader {
    fn read(&self, bytes: &[u8], name: &str, number: u32) -> Result<Read, ParseError> {
        let before = seconds("self");
        let raster = page(bytes, name, number, RenderSize::Dpi(self.dpi), &Limits::default())?;
        let (width, height) = (raster.width, raster.height);
        let png = raster.to_png(true)?;
        let drawn = seconds("self") - before;
        let before = seconds("children");
        let words = self.runtime.block_on(self.tesseract.recognise(png, self.dpi)).expect("readable");
        let read = seconds("children") - before;
        Ok(Read { page: RecognisedPage { number, width, height, words }, drawn, read })
    }

    fn read_whole(&self, path: &Path) -> Result<Document, ParseError> {
        let bytes = std::fs::read(path).expect("readable");
        let name = name(path);
        let numbers = match parse(&bytes, &name, &Limits::default()) {
            Ok(document) => document.pages_needing_ocr(),
            Err(ParseError::NeedsOcr(pages)) => pages.0,
            Err(error) => return Err(error),
        };
        let pages = numbers.into_iter().map(|number| Ok(self.read(&bytes, &name, number)?.page));
        let pages: Vec<RecognisedPage> = pages.collect::<Result<_, ParseError>>()?;
        parse_recognised(&bytes, &name, &pages, &Limits::default())
    }
}

/// CPU time of this process (`self`) or of its exited children (`children`), from `/proc/self/stat` in
/// hundredths of a second.
fn seconds(whose: &str) -> f64 {
    let stat = std::fs::read_to_string("/proc/self/stat").expect("Linux");
    let fields: Vec<&str> = stat.rsplit(')').next().unwrap_or_default().split_whitespace().collect();
    let at = if whose == "self" { 11 } else { 13 };
    let ticks = |index: usize| fields.get(index).and_then(|text| text.parse::<f64>().ok()).unwrap_or(0.0);
    (ticks(at) + ticks(at + 1)) / 100.0
}

fn measure(reader: &Reader, folder: &Path, most: usize, verbose: bool) {
    let mut rows: Vec<Agreement> = Vec::new();
    let (mut drawn, mut read) = (0.0, 0.0);
    // One page of each document, so that a long one has no more weight than the others.
    for path in files(folder).into_iter().filter(|path| path.extension().is_some_and(|end| end == "pdf")) {
        if rows.len() >= most {
            break;
        }
        let bytes = std::fs::read(&path).expect("readable");
        let Ok(document) = parse(&bytes, &name(&path), &Limits::default()) else { continue };
        let text_of = |document: &Document, number: u32| {
            let page = document.pages.iter().find(|page| page.number == number);
            let page = page.copied().unwrap_or_default();
            document.text.chars().skip(page.start).take(page.end - page.start).collect::<String>()
        };
        let full = document
            .pages
            .iter()
            .find(|page| tokens(&text_of(&document, page.number)).len() >= MIN_TOKENS && !page.needs_ocr);
        let Some(number) = full.map(|page| page.number) else { continue };
        let Ok(found) = reader.read(&bytes, &name(&path), number) else { continue };
        drawn += found.drawn;
        read += found.read;
        let recognised = parse_recognised(&bytes, &name(&path), &[found.page], &Limits::default());
        let own = recognised.map(|document| text_of(&document, number)).unwrap_or_default();
        let reference = tokens(&text_of(&document, number));
        let agreed = agreement(&tokens(&own), &reference).expect("a reference with tokens");
        if verbose {
            println!("{:.3} {:.3}  {} page {number}", agreed.f1, agreed.order, name(&path));
        }
        rows.push(agreed);
    }
    let count = rows.len().max(1) as f64;
    let mean = |pick: fn(&Agreement) -> f64| rows.iter().map(pick).sum::<f64>() / count;
    let mut sorted: Vec<f64> = rows.iter().map(|row| row.f1).collect();
    sorted.sort_by(f64::total_cmp);
    let median = sorted.get(sorted.len() / 2).copied().unwrap_or(0.0);
    println!(
        "{} pages at {} dpi: token F1 mean {:.3}, median {median:.3}, order {:.3}; CPU seconds a page: {:.2} drawing, {:.2} reading",
        rows.len(),
        reader.dpi,
        mean(|row| row.f1),
        mean(|row| row.order),
        drawn / count,
        read / count
    );
}

/// Lists the files and pages that need OCR.
fn needs(folder: &Path) {
    let mut count = 0;
    for path in files(folder) {
        let bytes = std::fs::read(&path).expect("readable");
        count += 1;
        match parse(&bytes, &name(&path), &Limits::default()) {
            Ok(document) if !document.pages_needing_ocr().is_empty() => {
                println!("{}: {:?} of {}", name(&path), document.pages_needing_ocr(), document.pages.len());
            }
            Err(error @ (ParseError::NeedsOcr(_) | ParseError::NoText)) => {
                println!("{}: {error}", name(&path))
            }
            _ => {}
        }
    }
    println!("{count} files");
}

/// Compares the OCR result of pictures with their transcriptions.
fn receipts(reader: &Reader, folder: &Path, verbose: bool) {
    let (mut sum, mut count, mut drawn, mut read) = (0.0, 0.0, 0.0, 0.0);
    let lines = std::fs::read_to_string(folder.join("receipts.jsonl")).expect("receipts.jsonl");
    for line in lines.lines() {
        let receipt: serde_json::Value = serde_json::from_str(line).expect("JSON");
        let Some(id) = receipt["id"].as_str() else { continue };
        let path = folder.join(format!("images/{id}.jpg"));
        let Ok(bytes) = std::fs::read(&path) else { continue };
        let boxes = receipt["boxes"].as_array().into_iter().flatten();
        let truth: Vec<&str> = boxes.filter_map(|found| found[8].as_str()).collect();
        let found = reader.read(&bytes, &name(&path), 1).expect("readable");
        drawn += found.drawn;
        read += found.read;
        let document = parse_recognised(&bytes, &name(&path), &[found.page], &Limits::default());
        let text = document.map(|document| document.text).unwrap_or_default();
        let Some(agreed) = agreement(&tokens(&text.to_uppercase()), &tokens(&truth.join("\n"))) else {
            continue;
        };
        if verbose {
            println!("{:.3} {}", agreed.f1, name(&path));
        }
        sum += agreed.f1;
        count += 1.0;
    }
    println!(
        "{count} receipts: token F1 mean {:.3}; CPU seconds: {:.2} drawing, {:.2} reading",
        sum / f64::max(count, 1.0),
        drawn / f64::max(count, 1.0),
        read / f64::max(count, 1.0)
    );
}

fn files(path: &Path) -> Vec<PathBuf> {
    if path.is_file() {
        return vec![path.to_owned()];
    }
    let entries = std::fs::read_dir(path).expect("a folder");
    let mut paths: Vec<PathBuf> =
        entries.map(|entry| entry.expect("an entry").path()).filter(|path| path.is_file()).collect();
    paths.sort();
    paths
}

fn name(path: &Path) -> String {
    path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default()
}
