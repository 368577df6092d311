//! Names of organisations: by label, at the top of a paper, by legal form, and by the paper's own web
//! and mail addresses.

use std::collections::HashSet;

use serde_json::Value;

use super::kind::Kind;
use super::labelled::labelled_where;
use super::labels::{fold, words};
use super::lines::{Line, Segment, Text};
use super::schema::{Leaf, Output};
use super::values::find;
use super::{Found, address, dates};

/// Lines at the top in which the issuer stands.
const TOP: usize = 14;
/// A name scores at least this.
const MIN_SCORE: f32 = 0.35;

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
    "kgaa",
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
    "oyj",
    "aps",
    "bhd",
    "berhad",
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
    "incorporated",
    "sb",
    "se",
    "ohg",
    "gbr",
    "eg",
    "eirl",
    "asa",
    "hf",
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
    "bookstores",
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
    "motors",
    "auto",
    "machinery",
    "supply",
    "supplies",
    "food",
    "foods",
    "bistro",
    "station",
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
    "minimarket",
    "grocery",
    "bar",
    "grill",
    "pizza",
    "coffee",
    "seafood",
    "salon",
    "studio",
    "gallery",
    "optical",
    "dental",
    "apotheke",
    "werkstatt",
    "boutique",
    "librairie",
    "panaderia",
    "farmacia",
    "ristorante",
    "confectionery",
];
/// Titles of papers, which are no names.
const TITLES: &[&str] = &[
    "invoice",
    "payment",
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
    "factuur",
    "credit",
    "debit",
    "memo",
    "statement",
    "quotation",
    "delivery",
    "slip",
    "customer",
    "duplicate",
    "reprint",
    "voucher",
    "confirmation",
    "no",
    "nr",
    "details",
    "note",
    "retail",
    "vat",
    "total",
    "amount",
    "summary",
    "check",
    "in",
    "out",
    "rooms",
    "gst",
    "fattura",
    "description",
    "account",
];
/// Names of papers that may stand behind the issuer's.
const PAPER_NAMES: &[&str] =
    &["invoice", "receipt", "rechnung", "facture", "factura", "factuur", "fattura", "statement"];
/// Words of sentences, which names have not.
const SENTENCES: &[&str] = &[
    "thank",
    "thanks",
    "you",
    "please",
    "welcome",
    "your",
    "is",
    "are",
    "goods",
    "visit",
    "returnable",
    "refundable",
    "exchange",
    "call",
    "again",
    "for",
    "we",
    "this",
    "if",
    "feedback",
    "vielen",
    "dank",
    "merci",
    "gracias",
    "tq",
];
/// Endings of addresses on the net that are no names.
const NET_WORDS: &[&str] = &[
    "www", "com", "co", "net", "org", "info", "mail", "gmail", "yahoo", "hotmail", "outlook", "http", "https",
];

/// The organisation of a field: the labelled one, else the paper's issuer.
pub(crate) fn choose(text: &Text, leaf: &Leaf) -> Option<Found> {
    let labelled = labelled_where(text, leaf, |label, value| is_plain_label(label) && is_name(value));
    // Somebody else's organisation needs a label.
    if leaf.concepts.is_qualified() {
        return labelled.map(|found| named(text, found));
    }
    let sure = |found: &Found| found.confidence > 0.85;
    if let Some(found) = labelled.filter(sure) {
        return Some(named(text, found));
    }
    let domains = domains(text);
    let top = text.lines.get(..text.lines.len().min(TOP))?;
    let mut best: Option<(f32, usize, Segment)> = None;
    let mut after_data = false;
    for (index, line) in top.iter().enumerate() {
        for segment in line.segments.iter().take(6) {
            let Some(score) = score(text, line, *segment, index, &domains, after_data) else { continue };
            if best.is_none_or(|(other, _, _)| score > other + 0.001) {
                best = Some((score, index, *segment));
            }
        }
        after_data |= line.segments.len() == 1 && index > 0 && is_contact(&line.text);
    }
    let (score, index, segment) = best.filter(|(score, _, _)| *score >= MIN_SCORE)?;
    let (first, last) = if top.get(index)?.segments.len() == 1 { extend(top, index) } else { (index, index) };
    join(top, first, last, segment, score)
}

