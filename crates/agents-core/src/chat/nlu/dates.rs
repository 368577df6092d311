//! Parses dates: `the 3rd of this month`, `next Friday`, `March 12th`, `day after tomorrow`, `12/03/2024`.

use chrono::{Datelike, Days, Months, NaiveDate, Weekday};

use super::numbers;
use super::text::Text;

/// A date in a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Day {
    /// Words before the date that belong to it, such as an article.
    pub(super) skipped: usize,
    pub(super) words: usize,
    /// The date; `None` when the words have the shape of a date that does not exist.
    pub(super) date: Option<NaiveDate>,
}

/// Resolves dates relative to today.
#[derive(Clone, Copy, Debug)]
pub(super) struct Calendar {
    pub(super) today: NaiveDate,
    /// Whether a date without a year is in the past.
    pub(super) is_past: bool,
    /// Whether a two-digit year may be in the last century, as in a date of birth.
    pub(super) is_birth: bool,
}

impl Calendar {
    /// The date that starts at a word.
    pub(super) fn find_day(self, text: &Text<'_>, at: usize) -> Option<Day> {
        let skipped = usize::from(is_article(text.folded(at)));
        let from = at + skipped;
        if let Some((words, date)) = self.parse_numeric(text, from) {
            return Some(Day { skipped, words, date });
        }
        if let Some((words, date)) = self.parse_named_month(text, from) {
            return Some(Day { skipped, words, date });
        }
        if skipped > 0
            && let Some((words, date)) = self.parse_relative(text, from)
        {
            return Some(Day { skipped, words, date });
        }
        if let Some((words, date)) = self.weekday(text, at).or_else(|| self.parse_relative(text, at)) {
            return Some(Day { skipped: 0, words, date });
        }
        // "the 4th": the article is part of the date.
        let (words, date) = self.parse_day_of_month(text, from, skipped > 0)?;
        let alone = words <= 2;
        Some(Day {
            skipped: if alone { 0 } else { skipped },
            words: if alone { words + skipped } else { words },
            date,
        })
    }

    /// `12/03/2024`, `2024-03-12`, `12.3.`
    fn parse_numeric(self, text: &Text<'_>, at: usize) -> Option<(usize, Option<NaiveDate>)> {
        let (a, b) = (text.digits(at)?, text.digits(at + 1)?);
        let gap = text.gap(at);
        if !matches!(gap.trim(), "/" | "-" | "." | "–") || text.folded(at + 1).len() > 2 {
            return None;
        }
        let third = text.digits(at + 2).filter(|_| text.gap(at + 1).trim() == gap.trim());
        let year = |y: u32| self.year(y);
        if text.folded(at).len() == 4 {
            return Some((3, NaiveDate::from_ymd_opt(year(a)?, b, third?)));
        }
        if text.folded(at).len() > 2 {
            return None;
        }
        let order = |y: i32, point: bool| {
            let day_first = NaiveDate::from_ymd_opt(y, b, a);
            let month_first = NaiveDate::from_ymd_opt(y, a, b).filter(|_| !point);
            // With slashes, month first is tried only when day first is no date.
            day_first.or(month_first)
        };
        if let Some(y) = third.filter(|_| matches!(text.folded(at + 2).len(), 2 | 4)) {
            return Some((3, order(year(y)?, gap.trim() == ".")));
        }
        let point_ends = gap.trim() == "." && text.gap(at + 1).starts_with('.') && b <= 12;
        if gap.trim() == "/" || point_ends {
            let date = order(self.today.year(), gap.trim() == ".")?;
            return Some((2, Some(self.nearest_year(date.month(), date.day())?)));
        }
        None
    }

    /// The full year. A two-digit year is in this century; that of a birth is never in the future.
    fn year(self, said: u32) -> Option<i32> {
        let year = i32::try_from(if said < 100 { 2_000 + said } else { said }).ok()?;
        let is_ahead = year > self.today.year();
        Some(if said < 100 && self.is_birth && is_ahead { year - 100 } else { year })
    }

