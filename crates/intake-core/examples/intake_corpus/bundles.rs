//! Bundles with their truth.

use std::io;
use std::path::Path;

use document::Document;
use documents_core::Limits;
use serde_json::Value;

/// Which half of the layouts the documents of a bundle are from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Half {
    Open,
    Blind,
}

/// A bundle as the product reads it.
#[derive(Debug)]
pub(crate) struct Bundle {
    pub(crate) file: String,
    pub(crate) half: Half,
    pub(crate) document: Document,
    pub(crate) parts: Vec<TruePart>,
}

/// A document in a bundle.
#[derive(Debug)]
pub(crate) struct TruePart {
    pub(crate) first: u32,
    pub(crate) last: u32,
    pub(crate) kind: String,
}

/// The bundles of a folder; those that cannot be parsed are told and left out.
pub(crate) fn read(folder: &Path) -> io::Result<Vec<Bundle>> {
    let truth: Value = serde_json::from_slice(&std::fs::read(folder.join("truth.json"))?)?;
    let mut bundles = Vec::new();
    for row in truth.as_array().into_iter().flatten() {
        let file = row["file"].as_str().unwrap_or_default().to_owned();
        let bytes = std::fs::read(folder.join(&file))?;
        let document = match documents_core::parse(&bytes, &file, &Limits::default()) {
            Ok(document) => document,
            Err(error) => {
                println!("{file} cannot be parsed: {error}");
                continue;
            }
        };
        let number =
            |value: &Value| value.as_u64().and_then(|number| u32::try_from(number).ok()).unwrap_or_default();
        let part = |part: &Value| TruePart {
            first: number(&part["first"]),
            last: number(&part["last"]),
            kind: part["kind"].as_str().unwrap_or_default().to_owned(),
        };
        let half = if row["half"] == "open" { Half::Open } else { Half::Blind };
        let parts = row["parts"].as_array().into_iter().flatten().map(part).collect();
        bundles.push(Bundle { file, half, document, parts });
    }
    Ok(bundles)
}
