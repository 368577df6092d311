//! Postal addresses on one or more lines.

use forms_core::labels::{Line, Word, fit, stands_for, words};
use language::fold::fold_word;
use language::label::NameWord;
use language::place::{is_country, is_region, is_region_pair};
use language::vocabulary::is_company_suffix;
use serde_json::Value;

use super::labelled_text::find_labelled_where;
use super::schema::Leaf;
use super::text::Text;
use super::{ExtractedValue, dates};
use crate::pattern::pattern;

// Set on the open receipts of `cargo xtask bench extraction`; none was measured alone.
/// Lines at the top where the issuer's address begins.
const TOP: usize = 22;
/// Maximum lines of an address.
const MAX_LINES: usize = 7;
/// Lines below a label where its address begins; a name may be before it.
const BELOW: usize = 3;
/// Minimum signs of an address in a block.
const MIN_SIGNS: u32 = 2;

pattern!(
    POSTCODE,
    r"(?:^|[^\d-])(?:\d{5}(?:-\d{4})?|[A-Z]{1,2}\d[A-Z\d]? \d[A-Z]{2}|\d{4} ?[A-Z]{2}|[A-Z]{1,2}-\d{4,5}|\d{2}-\d{3}|\d{6}|[A-Z]\d[A-Z] \d[A-Z]\d)(?:[^\d-]|$)"
);
pattern!(ENDING, r"(?:^|,)\s*\d{5,6}$");
pattern!(HOUSE_NUMBER, r"(?i)\b(?:no|lot|unit|p\.?t\.?d?)[. :]*\d{5,6}\b");
pattern!(FOUR_DIGITS, r"(?:^|, ?|- ?)\d{4} \p{Lu}\p{L}{2,}");
pattern!(
    HOUSE,
    r"(?i)^(?:no|lot|unit|#)\.?\s?:?\s?[a-z]{0,2}-?\d|^\d+[a-zA-Z]?(?:[-/&, ]+\d+[a-zA-Z]?)*[, ]+\p{L}{2,}|\p{L}{3,}\.? \d{1,4} ?[a-zA-Z]?(?:,|$)"
);
pattern!(
    REGISTRATION,
    r"(?i)\(\s*(?:co\.?|reg\.?|no\.?|roc)?[\s.:]*(?:no\.?)?[\s.:]*\d{4,}|\b\d{5,}-[a-z]\b|\b[a-z]{2}\d{6,}-[a-z]\b"
);
pattern!(MONEY, r"\d[.,]\d{2}\s*[a-zA-Z]?$");
pattern!(MAIL, r"\S@\S+\.\S");

/// Signs beyond which a block is no better, and how many more a later block needs to win over an earlier one.
/// Set on the open receipts of `cargo xtask bench extraction`; not measured alone.
const ENOUGH_SIGNS: u32 = 6;
const MUCH_BETTER: u32 = 2;
/// Bytes that a column has at least, for a narrow label above a wide address. Chosen by hand.
const MIN_COLUMN: usize = 12;
/// Segments of a line that are searched: bounds the time.
const MAX_SEGMENTS: usize = 4;
/// The confidence of a block: this, for each sign, with a label, and at most. Chosen by hand; no measurement
/// is recorded. The trees of `trust` calibrate it.
const LEAST_SURE: f32 = 0.4;
const PER_SIGN: f32 = 0.06;
const LABELLED: f32 = 0.25;
const MOST_SURE: f32 = 0.95;

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
    "customer",
    "order",
    "quantity",
    "total",
    "account",
    "iban",
    "bic",
    "bank",
    "company",
    "person",
];

/// How much a line looks like part of an address: 0 not, 1 perhaps, 2 and more certainly.
pub(crate) fn looks(line: &str) -> u32 {
    let folded = folded_words(line, |c| c.is_whitespace() || matches!(c, ',' | '.' | '/' | '-' | '(' | ')'));
    let mut signs = 0;
    signs += u32::from(folded.iter().any(|word| is_street(word)));
    signs += u32::from(has_postcode(line));
    // A comma between a few letters is in prices and initials. Chosen by hand; no measurement is recorded.
    signs += u32::from(line.contains(',') && line.chars().filter(|c| c.is_alphabetic()).count() > 4);
    signs += u32::from(HOUSE.is_match(line));
    signs += u32::from(has_region(&folded));
    signs
}