/// Labels of numbers and addresses of an organisation do not name it.
fn is_plain_label(label: &str) -> bool {
    const OTHERS: &[&str] = &[
        "number",
        "registration",
        "address",
        "tax",
        "phone",
        "email",
        "url",
        "date",
        "total",
        "amount",
        "account",
    ];
    !words(label).iter().any(|word| OTHERS.contains(&word.as_ref()))
}

fn is_name(value: &str) -> bool {
    let letters = value.chars().filter(|c| c.is_alphabetic()).count();
    let digits = value.chars().filter(char::is_ascii_digit).count();
    letters >= 3 && digits * 2 <= letters && !value.contains('@')
}

/// A labelled name without its registration number.
fn named(text: &Text, found: Found) -> Found {
    let Some(printed) = found.value.as_str() else { return found };
    let name = without_registration(without_sender_line(printed)).to_owned();
    debug_assert!(!text.lines.is_empty());
    let end = found.start + name.chars().count();
    Found { value: Value::from(name), end, ..found }
}

/// Names in the paper's own web and mail addresses, such as `acme` of `www.acme.com`.
fn domains(text: &Text) -> HashSet<String> {
    let mut found = HashSet::new();
    for line in text.lines.iter().take(2_000) {
        for kind in [Kind::Email, Kind::Url] {
            for value in find(kind, text, line, Output::Verbatim) {
                let printed = line.slice(value.start, value.end).to_lowercase();
                let host = printed
                    .rsplit(['@'])
                    .next()
                    .unwrap_or_default()
                    .trim_start_matches("https://")
                    .trim_start_matches("http://");
                let host = host.split('/').next().unwrap_or_default();
                let names = host.split('.').filter(|name| name.len() > 3 && !NET_WORDS.contains(name));
                found.extend(names.map(fold));
            }
        }
    }
    found
}

/// How much a part of a line looks like the issuer's name; `None` when it cannot be.
fn score(
    text: &Text,
    line: &Line,
    segment: Segment,
    index: usize,
    domains: &HashSet<String>,
    after_data: bool,
) -> Option<f32> {
    let printed = line.slice(segment.start, segment.end);
    let name = clean(printed);
    let letters = name.chars().filter(|c| c.is_alphabetic()).count();
    let digits = name.chars().filter(char::is_ascii_digit).count();
    if letters < 3 || digits * 2 > letters || name.contains('@') || !dates::dates(name, None).is_empty() {
        return None;
    }
    let folded = name_words(name);
    let count = |list: &[&str]| folded.iter().filter(|word| list.contains(&word.as_str())).count();
    let legal = count(LEGAL) > 0;
    let sentence = count(SENTENCES);
    if is_title(name)
        || is_contact(printed)
        || sentence >= 2
        || name.split_whitespace().count() > 12
        || (sentence == 1 && !legal)
    {
        return None;
    }
    if !legal
        && (address::looks(name) >= 2 || name.contains(':') || name.starts_with('(') || name.ends_with(','))
    {
        return None;
    }
    let venue = count(VENUES) > 0;
    let own = folded
        .iter()
        .any(|word| word.len() > 3 && domains.iter().any(|domain| domain.starts_with(word.as_str())))
        || domains.contains(&fold(name));
    let place = 0.35 - 0.05 * index as f32;
    let customer =
        text.heading(index).is_some_and(|heading| words(heading).iter().any(|word| word == "customer"));
    let score = 0.35
        + place
        + if legal { 0.5 } else { 0.0 }
        + if venue { 0.2 } else { 0.0 }
        + if own { 0.3 } else { 0.0 }
        - if customer { 0.6 } else { 0.0 }
        // The paper's data follow its issuer.
        - if after_data { 0.3 } else { 0.0 }
        - if line.segments.len() > 1 && !legal { 0.1 } else { 0.0 };
    Some(score)
}

