//! Receipts and invoices of the open corpus.

use std::io;
use std::path::Path;

use serde_json::{Map, Value};

use crate::observed::{Paper as Known, Stated};
use crate::papers::{Half, Paper};
use crate::score;

pub(crate) fn papers(folder: &Path) -> io::Result<Vec<Paper>> {
    let mut known = crate::receipts::papers(&folder.join("receipts"))?;
    known.extend(crate::invoices::papers(&folder.join("invoices"))?);
    Ok(known.iter().enumerate().map(|(at, known)| paper(known, at % 2)).collect())
}

fn paper(known: &Known, part: usize) -> Paper {
    let form = known.form();
    let mut truth = Map::new();
    for name in form.keys() {
        if known.judge(name, &Value::Null) == Some(false) {
            truth.insert(name.clone(), Value::Null);
        }
    }
    for stated in &known.truth {
        truth.remove(stated.name);
        if is_printed(stated, &known.text) {
            truth.insert(stated.name.to_owned(), value(stated));
        }
    }
    let numbers = known.text.split_whitespace().filter_map(|word| word.parse::<f64>().ok()).map(Value::from);
    let lines = known.text.lines().map(str::trim).filter(|line| line.len() > 4).map(Value::from);
    Paper {
        source: known.kind,
        half: if known.half == score::Half::Open { Half::Tuned } else { Half::HeldOut },
        part: Some(part),
        printed: numbers.chain(lines).collect(),
        text: known.text.clone(),
        form,
        truth,
    }
}

fn value(stated: &Stated) -> Value {
    match (stated.compare, &stated.truth) {
        (score::Compare::Number, Value::String(text)) => {
            let digits: String = text.chars().filter(|c| c.is_ascii_digit() || *c == '.').collect();
            digits.parse::<f64>().map_or_else(|_| stated.truth.clone(), Value::from)
        }
        (_, truth) => truth.clone(),
    }
}

/// Whether a paper's text has the letters of its truth: some stand in its pictures alone. Numbers, dates
/// and currencies are printed in too many forms to tell.
fn is_printed(stated: &Stated, text: &str) -> bool {
    let free =
        stated.compare == score::Compare::Number || stated.name.contains("date") || stated.name == "currency";
    let letters = |text: &str| -> String {
        text.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
    };
    free || stated.truth.as_str().is_none_or(|truth| letters(text).contains(&letters(truth)))
}