fn has_postcode(line: &str) -> bool {
    // The number of a lot or house is not a postcode.
    let numbered = HOUSE_NUMBER.is_match(line);
    (POSTCODE.is_match(line) && !numbered) || FOUR_DIGITS.is_match(line)
}

fn folded_words(text: &str, between: impl Fn(char) -> bool) -> Vec<String> {
    let words = text.split(between).map(fold_word);
    words.filter(|word| !word.is_empty()).collect()
}

fn is_street(word: &str) -> bool {
    let is_end = |end: &str| word.len() > end.len() + 2 && word.ends_with(end);
    NameWord::Street.has(word) || NameWord::StreetEnd.words().any(is_end)
}

/// Whether folded words include a region or country.
fn has_region(words: &[String]) -> bool {
    words.iter().any(|word| is_region(word))
        || words.windows(2).any(|pair| matches!(pair, [first, second] if is_region_pair(first, second)))
}

/// Whether the last word of a line is a country.
fn ends_in_country(line: &str) -> bool {
    line.split_whitespace().next_back().is_some_and(|word| is_country(&fold_word(word)))
}

/// Whether a line is something else: a label, a registration number, a date, an amount, a sentence.
fn ends(line: &str) -> bool {
    let line = line.trim();
    let first = words(line);
    let labelled = first.first().is_some_and(|word| ENDS.contains(&word.as_ref()))
        || line
            .split_once(':')
            .is_some_and(|(label, _)| words(label).iter().any(|word| ENDS.contains(&word.as_ref())));
    let letters = line.chars().filter(|c| c.is_alphabetic()).count();
    labelled
        || MAIL.is_match(line)
        || line.contains("://")
        || line.to_ascii_lowercase().contains("www.")
        // A number, or a sentence of more than sixteen words. Chosen by hand; no measurement is recorded.
        || letters < 3 && !has_postcode(line)
        || REGISTRATION.is_match(line)
        || MONEY.is_match(line)
        || !dates::dates(line, None).is_empty()
        || line.split_whitespace().count() > 16
}

/// Whether a line begins with a label of its own. The label of a house or lot is part of the address.
fn is_labelled(line: &str) -> bool {
    let Some((label, _)) = line.split_once(':') else { return false };
    let found: Vec<String> =
        label.split_whitespace().map(fold_word).filter(|word| !word.is_empty()).collect();
    let house = |word: &String| NameWord::House.has(word);
    let plain = !label.chars().any(|c| c.is_ascii_digit() || c == ',');
    // Longer ones are not labels. Chosen by hand; no measurement is recorded.
    plain && (1..=4).contains(&found.len()) && !found.iter().any(house)
}

/// Whether a line has the legal form of a business.
fn is_business(line: &str) -> bool {
    line.split_whitespace().map(fold_word).any(|word| is_company_suffix(&word))
}

/// The address of the document's issuer, or of the party that a label names.
pub(crate) fn choose(text: &Text, leaf: &Leaf) -> Option<ExtractedValue> {
    let block = labelled_block(text, leaf);
    if block.is_some() {
        return block;
    }
    if let Some(block) = Some(leaf).filter(|leaf| !leaf.concepts.is_qualified()).and_then(|_| top_block(text))
    {
        return Some(block);
    }
    // "Address: somewhere without signs" still has a label.
    let plain = find_labelled_where(text, leaf, |label, value| names_address(leaf, label) && is_plain(value));
    // A fit of the label above 0.7 (0.45 + 0.5 * fit). Chosen by hand; no measurement is recorded.
    plain.filter(|found| found.confidence > 0.8)
}

/// Whether a value is several words and not of another kind.
fn is_plain(value: &str) -> bool {
    // Street, number and place at least.
    value.split_whitespace().count() >= 3 && !ends(value)
}

/// The lines of an address in one column.
#[derive(Debug)]
struct Block {
    /// Its parts: line, first byte and end.
    parts: Vec<(usize, usize, usize)>,
    signs: u32,
}

