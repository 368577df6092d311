//! Grades the support of a place whose letters or number agree with a value: whether it really shows the
//! value, and how closely.

use std::ops::Range;

use language::fold::{fold_char, is_word};
use language::number::NumberMention;

use super::value_query::{SearchKey, ValueQuery};
use crate::Support;

/// Consecutive digits from which spaces between them are ignored, as in an IBAN. Shorter runs may be two
/// numbers, as a price and a quantity. Chosen by hand; no measurement is recorded.
const LONG_DIGITS: usize = 7;
/// Characters between two words of a value at most. A cell border with its padding. Chosen by hand; no
/// measurement is recorded.
const MAX_GAP: usize = 40;

/// An occurrence of a search key in a text.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct PrintedValue {
    pub(super) range: Range<usize>,
    /// Whether a number is negative; `None` when its sign is ambiguous.
    pub(super) negative: Option<bool>,
    /// Whether it is part of something else, such as the year of a date.
    pub(super) part: bool,
    /// Whether it may be a value of its own all the same, because spaces set it apart.
    pub(super) apart: bool,
    /// Whether it is a number without the word that scales it, such as "million".
    pub(super) unscaled: bool,
}

impl From<Range<usize>> for PrintedValue {
    fn from(range: Range<usize>) -> Self {
        Self { range, negative: None, part: false, apart: false, unscaled: false }
    }
}

/// Emits the keys under which a number in a text can be found.
pub(super) fn number_keys(mention: &NumberMention, mut emit: impl FnMut(SearchKey, PrintedValue)) {
    for reading in &mention.readings {
        let printed = PrintedValue {
            range: mention.range.clone(),
            negative: mention.negative,
            part: mention.part,
            apart: mention.is_set_apart,
            unscaled: mention.is_unscaled,
        };
        if mention.percent {
            emit(SearchKey::Percent(reading.decimal_text.clone()), printed.clone());
        }
        emit(SearchKey::Number(reading.decimal_text.clone()), printed);
    }
}

/// Grades how a place that was found under `key` supports the value. Returns the place widened by the
/// punctuation of the value; `None` when it does not support it.
pub(super) fn grade_support(
    query: &ValueQuery,
    key: &SearchKey,
    stands_for: &str,
    text: &str,
    printed: &PrintedValue,
) -> Option<(Support, Range<usize>)> {
    let graded = |range: Range<usize>| {
        let exact = text.get(range.clone()) == Some(query.text.as_str());
        (if exact { Support::Exact } else { Support::Normalised }, range)
    };
    match key {
        SearchKey::Words(_) => {
            let range = widen_by_punctuation(stands_for, text, printed.range.clone());
            let slice = text.get(range.clone())?;
            (slice == stands_for || is_same_text(stands_for, slice)).then(|| graded(range))
        }
        SearchKey::Number(_) | SearchKey::Percent(_)
            if printed.unscaled || printed.negative.is_some_and(|sign| sign != query.negative) =>
        {
            Some((Support::Fuzzy, printed.range.clone()))
        }
        SearchKey::Signs(_) | SearchKey::Number(_) | SearchKey::Percent(_) | SearchKey::Date(_) => {
            Some(graded(printed.range.clone()))
        }
        SearchKey::ReducedDate(_) => Some(graded(printed.range.clone())),
    }
}

/// Widens a place by the leading and trailing punctuation of the value, if it is printed there.
fn widen_by_punctuation(value: &str, text: &str, range: Range<usize>) -> Range<usize> {
    let lead = value.len() - value.trim_start_matches(|c| !is_word(c)).len();
    let tail = value.trim_end_matches(|c| !is_word(c)).len();
    let (lead, tail) = (value.get(..lead).unwrap_or_default(), value.get(tail..).unwrap_or_default());
    let before = text.get(..range.start).is_some_and(|left| left.ends_with(lead));
    let after = text.get(range.end..).is_some_and(|right| right.starts_with(tail));
    let start = if before { range.start - lead.len() } else { range.start };
    let end = if after { range.end + tail.len() } else { range.end };
    start..end
}

/// A folded character and the text between it and the previous one.
struct FoldedLetter<'a> {
    folded: char,
    gap: &'a str,
}

fn letters(text: &str) -> Vec<FoldedLetter<'_>> {
    let mut letters: Vec<FoldedLetter<'_>> = Vec::new();
    let mut from = 0;
    for (at, c) in text.char_indices() {
        let mut gap = text.get(from..at).unwrap_or_default();
        let before = letters.len();
        fold_char(c, |folded| {
            letters.push(FoldedLetter { folded, gap });
            gap = "";
        });
        if letters.len() > before {
            from = at + c.len_utf8();
        }
    }
    letters
}

