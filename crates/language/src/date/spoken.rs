//! Days as people say them, seen from a given today: `the 3rd of this month`, `next Friday`, `March 12th`, `day
//! after tomorrow`, `12/03`. Each of the given languages is read on its own, and the longest reading wins.

use super::vocabulary::{Vocabulary, vocabulary};
use crate::language::Languages;
use crate::number::spoken::{is_ordinal_suffix, number_at};
use crate::token::Tokens;
use chrono::{Datelike, Days, Months, NaiveDate, Weekday};

/// Tokens of a phrase for the past before a duration at most: `il y a`.
const MAX_AGO: usize = 3;

/// A day in a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SpokenDay {
    /// Tokens before those that say it, such as an article.
    pub skipped: usize,
    /// Tokens that say it.
    pub tokens: usize,
    /// The day; `None` where the words are those of one, and the calendar has none such.
    pub date: Option<NaiveDate>,
}

/// Reads days, seen from today.
#[derive(Clone, Copy, Debug)]
pub struct Calendar {
    /// What day it is.
    pub today: NaiveDate,
    /// Whether what has no year lies behind.
    pub is_past: bool,
    /// Whether a year of two digits may lie far behind, as that of a birth does.
    pub is_birth: bool,
    /// The languages that are read.
    pub languages: Languages,
}

impl Calendar {
    /// The day at a token.
    #[must_use]
    pub fn day_at(self, text: &Tokens<'_>, at: usize) -> Option<SpokenDay> {
        if text.folded(at).is_empty() {
            return None;
        }
        let readings = self.languages.iter().filter_map(|language| {
            let words = vocabulary(language)?;
            Reader { calendar: self, language: language.into(), words, text }.at(at)
        });
        // Of readings of the same length that of the first language, but a date rather than none.
        let rank = |day: &SpokenDay| (day.skipped + day.tokens, day.date.is_some());
        readings.reduce(|best, next| if rank(&next) > rank(&best) { next } else { best })
    }

    /// A year as written: of two digits the one of this century, and of a birth the last that there was.
    fn year(self, said: u32) -> Option<i32> {
        let year = i32::try_from(if said < 100 { 2_000 + said } else { said }).ok()?;
        let is_ahead = year > self.today.year();
        Some(if said < 100 && self.is_birth && is_ahead { year - 100 } else { year })
    }

    /// The day so many days from today.
    fn moved(self, days: i64) -> Option<NaiveDate> {
        let count = Days::new(days.unsigned_abs());
        if days < 0 { self.today.checked_sub_days(count) } else { self.today.checked_add_days(count) }
    }

    /// The first such weekday from today on.
    fn next(self, weekday: Weekday) -> Option<NaiveDate> {
        let ahead = (7 + weekday.num_days_from_monday() - self.today.weekday().num_days_from_monday()) % 7;
        self.today.checked_add_days(Days::new(u64::from(ahead)))
    }

    /// The day of this or the next year; of the last, where it lies behind.
    fn nearest(self, month: u32, day: u32) -> Option<NaiveDate> {
        let year = self.today.year();
        let on = |year: i32| NaiveDate::from_ymd_opt(year, month, day);
        if self.is_past {
            return on(year).filter(|date| *date <= self.today).or_else(|| on(year - 1));
        }
        on(year).filter(|date| *date >= self.today).or_else(|| on(year + 1)).or_else(|| on(year))
    }
}

/// Reads days of one text in one language.
#[derive(Clone, Copy)]
struct Reader<'a, 't> {
    calendar: Calendar,
    language: Languages,
    words: &'static Vocabulary,
    text: &'a Tokens<'t>,
}

/// How many tokens say a day, and which.
type Read = (usize, Option<NaiveDate>);

impl Reader<'_, '_> {
    fn at(self, at: usize) -> Option<SpokenDay> {
        let skipped = usize::from(self.is_article(at));
        let from = at + skipped;
        let skipping = |(tokens, date): Read| SpokenDay { skipped, tokens, date };
        if let Some(read) = self.numeric(from).or_else(|| self.named(from)) {
            return Some(skipping(read));
        }
        if let Some(read) = Some(from).filter(|_| skipped > 0).and_then(|from| self.relative(from)) {
            return Some(skipping(read));
        }
        if let Some((tokens, date)) = self.weekday(at).or_else(|| self.relative(at)) {
            return Some(SpokenDay { skipped: 0, tokens, date });
        }
        // "the 4th": the article belongs to it.
        let (tokens, date) = self.of_month(from, skipped > 0)?;
        let alone = tokens <= 2;
        Some(SpokenDay {
            skipped: if alone { 0 } else { skipped },
            tokens: if alone { tokens + skipped } else { tokens },
            date,
        })
    }

    fn is_article(self, at: usize) -> bool {
        self.words.articles.contains(self.text.folded(at))
    }

