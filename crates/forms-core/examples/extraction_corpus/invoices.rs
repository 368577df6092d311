//! Invoices: PDFs and texts with the fields that invoice2data reads from them as truth.

use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::{Value, json};

use crate::absent;
use crate::observed::{Paper, Stated};
use crate::score::{Compare, Half, Sheet, fill, same};

/// Names of the form, of the truth, and how they are compared.
const FIELDS: [(&str, &str, Compare); 16] = [
    ("issuer", "issuer", Compare::Text),
    ("invoice_number", "invoice_number", Compare::Text),
    ("date", "date", Compare::Text),
    ("due_date", "date_due", Compare::Text),
    ("start_date", "date_start", Compare::Text),
    ("end_date", "date_end", Compare::Text),
    ("total", "amount", Compare::Number),
    ("net_amount", "amount_untaxed", Compare::Number),
    ("tax_amount", "amount_tax", Compare::Number),
    ("vat_id", "vat", Compare::Text),
    ("iban", "iban", Compare::Text),
    ("bic", "bic", Compare::Text),
    ("email", "partner_email", Compare::Text),
    ("website", "partner_website", Compare::Text),
    ("telephone", "telephone", Compare::Text),
    ("currency", "currency", Compare::Text),
];

fn paths(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let mut paths = std::fs::read_dir(folder)?
        .map(|entry| entry.map(|entry| entry.path()))
        .collect::<Result<Vec<_>, _>>()?;
    paths.retain(|path| path.extension().is_some_and(|extension| extension != "json"));
    paths.sort();
    Ok(paths)
}

/// The invoices as the product reads them, with their truths.
pub(crate) fn papers(folder: &Path) -> io::Result<Vec<Paper>> {
    let mut papers = Vec::new();
    for path in paths(folder)? {
        let Some(text) = Reader::Product.text(&path)? else { continue };
        let truth: Value = serde_json::from_slice(&std::fs::read(path.with_extension("json"))?)?;
        let stated = |(name, key, compare): &(&'static str, &str, Compare)| {
            let truth = truth.pointer(&format!("/0/{key}"))?.clone();
            Some(Stated { name, compare: *compare, truth })
        };
        papers.push(Paper {
            kind: "invoices",
            half: half_of(&path),
            text,
            schema: schema(),
            truth: FIELDS.iter().filter_map(stated).collect(),
        });
    }
    Ok(papers)
}

/// Measures each half of the invoices, by each reader of PDF.
pub(crate) fn measure(folder: &Path, verbose: bool) -> io::Result<()> {
    let paths = paths(folder)?;
    for reader in [Reader::Product, Reader::PdfToText] {
        for half in [Half::Open, Half::Blind] {
            let mut sheet = Sheet::default();
            for path in paths.iter().filter(|path| half_of(path) == half) {
                let Some(text) = reader.text(path)? else {
                    println!("there is no pdftotext to read {}", path.display());
                    continue;
                };
                let truth = serde_json::from_slice(&std::fs::read(path.with_extension("json"))?)?;
                tally(&mut sheet, path, &text, &truth, verbose && half == Half::Open);
            }
            sheet.print(&format!(
                "invoices, {half:?} half, read by {reader:?} (fields that the truth states)"
            ));
        }
    }
    Ok(())
}

/// The papers of one issuer are in one half.
fn half_of(path: &Path) -> Half {
    let name = path.file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default();
    Half::of(name.trim_end_matches(|c: char| c.is_ascii_digit()))
}

fn tally(sheet: &mut Sheet, path: &Path, text: &str, truth: &Value, verbose: bool) {
    let (record, spent) = fill(&schema(), text);
    sheet.documents += 1;
    sheet.spent += spent;
    for (name, key, compare) in FIELDS {
        let answer = record.get(name).unwrap_or(&Value::Null);
        let Some(truth) = truth.pointer(&format!("/0/{key}")) else {
            if verbose && !answer.is_null() {
                println!("{} {name}: {answer}, of which the truth says nothing", path.display());
            }
            continue;
        };
        let right = same(compare, answer, truth);
        sheet.field(name).add(!answer.is_null(), right);
        if verbose && !right {
            println!("{} {name}: {answer} instead of {truth}", path.display());
        }
    }
    for field in sheet.tally_absent(&record, text) {
        if verbose {
            println!("{} {field}: {}, which the invoice has not", path.display(), record[field]);
        }
    }
}

fn schema() -> Value {
    let mut properties = serde_json::Map::new();
    for (name, _, compare) in FIELDS {
        let date = name.ends_with("date");
        let kind = if compare == Compare::Number { "number" } else { "string" };
        let mut field = json!({ "type": [kind, "null"] });
        if date {
            field["format"] = Value::from("date");
        }
        properties.insert(name.to_owned(), field);
    }
    let known: Vec<&str> = FIELDS.iter().map(|(name, ..)| *name).collect();
    properties.extend(absent::properties(&known));
    json!({ "type": "object", "properties": properties })
}

/// What turns a document into text.
#[derive(Clone, Copy, Debug)]
enum Reader {
    Product,
    PdfToText,
}

impl Reader {
    /// The text of a document; `None` for a PDF when there is nothing to read it with.
    fn text(self, path: &Path) -> io::Result<Option<String>> {
        if path.extension().is_some_and(|extension| extension == "txt") {
            return std::fs::read_to_string(path).map(Some);
        }
        match self {
            Self::Product => {
                let name = path.to_string_lossy();
                let document =
                    documents_core::parse(&std::fs::read(path)?, &name, &documents_core::Limits::default());
                document.map(|document| Some(document.text.to_string())).map_err(io::Error::other)
            }
            Self::PdfToText => match Command::new("pdftotext").arg("-layout").arg(path).arg("-").output() {
                Ok(done) => Ok(Some(String::from_utf8_lossy(&done.stdout).into_owned())),
                Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
                Err(error) => Err(error),
            },
        }
    }
}
