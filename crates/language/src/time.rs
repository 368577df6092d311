//! Times of day: `19:15`, `half past 6 in the evening`, `halb sieben`, `19h15`, `at noon`. Each of the given languages
//! is read on its own, and the longest reading wins.

use crate::language::Languages;
use crate::locale::{Locale, Section};
use crate::number::spoken::{number_at, ordinal_at};
use crate::per_locale::PerLocale;
use crate::phrase::PhraseTable;
use crate::token::Tokens;

/// Minutes of a day.
const DAY: i64 = 1_440;
const NOON: u32 = 720;

/// A time of day in a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SpokenTime {
    /// How many tokens say it.
    pub tokens: usize,
    /// Minutes since midnight.
    pub minutes: u32,
    /// Whether nothing but a number tells it, as in "at 7".
    pub is_bare: bool,
}

/// A word before an hour, and the minutes by which it moves it.
type Shift = (PhraseTable<()>, i64);

struct Vocabulary {
    clock: PhraseTable<i64>,
    dayparts: PhraseTable<i64>,
    daypart_names: PhraseTable<()>,
    oclock: PhraseTable<()>,
    minutes: PhraseTable<()>,
    /// `half past`, `quarter to`: before the hour.
    before: Vec<Shift>,
    /// `et demie`, `moins le quart`: behind the hour.
    behind: Vec<Shift>,
    past: PhraseTable<()>,
    to: PhraseTable<()>,
    at: PhraseTable<()>,
    has_ordinal_hours: bool,
}

fn numbered(section: Section) -> PhraseTable<i64> {
    let mut table = PhraseTable::default();
    section.numbered().for_each(|(number, words)| table.extend(words, number));
    table
}

impl Vocabulary {
    fn new(locale: &'static Locale) -> Self {
        let phrases = |key: &str| {
            locale.time_words.words(key).iter().map(|phrase| (phrase, ())).collect::<PhraseTable<()>>()
        };
        let shifts =
            |keys: &[(&str, i64)]| keys.iter().map(|(key, minutes)| (phrases(key), *minutes)).collect();
        let minutes = locale.units.words("min").iter().chain(["min"]).map(|phrase| (phrase, ())).collect();
        Self {
            clock: numbered(locale.clock_times),
            dayparts: numbered(locale.dayparts),
            daypart_names: phrases("daypart_name"),
            oclock: phrases("oclock"),
            minutes,
            before: shifts(&[("half_past", 30), ("half_to", -30), ("quarter_past", 15), ("quarter_to", -15)]),
            behind: shifts(&[("half_after", 30), ("quarter_after_hour", 15), ("quarter_less", -15)]),
            past: phrases("past_hour"),
            to: phrases("to_hour"),
            at: phrases("at_time"),
            has_ordinal_hours: locale.ordinal_hours,
        }
    }
}

/// Reads times of one text in one language.
#[derive(Clone, Copy)]
struct Reader<'a, 't> {
    language: Languages,
    words: &'static Vocabulary,
    text: &'a Tokens<'t>,
}

fn readers<'a, 't>(text: &'a Tokens<'t>, languages: Languages) -> impl Iterator<Item = Reader<'a, 't>> {
    static VOCABULARIES: PerLocale<Vocabulary> = PerLocale::new();
    languages.iter().filter_map(move |language| {
        let words = VOCABULARIES.get(language, Vocabulary::new).filter(|words| !words.clock.is_empty())?;
        Some(Reader { language: language.into(), words, text })
    })
}

fn longest(readings: impl Iterator<Item = SpokenTime>) -> Option<SpokenTime> {
    readings.reduce(|best, next| if next.tokens > best.tokens { next } else { best })
}

/// The time at a token.
#[must_use]
pub fn time_at(text: &Tokens<'_>, at: usize, languages: Languages) -> Option<SpokenTime> {
    longest(readers(text, languages).filter_map(|reader| reader.at(at)))
}

/// A time that only a word before it makes one: the 7 of "at 7".
#[must_use]
pub fn bare_time_at(text: &Tokens<'_>, at: usize, languages: Languages) -> Option<SpokenTime> {
    let cued = |reader: &Reader<'_, '_>| {
        (1..=2.min(at))
            .any(|back| reader.words.at.longest(text, at - back).is_some_and(|found| found.tokens == back))
    };
    longest(readers(text, languages).filter(cued).filter_map(|reader| reader.lone(at)))
}