    /// A date with a month name: `March 12th, 2019`, `12th of March`, `5. März`.
    fn parse_named_month(self, text: &Text<'_>, at: usize) -> Option<(usize, Option<NaiveDate>)> {
        let month =
            |at: usize| -> Option<u32> { text.lexicon().list("month name").key(text, at)?.1.parse().ok() };
        let (words, month, day) = if let Some(month) = month(at) {
            let article = usize::from(is_article(text.folded(at + 1)));
            let (words, day) = day_number(text, at + 1 + article)?;
            (1 + article + words, month, day)
        } else {
            let (words, day) = day_number(text, at)?;
            let of = usize::from(matches!(text.folded(at + words), "of" | "de" | "del" | "di"));
            (words + of + 1, month(at + words + of)?, day)
        };
        let of = usize::from(matches!(text.folded(at + words), "of" | "de" | "del" | "in"));
        // "3 May 88", "3. Mai '88": two digits are a year only for a birth or after an apostrophe.
        let mark = text.gap(at + words - 1).contains(['\'', '’']);
        let short = |at: usize| text.folded(at).len() == 2 && (self.is_birth || mark);
        let year = text
            .digits(at + words + of)
            .filter(|_| text.folded(at + words + of).len() == 4 || short(at + words + of));
        let broken = text.gap(at + words - 1).contains(['.', ';', '!', '?']);
        match year.filter(|year| !broken && (*year < 100 || (1_900..2_200).contains(year))) {
            Some(year) => Some((words + of + 1, NaiveDate::from_ymd_opt(self.year(year)?, month, day))),
            None => Some((words, self.nearest_year(month, day))),
        }
    }

    /// `the 4th`, `the 3rd of this month`.
    fn parse_day_of_month(
        self,
        text: &Text<'_>,
        at: usize,
        has_article: bool,
    ) -> Option<(usize, Option<NaiveDate>)> {
        let lexicon = text.lexicon();
        let (words, day) = day_number(text, at)?;
        let month = |months: u32| -> Option<NaiveDate> {
            let first = self.today.with_day(1)?.checked_add_months(Months::new(months))?;
            first.with_day(day)
        };
        let this = lexicon.list("this month").at(text, at + words);
        if this > 0 {
            return Some((words + this, month(0)));
        }
        let next = lexicon.list("next month").at(text, at + words);
        if next > 0 {
            return Some((words + next, month(1)));
        }
        let is_ordinal = words > 1 || lexicon.list("ordinal").at(text, at) > 0;
        let cued = has_article
            || at > 0
                && matches!(
                    text.folded(at - 1),
                    "on" | "am" | "le" | "el" | "until" | "till" | "by" | "from" | "to"
                );
        let named = is_ordinal || has_article && matches!(text.folded(at.wrapping_sub(1)), "le" | "el");
        if !named || !cued {
            return None;
        }
        // "the 2nd option", "the third floor": the ordinal of another noun.
        let after = at + words;
        let ends = after >= text.len() || !text.gap(after - 1).trim().is_empty();
        let is_word = text.digits(at).is_none();
        let free = lexicon.list("break").has(text.folded(after))
            && text.folded(after) != "one"
            && text.folded(after) != "of";
        if !(ends || free) || is_word {
            return None;
        }
        let date = month(0).filter(|date| self.is_past || *date >= self.today).or_else(|| month(1));
        Some((words, date))
    }

