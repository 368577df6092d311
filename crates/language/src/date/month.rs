//! The names of months in all languages.

use std::sync::LazyLock;

use rustc_hash::FxHashMap;

use crate::fold::fold_word;
use crate::language::Language;

/// Letters of a name that may stand for the whole.
const CUT: std::ops::RangeInclusive<usize> = 3..=5;
/// Bytes of the longest name.
const MAX_NAME: usize = 48;

struct Months {
    names: FxHashMap<String, u32>,
    beginnings: FxHashMap<String, u32>,
}

static MONTHS: LazyLock<Months> = LazyLock::new(|| {
    let mut months = Months { names: FxHashMap::default(), beginnings: FxHashMap::default() };
    for locale in Language::all().filter_map(Language::locale) {
        for (number, words) in locale.months.numbered() {
            let Ok(number) = u32::try_from(number) else { continue };
            for name in words.iter().map(fold_word) {
                for length in CUT.filter(|_| locale.cut_months) {
                    let cut: String = name.chars().take(length).collect();
                    // Of what begins several months the first is taken: "juil." and "juin" differ in the fourth letter.
                    if cut.chars().count() == length {
                        months.beginnings.entry(cut).or_insert(number);
                    }
                }
                months.names.entry(name).or_insert(number);
            }
        }
    }
    months
});

/// The month, from 1, that a word names: in full or by a usual abbreviation, in any language.
#[must_use]
pub fn month(word: &str) -> Option<u32> {
    if word.len() > MAX_NAME {
        return None;
    }
    MONTHS.names.get(&fold_word(word)).copied()
}

/// The same, also by three to five letters that a name begins with, as documents cut names.
#[must_use]
pub fn month_or_beginning(word: &str) -> Option<u32> {
    if word.len() > MAX_NAME {
        return None;
    }
    let folded = fold_word(word);
    MONTHS.names.get(&folded).or_else(|| MONTHS.beginnings.get(&folded)).copied()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn months_are_known_in_full_and_abbreviated() {
        for (word, number) in [
            ("January", 1),
            ("Jänner", 1),
            ("févr", 2),
            ("MÄRZ", 3),
            ("Mar", 3),
            ("avr", 4),
            ("Mai", 5),
            ("maja", 5),
            ("Jun", 6),
            ("juil", 7),
            ("Jul", 7),
            ("août", 8),
            ("Sept", 9),
            ("sep", 9),
            ("Okt", 10),
            ("Ott", 10),
            ("października", 10),
            ("nov", 11),
            ("ноября", 11),
            ("Dez", 12),
            ("déc", 12),
            ("joulukuuta", 12),
        ] {
            assert_eq!(month_or_beginning(word), Some(number), "{word}");
        }
        for word in ["", "ma", "total", "marine", "日"] {
            assert_eq!(month_or_beginning(word), None, "{word}");
        }
        assert_eq!((month("octo"), month_or_beginning("octo")), (None, Some(10)));
    }

    #[test]
    fn no_name_is_of_two_months() {
        for locale in Language::all().filter_map(Language::locale) {
            for (number, words) in locale.months.numbered() {
                for word in words.iter() {
                    assert_eq!(month(word).map(i64::from), Some(number), "{word} in {}", locale.code);
                }
            }
        }
    }
}
