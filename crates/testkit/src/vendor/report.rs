//! A synthetic technical report of any length: prose with values of many fields in between, and a table of any number
//! of rows. Every line that states a value names its field or row, so an excerpt has a known record too.

use std::fmt::Write as _;

use serde_json::{Map, Value, json};

use super::faults::split_mix;

/// On every page; a text without it is no report.
const TITLE: &str = "Technical report TR-1";
/// Sentences of prose on a page: some 450 words.
const SENTENCES: u64 = 36;
const SUBJECTS: [&str; 6] = [
    "The northern pump",
    "A spare valve",
    "The cooling line",
    "The inspection team",
    "Section B",
    "The old rotor",
];
const VERBS: [&str; 6] =
    ["was checked", "ran without fault", "was replaced", "needs paint", "was cleaned", "is idle"];
const PLACES: [&str; 6] = [
    "near the gate",
    "in hall four",
    "after the storm",
    "before the audit",
    "on the east side",
    "under full load",
];

/// What a report has.
#[derive(Clone, Copy, Debug)]
pub struct Report {
    /// Single values, spread evenly over the pages.
    pub fields: u64,
    /// Pages of some 3,000 characters.
    pub pages: u64,
    /// Rows of the table of parts, spread evenly over the pages.
    pub rows: u64,
}

impl Report {
    /// The form of the report: `f0`, `f1` and so on, and `parts` where there are rows.
    #[must_use]
    pub fn schema(&self) -> Value {
        let field = |number: u64| {
            let description = format!("{} of unit U-{number}", label(number));
            (format!("f{number}"), json!({"type": kind(number), "description": description}))
        };
        let mut schema: Map<String, Value> = (0..self.fields).map(field).collect();
        if self.rows > 0 {
            let row = json!({"number": {"type": "string"}, "name": {"type": "string"},
                "pieces": {"type": "integer"}, "price": {"type": "number"}});
            let list = json!({"type": "array", "description": "Table of parts",
                "items": {"type": "object", "properties": row}});
            schema.insert("parts".to_owned(), list);
        }
        Value::Object(schema)
    }

    /// The correct record.
    #[must_use]
    pub fn record(&self) -> Value {
        let mut record: Map<String, Value> =
            (0..self.fields).map(|number| (format!("f{number}"), stated(number).1)).collect();
        if self.rows > 0 {
            record.insert("parts".to_owned(), (0..self.rows).map(row).collect());
        }
        Value::Object(record)
    }

    /// The text of the report, in Markdown.
    #[must_use]
    pub fn text(&self) -> String {
        let mut text = String::new();
        for page in 0..self.pages {
            // Writing to a String cannot fail.
            let _ = writeln!(text, "{TITLE}, page {} of {}\n", page + 1, self.pages);
            for sentence in 0..SENTENCES {
                text.push_str(&prose(page * SENTENCES + sentence));
                text.push_str(if sentence % 6 == 5 { "\n\n" } else { " " });
            }
            for number in self.share(self.fields, page) {
                let _ = writeln!(text, "{}\n", line(number));
            }
            let rows = self.share(self.rows, page);
            if !rows.is_empty() {
                text.push_str("| Number | Name | Pieces | Price |\n| --- | --- | --- | --- |\n");
                rows.for_each(|number| text.push_str(&row_line(number)));
                text.push('\n');
            }
        }
        text
    }

    /// Those of `count` things that stand on a page.
    fn share(&self, count: u64, page: u64) -> std::ops::Range<u64> {
        count * page / self.pages..count * (page + 1) / self.pages
    }
}

