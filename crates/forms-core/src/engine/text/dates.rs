//! Calendar dates as they are printed: numeric in every order, with month names, compact.

use std::collections::VecDeque;
use std::ops::Range;

use chrono::NaiveDate;
use language::fold::is_word;

use super::months::month;

/// Two-digit years from this one on are of the last century (POSIX).
const CENTURY_PIVOT: u32 = 69;
/// Words that may stand between day, month and year.
const FILLERS: [&str; 14] =
    ["st", "nd", "rd", "th", "of", "de", "del", "den", "er", "di", "do", "the", "º", "ª"];

/// Eras of Japan and Taiwan with their first years.
const ERAS: [(&str, u32); 5] =
    [("令和", 2019), ("平成", 1989), ("昭和", 1926), ("民國", 1912), ("民国", 1912)];

/// A date in a text.
#[derive(Debug)]
pub(crate) struct DateMention {
    /// Place in bytes.
    pub(crate) range: Range<usize>,
    /// What it means if the day stands first, or if the order is plain.
    pub(crate) day_first: Option<NaiveDate>,
    /// What it means if the month stands first.
    pub(crate) month_first: Option<NaiveDate>,
    /// Whether only its numbers tell day from month.
    pub(crate) numeric: bool,
}

/// The one date that `text` states; `None` when there is none, or several. Where only its numbers tell
/// day from month, `day_first` is asked which of two it is: what it means with the day first, and with
/// the month first.
pub(crate) fn parse(text: &str, day_first: impl Fn(NaiveDate, NaiveDate) -> bool) -> Option<NaiveDate> {
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
pub(crate) fn scan(text: &str, range: Range<usize>, mut emit: impl FnMut(DateMention)) {
    let mut tokens = DateTokens { text, at: range.start, limit: range.end.min(text.len()) };
    let mut window: VecDeque<DateToken> = VecDeque::new();
    loop {
        while window.len() < 7 {
            let Some(token) = tokens.next() else { break };
            window.push_back(token);
        }
        let Some(first) = window.front() else { return };
        let mut taken = 1;
        if matches!(first.kind, DateTokenKind::Number(..) | DateTokenKind::Month(_))
            && let Some((mention, used)) = date_at(text, window.make_contiguous())
        {
            emit(mention);
            taken = used;
        }
        window.drain(..taken);
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum DateTokenKind {
    /// Value and count of digits.
    Number(u32, usize),
    Month(u32),
    Filler,
    Word,
}

#[derive(Clone, Debug)]
struct DateToken {
    kind: DateTokenKind,
    range: Range<usize>,
}

/// Splits text into runs of digits and runs of letters.
struct DateTokens<'a> {
    text: &'a str,
    at: usize,
    limit: usize,
}

impl Iterator for DateTokens<'_> {
    type Item = DateToken;

    fn next(&mut self) -> Option<DateToken> {
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
            () if digits && length <= 8 => DateTokenKind::Number(word.parse().unwrap_or(0), length),
            () if digits || length > 24 => DateTokenKind::Word,
            () if FILLERS.contains(&word.to_lowercase().as_str()) => DateTokenKind::Filler,
            () => month(word).map_or(DateTokenKind::Word, DateTokenKind::Month),
        };
        Some(DateToken { kind, range: start..start + length })
    }
}

/// The marks of year, month and day in Chinese, Japanese and Korean.
fn is_calendar_mark(c: char) -> bool {
    matches!(c, '年' | '月' | '日' | '년' | '월' | '일')
}

/// The date at the front of the tokens, and how many of them it takes.
fn date_at(text: &str, tokens: &[DateToken]) -> Option<(DateMention, usize)> {
    let first = tokens.first()?;
    if let DateTokenKind::Number(value, 8) = first.kind {
        return parse_compact(first.range.clone(), value).map(|mention| (mention, 1));
    }
    let (second, second_at) = next_part(text, tokens, 0)?;
    let (third, third_at) = next_part(text, tokens, second_at)?;
    let gap = |a: usize, b: usize| text.get(tokens.get(a)?.range.end..tokens.get(b)?.range.start);
    let range = first.range.start..tokens.get(third_at)?.range.end;
    let used = third_at + 1;
    let named =
        |year, month, day| Some((new_mention(range.clone(), calendar(year, month, day), None, false), used));
    match (first.kind, second, third) {
        (
            DateTokenKind::Number(day, 1 | 2),
            DateTokenKind::Month(month),
            year @ DateTokenKind::Number(..),
        )
        | (
            DateTokenKind::Month(month),
            DateTokenKind::Number(day, 1 | 2),
            year @ DateTokenKind::Number(..),
        ) => named(year, month, day).filter(|(m, _)| m.day_first.is_some()),
        (
            year @ DateTokenKind::Number(_, 4),
            DateTokenKind::Month(month),
            DateTokenKind::Number(day, 1 | 2),
        ) => named(year, month, day).filter(|(m, _)| m.day_first.is_some()),
        (
            DateTokenKind::Number(a, digits),
            DateTokenKind::Number(b, 1 | 2),
            c @ DateTokenKind::Number(value, last),
        ) => {
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
                return Some((new_mention(range, Some(date), None, false), used));
            }
            if digits == 4 && last <= 2 {
                let date = calendar(first.kind, b, value)?;
                return Some((new_mention(range, Some(date), None, false), used));
            }
            if digits > 2 || !matches!(last, 2 | 4) {
                return None;
            }
            let (day_first, mut month_first) = (calendar(c, b, a), calendar(c, a, b));
            if one == '.' && day_first.is_some() {
                month_first = None;
            }
            (day_first.or(month_first))?;
            Some((new_mention(range, day_first, month_first.filter(|_| a != b), true), used))
        }
        _ => None,
    }
}

