//! Dates: as they are printed, numeric in every order, with the names of months in all languages, compact, by eras;
//! and as people say them, seen from today ([`spoken`]). Nothing here knows what day it is.

mod date_time;
mod elapsed;
mod mention;
mod month;
mod period;
mod precision;
pub mod spoken;
mod vocabulary;

use std::collections::VecDeque;
use std::ops::Range;
use std::sync::LazyLock;

use chrono::{Datelike as _, NaiveDate};

use mention::is_calendar_mark;

use crate::fold::{fold_word, is_word};
use crate::vocabulary::Everywhere;

pub use date_time::{DateTimeMention, TimeMention, scan_date_times, scan_times};
pub use elapsed::parse_elapsed;
pub use mention::{DateForm, DateMention, DateOrder};
pub use month::{month, month_or_beginning};
pub use period::period_start;
pub use precision::{DatePrecision, PartialDate, scan_partial};

/// Two-digit years from this one on are of the last century (POSIX).
const CENTURY_PIVOT: u32 = 69;
/// How much of a text is looked at to learn its order, in bytes.
const SAMPLE: usize = 200_000;

/// Eras of Japan and Taiwan with their first years.
const ERAS: [(&str, u32); 5] =
    [("令和", 2019), ("平成", 1989), ("昭和", 1926), ("民國", 1912), ("民国", 1912)];

/// The order that the unambiguous numeric dates of texts have; `None` where they do not tell.
pub fn date_order<'a>(texts: impl Iterator<Item = &'a str>) -> Option<DateOrder> {
    let (mut days, mut months, mut left) = (0_usize, 0_usize, SAMPLE);
    for text in texts {
        let sample = text.get(..text.floor_char_boundary(left.min(text.len()))).unwrap_or_default();
        left -= sample.len();
        scan(sample, 0..sample.len(), |date| match (date.form, date.day_first, date.month_first) {
            // `5/5/2024` says nothing of the order.
            (DateForm::Numeric, Some(date), None) if date.day() != date.month() => days += 1,
            (DateForm::Numeric, None, Some(_)) => months += 1,
            _ => {}
        });
    }
    match days.cmp(&months) {
        std::cmp::Ordering::Less => Some(DateOrder::MonthFirst),
        std::cmp::Ordering::Greater => Some(DateOrder::DayFirst),
        std::cmp::Ordering::Equal => None,
    }
}

/// The one date that `text` states; `None` when there is none, or several. Where only its numbers tell day from
/// month, `day_first` is asked which of two it is: what it means with the day first, and with the month first.
pub fn parse_date(text: &str, day_first: impl Fn(NaiveDate, NaiveDate) -> bool) -> Option<NaiveDate> {
    let mut found: Option<NaiveDate> = None;
    let mut several = false;
    scan(text, 0..text.len(), |mention| {
        let date = match (mention.day_first, mention.month_first) {
            (Some(day), Some(month)) => Some(if day_first(day, month) { day } else { month }),
            (day, month) => day.or(month),
        };
        several |= found.is_some() && found != date;
        found = found.or(date);
    });
    found.filter(|_| !several)
}

/// Calls `emit` for every date in `range` of `text`, in order.
pub fn scan(text: &str, range: Range<usize>, mut emit: impl FnMut(DateMention)) {
    let mut tokens = Tokens { text, at: range.start, limit: range.end.min(text.len()) };
    let mut window: VecDeque<Token> = VecDeque::new();
    loop {
        while window.len() < 7 {
            let Some(token) = tokens.next() else { break };
            window.push_back(token);
        }
        let Some(first) = window.front() else { return };
        let mut taken = 1;
        if matches!(first.kind, Kind::Number(..) | Kind::Month(_))
            && let Some((mention, used)) = date_at(text, window.make_contiguous())
        {
            emit(mention);
            taken = used;
        }
        window.drain(..taken);
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    /// Value and count of digits.
    Number(u32, usize),
    Month(u32),
    Filler,
    Word,
}

#[derive(Clone, Debug)]
struct Token {
    kind: Kind,
    range: Range<usize>,
}

/// Splits text into runs of digits and runs of letters.
struct Tokens<'a> {
    text: &'a str,
    at: usize,
    limit: usize,
}

