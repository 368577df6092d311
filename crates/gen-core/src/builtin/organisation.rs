//! Names of organisations: at the top of a paper, by legal form and position.

use serde_json::Value;

use super::labels::{fold, words};
use super::lines::{Line, Text};
use super::schema::Leaf;
use super::{Found, address, dates};

/// Lines at the top in which the issuer stands.
const TOP: usize = 8;

/// Legal forms of many countries, folded.
const LEGAL: &[&str] = &[
    "ltd",
    "limited",
    "inc",
    "llc",
    "llp",
    "plc",
    "corp",
    "corporation",
    "gmbh",
    "ag",
    "kg",
    "ug",
    "ev",
    "sa",
    "sas",
    "sarl",
    "srl",
    "spa",
    "bv",
    "nv",
    "ab",
    "as",
    "oy",
    "aps",
    "bhd",
    "sdn",
    "pte",
    "pty",
    "pvt",
    "co",
    "company",
    "kk",
    "sl",
    "lda",
    "ltda",
    "sro",
    "zoo",
    "doo",
    "kft",
];
/// Words that names of businesses have.
const VENUES: &[&str] = &[
    "restaurant",
    "restoran",
    "cafe",
    "kopitiam",
    "bakery",
    "hotel",
    "store",
    "stores",
    "shop",
    "mart",
    "market",
    "supermarket",
    "hypermarket",
    "pharmacy",
    "farmasi",
    "trading",
    "enterprise",
    "enterprises",
    "hardware",
    "stationery",
    "books",
    "bookstore",
    "industries",
    "services",
    "solutions",
    "holdings",
    "group",
    "bank",
    "clinic",
    "hospital",
    "university",
    "school",
    "association",
    "foundation",
    "electrical",
    "motor",
    "auto",
    "machinery",
    "supply",
    "supplies",
    "food",
    "foods",
    "bistro",
    "station",
    "centre",
    "center",
    "house",
    "kitchen",
    "garden",
    "department",
    "telecom",
    "airlines",
    "logistics",
    "technologies",
    "systems",
    "consulting",
];
/// Titles of papers, which are no names.
const TITLES: &[&str] = &[
    "invoice",
    "receipt",
    "tax",
    "simplified",
    "cash",
    "bill",
    "sales",
    "official",
    "copy",
    "original",
    "welcome",
    "thank",
    "page",
    "order",
    "date",
    "number",
    "rechnung",
    "facture",
    "factura",
    "credit",
    "debit",
    "memo",
    "statement",
    "quotation",
    "delivery",
    "slip",
    "customer",
];

/// The organisation that issued the paper.
pub(crate) fn choose(text: &Text, leaf: &Leaf) -> Option<Found> {
    // Somebody else's organisation needs a label.
    if leaf.concepts.qualifiers().next().is_some() {
        return None;
    }
    let top = text.lines.get(..text.lines.len().min(TOP))?;
    let scored = top.iter().enumerate().filter_map(|(index, line)| Some((index, score(line, index)?)));
    let (first, score) = scored.max_by(|a, b| a.1.total_cmp(&b.1).then(b.0.cmp(&a.0)))?;
    let (first, last) = extend(top, first);
    join(top, first, last, score)
}

/// How much a line looks like the issuer's name; `None` when it cannot be.
fn score(line: &Line, index: usize) -> Option<f32> {
    let name = without_registration(line.text.trim());
    let letters = name.chars().filter(|c| c.is_alphabetic()).count();
    let digits = name.chars().filter(char::is_ascii_digit).count();
    if letters < 3 || digits * 2 > letters || name.contains('@') || !dates::dates(name, None).is_empty() {
        return None;
    }
    if is_title(name) || address::looks(name) >= 2 || is_contact(name) {
        return None;
    }
    let folded: Vec<String> = name.split_whitespace().map(fold).collect();
    let legal = folded.iter().any(|word| LEGAL.contains(&word.as_str()));
    let venue = folded.iter().any(|word| VENUES.contains(&word.as_str()));
    let place = 0.35 - 0.06 * index as f32;
    Some(
        0.35 + place + if legal { 0.5 } else { 0.0 } + if venue { 0.25 } else { 0.0 }
            - 0.1 * (name.contains(':') as u8 as f32),
    )
}