/// The words of a name, folded, each also in the parts that dots part it in.
fn name_words(name: &str) -> Vec<String> {
    let mut found: Vec<String> = name.split_whitespace().map(fold).filter(|word| !word.is_empty()).collect();
    found.extend(
        name.split(['.', ' ']).filter(|part| part.len() > 2).map(fold).filter(|word| !word.is_empty()),
    );
    found.dedup();
    found
}

fn is_title(name: &str) -> bool {
    let found: Vec<String> =
        name.split(|c: char| !c.is_alphanumeric()).map(fold).filter(|word| !word.is_empty()).collect();
    !found.is_empty() && found.iter().all(|word| TITLES.contains(&word.as_str()) || word.len() < 3)
}

/// Lines of the paper's data, by their first words.
fn is_contact(name: &str) -> bool {
    const DATA: &[&str] = &[
        "phone",
        "fax",
        "email",
        "url",
        "registration",
        "tax",
        "date",
        "invoice",
        "receipt",
        "number",
        "time",
    ];
    let first = words(name);
    let named = first.first().is_some_and(|word| DATA.contains(&word.as_ref()));
    let registered = matches!(first.as_slice(), [first, second, ..] if first == "company" && (second == "number" || second == "registration"));
    named || registered
}

/// A name that goes over two lines: a line of nothing but a legal form, or that begins or ends with
/// "&", belongs to its neighbour.
fn extend(top: &[Line], found: usize) -> (usize, usize) {
    let name = |index: usize| {
        let line = top.get(index).filter(|line| line.segments.len() == 1 && !is_contact(&line.text));
        line.map_or("", |line| clean(&line.text))
    };
    let bare = |index: usize| {
        let folded: Vec<String> =
            name(index).split_whitespace().map(fold).filter(|word| !word.is_empty()).collect();
        let known =
            |word: &String| LEGAL.contains(&word.as_str()) || VENUES.contains(&word.as_str()) || word == "m";
        !folded.is_empty() && folded.iter().all(known)
    };
    let joins = |index: usize| name(index).starts_with('&') || bare(index);
    let letters = |index: usize| name(index).chars().filter(|c| c.is_alphabetic()).count() >= 3;
    if found > 0
        && (joins(found) || name(found - 1).ends_with('&'))
        && letters(found - 1)
        && !is_title(name(found - 1))
    {
        return (found - 1, found);
    }
    if joins(found + 1) && letters(found + 1) || name(found).ends_with('&') && found + 1 < top.len() {
        return (found, found + 1);
    }
    (found, found)
}

fn join(top: &[Line], first: usize, last: usize, segment: Segment, score: f32) -> Option<Found> {
    let (begin, end) = (top.get(first)?, top.get(last)?);
    let confidence = (0.3 + 0.5 * score).clamp(0.3, 0.95);
    if first == last {
        let printed = begin.slice(segment.start, segment.end);
        let name = clean(printed);
        let start = segment.start + printed.find(name)?;
        let (value, start, end) = (Value::from(name), begin.offset(start), begin.offset(start + name.len()));
        return Some(Found { value, start, end, confidence });
    }
    let head = begin.text.trim().trim_start_matches(MARKS);
    let tail = clean(&end.text);
    let start = begin.text.find(head)?;
    let stop = end.text.find(tail)? + tail.len();
    let value = Value::from(format!("{head} {tail}"));
    Some(Found { value, start: begin.offset(start), end: end.offset(stop), confidence })
}

const MARKS: &[char] = &['#', '*', '_', ' ', '|', '>', '<'];

