//! Which currency a document prints: a sign that several currencies share decides nothing by itself.

use std::ops::Range;
use std::sync::LazyLock;

use rustc_hash::FxHashMap;

use crate::locale::Section;
use crate::money::{Currency, mark_beside};
use crate::number::{is_money_word, scan};

static SHARED_SIGNS: Section = Section(include_str!(concat!(env!("OUT_DIR"), "/shared_signs.txt")));

static CODE_WORDS: Section = Section(include_str!(concat!(env!("OUT_DIR"), "/code_words.txt")));

/// Bytes of a text that are searched. Bounds the time.
const LOOKED_AT: usize = 2_000_000;
/// Letters of a code.
const CODE: usize = 3;

static SHARED: LazyLock<FxHashMap<&str, Vec<Currency>>> = LazyLock::new(|| {
    let codes = |words: crate::Words| words.iter().filter_map(Currency::from_code).collect();
    SHARED_SIGNS.entries().map(|entry| (entry.key, codes(entry.words))).collect()
});

/// Every currency that a code, sign or word may mean, without a preference; empty where it means none.
#[must_use]
pub fn meanings(mark: &str) -> Vec<Currency> {
    let mark = mark.trim();
    if let Some(code) = Currency::from_code(mark) {
        return vec![code];
    }
    let shared = SHARED.get(mark).or_else(|| SHARED.get(mark.trim_end_matches('.')));
    let mut found: Vec<Currency> = Currency::named(mark).to_vec();
    // A word such as "dollars" is as open as the sign; "yen" and "yuan" are not, though they share theirs.
    let is_word = mark.chars().nth(CODE).is_some() && mark.chars().all(char::is_alphabetic);
    let group = || SHARED.iter().filter(|(sign, _)| **sign != "¥").map(|(_, all)| all);
    let by_word = || group().find(|all| found.iter().any(|one| all.contains(one)));
    if let Some(all) = shared.or_else(|| if is_word { by_word() } else { None }) {
        let more: Vec<Currency> = all.iter().copied().filter(|one| !found.contains(one)).collect();
        found.extend(more);
    }
    found
}

/// The place of the currency beside the number at `number`, as [`mark_beside`]. A code that is a word in capitals is none:
/// `PEN 12.50` may be a pen.
#[must_use]
pub fn mark_of(text: &str, number: Range<usize>) -> Option<Range<usize>> {
    mark_beside(text, number).filter(|mark| text.get(mark.clone()).is_some_and(|mark| !is_code_word(mark)))
}

fn is_code_word(code: &str) -> bool {
    CODE_WORDS.words("codes").iter().any(|word| word == code)
}

/// The currencies that a text prints without doubt: by their codes, or by signs of their own.
#[must_use]
pub fn certain_currencies(text: &str) -> Vec<Currency> {
    let text = text.get(..text.floor_char_boundary(LOOKED_AT)).unwrap_or_default();
    let mut found = Vec::new();
    let mut add = |mark: &str| {
        if let [only] = meanings(mark).as_slice()
            && !found.contains(only)
        {
            found.push(*only);
        }
    };
    for word in text.split(|c: char| !c.is_alphanumeric()).filter(|word| word.len() == CODE) {
        if word.chars().all(|c| c.is_ascii_uppercase()) && is_money_word(word) && !is_code_word(word) {
            add(word);
        }
    }
    let mut buffer = [0; 4];
    let mut signs: Vec<char> = text.chars().filter(|c| !c.is_ascii() && !c.is_alphanumeric()).collect();
    signs.sort_unstable();
    signs.dedup();
    signs.iter().for_each(|sign| add(sign.encode_utf8(&mut buffer)));
    scan(text, 0..text.len(), |number| {
        if number.money || !number.part {
            mark_of(text, number.range).and_then(|mark| text.get(mark)).into_iter().for_each(&mut add);
        }
    });
    found
}

/// The place of the currency that a label states, such as the `EUR` of `Total (EUR)`; the last one.
#[must_use]
pub fn mark_in_label(label: &str) -> Option<Range<usize>> {
    let is_mark = |word: &str| match word.chars().all(char::is_alphabetic) {
        true => word.len() == CODE && Currency::from_code(word).is_some() && !is_code_word(word),
        false => !word.is_empty() && !Currency::named(word).is_empty(),
    };
    let ends =
        |c: char| c.is_whitespace() || matches!(c, '(' | ')' | '[' | ']' | ':' | ',' | ';' | '/' | '|' | '.');
    let mut end = label.len();
    for word in label.rsplit(ends) {
        let start = end - word.len();
        if is_mark(word) {
            return Some(start..end);
        }
        end = label.get(..start)?.char_indices().next_back().map_or(0, |(at, _)| at);
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_shared_sign_means_several_currencies_and_others_mean_one() {
        let codes = |mark: &str| meanings(mark).into_iter().map(Currency::code).collect::<Vec<_>>();
        for (mark, code) in [
            ("€", "EUR"),
            ("US$", "USD"),
            ("EUR", "EUR"),
            ("£", "GBP"),
            ("zł", "PLN"),
            ("yen", "JPY"),
            ("A$", "AUD"),
        ] {
            assert_eq!(codes(mark), [code], "{mark}");
        }
        for mark in ["$", "kr", "kr.", "¥", "Fr.", "dollars", "pesos", "Rs", "C$"] {
            assert!(codes(mark).len() > 1, "{mark}: {:?}", codes(mark));
        }
        assert!(codes("hotel").is_empty() && codes("").is_empty());
    }

    #[test]
    fn what_a_text_prints_without_doubt_is_told() {
        let certain =
            |text: &str| certain_currencies(text).into_iter().map(Currency::code).collect::<Vec<_>>();
        assert_eq!(certain("Total $12.50"), [] as [&str; 0]);
        assert_eq!(certain("All amounts in CAD. Total $12.50"), ["CAD"]);
        assert_eq!(certain("Total A$ 12.50"), ["AUD"]);
        assert_eq!(certain("Amount (€) 12"), ["EUR"]);
        assert_eq!(certain("ALL ITEMS, TOP 5, TRY IT"), [] as [&str; 0]);
        assert_eq!(certain("99 kr"), [] as [&str; 0]);
        assert_eq!(certain("PEN 12.50"), [] as [&str; 0]);
        assert_eq!(certain("KES 500"), ["KES"]);
    }

    #[test]
    fn a_label_may_state_the_currency() {
        let mark = |label: &str| mark_in_label(label).and_then(|place| label.get(place).map(str::to_owned));
        for (label, told) in [
            ("Total (EUR)", Some("EUR")),
            ("Betrag in €:", Some("€")),
            ("Total USD", Some("USD")),
            ("Amount [$]", Some("$")),
            ("TOTAL", None),
            ("ALL ITEMS", None),
            ("", None),
        ] {
            assert_eq!(mark(label).as_deref(), told, "{label}");
        }
    }
}
