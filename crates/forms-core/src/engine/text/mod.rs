//! Reading text the way people print it: folding, numbers and dates. It must not know forms or models.

pub(super) mod char_index;
pub(super) mod currency;
pub(super) mod dates;
pub(super) mod empty_value;
pub(super) mod line_shape;
mod months;
mod print_conventions;
pub(super) mod summary_lines;

use language::number::{self, NumberReading};

use dates::DateMention;
pub(super) use print_conventions::PrintConventions;

/// How much of the documents is looked at to learn their conventions, in bytes.
const SAMPLE: usize = 200_000;

/// How the documents at hand print numbers and dates; it decides what can be read in two ways.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct NumberDateConvention {
    /// Whether `3/4/2024` is the third of April.
    pub(super) day_first: bool,
    /// Whether `1.234` is a thousand and some.
    pub(super) decimal_comma: bool,
}

impl NumberDateConvention {
    /// Learns from the unambiguous numbers and dates of `texts`; day first and a decimal point where
    /// nothing tells.
    pub(super) fn learn<'a>(texts: impl Iterator<Item = &'a str> + Clone) -> Self {
        let (mut days, mut months) = (0_usize, 0_usize);
        let mut left = SAMPLE;
        for text in texts.clone() {
            let sample = &text[..text.floor_char_boundary(left.min(text.len()))];
            left -= sample.len();
            dates::scan(sample, 0..sample.len(), |date| match date {
                DateMention { numeric: true, day_first: Some(_), month_first: None, .. } => days += 1,
                DateMention { numeric: true, day_first: None, month_first: Some(_), .. } => months += 1,
                _ => {}
            });
        }
        let decimal_comma = number::decimal_separator(texts) == Some(',');
        Self { day_first: days >= months, decimal_comma }
    }

    /// Of several meanings of a printed number the one by this convention.
    fn reading(self, readings: &[NumberReading]) -> Option<&NumberReading> {
        number::pick_by_separator(readings, Some(if self.decimal_comma { ',' } else { '.' }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_documents_tell_their_own_convention() {
        let of = |text: &str| NumberDateConvention::learn([text].into_iter());
        assert_eq!(of(""), NumberDateConvention { day_first: true, decimal_comma: false });
        assert_eq!(of("12/31/2024 9.50"), NumberDateConvention { day_first: false, decimal_comma: false });
        assert_eq!(of("31.12.2024 9,50"), NumberDateConvention { day_first: true, decimal_comma: true });
    }
}
