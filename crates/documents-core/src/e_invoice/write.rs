//! Writes the business terms of an invoice.

use document::BlockKind;

use super::codes::meaning;
use super::mapping::{Group, Layout, Value};
use super::path::{Finder, FoundValue};
use super::terms::{Kind, Term, term};
use crate::Limits;
use crate::builder::Builder;
use crate::new_cell::NewCell;
use crate::xml::Node;

/// Writes a group from an element, unless it has no value.
pub(super) fn group(
    builder: &mut Builder,
    group: &Group,
    from: Node<'_>,
    finder: &mut Finder,
    limits: &Limits,
) {
    let mut elements = Vec::new();
    for path in group.at {
        elements.extend(finder.elements(from, path));
    }
    match group.layout {
        Layout::Lines => lines(builder, group, &elements, finder),
        Layout::Table => table(builder, group, &elements, finder, limits),
    }
}

/// Writes a heading of the second level: the first is the name of an embedded file.
pub(super) fn heading(builder: &mut Builder, text: &str) {
    builder.block(BlockKind::Heading { level: 2 }, "## ", text);
}

fn lines(builder: &mut Builder, group: &Group, elements: &[Node<'_>], finder: &mut Finder) {
    let mut written = Vec::new();
    for element in elements {
        for (number, value) in group.fields {
            let term = term(number);
            let texts = texts(*value, &term, *element, finder, true);
            written.extend(texts.into_iter().map(|text| format!("{}: {text}", term.name)));
        }
    }
    if !written.is_empty() {
        heading(builder, group.heading);
        builder.block(BlockKind::Paragraph, "", &written.join("\n"));
    }
}

fn table(builder: &mut Builder, group: &Group, elements: &[Node<'_>], finder: &mut Finder, limits: &Limits) {
    let terms: Vec<Term> = group.fields.iter().map(|(number, _)| term(number)).collect();
    let row = |element: &Node<'_>, finder: &mut Finder| -> Vec<String> {
        let cells = terms.iter().zip(group.fields);
        cells.map(|(term, (_, value))| texts(*value, term, *element, finder, false).join(", ")).collect()
    };
    let most = limits.cells / terms.len().max(1);
    let rows: Vec<Vec<String>> = elements.iter().take(most).map(|element| row(element, finder)).collect();
    let columns: Vec<usize> = (0..terms.len())
        .filter(|column| rows.iter().any(|row| row.get(*column).is_some_and(|text| !text.is_empty())))
        .collect();
    if columns.is_empty() {
        return;
    }
    heading(builder, group.heading);
    let names: Vec<String> = terms.iter().map(|term| term.name.to_owned()).collect();
    let cells = |row: &Vec<String>, header: bool| -> Vec<NewCell> {
        let texts = columns.iter().map(|column| row.get(*column).cloned().unwrap_or_default());
        texts.map(|text| NewCell::plain(text, header)).collect()
    };
    let head = std::iter::once(cells(&names, true));
    let written: Vec<Vec<NewCell>> = head.chain(rows.iter().map(|row| cells(row, false))).collect();
    builder.table(&written, limits);
}

/// The texts of a value, each as its term is written.
fn texts(value: Value, term: &Term, from: Node<'_>, finder: &mut Finder, with_currency: bool) -> Vec<String> {
    match value {
        Value::Path(path) => {
            let found = finder.values(from, path);
            found.iter().map(|found| text(found, term.kind, finder, with_currency)).collect()
        }
        Value::First(values) => values
            .iter()
            .map(|value| texts(*value, term, from, finder, with_currency))
            .find(|texts| !texts.is_empty())
            .unwrap_or_default(),
        Value::Joined(separator, values) => {
            let parts: Vec<String> =
                values.iter().flat_map(|value| texts(*value, term, from, finder, with_currency)).collect();
            if parts.is_empty() { Vec::new() } else { vec![parts.join(separator)] }
        }
    }
}

fn text(found: &FoundValue<'_>, kind: Kind, finder: &Finder, with_currency: bool) -> String {
    let text = found.text();
    match kind {
        Kind::Text => text,
        Kind::Date => date(&text, format_of(found.node)),
        Kind::Number => number(&text),
        Kind::Percentage => format!("{} %", number(&text)),
        Kind::Code(list) => match meaning(list, &text) {
            Some(meaning) => format!("{text} ({meaning})"),
            None => text,
        },
        Kind::Amount => {
            let currency = found.node.attribute("currencyID").unwrap_or(&finder.currency).trim();
            match with_currency && !currency.is_empty() {
                true => format!("{} {currency}", amount(&text)),
                false => amount(&text),
            }
        }
    }
}

/// The format of a date of CII, of the element itself or of the one in it.
fn format_of(node: Node<'_>) -> Option<&str> {
    let inner = node.children().find_map(|child| child.attribute("format"));
    node.attribute("format").or(inner)
}

/// A date as ISO 8601. CII has the formats 102 (`20240131`) and 610 (`202401`) of UNTDID 2379; dates of the other
/// syntaxes may have a time zone, which says nothing of a day.
fn date(text: &str, format: Option<&str>) -> String {
    let digits = |range: std::ops::Range<usize>| {
        text.get(range).filter(|part| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit()))
    };
    let iso = match (format, text.len()) {
        (Some("102"), _) | (None, 8) => digits(0..8)
            .filter(|_| text.len() == 8)
            .and_then(|_| Some(format!("{}-{}-{}", digits(0..4)?, digits(4..6)?, digits(6..8)?))),
        (Some("610"), 6) => digits(0..4).zip(digits(4..6)).map(|(year, month)| format!("{year}-{month}")),
        _ => text
            .get(..10)
            .filter(|day| day.bytes().filter(|byte| *byte == b'-').count() == 2)
            .filter(|_| text.get(10..).is_some_and(|rest| rest.starts_with(['Z', '+', '-', 'T'])))
            .map(str::to_owned),
    };
    iso.unwrap_or_else(|| text.to_owned())
}

