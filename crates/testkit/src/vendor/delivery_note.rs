//! Synthetic delivery notes: one per group of a batch, each with a known correct record. Every line that
//! states a value names the note's number, so an excerpt has a known record too.

use std::fmt::Write as _;

use serde_json::{Map, Value, json};

/// The prefix of every note's number.
const PREFIX: &str = "DN-";
/// Digits of a number.
const DIGITS: usize = 6;
/// Line items of a note.
const LINES: usize = 3;

const CUSTOMERS: [&str; 5] =
    ["Alder Joinery", "Birch Instruments", "Cedar Bakery", "Dogwood Print", "Elm Cycles"];
const ARTICLES: [&str; 4] = ["Hinge", "Bracket", "Washer", "Drawer runner"];

/// The form of the notes.
#[must_use]
pub fn schema() -> Value {
    json!({
        "number": {"type": "string", "order": 1, "description": "Number of the delivery note", "required": true},
        "date": {"type": "date", "order": 2, "description": "Day of delivery"},
        "customer": {"type": "string", "order": 3, "description": "Who gets the goods"},
        "goods": {"type": "array", "order": 4, "description": "Delivered goods", "items": {
            "type": "object", "properties": {
                "article": {"type": "string", "order": 1},
                "pieces": {"type": "integer", "order": 2},
                "price": {"type": "number", "order": 3, "description": "Of one piece"}
            }
        }},
        "total": {"type": "number", "order": 5, "description": "Sum of the goods"}
    })
}

/// The unique number of a group's note.
#[must_use]
pub fn number(group: usize) -> String {
    format!("{PREFIX}{group:0DIGITS$}")
}

/// The correct record of a group's note.
#[must_use]
pub fn record(group: usize) -> Value {
    read(&text(group)).map(|(_, record)| record).unwrap_or_default()
}

/// The text of a group's note.
#[must_use]
pub fn text(group: usize) -> String {
    let mut text = String::from("Delivery note\n\n");
    for (_, line, _) in lines(group) {
        // Writing to a String cannot fail.
        let _ = writeln!(text, "{line}");
    }
    text.push_str("\nThe goods were handed over complete and undamaged.\n");
    text
}

/// The group whose note, or an excerpt of it, is in a text, and the fields that the text states; the others
/// are null. `None` when the text has no note's number.
#[must_use]
pub fn read(shown: &str) -> Option<(usize, Value)> {
    let digits = shown.split_once(PREFIX)?.1.get(..DIGITS)?;
    let group = digits.parse().ok()?;
    let mut record = Map::new();
    for (name, line, value) in lines(group) {
        let stated = shown.contains(&line);
        match record.entry(name).or_insert(Value::Null) {
            _ if !stated => {}
            Value::Array(goods) => goods.push(value),
            slot if name == "goods" => *slot = json!([value]),
            slot => *slot = value,
        }
    }
    Some((group, Value::Object(record)))
}

/// The lines of a note that state a value: the field, the line, and the value or list item.
fn lines(group: usize) -> Vec<(&'static str, String, Value)> {
    let (number, date, customer) = (number(group), date(group), customer(group));
    let mut lines = vec![
        ("number", format!("Number: {number}"), json!(number)),
        ("date", format!("Date of {number}: {date}"), json!(date)),
        ("customer", format!("Customer of {number}: {customer}"), json!(customer)),
    ];
    for line in 0..LINES {
        let (article, pieces, price) = (article(group, line), pieces(group, line), price(group, line));
        let told = format!("- {number}, {article}: {pieces} pieces at {} EUR", money(price));
        lines.push((
            "goods",
            told,
            json!({"article": article, "pieces": pieces, "price": price as f64 / 100.0}),
        ));
    }
    lines.push((
        "total",
        format!("Total of {number}: {} EUR", money(total(group))),
        json!(total(group) as f64 / 100.0),
    ));
    lines
}

