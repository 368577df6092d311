//! Dates with a time of day, as documents and programs print them.

use std::ops::Range;

use chrono::{NaiveDate, NaiveDateTime, NaiveTime};

use super::{DateMention, scan};

/// Bytes between a date and its time.
const MAX_GAP: usize = 12;

/// A date with its time in a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DateTimeMention {
    /// Place in bytes, with the offset.
    pub range: Range<usize>,
    /// Date and time if the day stands first, or if the order is plain.
    pub day_first: Option<NaiveDateTime>,
    /// Date and time if the month stands first.
    pub month_first: Option<NaiveDateTime>,
    /// The offset from UTC as RFC 3339 writes it; `None` where none is printed.
    pub offset: Option<String>,
}

/// A time of day in a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TimeMention {
    /// Place in bytes, with the offset.
    pub range: Range<usize>,
    /// Hour, minute and second, as on the clock.
    pub time: NaiveTime,
    /// The offset from UTC as RFC 3339 writes it.
    pub offset: Option<String>,
}

/// Calls `emit` for every date with a time beside it: behind it, or right before it.
pub fn scan_date_times(text: &str, mut emit: impl FnMut(DateTimeMention)) {
    let mut times: Vec<TimeMention> = Vec::new();
    scan_times(text, |time| times.push(time));
    let mut dates: Vec<DateMention> = Vec::new();
    scan(text, 0..text.len(), |date| dates.push(date));
    let joins = |from: usize, to: usize| {
        to >= from && to - from <= MAX_GAP && text.get(from..to).is_some_and(is_joint)
    };
    for date in dates {
        let next = times.partition_point(|time| time.range.start < date.range.end);
        let behind = times.get(next).filter(|time| joins(date.range.end, time.range.start));
        let ahead = next.checked_sub(1).and_then(|before| times.get(before));
        let Some(time) = behind.or(ahead.filter(|time| joins(time.range.end, date.range.start))) else {
            continue;
        };
        let at = |date: NaiveDate| date.and_time(time.time);
        emit(DateTimeMention {
            range: date.range.start.min(time.range.start)..date.range.end.max(time.range.end),
            day_first: date.day_first.map(at),
            month_first: date.month_first.map(at),
            offset: time.offset.clone(),
        });
    }
}

/// Whether a text may stand between a date and its time: signs, and one word at most.
fn is_joint(gap: &str) -> bool {
    let is_sign = |c: char| c.is_whitespace() && c != '\n' || matches!(c, ',' | '-' | '–' | '/' | '(' | '.');
    gap.chars().all(|c| is_sign(c) || c.is_alphabetic())
        && gap.split(is_sign).filter(|word| !word.is_empty()).count() <= 1
}

/// Calls `emit` for every time of day with minutes: `9:30`, `09:30:15`, `9.30 pm`, with the offset behind it.
pub fn scan_times(text: &str, mut emit: impl FnMut(TimeMention)) {
    let bytes = text.as_bytes();
    let mut at = 0;
    while let Some(offset) = text.get(at..).and_then(|rest| rest.find(|c: char| c.is_ascii_digit())) {
        let start = at + offset;
        let is_inside =
            start > 0 && bytes.get(start - 1).is_some_and(|byte| matches!(byte, b':' | b'.' | b',' | b'+'));
        let found = if is_inside { None } else { time_at(text, start) };
        let digits = bytes.iter().skip(start).take_while(|byte| byte.is_ascii_digit()).count();
        at = found.as_ref().map_or(start + digits, |time| time.range.end);
        found.into_iter().for_each(&mut emit);
    }
}

fn time_at(text: &str, start: usize) -> Option<TimeMention> {
    let mut at = start;
    let hour = digits(text, &mut at, 1..=2)?;
    at = skip(text, at, ':')?;
    let minute = digits(text, &mut at, 2..=2)?;
    let mut second = 0;
    if let Some(next) = skip(text, at, ':') {
        at = next;
        second = digits(text, &mut at, 2..=2)?;
        if let Some(mut fraction) =
            skip(text, at, '.').filter(|next| digits(text, &mut next.clone(), 1..=9).is_some())
        {
            digits(text, &mut fraction, 1..=9)?;
            at = fraction;
        }
    }
    if text.get(at..)?.starts_with(|c: char| c.is_ascii_digit() || c == ':') {
        return None;
    }
    let (half, next) = half_of_day(text, at);
    let hour = match half {
        Some(_) if !(1..=12).contains(&hour) => return None,
        Some(is_afternoon) => hour % 12 + if is_afternoon { 12 } else { 0 },
        None => hour,
    };
    let time = NaiveTime::from_hms_opt(hour, minute, second)?;
    let (offset, end) = offset_at(text, next);
    Some(TimeMention { range: start..end, time, offset })
}