/// A number as XML has it, with a point. Zeros at its end are left out beyond two decimals, and a third decimal is
/// followed by one: a reader could take `1.500` for one thousand five hundred.
fn number(text: &str) -> String {
    let Some((whole, decimals)) = text.split_once('.') else { return text.to_owned() };
    if !decimals.bytes().all(|byte| byte.is_ascii_digit()) {
        return text.to_owned();
    }
    let kept = decimals.trim_end_matches('0').len().max(decimals.len().min(2));
    let kept = decimals.get(..kept).unwrap_or(decimals);
    format!("{whole}.{kept}{}", if kept.len() == 3 { "0" } else { "" })
}

/// As [`number`], with at least two decimals, by which a sum is told from other numbers.
fn amount(text: &str) -> String {
    let number = number(text);
    let decimals = match number.split_once('.') {
        Some((_, decimals)) => decimals.len(),
        None if number.ends_with(|last: char| last.is_ascii_digit()) && !number.contains(',') => 0,
        None => return number,
    };
    let point = if decimals == 0 { "." } else { "" };
    format!("{number}{point}{}", "0".repeat(2_usize.saturating_sub(decimals)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_can_be_read_in_one_way_only() {
        for (text, expected) in [
            ("1190.00", "1190.00"),
            ("20.0000", "20.00"),
            ("1.500", "1.50"),
            ("1.234", "1.2340"),
            ("0.12345", "0.12345"),
            ("7", "7"),
            ("7.5", "7.5"),
            ("1,5", "1,5"),
            ("1.2.3", "1.2.3"),
        ] {
            assert_eq!(number(text), expected, "{text}");
        }
    }

    #[test]
    fn amounts_have_cents() {
        for (text, expected) in
            [("300", "300.00"), ("336.9", "336.90"), ("-7.5", "-7.50"), ("x", "x"), ("1,5", "1,5")]
        {
            assert_eq!(amount(text), expected, "{text}");
        }
    }

    #[test]
    fn dates_are_written_as_iso_8601() {
        for (text, format, expected) in [
            ("20240131", Some("102"), "2024-01-31"),
            ("202401", Some("610"), "2024-01"),
            ("2024-01-31", None, "2024-01-31"),
            ("2024-01-31Z", None, "2024-01-31"),
            ("2024-01-31+01:00", None, "2024-01-31"),
            ("2024013", Some("102"), "2024013"),
            ("31 jänner", Some("102"), "31 jänner"),
            ("", None, ""),
        ] {
            assert_eq!(date(text, format), expected, "{text}");
        }
    }
}
