//! Made-up delivery notes: each group of a batch has one of its own, whose right record is known.

use std::fmt::Write as _;

use serde_json::{Value, json};

/// What the first line of every note begins with; the number of its group follows.
const MARKER: &str = "Delivery note ";
/// Goods on a note.
const LINES: usize = 3;

const CUSTOMERS: [&str; 5] =
    ["Alder Joinery", "Birch Instruments", "Cedar Bakery", "Dogwood Print", "Elm Cycles"];
const ARTICLES: [&str; 4] = ["Hinge", "Bracket", "Washer", "Drawer runner"];

/// The form that the notes are read with.
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

/// The number that the note of a group bears, which is no other's.
#[must_use]
pub fn number(group: usize) -> String {
    format!("DN-{group:06}")
}

/// The record that is right for the note of a group.
#[must_use]
pub fn record(group: usize) -> Value {
    let goods: Vec<Value> = (0..LINES)
        .map(|line| {
            let (pieces, cents) = (pieces(group, line), cents(group, line));
            json!({"article": article(group, line), "pieces": pieces, "price": cents as f64 / 100.0})
        })
        .collect();
    json!({
        "number": number(group),
        "date": date(group),
        "customer": customer(group),
        "goods": goods,
        "total": total(group) as f64 / 100.0
    })
}

/// The note of a group.
#[must_use]
pub fn text(group: usize) -> String {
    let mut text = format!(
        "{MARKER}{group}\n\nNumber: {}\nDelivered on: {}\nCustomer: {}\n\nGoods:\n",
        number(group),
        date(group),
        customer(group)
    );
    for line in 0..LINES {
        // Writing to a String cannot fail.
        let _ = writeln!(
            text,
            "- {}: {} pieces at {} EUR",
            article(group, line),
            pieces(group, line),
            money(cents(group, line))
        );
    }
    let _ = writeln!(
        text,
        "\nTotal: {} EUR\n\nThe goods were handed over complete and undamaged.",
        money(total(group))
    );
    text
}

/// The group that a filled-in form is about, by its number.
#[must_use]
pub fn group_of(filled: &Value) -> Option<usize> {
    filled["number"].as_str()?.strip_prefix("DN-")?.parse().ok()
}

/// Whether every field of a filled-in form has the right value; other members are left out of account.
#[must_use]
pub fn is_right(group: usize, filled: &Value) -> bool {
    record(group)
        .as_object()
        .is_some_and(|right| right.iter().all(|(name, value)| same(value, &filled[name.as_str()])))
}

/// Equal as values: a whole number may be written with or without a fraction.
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

/// The group whose note stands whole in a text; `None` where there is none, or a part of it is missing.
#[must_use]
pub fn group_in(shown: &str) -> Option<usize> {
    let after = shown.split_once(MARKER)?.1;
    let digits = after.split(|c: char| !c.is_ascii_digit()).next()?;
    let group = digits.parse().ok()?;
    let whole = text(group).lines().filter(|line| !line.is_empty()).all(|line| shown.contains(line));
    whole.then_some(group)
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
    format!("{name} {}-{line}", group % 97)
}

fn pieces(group: usize, line: usize) -> u64 {
    (group as u64 * 7 + line as u64 * 13) % 40 + 2
}

fn cents(group: usize, line: usize) -> u64 {
    (group as u64 * 31 + line as u64 * 57) % 9_000 + 101
}

fn total(group: usize) -> u64 {
    (0..LINES).map(|line| pieces(group, line) * cents(group, line)).sum()
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
            assert_eq!(group_in(&format!("before {text} after")), Some(group));
            for name in ["number", "date", "customer"] {
                assert!(text.contains(record[name].as_str().unwrap()), "{name}");
            }
            assert!(text.contains(&format!("Total: {:.2} EUR", record["total"].as_f64().unwrap())), "{text}");
        }
        assert_ne!(record(3), record(4));
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

    #[test]
    fn a_note_that_is_cut_is_not_taken_for_whole() {
        let text = text(12);
        assert_eq!(group_in(text.split("Total").next().unwrap()), None);
        assert_eq!(group_in("no note at all"), None);
    }
}