fn is_title(name: &str) -> bool {
    let found: Vec<String> =
        name.split(|c: char| !c.is_alphanumeric()).map(fold).filter(|word| !word.is_empty()).collect();
    !found.is_empty() && found.iter().all(|word| TITLES.contains(&word.as_str()) || word.len() < 3)
}

fn is_contact(name: &str) -> bool {
    let first = words(name);
    first.iter().take(2).any(|word| {
        matches!(
            word.as_str(),
            "phone" | "fax" | "email" | "url" | "registration" | "tax" | "date" | "invoice"
        )
    })
}

/// A name that goes over two lines: the next line is a legal form alone, or this one begins with the
/// line before.
fn extend(top: &[Line], found: usize) -> (usize, usize) {
    let bare = |index: usize| {
        top.get(index).is_some_and(|line| {
            let name = without_registration(line.text.trim());
            let folded: Vec<String> = name.split_whitespace().map(fold).filter(|w| !w.is_empty()).collect();
            !folded.is_empty()
                && folded.iter().all(|word| {
                    LEGAL.contains(&word.as_str()) || VENUES.contains(&word.as_str()) || word == "m"
                })
        })
    };
    if bare(found) && found > 0 && top.get(found - 1).is_some_and(|line| score(line, found - 1).is_some()) {
        return (found - 1, found);
    }
    if bare(found + 1) {
        return (found, found + 1);
    }
    (found, found)
}

fn join(top: &[Line], first: usize, last: usize, score: f32) -> Option<Found> {
    let (begin, end) = (top.get(first)?, top.get(last)?);
    let lead = begin.text.len() - begin.text.trim_start().trim_start_matches(['#', '*', ' ']).len();
    let parts: Vec<&str> = top
        .get(first..=last)?
        .iter()
        .map(|line| line.text.trim().trim_start_matches(['#', '*', ' ']))
        .collect();
    let joined = parts.join(" ");
    let name = without_registration(&joined);
    let end_byte = if first == last {
        lead + name.len()
    } else {
        end.text.trim_end().len()
            - joined.trim_end().len().saturating_sub(name.len()).min(end.text.trim_end().len())
    };
    let value = Value::from(name);
    Some(Found {
        value,
        start: begin.offset(lead),
        end: end.offset(end_byte),
        confidence: (0.3 + 0.5 * score).clamp(0.3, 0.95),
    })
}

/// The name without a registration number in brackets or behind it.
fn without_registration(name: &str) -> &str {
    let numbered = |text: &str| text.chars().filter(char::is_ascii_digit).count() >= 4;
    let mut name = name;
    if let Some(open) = name.rfind('(').filter(|open| *open > 2)
        && name.get(open..).is_some_and(numbered)
    {
        name = name.get(..open).unwrap_or(name).trim_end();
    }
    while let Some((rest, last)) = name.rsplit_once(' ') {
        let marker = matches!(fold(last).as_str(), "no" | "reg" | "regno" | "co")
            && !last.ends_with('.')
            && numbered(name);
        if !(numbered(last) || marker) {
            break;
        }
        name = rest.trim_end();
    }
    name.trim_end_matches([',', '-', ':', ' '])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_registration_number_is_no_part_of_the_name() {
        for (printed, name) in [
            ("ACME TRADING SDN BHD (123456-A)", "ACME TRADING SDN BHD"),
            ("Miller & Sons Ltd", "Miller & Sons Ltd"),
            ("Shop 24", "Shop 24"),
            ("FOO BAR 000123456-T", "FOO BAR"),
        ] {
            assert_eq!(without_registration(printed), name);
        }
    }
}
