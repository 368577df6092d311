//! Codes: account numbers with check digits, and identifiers of documents, registers and things.

use gen_core::text::identifiers;
use language::fold::fold_word;
use language::label::{concept, is_filler};
use serde_json::Value;

use super::super::dates::DateSpan;
use super::TypedValue;
use crate::pattern::pattern;

pattern!(IDENTIFIER, r"(?:[A-Z]{2} ?)?\d{3}(?: \d{3}){2,}\b|#?[A-Za-z0-9]+(?:[-/._#]{1,2}[A-Za-z0-9]+)*");
/// Maximum characters of an identifier. Longer ones are hashes or URLs. An IBAN has 34 (ISO 13616).
const MAX_IDENTIFIER: usize = 40;
/// Maximum groups after the first one of an identifier. An IBAN has eight after the first (ISO 13616).
const MAX_GROUPS: usize = 8;

/// Identifiers of a line. One that is printed in groups, such as `KX19 FGP` or `485 777 3456`, is one value.
pub(super) fn identifiers(line: &str, dated: &[DateSpan]) -> Vec<TypedValue> {
    let mut values: Vec<TypedValue> = Vec::new();
    for found in IDENTIFIER.find_iter(line) {
        let covered = values.last().is_some_and(|last| found.start() < last.end);
        if covered || !found.as_str().bytes().any(|byte| byte.is_ascii_digit()) {
            continue;
        }
        if dated.iter().any(|date| found.start() < date.end && date.start < found.end()) {
            continue;
        }
        let start = found.start() + (found.as_str().len() - found.as_str().trim_start_matches('#').len());
        let start = prefix_start(line, start);
        let room = dated.iter().map(|date| date.start).find(|at| *at >= found.end()).unwrap_or(line.len());
        let end = groups_end(line, found.end(), room);
        let text = line.get(start..end).unwrap_or_default();
        let digits = text.bytes().any(|byte| byte.is_ascii_digit());
        if digits && (2..=MAX_IDENTIFIER).contains(&text.len())
            || text.len() == 1 && found.as_str().len() == 1
        {
            values.push(TypedValue { start, end, value: Value::from(text), number: None });
        }
    }
    values
}

/// The start of an identifier with capitals before it that follow a colon or gap, as in `SK 1478`.
fn prefix_start(line: &str, start: usize) -> usize {
    let Some(before) = line.get(..start).and_then(|text| text.strip_suffix(' ')) else { return start };
    let word = before.rsplit([' ', ':', '#', '|', '\t']).next().unwrap_or_default();
    let letters = word.len();
    // Prefixes such as `SK` and `INV`; after a word in lower case up to two. Chosen by hand; no measurement
    // is recorded.
    let capitals = (1..=4).contains(&letters) && word.bytes().all(|byte| byte.is_ascii_uppercase());
    let ahead = before.get(..before.len() - letters).unwrap_or_default();
    let behind = ahead.trim_end();
    let apart = behind.is_empty() || behind.ends_with([':', '#', '|']) || ahead.ends_with("  ");
    let short = letters <= 2 && behind.chars().next_back().is_some_and(char::is_lowercase);
    if capitals && (apart || short) && !is_label_word(word) { start - 1 - letters } else { start }
}

/// Whether a word is part of a label.
fn is_label_word(word: &str) -> bool {
    let folded = fold_word(word);
    folded.len() > 1 && (concept(&folded).is_some() || is_filler(&folded))
}

/// The end of an identifier that continues in groups of digits and capitals.
fn groups_end(line: &str, end: usize, room: usize) -> usize {
    let mut end = end;
    for _ in 0..MAX_GROUPS {
        let Some(rest) = line.get(end..room).and_then(|rest| rest.strip_prefix(' ')) else { break };
        let group = rest.split([' ', ',', ';', '|', '\t', ')']).next().unwrap_or_default();
        let plain = !group.is_empty()
            // Longer groups are numbers of their own. Chosen by hand; no measurement is recorded.
            && group.len() <= 12
            && group.bytes().all(|byte| byte.is_ascii_uppercase() || byte.is_ascii_digit() || byte == b'-');
        let digits = group.bytes().any(|byte| byte.is_ascii_digit());
        let last = rest.get(group.len()..).is_none_or(|after| after.trim().is_empty());
        let letters = group.len() <= 3 && group.bytes().all(|byte| byte.is_ascii_uppercase());
        if !plain
            || !(digits && group.bytes().next() != Some(b'-') || letters && last)
            || is_label_word(group)
        {
            break;
        }
        end += 1 + group.len();
    }
    end
}

/// Account numbers. Those with wrong check digits are included only if the line has no valid one.
pub(super) fn ibans(line: &str) -> Vec<TypedValue> {
    let found = identifiers::ibans(line);
    let any = found.iter().any(|(_, checks)| *checks);
    let kept = found.into_iter().filter(|(_, checks)| *checks || !any);
    kept.map(|(range, _)| {
        let value = Value::from(line.get(range.clone()).unwrap_or_default());
        TypedValue { start: range.start, end: range.end, value, number: None }
    })
    .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn printed(found: Vec<TypedValue>) -> Vec<String> {
        found.iter().map(|typed| typed.value.as_str().unwrap_or_default().to_owned()).collect()
    }

    #[test]
    fn an_iban_that_checks_goes_before_one_that_does_not() {
        let line = "IBAN DE89 3704 0044 0532 0130 00 or DE88 3704 0044 0532 0130 00";
        assert_eq!(printed(ibans(line)), ["DE89 3704 0044 0532 0130 00"]);
        assert_eq!(printed(ibans("IBAN DE88370400440532013000")), ["DE88370400440532013000"]);
    }

    #[test]
    fn an_identifier_in_groups_is_whole() {
        for (line, identifier) in [
            ("Plate: KX19 FGP", "KX19 FGP"),
            ("Flight: SK 1478", "SK 1478"),
            ("NHS number 485 777 3456", "485 777 3456"),
            ("Doc FS 2024/3312", "FS 2024/3312"),
            ("Invoice # 8831 TIME 10:20", "8831"),
            ("INV NO CS00918 CASHIER 02", "CS00918"),
        ] {
            assert_eq!(
                printed(identifiers(line, &[])).first().map(String::as_str),
                Some(identifier),
                "{line}"
            );
        }
    }
}