/// A number that is a time because one was asked for.
#[must_use]
pub fn lone_time_at(text: &Tokens<'_>, at: usize, languages: Languages) -> Option<SpokenTime> {
    longest(readers(text, languages).filter_map(|reader| reader.lone(at)))
}

/// A time in the form of clocks: `19:05`.
#[must_use]
pub fn clock_form(minutes: u32) -> String {
    format!("{:02}:{:02}", minutes / 60 % 24, minutes % 60)
}

fn shifted(hour: u32, minutes: i64) -> u32 {
    u32::try_from((i64::from(hour) * 60 + minutes).rem_euclid(DAY)).unwrap_or(0)
}

impl Reader<'_, '_> {
    fn at(self, at: usize) -> Option<SpokenTime> {
        let (text, words) = (self.text, self.words);
        let told = |tokens: usize, minutes: u32| SpokenTime { tokens, minutes, is_bare: false };
        if let Some(found) = words.clock.longest(text, at) {
            return Some(told(found.tokens, u32::try_from(found.value).ok()? * 60));
        }
        if let Some((tokens, minutes, is_firm)) = self.spoken(at).or_else(|| self.clock(at)) {
            let (more, minutes, has_part) = self.with_part(at + tokens, minutes);
            return (is_firm || has_part).then(|| told(tokens + more, minutes));
        }
        // "afternoon 3:45", "evening 7", "morning at 10"
        let part = words.daypart_names.length_at(text, at);
        let base = words.dayparts.longest(text, at).filter(|_| part > 0)?.value;
        let link = words.at.longest(text, at + part).map_or(0, |found| found.tokens);
        let (tokens, minutes, _) = self.clock(at + part + link)?;
        Some(told(part + link + tokens, if base >= 12 && minutes < NOON { minutes + NOON } else { minutes }))
    }

    fn lone(self, at: usize) -> Option<SpokenTime> {
        let (tokens, minutes, _) = self.clock(at)?;
        Some(SpokenTime { tokens, minutes, is_bare: true })
    }

    /// `half past 6`, `quarter to nine`, `10 past 4`, `halb sieben`.
    fn spoken(self, at: usize) -> Option<(usize, u32, bool)> {
        let (text, words) = (self.text, self.words);
        for (phrases, shift) in &words.before {
            let lead = phrases.length_at(text, at);
            if lead > 0
                && let Some((tokens, hour)) = self.hour(at + lead)
            {
                let oclock = words.oclock.length_at(text, at + lead + tokens);
                return Some((lead + tokens + oclock, shifted(hour, *shift), true));
            }
        }
        let number =
            number_at(text, at, self.language).filter(|n| n.value < 60.0 && n.value.fract() == 0.0)?;
        let link = at + number.tokens + words.minutes.length_at(text, at + number.tokens);
        for (phrases, sign) in [(&words.past, 1), (&words.to, -1)] {
            let lead = phrases.length_at(text, link);
            // "3 to 5" is a range; "ten to five" and "20 past 4" are times.
            let is_range = (sign < 0 && number.in_digits) || (number.value as i64) % 5 != 0;
            if lead > 0
                && !is_range
                && let Some((tokens, hour)) = self.hour(link + lead)
            {
                let taken = link - at + lead + tokens;
                let oclock = words.oclock.length_at(text, at + taken);
                return Some((taken + oclock, shifted(hour, sign * number.value as i64), true));
            }
        }
        None
    }

    fn hour(self, at: usize) -> Option<(usize, u32)> {
        // `o siódmej`
        let ordinal = || ordinal_at(self.text, at, self.language).filter(|_| self.words.has_ordinal_hours);
        let Some(number) = number_at(self.text, at, self.language) else {
            let (tokens, hour) = ordinal()?;
            return u32::try_from(hour)
                .ok()
                .filter(|hour| (1..=24).contains(hour))
                .map(|hour| (tokens, hour % 24));
        };
        let whole = number.value.fract() == 0.0 && (0.0..=24.0).contains(&number.value);
        whole.then_some((number.tokens, (number.value as u32) % 24))
    }

