//! Postal addresses over several lines.

use std::sync::LazyLock;

use regex::Regex;
use serde_json::Value;

use super::labels::{fit, fold, words};
use super::lines::{Line, Text};
use super::schema::Leaf;
use super::{Found, dates};

/// Lines at the top in which the issuer's address begins.
const TOP: usize = 14;
/// Lines of an address.
const MAX_LINES: usize = 6;

#[expect(clippy::unwrap_used, reason = "a constant pattern, compiled in every test")]
static POSTCODE: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(
        r"\b(?:\d{5}(?:-\d{4})?|[A-Z]{1,2}\d[A-Z\d]? ?\d[A-Z]{2}|\d{4} ?[A-Z]{2}|[A-Z]{1,2}-\d{4,5})\b",
    )
    .unwrap()
});

/// Words of streets and buildings in several languages.
const STREETS: &[&str] = &[
    "street",
    "st",
    "road",
    "rd",
    "avenue",
    "ave",
    "lane",
    "ln",
    "drive",
    "dr",
    "boulevard",
    "blvd",
    "way",
    "court",
    "square",
    "place",
    "plaza",
    "floor",
    "level",
    "suite",
    "unit",
    "block",
    "blk",
    "lot",
    "building",
    "tower",
    "mall",
    "jalan",
    "jln",
    "lorong",
    "taman",
    "kampung",
    "bandar",
    "persiaran",
    "lebuh",
    "lebuhraya",
    "strasse",
    "str",
    "platz",
    "weg",
    "allee",
    "gasse",
    "rue",
    "calle",
    "via",
    "corso",
    "piazza",
    "avenida",
    "straat",
    "no",
    "box",
    "ground",
    "seksyen",
    "section",
    "mukim",
    "batu",
    "kawasan",
    "industrial",
    "park",
    "highway",
    "hwy",
    "complex",
    "centre",
    "km",
    "wisma",
    "plot",
    "ps",
];
/// Words that end an address.
const ENDS: &[&str] = &[
    "phone",
    "fax",
    "email",
    "url",
    "tax",
    "registration",
    "invoice",
    "receipt",
    "date",
    "time",
    "cash",
    "number",
    "customer",
    "bill",
    "order",
    "quantity",
    "total",
];

/// How much a line looks like part of an address: 0 not, 1 perhaps, 2 and more surely.
pub(crate) fn looks(line: &str) -> u32 {
    let mut signs = 0;
    let folded: Vec<String> = line
        .split(|c: char| c.is_whitespace() || matches!(c, ',' | '.' | '/' | '-'))
        .map(fold)
        .filter(|w| !w.is_empty())
        .collect();
    let street = folded.iter().any(|word| {
        STREETS.contains(&word.as_str())
            || word.ends_with("strasse")
            || word.ends_with("straße")
            || word.ends_with("straat")
            || (word.ends_with("str") && word.len() > 5)
    });
    signs += u32::from(street);
    signs += u32::from(POSTCODE.is_match(line));
    signs += u32::from(line.contains(',') && line.chars().filter(|c| c.is_alphabetic()).count() > 4);
    let numbered =
        line.chars().next().is_some_and(|c| c.is_ascii_digit()) && line.chars().any(char::is_alphabetic);
    signs + u32::from(numbered)
}

fn ends(line: &str) -> bool {
    let found = words(line);
    let first = found.iter().take(2).any(|word| ENDS.contains(&word.as_str()) && word != "number");
    first && POSTCODE.find(line).is_none() || line.contains('@') || !dates::dates(line, None).is_empty()
}

/// The address of the paper's issuer, or of whom a label names.
pub(crate) fn choose(text: &Text, leaf: &Leaf) -> Option<Found> {
    let first = if leaf.concepts.qualifiers().next().is_some() {
        labelled_start(text, leaf)?
    } else {
        labelled_start(text, leaf).or_else(|| top_start(text))?
    };
    let mut last = first.0;
    let opening = text.lines.get(first.0)?;
    let mut signs = looks(opening.slice(first.1, opening.text.len()));
    while last + 1 < text.lines.len() && last + 1 - first.0 < MAX_LINES {
        let line = text.lines.get(last + 1)?;
        let content = line.text.trim();
        let complete = POSTCODE.is_match(&text.lines.get(last)?.text);
        let more = looks(content);
        if line.gap && more == 0
            || ends(content)
            || (more == 0 && (complete || content.split_whitespace().count() > 4))
            || content.chars().filter(|c| c.is_alphabetic()).count() < 3
        {
            break;
        }
        signs += more;
        last += 1;
        if more == 0 {
            break;
        }
    }
    (signs >= 2).then(|| join(text, first, last, signs)).flatten()
}

/// The line and byte behind a label that fits.
fn labelled_start(text: &Text, leaf: &Leaf) -> Option<(usize, usize)> {
    text.lines.iter().enumerate().find_map(|(index, line)| {
        let colon = line.text.find(':')?;
        if fit(&leaf.concepts, &words(line.slice(0, colon))) < 0.5 {
            return None;
        }
        let rest = line.slice(colon + 1, line.text.len());
        if rest.trim().is_empty() {
            return Some((index + 1, 0)).filter(|(next, _)| *next < text.lines.len());
        }
        Some((index, colon + 1 + (rest.len() - rest.trim_start().len())))
    })
}

/// The first line near the top that looks like an address, with the line before when that may be its
/// beginning.
fn top_start(text: &Text) -> Option<(usize, usize)> {
    let top = text.lines.get(..text.lines.len().min(TOP))?;
    let sure =
        top.iter().position(|line| looks(line.text.trim()) >= 1 && !ends(&line.text) && index_ok(line))?;
    let next_sure = top.get(sure + 1).is_some_and(|line| looks(line.text.trim()) >= 2);
    let start = if looks(top.get(sure)?.text.trim()) >= 2 || next_sure {
        sure
    } else {
        top.iter().position(|line| looks(line.text.trim()) >= 2 && !ends(&line.text))?
    };
    Some((start, 0))
}

/// An address line has letters.
fn index_ok(line: &Line) -> bool {
    line.text.chars().filter(|c| c.is_alphabetic()).count() >= 3
}

fn join(text: &Text, (first, byte): (usize, usize), last: usize, signs: u32) -> Option<Found> {
    let lines = text.lines.get(first..=last)?;
    let begin = lines.first()?;
    let lead = begin.slice(byte, begin.text.len());
    let start = byte + (lead.len() - lead.trim_start().len());
    let parts: Vec<&str> = lines
        .iter()
        .enumerate()
        .map(
            |(index, line)| {
                if index == 0 { begin.slice(start, begin.text.len()).trim() } else { line.text.trim() }
            },
        )
        .collect();
    let end = lines.last()?;
    let confidence = (0.4 + 0.08 * signs as f32).min(0.9);
    Some(Found {
        value: Value::from(parts.join(" ")),
        start: begin.offset(start),
        end: end.offset(end.text.trim_end().len()),
        confidence,
    })
}