/// A date of eight digits: year, month, day; else with the year at the end.
fn parse_compact(range: Range<usize>, value: u32) -> Option<DateMention> {
    let date = |year: u32, month, day| {
        let plausible = (1900..2100).contains(&year);
        plausible.then(|| NaiveDate::from_ymd_opt(i32::try_from(year).ok()?, month, day))?
    };
    if let Some(date) = date(value / 10_000, value / 100 % 100, value % 100) {
        return Some(new_mention(range, Some(date), None, false));
    }
    let (first, second, year) = (value / 1_000_000, value / 10_000 % 100, value % 10_000);
    let (day_first, month_first) = (date(year, second, first), date(year, first, second));
    day_first.or(month_first)?;
    Some(new_mention(range, day_first, month_first, false))
}

fn new_mention(
    range: Range<usize>,
    day_first: Option<NaiveDate>,
    month_first: Option<NaiveDate>,
    numeric: bool,
) -> DateMention {
    DateMention { range, day_first, month_first, numeric }
}

/// The next part of a date after token `at`, over fillers and short gaps, and its index.
fn next_part(text: &str, tokens: &[DateToken], at: usize) -> Option<(DateTokenKind, usize)> {
    for index in at + 1..tokens.len().min(at + 4) {
        let gap = text.get(tokens.get(index - 1)?.range.end..tokens.get(index)?.range.start)?;
        if gap.chars().count() > 3 || gap.contains(['|', '\t', ':', ';', '(', ')']) {
            return None;
        }
        match tokens.get(index)?.kind {
            DateTokenKind::Filler => {}
            DateTokenKind::Word => return None,
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
        None if digits == 2 => return calendar(DateTokenKind::Number(year, 2), month, day),
        None => return None,
    };
    NaiveDate::from_ymd_opt(i32::try_from(year).ok()?, month, day)
}

fn calendar(year: DateTokenKind, month: u32, day: u32) -> Option<NaiveDate> {
    let year = match year {
        DateTokenKind::Number(year, 4) => year,
        DateTokenKind::Number(year, 2) if year >= CENTURY_PIVOT => 1900 + year,
        DateTokenKind::Number(year, 2) => 2000 + year,
        _ => return None,
    };
    (year >= 1000).then(|| NaiveDate::from_ymd_opt(i32::try_from(year).ok()?, month, day))?
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str, day_first: bool) -> Option<NaiveDate> {
        super::parse(text, |_, _| day_first)
    }

    #[test]
    fn one_date_is_read_in_every_printed_form() {
        for text in [
            "2024-03-12",
            "12/03/2024",
            "12.3.2024",
            "12. 3. 2024",
            "12-03-24",
            "12 March 2024",
            "12. März 2024",
            "March 12, 2024",
            "Mar. 12th 2024",
            "12th of March, 2024",
            "12 de marzo de 2024",
            "12-Mar-24",
            "2024年3月12日",
            "令和6年3月12日",
            "民國113年3月12日",
            "12 марта 2024 г.",
            "2024. március 12.",
            "12 Μαρτίου 2024",
            "12. maaliskuuta 2024",
            "12 martie 2024",
            "20240312",
            "12032024",
            "2024-03-12T10:00:00Z",
            "le 12 mars 2024",
            "2024 March 12",
            "Tue 12 Mar 2024",
        ] {
            assert_eq!(parse(text, true), NaiveDate::from_ymd_opt(2024, 3, 12), "{text}");
        }
        assert_eq!(parse("12/03/2024", false), NaiveDate::from_ymd_opt(2024, 12, 3));
        assert_eq!(parse("31/12/99", false), NaiveDate::from_ymd_opt(1999, 12, 31));
    }

    #[test]
    fn what_is_no_date_is_none() {
        for text in [
            "",
            "2024",
            "6年3月12日",
            "31/02/2024",
            "1.2.3.4",
            "12:30:45",
            "99/99/9999",
            "12 | 3 | 2024",
            "May",
            "soon",
        ] {
            assert_eq!(parse(text, true), None, "{text}");
        }
        assert_eq!(parse("1/1/2024 to 2/1/2024", true), None);
    }

    #[test]
    fn mentions_stand_where_they_say() {
        let text = "é from 1er mars 2024 to 03/04/2024.";
        let mut found = Vec::new();
        scan(text, 0..text.len(), |m| {
            found.push((text[m.range.clone()].to_owned(), m.numeric, m.month_first.is_some()))
        });
        assert_eq!(
            found,
            [("1er mars 2024".to_owned(), false, false), ("03/04/2024".to_owned(), true, true)]
        );
    }
}