/// The block after or below a matching label.
fn labelled_block(text: &Text, leaf: &Leaf) -> Option<ExtractedValue> {
    for (index, line) in text.lines.iter().enumerate() {
        for (segment, part) in line.segments.iter().enumerate() {
            let content = line.slice(part.start, part.end);
            let colon = content.find([':', '：']);
            let label = colon.map_or(content, |colon| content.get(..colon).unwrap_or_default());
            // Longer ones are sentences. Chosen by hand; no measurement is recorded.
            let bare = label.split_whitespace().count() <= 5 && !label.chars().any(|c| c.is_ascii_digit());
            if !bare || !names_address(leaf, label) {
                continue;
            }
            let rest = colon
                .and_then(|colon| content.get(colon..))
                .map_or("", |rest| rest.trim_start_matches([':', '：', ' ', '*']));
            let below = if !rest.is_empty() {
                block_at(text, index, segment, part.end - rest.len())
            } else if let Some(next) = line.segments.get(segment + 1).filter(|next| {
                (colon.is_some() || line.table) && !line.slice(next.start, next.end).ends_with([':', '：'])
            }) {
                block_at(text, index, segment + 1, next.start)
            } else {
                (1..=BELOW).find_map(|down| {
                    let next = text.lines.get(index + down)?;
                    let own = next.segments.get(column_of(line, segment, next)?)?;
                    let content = next.slice(own.start, own.end);
                    (looks(content) >= 1 && !ends(content))
                        .then(|| block_at(text, index + down, column_of(line, segment, next)?, own.start))?
                })
            };
            if let Some(block) =
                below.filter(|block| block.signs >= if rest.is_empty() { MIN_SIGNS } else { 1 })
            {
                return join(text, &block, LABELLED);
            }
        }
    }
    // "Address: somewhere without signs" still has a label.
    find_labelled_where(text, leaf, |label, value| names_address(leaf, label) && !value.contains('@'))
        .filter(|found| found.confidence > 0.8)
}

/// Whether a label asks for this address. "Bill to" and "Ship to" are above the address of that party.
fn names_address(leaf: &Leaf, label: &str) -> bool {
    let found = words(label);
    let others = ["email", "url", "phone", "fax"];
    if found.iter().any(|word| others.contains(&word.as_ref())) {
        return false;
    }
    if found.iter().any(|word| word == "address") {
        // As for other labels without a colon (`labelled_text::BARE_FIT`). Chosen by hand; no measurement is
        // recorded.
        return fit(&leaf.concepts, &found) >= 0.6;
    }
    // "Property: …" for the address of a property.
    let own = |word: &&Word| !matches!(word.as_ref(), "address" | "company" | "vendor" | "name");
    if leaf.concepts.words.iter().filter(own).any(|word| found.contains(word))
        && fit(&leaf.concepts, &found) >= 0.6
    {
        return true;
    }
    leaf.concepts.is_qualified()
        && found.len() <= 2
        && leaf.concepts.qualifiers().all(|asked| stands_for(&found, asked))
}

/// The segment of a line below a segment of another line.
fn column_of(above: &Line, segment: usize, line: &Line) -> Option<usize> {
    if line.segments.len() == 1 {
        let indented = line.segments.first()?.start > above.segments.get(segment)?.end;
        return (!indented || segment + 1 == above.segments.len()).then_some(0);
    }
    let place = above.segments.get(segment)?;
    line.segments
        .iter()
        .position(|other| other.start < place.end.max(place.start + MIN_COLUMN) && other.end > place.start)
}

/// The best block near the top.
fn top_block(text: &Text) -> Option<ExtractedValue> {
    let mut best: Option<(u32, Block)> = None;
    let mut covered = 0;
    for index in 0..text.lines.len().min(TOP) {
        if index < covered {
            continue;
        }
        let Some(line) = text.lines.get(index) else { break };
        for (segment, part) in line.segments.iter().enumerate().take(MAX_SEGMENTS) {
            let content = line.slice(part.start, part.end);
            // A document begins with a name.
            if looks(content) == 0
                // A name at the top, or a business, may have one or two signs by chance. Chosen by hand; no
                // measurement is recorded.
                || index == 0 && looks(content) < 2
                || ends(content)
                || is_labelled(content)
                || (is_business(content) && looks(content) < 3)
                || is_customer(text, index)
            {
                continue;
            }
            let Some(block) = block_at(text, index, segment, part.start) else { continue };
            if line.segments.len() == 1 {
                covered = block.parts.last().map_or(index, |(line, ..)| *line) + 1;
            }
            let rank = block.signs.min(ENOUGH_SIGNS);
            if block.signs >= MIN_SIGNS && best.as_ref().is_none_or(|(other, _)| rank > other + MUCH_BETTER) {
                best = Some((rank, block));
            }
        }
    }
    join(text, &best?.1, 0.0)
}

