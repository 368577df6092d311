//! How long ago something was: `3 hours ago`, `vor einem Tag`, `yesterday`.

use std::sync::LazyLock;

use rustc_hash::FxHashMap;

use crate::fold::{fold_phrase, fold_word};
use crate::language::Language;
use crate::unit::parse_unit;

/// Counts at most; more is no time that a text states.
const MAX_COUNT: i64 = 100_000;
const DAY: i64 = 86_400;

#[derive(Default)]
struct Vocabulary {
    /// Phrases for now and for days, with the seconds since then.
    moments: FxHashMap<String, i64>,
    /// Phrases before or behind a duration.
    ago: Vec<String>,
    /// Words for one.
    one: Vec<String>,
}

static VOCABULARY: LazyLock<Vocabulary> = LazyLock::new(|| {
    let mut vocabulary = Vocabulary::default();
    for locale in Language::all().filter_map(Language::locale) {
        let now = locale.date_words.words("now").iter().map(|phrase| (phrase, 0));
        let days = locale.relative_days.numbered().filter(|(days, _)| *days <= 0);
        let days = days.flat_map(|(days, phrases)| phrases.iter().map(move |phrase| (phrase, -days * DAY)));
        vocabulary.moments.extend(now.chain(days).map(|(phrase, seconds)| (fold_phrase(phrase), seconds)));
        vocabulary.ago.extend(locale.date_words.words("ago").iter().map(fold_phrase));
        let one = locale.number_words.words("1").iter().chain(locale.articles.iter());
        vocabulary.one.extend(one.map(fold_word));
    }
    vocabulary
});

/// The seconds since the time that a text as a whole states, in any language. Months and years are those of 30 and
/// 365 days.
#[must_use]
pub fn parse_elapsed(text: &str) -> Option<i64> {
    if text.starts_with(|c: char| !c.is_alphanumeric()) {
        return None;
    }
    let folded = fold_phrase(text);
    if let Some(seconds) = VOCABULARY.moments.get(&folded) {
        return Some(*seconds);
    }
    VOCABULARY.ago.iter().find_map(|ago| {
        let before = folded.strip_prefix(ago.as_str()).and_then(|rest| rest.strip_prefix(' '));
        let behind = || folded.strip_suffix(ago.as_str()).and_then(|rest| rest.strip_suffix(' '));
        duration(before.or_else(behind)?)
    })
}

/// The seconds of a count and a unit.
fn duration(folded: &str) -> Option<i64> {
    let (count, unit) = folded.split_once(' ')?;
    let count = match VOCABULARY.one.iter().any(|one| one == count) {
        true => 1,
        false => count.parse().ok().filter(|count| (0..MAX_COUNT).contains(count))?,
    };
    let seconds = match parse_unit(unit)? {
        "s" => 1,
        "min" => 60,
        "h" => 3_600,
        "d" => DAY,
        "week" => 7 * DAY,
        "month" => 30 * DAY,
        "a" => 365 * DAY,
        _ => return None,
    };
    Some(count * seconds)
}

#[cfg(test)]
mod tests {
    use super::parse_elapsed;

    #[test]
    fn times_in_the_past_are_read_in_every_language() {
        for (text, seconds) in [
            ("3 hours ago", 10_800),
            ("An hour ago", 3_600),
            ("just now", 0),
            ("Yesterday", 86_400),
            ("vor 3 Stunden", 10_800),
            ("vor einem Tag", 86_400),
            ("il y a 2 semaines", 1_209_600),
            ("hace 5 minutos", 300),
            ("2 giorni fa", 172_800),
            ("4 dagen geleden", 345_600),
            ("3 godziny temu", 10_800),
            ("há 2 horas", 7_200),
            ("2 timmar sedan", 7_200),
            ("przedwczoraj", 172_800),
        ] {
            assert_eq!(parse_elapsed(text), Some(seconds), "{text}");
        }
        for text in ["", "ago", "5 ago", "-5 days ago", "5 fortnights ago", "5 kg ago", "tomorrow", "3 hours"]
        {
            assert_eq!(parse_elapsed(text), None, "{text}");
        }
    }
}
