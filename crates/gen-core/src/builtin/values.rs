//! Typed values in a line: money, numbers, e-mail, phone, URL, IBAN, percent, identifiers, yes and no.

use std::sync::LazyLock;

use regex::Regex;
use serde_json::{Number, Value};

use super::dates;
use super::kind::Kind;
use super::lines::{Line, Text};
use super::schema::Output;

/// A value in a line, by bytes of the line.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Typed {
    pub(crate) start: usize,
    pub(crate) end: usize,
    pub(crate) value: Value,
    /// The number it stands for, for numeric kinds.
    pub(crate) number: Option<f64>,
}

macro_rules! pattern {
    ($name:ident, $text:literal) => {
        #[allow(clippy::unwrap_used, reason = "a constant pattern, compiled in every test")]
        static $name: LazyLock<Regex> = LazyLock::new(|| Regex::new($text).unwrap());
    };
}

pattern!(
    MONEY,
    r"(?:[-(]\s?)?(?:(?:RM|USD|EUR|GBP|MYR|SGD|CHF|INR|CAD|AUD|Rs\.?)\s?|[$€£¥₹]\s?)?-?(?:\d{1,3}(?:[ \u{a0}\u{202f}]\d{3})+,\d{2}|\d{1,3}(?:[,.'’]\d{3})+(?:[.,]\d{1,2})?|\d+[.,]\d{2}|\d+|\.\d{2})\b"
);
pattern!(NUMBER, r"-?\d+(?:[,.' ]\d{3})*(?:[.,]\d+)?");
pattern!(EMAIL, r"(?i)[a-z0-9._%+'-]+@[a-z0-9-]+(?:\.[a-z0-9-]+)*\.[a-z]{2,24}\b");
pattern!(URL, r#"(?i)\b(?:https?://[^\s<>"')\]]+|www\.[a-z0-9-]+(?:\.[a-z0-9-]+)+[^\s<>"')\]]*)"#);
pattern!(PHONE, r"(?:\+ ?|\(\+?)?\b\d{1,5}(?:\)? ?[-./]? ?\(?\d{1,8}){1,6}\b");
pattern!(IBAN, r"\b[A-Z]{2}\d{2}(?: ?[A-Z0-9]{2,4}){3,8}\b");
pattern!(PERCENT, r"-?\d+(?:[.,]\d+)?\s?%");
pattern!(BIC, r"\b[A-Z]{4}[A-Z]{2}[A-Z0-9]{2}(?:[A-Z0-9]{3})?\b");
pattern!(IDENTIFIER, r"(?:[A-Z]{2} ?)?\d{3}(?: \d{3}){2,}\b|#?[A-Za-z0-9]+(?:[-/._#]{1,2}[A-Za-z0-9]+)*");
pattern!(YES, r"(?i)^(?:yes|true|y|ja|oui|s[ií]|x|\[x\]|☑|☒|✓|✔|checked|agreed)\b|^(?:\[x\]|☑|☒|✓|✔)");
pattern!(NO, r"(?i)^(?:no|false|n|nein|non|none|\[ \]|☐)\b|^(?:\[ \]|☐)");

/// Every value of a kind in a line.
pub(crate) fn find(kind: Kind, text: &Text, line: &Line, output: Output) -> Vec<Typed> {
    let line = line.text.as_str();
    let needs_digit = !matches!(kind, Kind::Email | Kind::Url | Kind::Bic);
    if needs_digit && !line.bytes().any(|byte| byte.is_ascii_digit()) {
        return Vec::new();
    }
    match kind {
        Kind::Date => {
            dates::dates(line, text.day_first).into_iter().map(|span| date(line, span, output)).collect()
        }
        Kind::Money => numeric(&MONEY, line, output, is_money),
        Kind::Number => numeric(&NUMBER, line, output, |_, _, _| true),
        Kind::Percent => numeric(&PERCENT, line, output, |_, _, _| true),
        Kind::Email if !line.contains('@') => Vec::new(),
        Kind::Email => plain(&EMAIL, line, |_| true),
        Kind::Url => plain(&URL, line, |_| true),
        Kind::Phone => plain(&PHONE, line, |text| {
            let digits = text.bytes().filter(u8::is_ascii_digit).count();
            (7..=15).contains(&digits) && dates::dates(text, None).is_empty()
        }),
        Kind::Iban => ibans(line),
        Kind::Bic => plain(&BIC, line, |_| true),
        Kind::Identifier => plain(&IDENTIFIER, line, |text| {
            text.len() >= 2
                && text.bytes().any(|b| b.is_ascii_digit())
                && text.len() <= 40
                && dates::dates(text, None).is_empty()
        }),
        _ => Vec::new(),
    }
}

fn date(line: &str, span: dates::DateSpan, output: Output) -> Typed {
    let value = if output == Output::IsoDate {
        Value::from(span.date.to_string())
    } else {
        Value::from(line.get(span.start..span.end).unwrap_or_default())
    };
    Typed { start: span.start, end: span.end, value, number: None }
}

fn plain(pattern: &Regex, line: &str, keep: impl Fn(&str) -> bool) -> Vec<Typed> {
    let found = pattern.find_iter(line).filter(|found| keep(found.as_str()));
    found
        .map(|found| {
            let text = found.as_str().trim_end_matches(['.', ',', ';']);
            Typed {
                start: found.start(),
                end: found.start() + text.len(),
                value: Value::from(text),
                number: None,
            }
        })
        .collect()
}

fn numeric(
    pattern: &Regex,
    line: &str,
    output: Output,
    keep: impl Fn(&str, usize, &str) -> bool,
) -> Vec<Typed> {
    let mut values = Vec::new();
    for found in pattern.find_iter(line) {
        let printed = found.as_str().trim();
        // Part of a longer word or number is no number.
        let before = line.get(..found.start()).and_then(|text| text.chars().next_back());
        let after = line.get(found.end()..).unwrap_or_default();
        let joined = before.is_some_and(|c| c.is_alphanumeric() || matches!(c, '.' | ',' | '/'));
        if joined || !keep(printed, found.start(), after) {
            continue;
        }
        if let Some(number) = parse_number(printed) {
            let value = match output {
                Output::Number => Number::from_f64(number).map_or(Value::Null, Value::Number),
                Output::Integer if number.fract() == 0.0 && number.abs() < 9e15 => Value::from(number as i64),
                Output::Integer => continue,
                _ => Value::from(printed),
            };
            let start = found.start() + (found.as_str().len() - found.as_str().trim_start().len());
            values.push(Typed { start, end: start + printed.len(), value, number: Some(number) });
        }
    }
    values
}

/// Money has cents or a currency; a bare whole number beside a label may be money too.
fn is_money(printed: &str, _: usize, after: &str) -> bool {
    let next = after.chars().next();
    let part = next.is_some_and(|c| c.is_alphanumeric() || matches!(c, '/' | '%' | ':'))
        || after.trim_start().starts_with('%')
        || (next.is_some_and(|c| matches!(c, '-' | '.' | ','))
            && after.chars().nth(1).is_some_and(|c| c.is_ascii_digit()));
    !part && printed.bytes().filter(u8::is_ascii_digit).count() <= 12
}

/// Whether a printed amount shows that it is money.
pub(crate) fn shows_money(printed: &str) -> bool {
    let digits = printed.trim_end_matches(|c: char| !c.is_ascii_digit());
    let cents = digits.len() > 3
        && digits.as_bytes().get(digits.len() - 3).is_some_and(|b| matches!(b, b'.' | b','))
        && digits.get(digits.len() - 2..).is_some_and(|tail| tail.bytes().all(|b| b.is_ascii_digit()));
    cents || printed.contains(['$', '€', '£', '¥', '₹']) || printed.bytes().any(|b| b.is_ascii_alphabetic())
}

/// A printed number in either convention: the last separator with other than three digits behind it
/// is the decimal one.
pub(crate) fn parse_number(printed: &str) -> Option<f64> {
    let negative = printed.starts_with(['-', '(']) || printed.contains("-");
    let digits: String = printed.chars().filter(|c| c.is_ascii_digit() || matches!(c, '.' | ',')).collect();
    let digits = digits.trim_matches(['.', ',']);
    let decimal = digits.rfind(['.', ',']).filter(|&at| {
        let tail = digits.len() - at - 1;
        let separators: Vec<char> = digits.chars().filter(|c| matches!(c, '.' | ',')).collect();
        let mixed = separators.iter().any(|c| Some(c) != separators.last());
        let repeated = separators.len() > 1 && !mixed;
        (tail != 3 || mixed) && !repeated
    });
    let mut text = String::with_capacity(digits.len());
    for (index, c) in digits.char_indices() {
        if c.is_ascii_digit() {
            text.push(c);
        } else if Some(index) == decimal {
            text.push('.');
        }
    }
    let number: f64 = text.parse().ok()?;
    Some(if negative { -number } else { number })
}

/// Account numbers whose check digits agree; what a greedy reading joins from the next word is left out.
fn ibans(line: &str) -> Vec<Typed> {
    let mut values = Vec::new();
    for found in IBAN.find_iter(line) {
        let mut text = found.as_str();
        while !iban_checks(text) {
            let Some((shorter, _)) = text.rsplit_once(' ') else { break };
            text = shorter;
        }
        if iban_checks(text) {
            let (start, end) = (found.start(), found.start() + text.len());
            values.push(Typed { start, end, value: Value::from(text), number: None });
        }
    }
    values
}

/// The check digits of ISO 13616.
fn iban_checks(text: &str) -> bool {
    let compact: String = text.chars().filter(|c| !c.is_whitespace()).collect();
    if !(15..=34).contains(&compact.len()) {
        return false;
    }
    let (head, tail) = compact.split_at(4);
    let rest = tail.chars().chain(head.chars()).fold(0_u32, |rest, c| {
        let value = c.to_digit(36).unwrap_or(0);
        if value < 10 { (rest * 10 + value) % 97 } else { (rest * 100 + value) % 97 }
    });
    rest == 1
}

/// Yes or no at the beginning of a text, and how many bytes say it.
pub(crate) fn yes_or_no(text: &str) -> Option<(bool, usize)> {
    let found = |pattern: &Regex| pattern.find(text).map(|found| found.end());
    found(&YES).map(|end| (true, end)).or_else(|| found(&NO).map(|end| (false, end)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_read_in_both_conventions() {
        for (printed, number) in [
            ("1,234.50", 1234.5),
            ("1.234,50 €", 1234.5),
            ("RM 9.90", 9.9),
            ("12,5", 12.5),
            ("1,234", 1234.0),
            ("1.234.567", 1_234_567.0),
            ("-3.00", -3.0),
            ("(3.00)", -3.0),
            ("1'234.50", 1234.5),
        ] {
            assert_eq!(parse_number(printed), Some(number), "{printed}");
        }
    }

    #[test]
    fn an_iban_must_pass_its_check() {
        let line = Line {
            text: "IBAN DE89 3704 0044 0532 0130 00 or DE88 3704 0044 0532 0130 00".into(),
            ..Line::default()
        };
        let found = find(Kind::Iban, &Text::default(), &line, Output::Verbatim);
        assert_eq!(
            found.iter().map(|t| t.value.as_str().unwrap()).collect::<Vec<_>>(),
            ["DE89 3704 0044 0532 0130 00"]
        );
    }
}
