//! Invoices: PDFs and texts with the fields that invoice2data reads from them as truth.

use std::io;
use std::path::Path;
use std::process::Command;

use serde_json::{Value, json};

use crate::score::{Compare, Sheet, fill, same};

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

/// Measures all invoices.
pub(crate) fn measure(folder: &Path, verbose: bool) -> io::Result<()> {
    let mut names: Vec<_> = std::fs::read_dir(folder)?.collect::<Result<_, _>>()?;
    names.sort_by_key(std::fs::DirEntry::path);
    let schema = schema();
    let mut sheet = Sheet::default();
    for path in names.iter().map(std::fs::DirEntry::path) {
        if path.extension().is_none_or(|extension| extension == "json") {
            continue;
        }
        let Some(text) = text(&path)? else {
            println!("left out, as there is no pdftotext: {}", path.display());
            continue;
        };
        let truth: Value = serde_json::from_slice(&std::fs::read(path.with_extension("json"))?)?;
        let (record, spent) = fill(&schema, &text);
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
    }
    sheet.print("invoices (what the truth is silent about is not counted)");
    Ok(())
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
    json!({ "type": "object", "properties": properties })
}

/// The text of a document; `None` for a PDF when there is nothing to read it with.
fn text(path: &Path) -> io::Result<Option<String>> {
    if path.extension().is_some_and(|extension| extension == "txt") {
        return std::fs::read_to_string(path).map(Some);
    }
    match Command::new("pdftotext").arg("-layout").arg(path).arg("-").output() {
        Ok(done) => Ok(Some(String::from_utf8_lossy(&done.stdout).into_owned())),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error),
    }
}
