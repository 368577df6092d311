//! Documents of all formats from the open corpus, each once.

use std::io::Read as _;
use std::path::Path;

use anyhow::{Context as _, ensure};
use serde_json::Value;

/// A document to send.
#[derive(Debug)]
pub(super) struct Document {
    /// Its kind, for the statistics.
    pub(super) kind: &'static str,
    pub(super) name: String,
    pub(super) bytes: Vec<u8>,
}

/// Exactly `count` documents in a fixed mixed order: all folders of documents, damaged PDFs and pictures,
/// then web pages, and receipts as texts.
pub(super) fn mixed(corpus: &Path, count: usize) -> anyhow::Result<Vec<Document>> {
    let mut documents = Vec::new();
    for folder in
        ["documents/pdf", "documents/tables", "documents/office", "hostile/pdf", "extraction/receipts/images"]
    {
        documents.extend(files(&corpus.join(folder))?);
    }
    documents.extend(pages(&corpus.join("web/pages"))?);
    documents.extend(receipts(&corpus.join("extraction/receipts/receipts.jsonl"))?);
    documents.truncate(count);
    ensure!(documents.len() == count, "the corpus holds {} documents only", documents.len());
    // A step coprime to the count separates neighbours.
    let mut slots: Vec<Option<Document>> = documents.into_iter().map(Some).collect();
    Ok((0..count).filter_map(|index| slots.get_mut(index * 387 % count).and_then(Option::take)).collect())
}

fn files(folder: &Path) -> anyhow::Result<Vec<Document>> {
    let mut paths = Vec::new();
    for entry in std::fs::read_dir(folder).with_context(|| folder.display().to_string())? {
        paths.push(entry?.path());
    }
    paths.sort();
    // The annotations of tables are not documents.
    paths.retain(|path| !(folder.ends_with("tables") && path.extension().is_some_and(|end| end == "xml")));
    let read = |path: std::path::PathBuf| {
        let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        Ok(Document { kind: kind(&name), bytes: std::fs::read(&path)?, name })
    };
    paths.into_iter().filter(|path| path.is_file()).map(read).collect()
}

fn kind(name: &str) -> &'static str {
    match name.rsplit_once('.').map_or("", |(_, end)| end).to_ascii_lowercase().as_str() {
        "pdf" => "PDF",
        "docx" | "pptx" | "xlsx" | "xlsm" | "odt" | "ods" | "odp" | "rtf" | "epub" | "doc" | "ppt"
        | "xls" => "office",
        "eml" | "msg" => "mail",
        "html" | "htm" => "HTML",
        "png" | "jpg" | "jpeg" | "tif" | "tiff" => "picture",
        "md" | "txt" | "csv" | "json" | "ipynb" | "xml" => "text",
        _ => "other",
    }
}

fn pages(folder: &Path) -> anyhow::Result<Vec<Document>> {
    let inflated = |packed: Document| {
        let mut bytes = Vec::new();
        flate2::read::MultiGzDecoder::new(packed.bytes.as_slice()).read_to_end(&mut bytes)?;
        let name = packed.name.trim_end_matches(".gz").to_owned();
        Ok(Document { kind: "HTML", name, bytes })
    };
    files(folder)?.into_iter().map(inflated).collect()
}

fn receipts(file: &Path) -> anyhow::Result<Vec<Document>> {
    let text = std::fs::read_to_string(file).with_context(|| file.display().to_string())?;
    let document = |line: &str| {
        let receipt: Value = serde_json::from_str(line)?;
        let boxes = receipt["boxes"].as_array().context("boxes")?;
        let lines: Vec<&str> = boxes.iter().filter_map(|of| of[8].as_str()).collect();
        let name = format!("{}.txt", receipt["id"].as_str().unwrap_or("receipt"));
        Ok(Document { kind: "text", name, bytes: lines.join("\n").into_bytes() })
    };
    text.lines().map(document).collect()
}