impl Iterator for Tokens<'_> {
    type Item = Token;

    fn next(&mut self) -> Option<Token> {
        let rest = self.text.get(self.at..self.limit)?;
        let (offset, first) = rest.char_indices().find(|(_, c)| is_word(*c) && !is_calendar_mark(*c))?;
        let digits = first.is_ascii_digit();
        let same = |c: char| is_word(c) && !is_calendar_mark(c) && c.is_ascii_digit() == digits;
        let run = rest.get(offset..)?;
        let length = run.find(|c| !same(c)).unwrap_or(run.len());
        let word = run.get(..length)?;
        let start = self.at + offset;
        self.at = start + length;
        let kind = match () {
            () if digits && length <= 8 => Kind::Number(word.parse().unwrap_or(0), length),
            () if digits || length > 24 => Kind::Word,
            () if is_link(word) => Kind::Filler,
            () => month_or_beginning(word).map_or(Kind::Word, Kind::Month),
        };
        Some(Token { kind, range: start..start + length })
    }
}

/// Whether a word may stand between day, month and year.
fn is_link(word: &str) -> bool {
    static LINKS: LazyLock<Everywhere> = LazyLock::new(|| Everywhere::of(|locale| locale.date_links));
    matches!(word, "º" | "ª") || LINKS.has(&fold_word(word))
}

/// The date at the front of the tokens, and how many of them it takes.
fn date_at(text: &str, tokens: &[Token]) -> Option<(DateMention, usize)> {
    let first = tokens.first()?;
    if let Kind::Number(value, 8) = first.kind {
        return compact(first.range.clone(), value).map(|mention| (mention, 1));
    }
    let (second, second_at) = part(text, tokens, 0)?;
    let (third, third_at) = part(text, tokens, second_at)?;
    let gap = |a: usize, b: usize| text.get(tokens.get(a)?.range.end..tokens.get(b)?.range.start);
    let range = first.range.start..tokens.get(third_at)?.range.end;
    let used = third_at + 1;
    let named = |year, month, day| {
        Some((mention(range.clone(), calendar(year, month, day), None, DateForm::Named), used))
    };
    // `July 1 - July 31`: a dash that joins two days, and no year of two digits behind the second.
    let is_period = gap(0, 1)?.trim() == "-" && gap(0, 1) != gap(third_at - 1, third_at);
    match (first.kind, second, third) {
        (Kind::Number(..), Kind::Month(_), Kind::Number(_, 2)) if is_period => None,
        (Kind::Number(day, 1 | 2), Kind::Month(month), year @ Kind::Number(..))
        | (Kind::Month(month), Kind::Number(day, 1 | 2), year @ Kind::Number(..)) => {
            named(year, month, day).filter(|(m, _)| m.day_first.is_some())
        }
        (year @ Kind::Number(_, 4), Kind::Month(month), Kind::Number(day, 1 | 2)) => {
            named(year, month, day).filter(|(m, _)| m.day_first.is_some())
        }
        (Kind::Number(a, digits), Kind::Number(b, middle @ (1 | 2)), c @ Kind::Number(value, last)) => {
            // Numbers alone are a date only with the same separator twice and nothing in between.
            if second_at != 1 || third_at != 2 {
                return None;
            }
            let (one, two) = (separator(gap(0, 1)?)?, separator(gap(1, 2)?)?);
            if one != two && one != '年' {
                return None;
            }
            if one == '年' && digits < 4 {
                let date = calendar_of_era(text, range.start, a, digits, b, value)?;
                return Some((mention(range, Some(date), None, DateForm::YearFirst), used));
            }
            if digits == 4 && last <= 2 {
                let date = calendar(first.kind, b, value)?;
                return Some((mention(range, Some(date), None, DateForm::YearFirst), used));
            }
            if digits > 2 || !matches!(last, 2 | 4) {
                return None;
            }
            let (day_first, mut month_first) = (calendar(c, b, a), calendar(c, a, b));
            if one == '.' && day_first.is_some() {
                month_first = None;
            }
            // Years of two digits may come first where nothing else is a date: 32-12-25.
            let year_first =
                || calendar(Kind::Number(a, digits), b, value).filter(|_| [digits, middle, last] == [2; 3]);
            if day_first.or(month_first).is_none() {
                return Some((mention(range, Some(year_first()?), None, DateForm::YearFirst), used));
            }
            Some((mention(range, day_first, month_first.filter(|_| a != b), DateForm::Numeric), used))
        }
        _ => None,
    }
}