    /// `next Friday`, `Tuesday next week`, `this Sunday`, `le vendredi`.
    fn weekday(self, text: &Text<'_>, at: usize) -> Option<(usize, Option<NaiveDate>)> {
        let lexicon = text.lexicon();
        let list = |name: &str, at: usize| lexicon.list(name).at(text, at);
        let (this, coming, past) = (list("this", at), list("coming", at), list("past", at));
        let lead = this.max(coming).max(past);
        let article = usize::from(lead == 0 && is_article(text.folded(at)) && !text.is_digits(at + 1));
        let begin = at + lead + article;
        if list("weekend", begin) > 0 && (lead > 0 || article > 0) {
            let words = lead + article + list("weekend", begin);
            return Some((words, self.next_weekday(Weekday::Sat, 0)));
        }
        // "Mon nom" is French, not a Monday.
        if text.folded(begin) == "mon" && lead == 0 && text.gap(begin) == " " && !text.is_digits(begin + 1) {
            return None;
        }
        let (name, key) = lexicon.list("weekday name").key(text, begin)?;
        let number: u8 = key.parse().ok()?;
        let weekday = Weekday::try_from(number.checked_sub(1)?).ok()?;
        let mut words = lead + article + name;
        let tail = list("coming", at + words);
        if past > 0 {
            return Some((words, self.next_weekday(weekday, 0)?.checked_sub_days(Days::new(7))));
        }
        let is_week = |at: usize| {
            let week = list("next week", at);
            (week > 0, week)
        };
        let mut weeks = 0;
        let (is_next, taken) = is_week(at + words);
        if is_next {
            words += taken;
            weeks = 1;
        } else if tail > 0 && lead == 0 {
            // "vendredi prochain", "viernes que viene"
            words += tail;
        } else {
            words += list("this week", at + words);
        }
        if weeks == 1 {
            let monday = self
                .next_weekday(Weekday::Mon, 0)
                .map(|date| if date == self.today { date + Days::new(7) } else { date })?;
            return Some((
                words,
                monday.checked_add_days(Days::new(u64::from(weekday.num_days_from_monday()))),
            ));
        }
        let include_today = this > 0 || lead == 0;
        let mut date = self.next_weekday(weekday, 0)?;
        if date == self.today && !include_today {
            date = date.checked_add_days(Days::new(7))?;
        }
        if self.is_past && lead == 0 && date > self.today {
            date = date.checked_sub_days(Days::new(7))?;
        }
        Some((words, Some(date)))
    }

    /// `tomorrow`, `in three days`, `two weeks ago`, `next week`.
    fn parse_relative(self, text: &Text<'_>, at: usize) -> Option<(usize, Option<NaiveDate>)> {
        let lexicon = text.lexicon();
        let list = |name: &str, at: usize| lexicon.list(name).at(text, at);
        if let Some((words, key)) = lexicon.list("relative day").key(text, at) {
            return Some((words, self.add_days(key.parse().ok()?)));
        }
        if list("next week", at) > 0 {
            return Some((list("next week", at), self.add_days(7)));
        }
        let within = list("within", at);
        let number = numbers::parse_number(text, at + within)?;
        let unit = at + within + number.words;
        let (days, length) = [("unit day", 1), ("unit week", 7), ("unit month", 30)]
            .into_iter()
            .find_map(|(name, days)| Some((days, list(name, unit))).filter(|(_, words)| *words > 0))?;
        let after = unit + length;
        let ago = list("ago", after);
        let before_ago = usize::from(within == 0 && list("ago", at.wrapping_sub(1)) > 0);
        let hence = list("from now", after);
        if within == 0 && ago == 0 && hence == 0 && before_ago == 0 {
            return None;
        }
        let count = i64::from((number.value as i32).clamp(0, 4_000)) * days;
        let words = after + ago + hence - at;
        Some((words, self.add_days(if ago + before_ago > 0 { -count } else { count })))
    }

    fn add_days(self, days: i64) -> Option<NaiveDate> {
        let count = Days::new(days.unsigned_abs());
        if days < 0 { self.today.checked_sub_days(count) } else { self.today.checked_add_days(count) }
    }

    /// The first such weekday from today on, plus `more` days.
    fn next_weekday(self, weekday: Weekday, more: u64) -> Option<NaiveDate> {
        let ahead = (7 + weekday.num_days_from_monday() - self.today.weekday().num_days_from_monday()) % 7;
        self.today.checked_add_days(Days::new(u64::from(ahead) + more))
    }

