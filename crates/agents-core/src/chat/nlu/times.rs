//! Parses times of day: `19:15`, `half past 6 in the evening`, `afternoon 3:45`, `at noon`.

use super::numbers;
use super::text::Text;

/// A time of day: its number of words, and minutes since midnight.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Time {
    pub(super) words: usize,
    pub(super) minutes: u32,
    /// Whether it is a bare number, as in "at 7".
    pub(super) is_bare: bool,
}

/// The time that starts at a word.
pub(super) fn parse_time(text: &Text<'_>, at: usize) -> Option<Time> {
    let lexicon = text.lexicon();
    if let Some((words, key)) = lexicon.list("clock").key(text, at) {
        let minutes = key.parse::<u32>().ok()? * 60;
        return Some(Time { words, minutes, is_bare: false });
    }
    let spoken = parse_spoken_time(text, at).or_else(|| clock(text, at));
    if let Some((words, minutes, firm)) = spoken {
        let (more, minutes, told) = parse_day_part(text, at + words, minutes);
        return (firm || told).then_some(Time { words: words + more, minutes, is_bare: false });
    }
    // "afternoon 3:45", "evening 7", "morning at 10"
    let part = lexicon.list("daypart name").at(text, at);
    let hour = lexicon.list("daypart").key(text, at).and_then(|(_, key)| key.parse::<u32>().ok());
    if part > 0
        && let Some(base) = hour
    {
        let link = usize::from(lexicon.list("at time").has(text.folded(at + part)));
        if let Some((words, minutes, _)) = clock(text, at + part + link) {
            let minutes = if base >= 12 && minutes < 720 { minutes + 720 } else { minutes };
            return Some(Time { words: part + link + words, minutes, is_bare: false });
        }
    }
    None
}

/// A bare number after a preposition of time: the 7 of "at 7".
pub(super) fn parse_bare_time(text: &Text<'_>, at: usize) -> Option<Time> {
    let (words, minutes, _) = clock(text, at)?;
    let cued = at > 0 && text.lexicon().list("at time").has(text.folded(at - 1));
    cued.then_some(Time { words, minutes, is_bare: true })
}

/// A bare number that is a time because a time was asked for.
pub(super) fn parse_lone_time(text: &Text<'_>, at: usize) -> Option<Time> {
    let (words, minutes, _) = clock(text, at)?;
    Some(Time { words, minutes, is_bare: true })
}

/// `half past 6`, `quarter to nine`, `10 past 4`, `halb sieben`, `sept heures et demie`.
fn parse_spoken_time(text: &Text<'_>, at: usize) -> Option<(usize, u32, bool)> {
    let lexicon = text.lexicon();
    let list = |name: &str, at: usize| lexicon.list(name).at(text, at);
    let shifts = [("half past", 30), ("half to", -30), ("quarter past", 15), ("quarter to", -15)];
    for (name, shift) in shifts {
        let lead = list(name, at);
        if lead > 0
            && let Some((words, hour)) = hour(text, at + lead)
        {
            return Some((
                lead + words + list("oclock", at + lead + words),
                shift_minutes(hour, shift),
                true,
            ));
        }
    }
    let number = numbers::parse_number(text, at).filter(|n| n.value < 60.0 && n.value.fract() == 0.0)?;
    let mut minutes_word = at + number.words;
    if matches!(text.folded(minutes_word), "minutes" | "min" | "minuten") {
        minutes_word += 1;
    }
    for (name, sign) in [("past hour", 1), ("to hour", -1)] {
        let lead = list(name, minutes_word);
        // "3 to 5" is a range; "ten to five" and "20 past 4" are times.
        let is_range = sign < 0 && number.in_digits || (number.value as i64) % 5 != 0;
        if lead > 0
            && !is_range
            && let Some((words, hour)) = hour(text, minutes_word + lead)
        {
            let taken = minutes_word - at + lead + words;
            return Some((
                taken + list("oclock", at + taken),
                shift_minutes(hour, sign * number.value as i64),
                true,
            ));
        }
    }
    None
}

fn shift_minutes(hour: u32, minutes: i64) -> u32 {
    u32::try_from((i64::from(hour) * 60 + minutes).rem_euclid(1_440)).unwrap_or(0)
}

fn hour(text: &Text<'_>, at: usize) -> Option<(usize, u32)> {
    let number = numbers::parse_number(text, at)?;
    let whole = number.value.fract() == 0.0 && (0.0..=24.0).contains(&number.value);
    whole.then_some((number.words, (number.value as u32) % 24))
}