/// Whether two texts with the same folded characters are equivalent. The punctuation of very short texts is
/// significant, and so is what stands between digits.
fn is_same_text(value: &str, slice: &str) -> bool {
    let (own, printed) = (letters(value), letters(slice));
    if own.len() != printed.len()
        // `C++` is not `C` (test below).
        || (own.len() <= 2 && value.chars().any(|c| !is_word(c) && !c.is_whitespace()))
    {
        return false;
    }
    let digits = digit_runs(&own);
    own.iter().zip(&printed).enumerate().skip(1).all(|(at, (a, b))| {
        let between_digits = a.folded.is_numeric() && own.get(at - 1).is_some_and(|l| l.folded.is_numeric());
        let long = digits.get(at).is_some_and(|run| *run >= LONG_DIGITS);
        a.folded == b.folded && gaps_agree(a.gap, b.gap, between_digits, long)
    })
}

/// For each letter, the length of its run of digits, with at most spaces and hyphens in between.
fn digit_runs(letters: &[FoldedLetter<'_>]) -> Vec<usize> {
    let mut runs = vec![0; letters.len()];
    let mut start = 0;
    for end in 1..=letters.len() {
        let goes_on =
            |next: &FoldedLetter<'_>| next.folded.is_numeric() && matches!(next.gap.trim(), "" | "-");
        if !letters.get(end).is_some_and(goes_on) {
            let length = end - start;
            runs.iter_mut().skip(start).take(length).for_each(|run| *run = length);
            start = end;
        }
    }
    runs
}

fn gaps_agree(own: &str, printed: &str, between_digits: bool, long: bool) -> bool {
    let short = printed.chars().count() <= MAX_GAP;
    match () {
        () if own == printed => true,
        () if !short => false,
        () if !between_digits && own.is_empty() => is_inside_word(printed),
        () if !between_digits => true,
        () if own.is_empty() || printed.is_empty() => {
            long && is_loose(own.trim()) && is_loose(printed.trim())
        }
        // Two numbers, whatever separates them.
        () if own.contains(char::is_whitespace) && printed.contains(char::is_whitespace) => true,
        // A point between digits may be a decimal point, which nothing else can replace.
        () => {
            own.trim() == printed.trim()
                || (![own.trim(), printed.trim()].contains(&".")
                    && is_loose(own.trim())
                    && is_loose(printed.trim()))
        }
    }
}

/// Whether a text may have this gap within what the value writes as one word: a space, a sign, or a hyphen at
/// the end of a line.
fn is_inside_word(gap: &str) -> bool {
    // Such as a sign with a space. Chosen by hand; no measurement is recorded.
    let small = gap.chars().count() <= 2 && !gap.contains(['|', '\n', '.', ':', ';']);
    small || matches!(gap, "-\n" | "-\r\n" | "\u{ad}\n" | "\u{2010}\n")
}

fn is_loose(gap: &str) -> bool {
    matches!(gap, "" | "-" | "/" | "." | "–")
}

#[cfg(test)]
mod tests {
    use super::is_same_text;

    #[test]
    fn spelling_that_does_not_matter_is_passed_over() {
        for (value, slice) in [
            ("ACME Ltd", "Acme\nLTD"),
            ("ACME Ltd.", "ACME, Ltd"),
            ("information", "infor-\nmation"),
            ("DE89370400440532013000", "DE89 3704 0044 0532 0130 00"),
            ("Main St 5 Springfield", "Main St 5 | Springfield"),
            ("AB C", "A BC"),
            ("2024-03-12", "2024/03/12"),
            ("030 1234", "030  1234"),
            ("Batu 5, 51200 Ipoh", "BATU 5. 51200\nIPOH"),
            ("DE89 3704 0044 0532", "DE89370400440532"),
            ("0301234567", "030/123-4567"),
        ] {
            assert!(is_same_text(value, slice), "{value} / {slice}");
        }
    }

    #[test]
    fn spelling_that_matters_is_not() {
        for (value, slice) in [
            ("1.5", "1 5"),
            ("15", "1.5"),
            ("1020", "10 20"),
            ("1020", "10\n20"),
            ("C++", "C"),
            ("10 20", "1020"),
            ("1.5", "1-5"),
        ] {
            assert!(!is_same_text(value, slice), "{value} / {slice}");
        }
    }
}