fn is_customer(text: &Text, index: usize) -> bool {
    text.heading(index)
        .is_some_and(|heading| words(heading).iter().any(|word| word == "customer" || word == "shipping"))
}

/// The block that begins at a position and continues while lines look like an address.
fn block_at(text: &Text, first: usize, segment: usize, start: usize) -> Option<Block> {
    let mut above = text.lines.get(first)?;
    let (mut column, mut last) = (segment, first);
    let opening = before_contact(above.slice(start, above.segments.get(segment)?.end));
    let mut block = Block { parts: vec![(first, start, start + opening.len())], signs: looks(opening) };
    let mut complete = has_postcode(opening);
    let mut country = false;
    let mut previous = opening;
    while last + 1 - first < MAX_LINES {
        let Some(next) = text.lines.get(last + 1) else { break };
        if country || next.gap && (complete || next.table != above.table) {
            break;
        }
        let Some(index) = column_of(above, column, next) else { break };
        let part = next.segments.get(index)?;
        let content = before_contact(next.slice(part.start, part.end));
        if ends(content)
            || is_labelled(content)
            || is_business(content) && looks(content) < 2
            || !continues_address(content, previous, complete)
        {
            break;
        }
        complete |= has_postcode(content);
        country = complete && ends_in_country(content);
        block.signs += looks(content);
        last += 1;
        block.parts.push((last, part.start, part.start + content.len()));
        (above, column, previous) = (next, index, content);
    }
    Some(block)
}

/// The text before a telephone number or another contact on the same line.
fn before_contact(content: &str) -> &str {
    let mut from = 0;
    for word in content.split_inclusive(char::is_whitespace) {
        let label = NameWord::Contact.has(&fold_word(word));
        if label && from > 0 && word.trim_end().len() >= 3 {
            return content.get(..from).unwrap_or(content).trim_end_matches([' ', ',', '-', '|', '·', '–']);
        }
        from += word.len();
    }
    content
}

/// Whether a line continues an address. After the postcode only a region, a country, or what a comma
/// announces; before it any line that looks like a part or is short.
fn continues_address(content: &str, previous: &str, complete: bool) -> bool {
    let folded = folded_words(content, |c| !c.is_alphanumeric());
    // Words of a place, a region or a country. Chosen by hand; no measurement is recorded.
    let short = folded.len() <= 4;
    let plain = !content.chars().any(|c| c.is_ascii_digit());
    if complete {
        // After a postcode at the end of a line, the place follows on the next one.
        let open = ENDING.is_match(previous.trim_end());
        // A place with its region and country. Chosen by hand; no measurement is recorded.
        if open && folded.len() <= 6 && plain && !folded.iter().any(|word| NameWord::NoAddress.has(word)) {
            return true;
        }
        let region = has_region(&folded) && short;
        let announced = previous.trim_end().ends_with(',') && short && (plain || has_postcode(content));
        return region || announced;
    }
    looks(content) >= 1 || short && plain && !folded.iter().any(|word| NameWord::NoAddress.has(word))
}

fn join(text: &Text, block: &Block, sure: f32) -> Option<ExtractedValue> {
    let part = |(line, start, end): &(usize, usize, usize)| {
        text.lines.get(*line).map_or("", |line| line.slice(*start, *end).trim())
    };
    let mut parts = block.parts.as_slice();
    // A last line without any sign of a place belongs to what follows.
    while let [.., before, last] = parts
        && looks(part(last)) == 0
        && !part(before).ends_with(',')
    {
        parts = parts.get(..parts.len() - 1)?;
    }
    let (first, last) = (parts.first()?, parts.last()?);
    let confidence = (LEAST_SURE + PER_SIGN * block.signs as f32 + sure).min(MOST_SURE);
    let value = parts.iter().map(part).collect::<Vec<_>>().join(" ");
    (!value.is_empty()).then_some(ExtractedValue {
        value: Value::from(value),
        start: text.lines.get(first.0)?.offset(first.1),
        end: text.lines.get(last.0)?.offset(last.2),
        confidence,
    })
}