/// The values that an excerpt of a report states. `None` when the text is of no report.
#[must_use]
pub(super) fn read(shown: &str) -> Option<Value> {
    let (mut record, mut rows) = (Map::new(), Vec::new());
    for text in shown.lines() {
        if let Some(number) = number_after(text, "unit U-").filter(|number| line(*number) == text) {
            record.insert(format!("f{number}"), stated(number).1);
        }
        let number = number_after(text, "| P-").filter(|number| row_line(*number).trim_end() == text);
        rows.extend(number.map(row));
    }
    if record.is_empty() && rows.is_empty() && !shown.contains(TITLE) {
        return None;
    }
    record.insert("parts".to_owned(), Value::Array(rows));
    Some(Value::Object(record))
}

/// The digits after the first `mark` of a line.
fn number_after(text: &str, mark: &str) -> Option<u64> {
    let (_, rest) = text.split_once(mark)?;
    rest.get(..rest.find(|sign: char| !sign.is_ascii_digit())?)?.parse().ok()
}

fn kind(number: u64) -> &'static str {
    ["string", "number", "date", "integer"].get((number % 4) as usize).copied().unwrap_or_default()
}

fn label(number: u64) -> &'static str {
    ["Serial", "Load in kg", "Last inspection", "Hours"]
        .get((number % 4) as usize)
        .copied()
        .unwrap_or_default()
}

/// A field's value as printed, and as in the record.
fn stated(number: u64) -> (String, Value) {
    let drawn = split_mix(number);
    match number % 4 {
        0 => (format!("SN-{drawn:016x}"), json!(format!("SN-{drawn:016x}"))),
        1 => {
            let cents = drawn % 1_000_000 + 1_000;
            (format!("{}.{:02}", cents / 100, cents % 100), json!(cents as f64 / 100.0))
        }
        2 => {
            let day = format!("{}-{:02}-{:02}", 2000 + drawn % 26, drawn / 26 % 12 + 1, drawn / 312 % 28 + 1);
            (day.clone(), json!(day))
        }
        _ => (format!("{}", drawn % 90_000 + 10_000), json!(drawn % 90_000 + 10_000)),
    }
}

fn line(number: u64) -> String {
    format!("{} of unit U-{number}: {}", label(number), stated(number).0)
}

fn row(number: u64) -> Value {
    let (pieces, cents) = (number * 7 % 90 + 1, split_mix(number) % 90_000 + 100);
    json!({"number": format!("P-{number}"), "name": format!("Bracket {}", number % 53), "pieces": pieces,
        "price": cents as f64 / 100.0})
}

fn row_line(number: u64) -> String {
    let (pieces, cents) = (number * 7 % 90 + 1, split_mix(number) % 90_000 + 100);
    format!("| P-{number} | Bracket {} | {pieces} | {}.{:02} |\n", number % 53, cents / 100, cents % 100)
}

/// A sentence of prose with a number, unlike its neighbours.
fn prose(number: u64) -> String {
    let drawn = split_mix(number ^ 0x5EED);
    let of = |words: &'static [&str; 6], shift: u32| {
        words.get((drawn >> shift) as usize % 6).copied().unwrap_or_default()
    };
    format!("{} {} {}, as note {} says.", of(&SUBJECTS, 0), of(&VERBS, 8), of(&PLACES, 16), drawn % 100_000)
}

#[cfg(test)]
mod tests {
    use super::*;

    const REPORT: Report = Report { fields: 9, pages: 4, rows: 10 };

    #[test]
    fn a_report_states_every_value_of_its_record() {
        assert_eq!(read(&REPORT.text()), Some(REPORT.record()));
        assert_eq!(REPORT.record()["parts"].as_array().unwrap().len(), 10);
        assert_eq!(read("Serial of unit U-0: made up | P-1 |"), None);
    }

    #[test]
    fn a_part_of_a_report_states_only_what_stands_in_it() {
        let (text, whole) = (REPORT.text(), REPORT.record());
        let half = read(&text[..text.find("page 3").unwrap()]).unwrap();
        assert_eq!(
            (&half["f0"], half.get("f8"), half["parts"].as_array().unwrap().len()),
            (&whole["f0"], None, 5)
        );
    }
}
