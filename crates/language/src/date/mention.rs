//! A date in a text, with all that it may mean.

use std::ops::Range;

use chrono::NaiveDate;

/// How a date is printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DateForm {
    /// With the name of the month.
    Named,
    /// In numbers, the year of four digits first; or with the signs of East Asia.
    YearFirst,
    /// In numbers, of which only the values tell day from month.
    Numeric,
    /// In eight digits.
    Compact,
}

/// A date in a text.
#[derive(Clone, Debug)]
pub struct DateMention {
    /// Place in bytes.
    pub range: Range<usize>,
    /// What it means if the day stands first, or if the order is plain.
    pub day_first: Option<NaiveDate>,
    /// What it means if the month stands first.
    pub month_first: Option<NaiveDate>,
    /// How it is printed.
    pub form: DateForm,
}

impl DateMention {
    /// The date, by the order of its text where only its numbers tell day from month.
    #[must_use]
    pub fn date(&self, order: DateOrder) -> Option<NaiveDate> {
        match order {
            DateOrder::DayFirst => self.day_first.or(self.month_first),
            DateOrder::MonthFirst => self.month_first.or(self.day_first),
        }
    }

    /// Whether it is a numeric date that the order of day and month decides.
    #[must_use]
    pub fn is_numeric(&self) -> bool {
        self.form == DateForm::Numeric
    }

    /// Whether no digit goes on before or after it, also behind a sign, nor a letter right before it: `1.2.2024` is
    /// no date in `4.1.2.2024`.
    #[must_use]
    pub fn stands_alone(&self, text: &str) -> bool {
        let mut before = text.get(..self.range.start).unwrap_or_default().chars().rev();
        let mut after = text.get(self.range.end..).unwrap_or_default().chars();
        let is_digit = |c: Option<char>| c.is_some_and(|c| c.is_ascii_digit());
        let free_before = match before.next() {
            None => true,
            Some('-' | '/' | '.' | ',') => !is_digit(before.next()),
            Some(c) => !c.is_alphanumeric() || is_calendar_mark(c),
        };
        let free_after = match after.next() {
            None => true,
            Some('-' | '/' | '.' | ',') => !is_digit(after.next()),
            Some(c) => !c.is_ascii_digit(),
        };
        free_before && free_after
    }
}

/// Which of day and month stands first in numeric dates.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum DateOrder {
    /// `31/12/2024`, as most of the world writes.
    #[default]
    DayFirst,
    /// `12/31/2024`, as the United States write.
    MonthFirst,
}

/// The marks of year, month and day in Chinese, Japanese and Korean.
pub(super) fn is_calendar_mark(c: char) -> bool {
    matches!(c, '年' | '月' | '日' | '년' | '월' | '일')
}
