//! Reading documents the way people print them: their conventions, and the shape of their lines. It must not know forms
//! or models.

pub(super) mod char_index;
pub(super) mod line_shape;
mod print_conventions;
pub(super) mod summary_lines;

use language::date::{DateOrder, date_order};
use language::number::{self, NumberReading};

pub(super) use print_conventions::PrintConventions;

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
        let day_first = date_order(texts.clone()) != Some(DateOrder::MonthFirst);
        let decimal_comma = number::decimal_separator(texts) == Some(',');
        Self { day_first, decimal_comma }
    }

    /// The interpretation of an ambiguous number by this convention.
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