/// A date of eight digits: year, month, day; else with the year at the end.
fn compact(range: Range<usize>, value: u32) -> Option<DateMention> {
    let date = |year: u32, month, day| {
        let plausible = (1900..2100).contains(&year);
        plausible.then(|| NaiveDate::from_ymd_opt(i32::try_from(year).ok()?, month, day))?
    };
    if let Some(date) = date(value / 10_000, value / 100 % 100, value % 100) {
        return Some(mention(range, Some(date), None, DateForm::Compact));
    }
    let (first, second, year) = (value / 1_000_000, value / 10_000 % 100, value % 10_000);
    let (day_first, month_first) = (date(year, second, first), date(year, first, second));
    day_first.or(month_first)?;
    Some(mention(range, day_first, month_first, DateForm::Compact))
}

fn mention(
    range: Range<usize>,
    day_first: Option<NaiveDate>,
    month_first: Option<NaiveDate>,
    form: DateForm,
) -> DateMention {
    DateMention { range, day_first, month_first, form }
}

/// The next part of a date after token `at`, over fillers and short gaps, and its index.
fn part(text: &str, tokens: &[Token], at: usize) -> Option<(Kind, usize)> {
    for index in at + 1..tokens.len().min(at + 4) {
        let gap = text.get(tokens.get(index - 1)?.range.end..tokens.get(index)?.range.start)?;
        if gap.chars().count() > 3 || gap.contains(['|', '\t', ':', ';', '(', ')', '%', '#', '*', '=']) {
            return None;
        }
        match tokens.get(index)?.kind {
            Kind::Filler => {}
            Kind::Word => return None,
            kind => return Some((kind, index)),
        }
    }
    None
}

/// The separator that a gap between numbers stands for.
fn separator(gap: &str) -> Option<char> {
    match gap.trim() {
        "-" | "‐" | "‑" | "–" | "−" => Some('-'),
        "/" => Some('/'),
        "." => Some('.'),
        "年" | "월" | "月" | "년" => Some('年'),
        _ => None,
    }
}

/// A date of East Asia whose year counts from the era named before it; two digits without an era are
/// the year's last.
fn calendar_of_era(
    text: &str,
    start: usize,
    year: u32,
    digits: usize,
    month: u32,
    day: u32,
) -> Option<NaiveDate> {
    let before = text.get(..start)?.trim_end();
    let era = ERAS.iter().find(|(name, _)| before.ends_with(name)).map(|(_, first)| *first);
    let year = match era {
        Some(first) => first + year - 1,
        None if digits == 2 => return calendar(Kind::Number(year, 2), month, day),
        None => return None,
    };
    NaiveDate::from_ymd_opt(i32::try_from(year).ok()?, month, day)
}

fn calendar(year: Kind, month: u32, day: u32) -> Option<NaiveDate> {
    let year = match year {
        Kind::Number(year, 4) => year,
        Kind::Number(year, 2) if year >= CENTURY_PIVOT => 1900 + year,
        Kind::Number(year, 2) => 2000 + year,
        _ => return None,
    };
    (year >= 1000).then(|| NaiveDate::from_ymd_opt(i32::try_from(year).ok()?, month, day))?
}

#[cfg(test)]
mod tests;
