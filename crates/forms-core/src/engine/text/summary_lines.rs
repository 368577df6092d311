//! Summary lines, recognised by their words.

use language::fold::{fold_word, is_word};
use language::label::SumWord;

/// Bytes of a word that is compared. Bounds the time.
const MAX_WORD: usize = 40;
/// Leading words of a line that may mark a summary. Such as *total carried forward*. Chosen by hand; no
/// measurement is recorded.
const FIRST: usize = 3;
/// Words of a line that are compared. Bounds the time.
const MAX_WORDS: usize = 20;

/// The kinds of words of a line that only sums up.
const KINDS: [SumWord; 6] = [
    SumWord::LineSum,
    SumWord::LineTax,
    SumWord::FirstSum,
    SumWord::FirstTax,
    SumWord::FirstOther,
    SumWord::LineFiller,
];

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
            .map(|word| if word.len() <= MAX_WORD { fold_word(word) } else { String::new() })
            .collect();
        let has = |kind: SumWord, first: usize| words.iter().take(first).any(|word| kind.has(word));
        let is_sum = has(SumWord::LineSum, FIRST) || has(SumWord::FirstSum, 1);
        let is_tax = has(SumWord::LineTax, FIRST) || has(SumWord::FirstTax, 1);
        let is_pure = words.iter().all(|word| KINDS.iter().any(|kind| kind.has(word)));
        (is_sum || is_tax || has(SumWord::FirstOther, 1)).then_some(Self { is_sum, is_tax, is_pure })
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