/// A clock time: number of words, minutes, and whether it is unambiguous.
fn clock(text: &Text<'_>, at: usize) -> Option<(usize, u32, bool)> {
    let lexicon = text.lexicon();
    let hours = text.digits(at).filter(|h| *h <= 24 && text.folded(at).len() <= 2);
    let minutes = text.digits(at + 1).filter(|m| *m < 60 && text.folded(at + 1).len() == 2);
    if let (Some(hours), Some(minutes)) = (hours, minutes) {
        let gap = text.gap(at);
        let told =
            || lexicon.list("daypart").at(text, at + 2) > 0 || lexicon.list("oclock").at(text, at + 2) > 0;
        if gap == ":" || (gap == "." && told()) {
            let oclock = lexicon.list("oclock").at(text, at + 2);
            return Some((2 + oclock, hours % 24 * 60 + minutes, true));
        }
    }
    // `19h15`, `8h`, `19 Uhr 30`, `sept heures et demie`
    let (words, hours) = hour(text, at)?;
    let next = text.folded(at + words);
    let oclock = if next == "h" { 1 } else { lexicon.list("oclock").at(text, at + words) };
    if let Some(tail) = next.strip_prefix('h').filter(|tail| tail.len() == 2)
        && let Ok(minutes) = tail.parse::<u32>()
    {
        return (minutes < 60).then_some((words + 1, hours * 60 + minutes, true));
    }
    let after = at + words + oclock;
    for (name, shift) in [("half after", 30), ("quarter after hour", 15), ("quarter less", -15)] {
        let tail = lexicon.list(name).at(text, after);
        if tail > 0 {
            return Some((words + oclock + tail, shift_minutes(hours, shift), true));
        }
    }
    let minutes = text.digits(after).filter(|m| oclock > 0 && *m < 60 && text.folded(after).len() == 2);
    if let Some(minutes) = minutes {
        return Some((words + oclock + 1, hours * 60 + minutes, true));
    }
    Some((words + oclock, hours * 60, oclock > 0))
}

/// The part of the day after a time: number of words, adjusted minutes, and whether there is one.
fn parse_day_part(text: &Text<'_>, at: usize, minutes: u32) -> (usize, u32, bool) {
    let broken = text.before(at).contains(['.', '!', '?', ';', '\n']) && !text.before(at).trim().is_empty();
    let Some((words, key)) = text.lexicon().list("daypart").key(text, at).filter(|_| !broken) else {
        return (0, minutes, false);
    };
    let base: u32 = key.parse().unwrap_or(0);
    let minutes = match base {
        0 if minutes / 60 == 12 => minutes - 720,
        0 => minutes,
        18 if minutes < 240 => minutes,
        _ if minutes < 720 => minutes + 720,
        _ => minutes,
    };
    (words, minutes, true)
}

/// The time as `HH:MM`.
pub(super) fn clock_form(minutes: u32) -> String {
    format!("{:02}:{:02}", minutes / 60 % 24, minutes % 60)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_read_as_people_say_them() {
        for (text, clock) in [
            ("19:15", "19:15"),
            ("7pm", "19:00"),
            ("7:30 pm", "19:30"),
            ("4 p.m.", "16:00"),
            ("half past 6 in the evening", "18:30"),
            ("quarter past 10 in the morning", "10:15"),
            ("quarter to nine at night", "20:45"),
            ("20 past 4 in the afternoon", "16:20"),
            ("afternoon 3:45", "15:45"),
            ("morning 10", "10:00"),
            ("one in the afternoon", "13:00"),
            ("noon", "12:00"),
            ("8 o'clock", "08:00"),
            ("12:15 in the afternoon", "12:15"),
            ("halb sieben", "06:30"),
            ("19 Uhr 30", "19:30"),
            ("19h15", "19:15"),
            ("sept heures et demie", "07:30"),
            ("siete y media de la tarde", "19:30"),
        ] {
            let words = Text::new(text);
            let time = parse_time(&words, 0).unwrap_or_else(|| panic!("{text}"));
            assert_eq!((clock_form(time.minutes).as_str(), time.words), (clock, words.len()), "{text}");
        }
        for text in ["7", "two tickets", "3 days", "12 rooms", "2024"] {
            assert_eq!(parse_time(&Text::new(text), 0), None, "{text}");
        }
    }
}
