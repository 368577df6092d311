//! The currency of a document: a code or sign beside its amounts.

use serde_json::Value;

use super::ExtractedValue;
use super::schema::Leaf;
use super::text::Text;

/// ISO 4217 codes, and signs of a single currency.
const SIGNS: &[(&str, &str)] = &[
    ("EUR", "EUR"),
    ("USD", "USD"),
    ("GBP", "GBP"),
    ("CHF", "CHF"),
    ("JPY", "JPY"),
    ("CNY", "CNY"),
    ("INR", "INR"),
    ("MYR", "MYR"),
    ("SGD", "SGD"),
    ("AUD", "AUD"),
    ("CAD", "CAD"),
    ("NZD", "NZD"),
    ("SEK", "SEK"),
    ("NOK", "NOK"),
    ("DKK", "DKK"),
    ("PLN", "PLN"),
    ("CZK", "CZK"),
    ("HUF", "HUF"),
    ("BRL", "BRL"),
    ("MXN", "MXN"),
    ("ZAR", "ZAR"),
    ("TRY", "TRY"),
    ("AED", "AED"),
    ("HKD", "HKD"),
    ("THB", "THB"),
    ("IDR", "IDR"),
    ("PHP", "PHP"),
    ("KRW", "KRW"),
    ("ILS", "ILS"),
    ("RON", "RON"),
    ("€", "EUR"),
    ("£", "GBP"),
    ("₹", "INR"),
    ("zł", "PLN"),
    ("RM", "MYR"),
    ("Rs", "INR"),
    ("Kč", "CZK"),
    ("₩", "KRW"),
    ("$", "USD"),
];
/// Maximum lines that are read.
const MAX_LINES: usize = 5_000;

/// The code of the currency beside most amounts; of equally frequent ones, printed codes win over signs.
pub(crate) fn choose(text: &Text, leaf: &Leaf) -> Option<ExtractedValue> {
    if leaf.concepts.is_qualified() {
        return None;
    }
    let mut best: Option<(usize, ExtractedValue)> = None;
    for (sign, code) in SIGNS {
        let (mut count, mut first) = (0, None);
        for (index, line) in text.lines.iter().take(MAX_LINES).enumerate() {
            for at in places(&line.text, sign) {
                count += 1;
                first.get_or_insert((index, at));
            }
        }
        let Some((index, at)) = first.filter(|_| best.as_ref().is_none_or(|(most, _)| count > *most)) else {
            continue;
        };
        let line = text.lines.get(index)?;
        let (start, end) = (line.offset(at), line.offset(at + sign.len()));
        best = Some((count, ExtractedValue { value: Value::from(*code), start, end, confidence: 0.7 }));
    }
    best.map(|(_, found)| found)
}

/// The positions of a code as a word, or of a sign beside a digit.
fn places<'a>(line: &'a str, sign: &'a str) -> impl Iterator<Item = usize> + 'a {
    let lettered = sign.chars().all(char::is_alphabetic);
    line.match_indices(sign).map(|(at, _)| at).filter(move |&at| {
        let before = line.get(..at).and_then(|text| text.trim_end().chars().next_back());
        let touching = line.get(..at).and_then(|text| text.chars().next_back());
        let rest = line.get(at + sign.len()..).unwrap_or_default();
        let after = rest.trim_start_matches(['.', ' ', '-', '\u{a0}']).chars().next();
        let digit = |c: Option<char>| c.is_some_and(|c| c.is_ascii_digit());
        if lettered {
            let word = !touching.is_some_and(char::is_alphabetic)
                && !rest.chars().next().is_some_and(char::is_alphabetic);
            return word && (sign.len() == 3 || digit(before) || digit(after));
        }
        digit(before) || digit(after)
    })
}