    /// Hours and minutes in numbers: tokens taken, minutes, and whether it can be nothing else.
    fn clock(self, at: usize) -> Option<(usize, u32, bool)> {
        let (text, words) = (self.text, self.words);
        let hours = text.digits(at).filter(|hours| *hours <= 24 && text.folded(at).len() <= 2);
        let minutes_at = |at: usize| text.digits(at).filter(|m| *m < 60 && text.folded(at).len() == 2);
        if let (Some(hours), Some(minutes)) = (hours, minutes_at(at + 1)) {
            let oclock = words.oclock.length_at(text, at + 2);
            let is_told = || words.dayparts.length_at(text, at + 2) > 0 || oclock > 0;
            if text.gap(at) == ":" || (text.gap(at) == "." && is_told()) {
                return Some((2 + oclock, hours % 24 * 60 + minutes, true));
            }
        }
        // `19h15`, `8h`, `19 Uhr 30`, `sept heures et demie`
        let (tokens, hours) = self.hour(at)?;
        let next = text.folded(at + tokens);
        let oclock = if next == "h" { 1 } else { words.oclock.length_at(text, at + tokens) };
        if let Some(tail) = next.strip_prefix('h').filter(|tail| tail.len() == 2)
            && let Ok(minutes) = tail.parse::<u32>()
        {
            return (minutes < 60).then_some((tokens + 1, hours * 60 + minutes, true));
        }
        let after = at + tokens + oclock;
        for (phrases, shift) in &words.behind {
            let tail = phrases.length_at(text, after);
            if tail > 0 {
                return Some((tokens + oclock + tail, shifted(hours, *shift), true));
            }
        }
        if let Some(minutes) = minutes_at(after).filter(|_| oclock > 0) {
            return Some((tokens + oclock + 1, hours * 60 + minutes, true));
        }
        Some((tokens + oclock, hours * 60, oclock > 0))
    }

    /// The part of the day after a time: tokens taken, the minutes it makes, whether there is one.
    fn with_part(self, at: usize, minutes: u32) -> (usize, u32, bool) {
        let gap = self.text.before(at);
        let broken = gap.contains(['.', '!', '?', ';', '\n']) && !gap.trim().is_empty();
        let Some(found) = self.words.dayparts.longest(self.text, at).filter(|_| !broken) else {
            return (0, minutes, false);
        };
        let minutes = match found.value {
            0 if minutes / 60 == 12 => minutes - NOON,
            0 => minutes,
            // The night goes on until four.
            18 if minutes < 240 => minutes,
            _ if minutes < NOON => minutes + NOON,
            _ => minutes,
        };
        (found.tokens, minutes, true)
    }
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
            ("sette e mezza di sera", "19:30"),
            ("otto meno un quarto", "07:45"),
            ("half zeven", "06:30"),
            ("kwart over tien 's avonds", "22:15"),
            ("wpół do siódmej", "06:30"),
            ("kwadrans po ósmej wieczorem", "20:15"),
            ("dziesiąta rano", "10:00"),
            ("7 rano", "07:00"),
            ("7 wieczorem", "19:00"),
            ("sete e meia da noite", "19:30"),
            ("halv sju", "06:30"),
            ("kvart över tio på kvällen", "22:15"),
            ("mezzogiorno", "12:00"),
            ("północ", "00:00"),
        ] {
            let words = Tokens::of(text);
            let time = time_at(&words, 0, Languages::ALL);
            let read = time.map(|time| (clock_form(time.minutes), time.tokens));
            assert_eq!(read, Some((clock.to_owned(), words.len())), "{text}");
        }
        for text in ["7", "two tickets", "3 days", "12 rooms", "2024"] {
            assert_eq!(time_at(&Tokens::of(text), 0, Languages::ALL), None, "{text}");
        }
    }

    #[test]
    fn a_number_is_a_time_behind_a_word_that_says_so() {
        for (text, at) in [
            ("at 7", 1),
            ("um 7", 1),
            ("a las 7", 2),
            ("o 7", 1),
            ("o siódmej", 1),
            ("kl 7", 1),
            ("alle 7", 1),
        ] {
            let time = bare_time_at(&Tokens::of(text), at, Languages::ALL);
            assert_eq!(time.map(|time| (time.minutes, time.is_bare)), Some((420, true)), "{text}");
        }
        assert_eq!(bare_time_at(&Tokens::of("room 7"), 1, Languages::ALL), None);
        assert_eq!(lone_time_at(&Tokens::of("7"), 0, Languages::ALL).map(|time| time.minutes), Some(420));
    }
}
