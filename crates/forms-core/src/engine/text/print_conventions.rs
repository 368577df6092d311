//! Conventions by which the documents print numbers and dates, to interpret ambiguous values of a model.

use std::collections::HashSet;
use std::sync::OnceLock;

use chrono::NaiveDate;
use language::date::{self, DateMention};
use language::number::{self, NumberReading};

use super::NumberDateConvention;

/// Bytes of the documents that are searched for printed numbers and dates. Bounds the time.
const LOOKED_AT: usize = 2_000_000;

/// The printing conventions of the documents.
#[derive(Debug)]
pub(crate) struct PrintConventions<'t> {
    pub(crate) convention: NumberDateConvention,
    texts: Vec<&'t str>,
    /// Plain decimal texts of the unambiguous numbers in the documents.
    numbers: OnceLock<HashSet<String>>,
    /// The unambiguous dates in the documents.
    dates: OnceLock<HashSet<NaiveDate>>,
}

impl<'t> PrintConventions<'t> {
    /// Learns from `texts`.
    pub(crate) fn learn(texts: impl Iterator<Item = &'t str>) -> Self {
        let texts: Vec<&str> = texts.collect();
        let convention = NumberDateConvention::learn(texts.iter().copied());
        Self { convention, texts, numbers: OnceLock::new(), dates: OnceLock::new() }
    }

    /// Parses a number. An ambiguous one gets the interpretation that the documents print unambiguously, else
    /// that of their convention.
    pub(crate) fn number(&self, text: &str) -> Option<f64> {
        number::parse(text, |readings| self.reading(readings))
    }

    /// The interpretation of a number.
    pub(crate) fn reading<'r>(&self, readings: &'r [NumberReading]) -> Option<&'r NumberReading> {
        let mut printed = readings.iter().filter(|reading| self.prints_number(reading));
        match (readings, printed.next(), printed.next()) {
            ([_, _, ..], Some(only), None) => Some(only),
            _ => self.convention.reading(readings),
        }
    }

    /// Parses a date, in the same way.
    pub(crate) fn date(&self, text: &str) -> Option<NaiveDate> {
        date::parse_date(text, |day_first, month_first| self.is_day_first(day_first, month_first))
    }

    /// Which of two dates a text means.
    pub(crate) fn is_day_first(&self, day_first: NaiveDate, month_first: NaiveDate) -> bool {
        match (self.prints_date(day_first), self.prints_date(month_first)) {
            (true, false) => true,
            (false, true) => false,
            _ => self.convention.day_first,
        }
    }

    fn prints_number(&self, reading: &NumberReading) -> bool {
        let learn = || {
            let mut known = HashSet::new();
            self.for_each_text(|text| {
                number::scan(text, 0..text.len(), |mention| {
                    if let [only] = mention.readings.as_slice()
                        && !mention.part
                    {
                        known.insert(only.decimal_text.clone());
                    }
                });
            });
            known
        };
        self.numbers.get_or_init(learn).contains(&reading.decimal_text)
    }

    fn prints_date(&self, date: NaiveDate) -> bool {
        let learn = || {
            let mut known = HashSet::new();
            self.for_each_text(|text| {
                date::scan(text, 0..text.len(), |mention| match mention {
                    DateMention { day_first: Some(date), month_first: None, .. }
                    | DateMention { day_first: None, month_first: Some(date), .. } => {
                        known.insert(date);
                    }
                    _ => {}
                });
            });
            known
        };
        self.dates.get_or_init(learn).contains(&date)
    }

    fn for_each_text(&self, mut visit: impl FnMut(&str)) {
        let mut left = LOOKED_AT;
        for text in &self.texts {
            let looked_at = text.get(..text.floor_char_boundary(left.min(text.len()))).unwrap_or_default();
            left -= looked_at.len();
            visit(looked_at);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn printing(text: &'static str) -> PrintConventions<'static> {
        PrintConventions::learn([text].into_iter())
    }

    #[test]
    fn what_is_printed_without_doubt_goes_before_the_convention() {
        let german = printing("Summe 1.234,00 €, Gewicht 5,500 kg, 4. März 2024");
        assert_eq!(german.number("1,234"), Some(1234.0), "the model wrote it the English way");
        assert_eq!(german.number("1.234"), Some(1234.0));
        assert_eq!(german.number("2,345"), Some(2.345), "the convention, where nothing is printed");
        assert_eq!(german.date("03/04/2024"), NaiveDate::from_ymd_opt(2024, 3, 4));
        assert_eq!(german.date("05/06/2024"), NaiveDate::from_ymd_opt(2024, 6, 5));
    }

    #[test]
    fn what_is_printed_in_both_meanings_or_none_is_left_to_the_convention() {
        let both = printing("12/31/2024, 4 March 2024, 3 April 2024, 1,234.50 and 1.234 and 1234");
        assert_eq!(both.date("03/04/2024"), NaiveDate::from_ymd_opt(2024, 3, 4));
        assert_eq!(printing("").number("1,234"), Some(1234.0));
        assert_eq!(printing("").date("03/04/2024"), NaiveDate::from_ymd_opt(2024, 4, 3));
    }
}