fn digits(text: &str, at: &mut usize, count: std::ops::RangeInclusive<usize>) -> Option<u32> {
    let rest = text.get(*at..)?;
    let length = rest.bytes().take_while(u8::is_ascii_digit).count();
    let number = rest.get(..length)?.parse().ok().filter(|_| count.contains(&length))?;
    *at += length;
    Some(number)
}

fn skip(text: &str, at: usize, mark: char) -> Option<usize> {
    text.get(at..)?.starts_with(mark).then_some(at + mark.len_utf8())
}

/// Whether `am` or `pm` follows, and where it ends.
fn half_of_day(text: &str, at: usize) -> (Option<bool>, usize) {
    let rest = text.get(at..).unwrap_or_default();
    let bare = rest.trim_start_matches([' ', '\u{a0}', '\u{202f}']);
    for (mark, is_afternoon) in [("a.m.", false), ("p.m.", true), ("am", false), ("pm", true)] {
        let head = bare.get(..mark.len()).unwrap_or_default();
        let tail = bare.get(mark.len()..).unwrap_or_default();
        if head.eq_ignore_ascii_case(mark) && !tail.starts_with(char::is_alphanumeric) {
            return (Some(is_afternoon), at + rest.len() - bare.len() + mark.len());
        }
    }
    (None, at)
}

/// The offset behind a time, as RFC 3339 writes it, and where it ends: `Z`, `UTC`, `+02:00`, `+0200`, `UTC+2`.
fn offset_at(text: &str, at: usize) -> (Option<String>, usize) {
    let rest = text.get(at..).unwrap_or_default();
    let bare = rest.trim_start_matches([' ', '(']);
    let start = at + rest.len() - bare.len();
    let zone = ["UTC", "GMT", "Z"].into_iter().find(|zone| {
        let tail = bare.strip_prefix(zone);
        tail.is_some_and(|tail| !tail.starts_with(char::is_alphabetic))
    });
    let from = start + zone.map_or(0, str::len);
    let shift = shift_at(text, from).filter(|_| zone.is_some() || start == at || bare.starts_with('+'));
    match (shift, zone) {
        (Some((offset, end)), _) => (Some(offset), end),
        (None, Some(_)) => (Some("Z".to_owned()), from),
        (None, None) => (None, at),
    }
}

fn shift_at(text: &str, at: usize) -> Option<(String, usize)> {
    let rest = text.get(at..)?;
    let sign = rest.chars().next().filter(|c| matches!(c, '+' | '-' | '−'))?;
    let mut end = at + sign.len_utf8();
    let from = end;
    let number = digits(text, &mut end, 1..=4)?;
    let (hours, minutes) = match end - from {
        1 | 2 => match skip(text, end, ':') {
            Some(mut next) => {
                let minutes = digits(text, &mut next, 2..=2)?;
                end = next;
                (number, minutes)
            }
            None => (number, 0),
        },
        4 => (number / 100, number % 100),
        _ => return None,
    };
    let sign = if sign == '+' { '+' } else { '-' };
    (hours <= 14 && minutes < 60).then(|| (format!("{sign}{hours:02}:{minutes:02}"), end))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Vec<(String, Option<String>)> {
        let mut found = Vec::new();
        scan_date_times(text, |mention| {
            let local = mention
                .day_first
                .or(mention.month_first)
                .map(|at| at.format("%Y-%m-%dT%H:%M:%S").to_string());
            found.push((local.unwrap_or_default(), mention.offset));
        });
        found
    }

    #[test]
    fn dates_with_times_are_read_with_the_offset_that_is_printed() {
        for (text, local, offset) in [
            ("2026-07-14T09:30:00Z", "2026-07-14T09:30:00", Some("Z")),
            ("2026-07-14T09:30:15.250+02:00", "2026-07-14T09:30:15", Some("+02:00")),
            ("14.07.2026 um 9:30 Uhr", "2026-07-14T09:30:00", None),
            ("July 14, 2026 at 2:05 p.m.", "2026-07-14T14:05:00", None),
            ("14 July 2026, 14:05 UTC", "2026-07-14T14:05:00", Some("Z")),
            ("14/07/2026 14:05 (UTC+2)", "2026-07-14T14:05:00", Some("+02:00")),
            ("09:30 on 14 July 2026", "2026-07-14T09:30:00", None),
            ("12:15 AM, 2026-07-14", "2026-07-14T00:15:00", None),
            ("2026-07-14 10:00-0500", "2026-07-14T10:00:00", Some("-05:00")),
        ] {
            assert_eq!(read(text), [(local.to_owned(), offset.map(str::to_owned))], "{text}");
        }
        for text in [
            "14.07.2026",
            "14.07.2026\nTime 09:30",
            "ratio 14:05",
            "2026-07-14 25:00",
            "2026-07-14 due by post at 9:30",
        ] {
            assert_eq!(read(text), [], "{text}");
        }
    }
}