    /// `12/03/2024`, `2024-03-12`, `12.3.`
    fn numeric(self, at: usize) -> Option<Read> {
        let text = self.text;
        let (a, b) = (text.digits(at)?, text.digits(at + 1)?);
        let gap = text.gap(at);
        if !matches!(gap.trim(), "/" | "-" | "." | "–") || text.folded(at + 1).len() > 2 {
            return None;
        }
        let third = text.digits(at + 2).filter(|_| text.gap(at + 1).trim() == gap.trim());
        let year = |year: u32| self.calendar.year(year);
        if text.folded(at).len() == 4 {
            return Some((3, NaiveDate::from_ymd_opt(year(a)?, b, third?)));
        }
        if text.folded(at).len() > 2 {
            return None;
        }
        let order = |year: i32, point: bool| {
            let day_first = NaiveDate::from_ymd_opt(year, b, a);
            let month_first = NaiveDate::from_ymd_opt(year, a, b).filter(|_| !point);
            // Slashes are read the American way only where the other way is none.
            day_first.or(month_first)
        };
        if let Some(said) = third.filter(|_| matches!(text.folded(at + 2).len(), 2 | 4)) {
            return Some((3, order(year(said)?, gap.trim() == ".")));
        }
        let point_ends = gap.trim() == "." && text.gap(at + 1).starts_with('.') && b <= 12;
        if gap.trim() == "/" || point_ends {
            let date = order(self.calendar.today.year(), gap.trim() == ".")?;
            return Some((2, Some(self.calendar.nearest(date.month(), date.day())?)));
        }
        None
    }

    /// A day with the name of its month: `March 12th, 2019`, `12th of March`, `5. März`.
    fn named(self, at: usize) -> Option<Read> {
        let text = self.text;
        let month = |at: usize| u32::try_from(self.words.months.longest(text, at)?.value).ok();
        let (tokens, month, day) = if let Some(month) = month(at) {
            let article = usize::from(self.is_article(at + 1));
            let (tokens, day) = self.day_number(at + 1 + article)?;
            (1 + article + tokens, month, day)
        } else {
            let (tokens, day) = self.day_number(at)?;
            let of = usize::from(self.words.of.contains(text.folded(at + tokens)));
            (tokens + of + 1, month(at + tokens + of)?, day)
        };
        let of = usize::from(self.words.before_year.contains(text.folded(at + tokens)));
        // "3 May 88", "3. Mai '88": two digits are a year where a birth is told, or behind an apostrophe.
        let mark = text.gap(at + tokens - 1).contains(['\'', '’']);
        let short = |at: usize| text.folded(at).len() == 2 && (self.calendar.is_birth || mark);
        let year = text
            .digits(at + tokens + of)
            .filter(|_| text.folded(at + tokens + of).len() == 4 || short(at + tokens + of));
        let broken = text.gap(at + tokens - 1).contains(['.', ';', '!', '?']);
        match year.filter(|year| !broken && (*year < 100 || (1_900..2_200).contains(year))) {
            Some(year) => {
                Some((tokens + of + 1, NaiveDate::from_ymd_opt(self.calendar.year(year)?, month, day)))
            }
            None => Some((tokens, self.calendar.nearest(month, day))),
        }
    }

    /// `the 4th`, `the 3rd of this month`.
    fn of_month(self, at: usize, has_article: bool) -> Option<Read> {
        let text = self.text;
        let (tokens, day) = self.day_number(at)?;
        let month = |months: u32| -> Option<NaiveDate> {
            let first = self.calendar.today.with_day(1)?.checked_add_months(Months::new(months))?;
            first.with_day(day)
        };
        let this = self.words.this_month.length_at(text, at + tokens);
        if this > 0 {
            return Some((tokens + this, month(0)));
        }
        let next = self.words.next_month.length_at(text, at + tokens);
        if next > 0 {
            return Some((tokens + next, month(1)));
        }
        let is_ordinal = tokens > 1 || self.words.ordinals.length_at(text, at) > 0;
        let before = at.checked_sub(1).map_or("", |before| text.folded(before));
        let is_cued = has_article || self.words.leads.contains(before);
        let is_day = is_ordinal || has_article && self.words.cardinal_days;
        if !is_day || !is_cued {
            return None;
        }
        // "the 2nd option", "the third floor": an ordinal of something else.
        let after = at + tokens;
        let ends = after >= text.len() || !text.gap(after - 1).trim().is_empty();
        let is_word = text.digits(at).is_none();
        let free =
            self.words.small.contains(text.folded(after)) && !matches!(text.folded(after), "one" | "of");
        if !(ends || free) || is_word {
            return None;
        }
        let today = self.calendar.today;
        let date = month(0).filter(|date| self.calendar.is_past || *date >= today).or_else(|| month(1));
        Some((tokens, date))
    }