/// A line's name without marks, label, registration number, and address behind it.
fn clean(printed: &str) -> &str {
    let mut name = printed.trim().trim_start_matches(MARKS).trim_end_matches(['*', '_', '|', ' ']);
    // "Seller: Acme Ltd"
    if let Some((label, value)) = name.split_once(':')
        && words(label)
            .iter()
            .all(|word| matches!(word.as_ref(), "vendor" | "company" | "name" | "issuer" | "sold"))
        && !value.trim().is_empty()
    {
        name = value.trim();
    }
    // "000002 ACME": a number of the branch.
    if let Some((first, rest)) = name.split_once(' ')
        && first.len() >= 4
        && first.bytes().all(|byte| byte.is_ascii_digit())
    {
        name = rest.trim_start();
    }
    let name = without_registration(without_sender_line(name));
    // "Acme Invoice": the paper's title behind the name.
    match name.rsplit_once(' ') {
        Some((rest, last)) if rest.contains(' ') && PAPER_NAMES.contains(&fold(last).as_str()) => {
            rest.trim_end()
        }
        _ => name,
    }
}

/// The name before an address on the same line: `Acme GmbH - Weg 1 - 12345 Berlin`.
fn without_sender_line(name: &str) -> &str {
    for separator in [" - ", " – ", " · ", " • ", " | ", ", "] {
        if let Some((first, rest)) = name.split_once(separator)
            && rest.chars().any(|c| c.is_ascii_digit())
            && address::looks(rest) >= 1
            && first.chars().filter(|c| c.is_alphabetic()).count() >= 3
        {
            return first.trim_end();
        }
    }
    name
}

/// The name without a registration number, in brackets or behind it, and what follows that.
fn without_registration(name: &str) -> &str {
    let registered = |text: &str| {
        let bare = text.trim_matches(|c: char| !c.is_alphanumeric());
        let digits = bare.chars().filter(char::is_ascii_digit).count();
        digits >= 4 && bare.chars().filter(|c| c.is_alphabetic()).count() <= 3
    };
    let mut from = 0;
    let mut cut = name.len();
    if let Some(open) = name.find(['(', '<']).filter(|open| {
        *open > 2
            && name
                .get(open + 1..)
                .is_some_and(|rest| registered(rest.split([')', '>']).next().unwrap_or_default()))
    }) {
        return name.get(..open).unwrap_or(name).trim_end_matches([',', '-', ':', ' ']);
    }
    for word in name.split(' ') {
        if from > 2 && registered(word) {
            cut = from;
            break;
        }
        from += word.len() + 1;
    }
    let mut kept = name.get(..cut).unwrap_or(name).trim_end();
    while cut < name.len() {
        let Some((rest, last)) = kept.rsplit_once(' ') else { break };
        if !matches!(fold(last).as_str(), "no" | "reg" | "regno" | "roc" | "") {
            break;
        }
        kept = rest.trim_end();
    }
    // A bracket that the number has left open.
    if let Some(open) = kept
        .rfind(['(', '<'])
        .filter(|open| *open > 2 && !kept.get(*open..).is_some_and(|rest| rest.contains([')', '>'])))
    {
        kept = kept.get(..open).unwrap_or(kept);
    }
    kept.trim_end_matches([',', '-', ':', ' '])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_registration_number_and_an_address_are_no_part_of_the_name() {
        for (printed, name) in [
            ("ACME TRADING SDN BHD (123456-A)", "ACME TRADING SDN BHD"),
            ("Miller & Sons Ltd", "Miller & Sons Ltd"),
            ("Shop 24", "Shop 24"),
            ("FOO BAR 000123456-T", "FOO BAR"),
            ("ACME S/B 273500-U (KSB)", "ACME S/B"),
            ("ACME (M) LTD (CO. REG 123456)", "ACME (M) LTD"),
            ("Acme GmbH - Uferweg 40 - 63571 Gelnhausen", "Acme GmbH"),
            ("Seller: Acme Ltd", "Acme Ltd"),
            ("000002 ACME LTD", "ACME LTD"),
        ] {
            assert_eq!(clean(printed), name);
        }
    }
}
