//! Words beside numbers: magnitudes, currencies, debit and credit, in one text file per language. `[name]`
//! begins a list; `a = b, c` means that `b` and `c` stand for `a`.

use std::collections::HashMap;
use std::sync::LazyLock;

/// Maximum bytes of a word.
const MAX_WORD: usize = 40;

const SOURCES: [&str; 13] = [
    include_str!("words/english.txt"),
    include_str!("words/indian.txt"),
    include_str!("words/german.txt"),
    include_str!("words/french.txt"),
    include_str!("words/spanish.txt"),
    include_str!("words/italian.txt"),
    include_str!("words/portuguese.txt"),
    include_str!("words/dutch.txt"),
    include_str!("words/nordic.txt"),
    include_str!("words/slavic.txt"),
    include_str!("words/others.txt"),
    include_str!("words/east_asian.txt"),
    include_str!("words/currencies.txt"),
];

/// The word list of a language with magnitudes, debit and credit; empty for an unknown language. `language`
/// is an ISO 639-1 code.
pub fn magnitudes(language: &str) -> &'static str {
    let [english, _, german, french, spanish, ..] = SOURCES;
    match language {
        "en" => english,
        "de" => german,
        "fr" => french,
        "es" => spanish,
        _ => "",
    }
}

/// The meaning of a word beside a number.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Meaning {
    /// The power of ten of a magnitude.
    pub(super) power: Option<usize>,
    /// The power of ten of a magnitude that applies only to money.
    pub(super) power_of_money: Option<usize>,
    pub(super) is_currency: bool,
    /// Whether it marks a debit.
    pub(super) is_debit: bool,
    /// Whether it marks a credit.
    pub(super) is_credit: bool,
}

static MEANINGS: LazyLock<HashMap<&'static str, Meaning>> = LazyLock::new(|| {
    let mut meanings: HashMap<&'static str, Meaning> = HashMap::new();
    for source in SOURCES {
        let mut list = "";
        for line in source.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#')) {
            if let Some(name) = line.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')) {
                list = name;
                continue;
            }
            let (key, words) = line.split_once(" = ").unwrap_or(("", line));
            let power = key.len().checked_sub(1);
            for word in words.split(',').map(str::trim) {
                let meaning = meanings.entry(word).or_default();
                match list {
                    "multiple" => meaning.power = power,
                    "multiple of money" => meaning.power_of_money = power,
                    "currency multiple" => (meaning.power, meaning.is_currency) = (power, true),
                    "currency" => meaning.is_currency = true,
                    "debit" => meaning.is_debit = true,
                    _ => meaning.is_credit = true,
                }
            }
        }
    }
    meanings
});

/// The meaning of a word in any of the languages.
pub(super) fn meaning(word: &str) -> Option<Meaning> {
    if word.is_empty() || word.len() > MAX_WORD {
        return None;
    }
    MEANINGS.get(word).or_else(|| MEANINGS.get(word.to_lowercase().as_str())).copied()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_multiple_is_a_power_of_ten() {
        for source in SOURCES {
            for (key, _) in source.lines().filter_map(|line| line.split_once(" = ")) {
                assert!(key.starts_with('1') && key.bytes().skip(1).all(|byte| byte == b'0'), "{key}");
            }
        }
        assert_eq!(meaning("Mio").and_then(|meaning| meaning.power), Some(6));
        assert_eq!(
            meaning("TEUR").map(|meaning| (meaning.power, meaning.is_currency)),
            Some((Some(3), true))
        );
    }
}