/// The group of a filled form, by its number.
#[must_use]
pub fn group_of(filled: &Value) -> Option<usize> {
    filled["number"].as_str()?.strip_prefix(PREFIX)?.parse().ok()
}

/// Whether every field of a filled form has the correct value; other members are ignored.
#[must_use]
pub fn is_right(group: usize, filled: &Value) -> bool {
    record(group)
        .as_object()
        .is_some_and(|right| right.iter().all(|(name, value)| same(value, &filled[name.as_str()])))
}

/// Equality of values: an integer may be written with or without a fraction.
fn same(right: &Value, given: &Value) -> bool {
    match (right, given) {
        (Value::Number(right), Value::Number(given)) => right.as_f64() == given.as_f64(),
        (Value::Array(right), Value::Array(given)) => {
            right.len() == given.len() && right.iter().zip(given).all(|(right, given)| same(right, given))
        }
        (Value::Object(right), Value::Object(given)) => {
            right.len() == given.len() && right.iter().all(|(name, value)| same(value, &given[name.as_str()]))
        }
        _ => right == given,
    }
}

fn date(group: usize) -> String {
    format!("{}-{:02}-{:02}", 2020 + group % 6, group % 12 + 1, group % 28 + 1)
}

fn customer(group: usize) -> String {
    let name = CUSTOMERS.get(group % CUSTOMERS.len()).copied().unwrap_or_default();
    format!("{name} {group}")
}

fn article(group: usize, line: usize) -> String {
    let name = ARTICLES.get((group + line) % ARTICLES.len()).copied().unwrap_or_default();
    format!("{name} {}", group % 97 * LINES + line)
}

fn pieces(group: usize, line: usize) -> u64 {
    (group as u64 * 7 + line as u64 * 13) % 40 + 2
}

fn price(group: usize, line: usize) -> u64 {
    (group as u64 * 31 + line as u64 * 57) % 9_000 + 101
}

fn total(group: usize) -> u64 {
    (0..LINES).map(|line| pieces(group, line) * price(group, line)).sum()
}

fn money(cents: u64) -> String {
    format!("{}.{:02}", cents / 100, cents % 100)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_note_names_its_group_and_every_value_of_its_record() {
        for group in [0, 7, 1_999] {
            let (text, record) = (text(group), record(group));
            assert_eq!(read(&format!("before\n{text}\nafter")), Some((group, record.clone())));
            for name in ["number", "date", "customer"] {
                assert!(text.contains(record[name].as_str().unwrap()), "{name}");
            }
            let total = format!(": {:.2} EUR", record["total"].as_f64().unwrap());
            assert!(text.contains(&total), "{text}");
            assert_eq!(record["goods"].as_array().unwrap().len(), LINES);
        }
        assert_ne!(record(3), record(4));
    }

    #[test]
    fn a_part_of_a_note_states_only_what_stands_in_it() {
        let text = text(12);
        let (at, whole) = (text.find("- DN").unwrap(), record(12));
        let (group, first) = read(&text[..at]).unwrap();
        assert_eq!((group, &first["date"], &first["goods"]), (12, &whole["date"], &Value::Null));
        let (group, second) = read(&text[at..]).unwrap();
        assert_eq!((group, &second["date"], &second["goods"]), (12, &Value::Null, &whole["goods"]));
        assert_eq!(second["total"], whole["total"]);
        assert_eq!(read("no note at all"), None);
    }

    #[test]
    fn a_form_is_right_only_with_every_value() {
        let mut filled = record(5);
        filled["gid"] = json!("resp_1");
        assert_eq!((group_of(&filled), is_right(5, &filled), is_right(6, &filled)), (Some(5), true, false));
        for (place, value) in
            [("/total", json!(1)), ("/customer", json!(null)), ("/goods/2/pieces", json!(1))]
        {
            let mut wrong = filled.clone();
            *wrong.pointer_mut(place).unwrap() = value;
            assert!(!is_right(5, &wrong), "{place}");
        }
    }
}
