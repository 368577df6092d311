//! Summary lines, recognised by their words.

mod sum_words;

use language::fold::{fold_letters, is_word};

use sum_words::{FILLERS, FIRST_OTHERS, FIRST_SUMS, FIRST_TAXES, SUMS, TAXES};

/// Bytes of a word that is compared. Bounds the time.
const MAX_WORD: usize = 40;
/// Leading words of a line that may mark a summary. Such as *total carried forward*. Chosen by hand; no
/// measurement is recorded.
const FIRST: usize = 3;
/// Words of a line that are compared. Bounds the time.
const MAX_WORDS: usize = 20;

/// What the words of a summary line denote.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct SumLabel {
    /// Whether there is a word for a sum, or one for a tax; else it may be a balance or a page footer.
    pub(crate) is_sum: bool,
    pub(crate) is_tax: bool,
    /// Whether it names nothing else.
    pub(crate) is_pure: bool,
}

impl SumLabel {
    /// The label of a summary line; `None` for any other line.
    pub(crate) fn of(line: &str) -> Option<Self> {
        let words = line.split(|c: char| !is_word(c)).filter(|word| word.chars().any(char::is_alphabetic));
        let words: Vec<String> = words
            .take(MAX_WORDS)
            .map(|word| if word.len() <= MAX_WORD { fold_letters(word) } else { String::new() })
            .collect();
        let has = |among: &[&str], first: usize| {
            words.iter().take(first).any(|word| among.contains(&word.as_str()))
        };
        let (is_sum, is_tax) =
            (has(SUMS, FIRST) || has(FIRST_SUMS, 1), has(TAXES, FIRST) || has(FIRST_TAXES, 1));
        let all = [SUMS, TAXES, FIRST_SUMS, FIRST_TAXES, FIRST_OTHERS, FILLERS];
        let is_pure = words.iter().all(|word| all.iter().any(|words| words.contains(&word.as_str())));
        (is_sum || is_tax || has(FIRST_OTHERS, 1)).then_some(Self { is_sum, is_tax, is_pure })
    }
}

/// Whether the first words of a line mark it as a summary.
pub(crate) fn is_summary(line: &str) -> bool {
    SumLabel::of(line).is_some()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_that_sum_up_are_known_by_their_first_word() {
        for line in
            ["| Total | 5.00 |", "Übertrag 5,00", "Sub-total 3.00", "Zwischensumme: 4", "28 SUBTOTAL: 2.00"]
        {
            assert!(is_summary(line), "{line}");
        }
        assert!(!is_summary("| Pen | 5.00 |") && !is_summary("") && !is_summary("Paper for the total 2"));
    }

    #[test]
    fn a_label_is_pure_if_it_names_nothing_but_sums() {
        let pure = |line| SumLabel::of(line).map(|label| label.is_pure);
        for line in ["Total 5.00", "VAT 19% 1.00", "Carried forward 3.00 EUR", "zzgl. MwSt. 7 %"] {
            assert_eq!(pure(line), Some(true), "{line}");
        }
        for line in ["Total care cleaner 5.00", "Net curtains 20.00", "Tax consulting 500.00"] {
            assert_eq!(pure(line), Some(false), "{line}");
        }
    }
}