    /// The date in this or the next year; for a past date, in this or the last year.
    fn nearest_year(self, month: u32, day: u32) -> Option<NaiveDate> {
        let year = self.today.year();
        let on = |year: i32| NaiveDate::from_ymd_opt(year, month, day);
        if self.is_past {
            return on(year).filter(|date| *date <= self.today).or_else(|| on(year - 1));
        }
        on(year).filter(|date| *date >= self.today).or_else(|| on(year + 1)).or_else(|| on(year))
    }
}

fn is_article(word: &str) -> bool {
    matches!(word, "the" | "le" | "el" | "am" | "den" | "der" | "dem")
}

/// A day of the month with the number of words: `3`, `3rd`, `third`.
fn day_number(text: &Text<'_>, at: usize) -> Option<(usize, u32)> {
    if let Some((words, key)) = text.lexicon().list("ordinal").key(text, at) {
        return key.parse().ok().filter(|day| *day >= 1).map(|day| (words, day));
    }
    if let Some(day) = text.digits(at) {
        let ending =
            text.gap(at).is_empty() && text.lexicon().list("ordinal ending").has(text.folded(at + 1));
        let fits = (1..=31).contains(&day) && text.folded(at).len() <= 2;
        return fits.then_some((1 + usize::from(ending), day));
    }
    let number = numbers::parse_number(text, at)?;
    let day = number.value as u32;
    ((1..=31).contains(&day) && number.value.fract() == 0.0).then_some((number.words, day))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_are_read_as_people_say_them() {
        let today = NaiveDate::from_ymd_opt(2024, 3, 6).unwrap(); // a Wednesday
        for (text, date) in [
            ("tomorrow", "2024-03-07"),
            ("the day after tomorrow", "2024-03-08"),
            ("next Friday", "2024-03-08"),
            ("this Sunday", "2024-03-10"),
            ("Tuesday next week", "2024-03-12"),
            ("March 12th", "2024-03-12"),
            ("12th of March", "2024-03-12"),
            ("March 1st 2019", "2019-03-01"),
            ("May 5, 2025", "2025-05-05"),
            ("2nd of February", "2025-02-02"),
            ("3rd of this month", "2024-03-03"),
            ("the 13th", "2024-03-13"),
            ("the 1st", "2024-04-01"),
            ("in three days", "2024-03-09"),
            ("two weeks ago", "2024-02-21"),
            ("2024-05-17", "2024-05-17"),
            ("17/05/2024", "2024-05-17"),
            ("17.5.2024", "2024-05-17"),
            ("12. März", "2024-03-12"),
            ("übermorgen", "2024-03-08"),
            ("nächsten Freitag", "2024-03-08"),
            ("le 12 mars", "2024-03-12"),
            ("vendredi prochain", "2024-03-08"),
            ("12 de marzo", "2024-03-12"),
            ("el viernes que viene", "2024-03-08"),
            ("pasado mañana", "2024-03-08"),
        ] {
            let day = Calendar { today, is_past: false, is_birth: false }.find_day(&Text::new(text), 0);
            let read = day.unwrap_or_else(|| panic!("{text}"));
            assert_eq!(read.date.unwrap().to_string(), date, "{text}");
            assert_eq!(read.words + read.skipped, Text::new(text).len(), "{text}");
        }
        for text in ["the 2nd option", "may I", "the third floor", "3 rooms", "5 pm", "31st of February"] {
            let day = Calendar { today, is_past: false, is_birth: false }.find_day(&Text::new(text), 0);
            assert_eq!(day.and_then(|day| day.date), None, "{text}");
        }
        let past =
            Calendar { today, is_past: true, is_birth: false }.find_day(&Text::new("5 May"), 0).unwrap();
        assert_eq!(past.date.unwrap().to_string(), "2023-05-05");
    }
}
