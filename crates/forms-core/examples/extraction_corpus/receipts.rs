//! Receipts: word boxes with company, date, address and total as truth.

use std::io;
use std::path::Path;

use serde::Deserialize;
use serde_json::{Map, Value, json};

use crate::absent;
use crate::observed::{Paper, Stated};
use crate::score::{Compare, Half, Sheet, fill, same};

/// A receipt of the corpus.
#[derive(Debug, Deserialize)]
struct Receipt {
    id: String,
    boxes: Vec<Word>,
    truth: Map<String, Value>,
}

/// Four corners, clockwise from the upper left, and the text.
#[derive(Debug, Deserialize)]
struct Word(f64, f64, f64, f64, f64, f64, f64, f64, String);

impl Word {
    fn centre(&self) -> f64 {
        (self.1 + self.3 + self.5 + self.7) / 4.0
    }

    fn height(&self) -> f64 {
        ((self.7 + self.5) - (self.1 + self.3)) / 2.0
    }

    fn left(&self) -> f64 {
        self.0.min(self.2).min(self.4).min(self.6)
    }
}

/// The fields: what the form calls them, what the truth does, and how they are compared.
const TRUE_FIELDS: [(&str, Compare); 4] = [
    ("company", Compare::Text),
    ("date", Compare::Text),
    ("address", Compare::Text),
    ("total", Compare::Number),
];

fn read(folder: &Path) -> io::Result<Vec<Receipt>> {
    let lines = std::fs::read_to_string(folder.join("receipts.jsonl"))?;
    lines.lines().map(serde_json::from_str).collect::<Result<_, _>>().map_err(io::Error::other)
}

/// The receipts with their truths.
pub(crate) fn papers(folder: &Path) -> io::Result<Vec<Paper>> {
    let (schema, _) = schema("described");
    let paper = |receipt: Receipt| {
        let stated = |(name, compare): &(&'static str, Compare)| {
            let truth = receipt.truth.get(*name)?.clone();
            (truth.as_str() != Some("")).then_some(Stated { name, compare: *compare, truth })
        };
        Paper {
            kind: "receipts",
            half: Half::of(&receipt.id),
            text: lines(&receipt.boxes),
            schema: schema.clone(),
            truth: TRUE_FIELDS.iter().filter_map(stated).collect(),
        }
    };
    Ok(read(folder)?.into_iter().map(paper).collect())
}

/// Measures each half of the receipts.
pub(crate) fn measure(folder: &Path, form: &str, verbose: bool) -> io::Result<()> {
    let receipts = read(folder)?;
    let (schema, names) = schema(form);
    for half in [Half::Open, Half::Blind] {
        let mut sheet = Sheet::default();
        for receipt in receipts.iter().filter(|receipt| Half::of(&receipt.id) == half) {
            tally(&mut sheet, receipt, &schema, names, verbose && half == Half::Open);
        }
        sheet.print(&format!("receipts, {half:?} half"));
    }
    Ok(())
}

fn tally(sheet: &mut Sheet, receipt: &Receipt, schema: &Value, names: [&str; 4], verbose: bool) {
    let text = lines(&receipt.boxes);
    let (record, spent) = fill(schema, &text);
    sheet.documents += 1;
    sheet.spent += spent;
    for ((field, compare), name) in TRUE_FIELDS.into_iter().zip(names) {
        let (answer, truth) = (record.get(name).unwrap_or(&Value::Null), receipt.truth.get(field));
        let Some(truth) = truth.filter(|truth| truth.as_str() != Some("")) else { continue };
        let right = same(compare, answer, truth);
        sheet.field(field).add(!answer.is_null(), right);
        if verbose && !right {
            println!("{} {field}: {answer} instead of {truth}", receipt.id);
        }
    }
    for field in sheet.tally_absent(&record, &text) {
        if verbose {
            println!("{} {field}: {}, which the receipt has not", receipt.id, record[field]);
        }
    }
}

/// The form, and its names of company, date, address and total.
fn schema(form: &str) -> (Value, [&'static str; 4]) {
    let field = |kind: &str, description: &str| {
        let mut field = json!({ "type": [kind, "null"] });
        if form != "bare" {
            field["description"] = Value::from(description);
        }
        field
    };
    let names = if form == "other-words" {
        ["merchant_name", "receipt_date", "store_address", "grand_total"]
    } else {
        ["company", "date", "address", "total"]
    };
    let mut properties = Map::new();
    for (name, kind, description) in [
        (names[0], "string", "Name of the company that issued the receipt"),
        (names[1], "string", "Date of the receipt, as printed"),
        (names[2], "string", "Address of the company"),
        (names[3], "number", "Total amount to pay, tax included"),
    ] {
        properties.insert(name.to_owned(), field(kind, description));
    }
    properties.extend(absent::properties(&names));
    (json!({ "type": "object", "properties": properties }), names)
}

/// The words as lines: on one line are words whose vertical centres lie within half a box height,
/// sorted from left to right and joined by one space.
fn lines(boxes: &[Word]) -> String {
    let mut words: Vec<&Word> = boxes.iter().collect();
    words.sort_by(|a, b| a.centre().total_cmp(&b.centre()));
    let mut lines: Vec<Vec<&Word>> = Vec::new();
    for word in words {
        let joins = |line: &Vec<&Word>| {
            line.last().is_some_and(|last| {
                (word.centre() - last.centre()).abs() <= 0.5 * word.height().min(last.height())
            })
        };
        match lines.last_mut().filter(|line| joins(line)) {
            Some(line) => line.push(word),
            None => lines.push(vec![word]),
        }
    }
    let mut text = String::new();
    for line in &mut lines {
        line.sort_by(|a, b| a.left().total_cmp(&b.left()));
        let joined: Vec<&str> = line.iter().map(|word| word.8.as_str()).collect();
        text.push_str(&joined.join(" "));
        text.push('\n');
    }
    text
}
