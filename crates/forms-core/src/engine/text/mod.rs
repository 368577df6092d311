//! Reading of printed text: folding, numbers and dates. It must not know forms or models.

pub(super) mod char_index;
pub(super) mod currency;
pub(super) mod dates;
pub(super) mod empty_value;
pub(super) mod line_shape;
mod months;
mod print_conventions;
pub(super) mod summary_lines;

use dates::DateMention;
pub(super) use gen_core::text::{folding as fold, numbers};
use numbers::NumberReading;
pub(super) use print_conventions::PrintConventions;

/// Bytes of the documents from which conventions are learned.
const SAMPLE: usize = 200_000;

/// The documents' conventions for numbers and dates, which resolve ambiguous ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct NumberDateConvention {
    /// Whether `3/4/2024` is the third of April.
    pub(super) day_first: bool,
    /// Whether `1.234` is one thousand two hundred and thirty-four.
    pub(super) decimal_comma: bool,
}

impl NumberDateConvention {
    /// Learns from the unambiguous numbers and dates of `texts`; without any, day first and a decimal point.
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
        let decimal_comma = numbers::decimal_separator(texts) == Some(',');
        Self { day_first: days >= months, decimal_comma }
    }

    /// The interpretation of an ambiguous number by this convention.
    fn reading(self, readings: &[NumberReading]) -> Option<&NumberReading> {
        numbers::pick_by_separator(readings, Some(if self.decimal_comma { ',' } else { '.' }))
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