    /// `next Friday`, `Tuesday next week`, `this Sunday`, `le vendredi`.
    fn weekday(self, at: usize) -> Option<Read> {
        let (text, words, calendar) = (self.text, self.words, self.calendar);
        let (this, next, last) =
            (words.this.length_at(text, at), words.next.length_at(text, at), words.last.length_at(text, at));
        let lead = this.max(next).max(last);
        let article = usize::from(lead == 0 && self.is_article(at) && !text.is_digits(at + 1));
        let begin = at + lead + article;
        let weekend = words.weekend.length_at(text, begin);
        if weekend > 0 && (lead > 0 || article > 0) {
            return Some((lead + article + weekend, calendar.next(Weekday::Sat)));
        }
        // "Mon nom" is no Monday.
        let is_other_word = text.folded(begin).len() <= 3 && is_small_elsewhere(text.folded(begin));
        if is_other_word && lead == 0 && text.gap(begin) == " " && !text.is_digits(begin + 1) {
            return None;
        }
        let name = words.weekdays.longest(text, begin)?;
        let weekday = Weekday::try_from(u8::try_from(name.value.checked_sub(1)?).ok()?).ok()?;
        let mut tokens = lead + article + name.tokens;
        if last > 0 {
            return Some((tokens, calendar.next(weekday)?.checked_sub_days(Days::new(7))));
        }
        let (tail, next_week) =
            (words.next.length_at(text, at + tokens), words.next_week.length_at(text, at + tokens));
        if next_week > 0 {
            let monday = calendar.next(Weekday::Mon)?;
            let monday =
                if monday == calendar.today { monday.checked_add_days(Days::new(7))? } else { monday };
            let date = monday.checked_add_days(Days::new(u64::from(weekday.num_days_from_monday())));
            return Some((tokens + next_week, date));
        }
        // "vendredi prochain", "viernes que viene"
        tokens += if tail > 0 && lead == 0 { tail } else { words.this_week.length_at(text, at + tokens) };
        let mut date = calendar.next(weekday)?;
        if date == calendar.today && this == 0 && lead > 0 {
            date = date.checked_add_days(Days::new(7))?;
        }
        if calendar.is_past && lead == 0 && date > calendar.today {
            date = date.checked_sub_days(Days::new(7))?;
        }
        Some((tokens, Some(date)))
    }

    /// `tomorrow`, `in three days`, `two weeks ago`, `next week`.
    fn relative(self, at: usize) -> Option<Read> {
        let (text, words) = (self.text, self.words);
        if let Some(found) = words.relative_days.longest(text, at) {
            return Some((found.tokens, self.calendar.moved(found.value)));
        }
        let next_week = words.next_week.length_at(text, at);
        if next_week > 0 {
            return Some((next_week, self.calendar.moved(7)));
        }
        let within = words.within.length_at(text, at);
        let number = number_at(text, at + within, self.language)?;
        let unit = at + within + number.tokens;
        let found = words.units.longest(text, unit)?;
        let after = unit + found.tokens;
        let ago = words.ago.length_at(text, after);
        let ends_here = |tokens: usize| {
            at.checked_sub(tokens).is_some_and(|start| words.ago.length_at(text, start) == tokens)
        };
        let is_behind = ago > 0 || within == 0 && (1..=MAX_AGO).any(ends_here);
        let hence = words.from_now.length_at(text, after);
        if within == 0 && !is_behind && hence == 0 {
            return None;
        }
        // More than a thousand years are no day of a form.
        let count = i64::from((number.value as i32).clamp(0, 4_000)) * found.value;
        Some((after + ago + hence - at, self.calendar.moved(if is_behind { -count } else { count })))
    }

    /// The number of a day: `3`, `3rd`, `third`; tokens taken.
    fn day_number(self, at: usize) -> Option<(usize, u32)> {
        let text = self.text;
        if let Some(found) = self.words.ordinals.longest(text, at) {
            return u32::try_from(found.value).ok().filter(|day| *day >= 1).map(|day| (found.tokens, day));
        }
        if let Some(day) = text.digits(at) {
            let suffix = text.gap(at).is_empty() && is_ordinal_suffix(text.folded(at + 1), self.language);
            let fits = (1..=31).contains(&day) && text.folded(at).len() <= 2;
            return fits.then_some((1 + usize::from(suffix), day));
        }
        let number = number_at(text, at, self.language)?;
        let day = number.value as u32;
        ((1..=31).contains(&day) && number.value.fract() == 0.0).then_some((number.tokens, day))
    }
}

/// Whether a short word is a stop word of any language.
fn is_small_elsewhere(folded: &str) -> bool {
    static SMALL: std::sync::LazyLock<crate::vocabulary::Everywhere> =
        std::sync::LazyLock::new(|| crate::vocabulary::Everywhere::of(|locale| locale.stop_words));
    SMALL.has(folded)
}

#[cfg(test)]
mod tests;
