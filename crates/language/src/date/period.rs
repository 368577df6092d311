//! Periods of which only the last day has a month and a year: `1er au 31 juillet 2015`.

use std::ops::Range;
use std::sync::LazyLock;

use chrono::{Datelike as _, NaiveDate};

use super::mention::{DateForm, DateMention, DateOrder};
use crate::fold::fold_word;
use crate::language::Language;
use crate::locale::{Locale, Words};
use crate::phrase::PhraseTable;
use crate::token::Tokens;
use crate::vocabulary::Everywhere;

/// Bytes before a date that may begin a period.
const MAX_BEGINNING: usize = 40;

/// The first day of the period that ends with `last`, and its place; `None` where `last` ends none.
#[must_use]
pub fn period_start(text: &str, last: &DateMention, order: DateOrder) -> Option<(Range<usize>, NaiveDate)> {
    let before = text.get(..last.range.start)?;
    let from = before.floor_char_boundary(before.len().saturating_sub(MAX_BEGINNING));
    let tokens = Tokens::of(before.get(from..)?);
    let (joint, is_dash) = joint(&tokens)?;
    // A dash before a date in digits may be anything.
    if is_dash && last.form != DateForm::Named {
        return None;
    }
    let mut at = joint.checked_sub(1)?;
    if !tokens.is_digits(at) && is_suffix(tokens.folded(at)) && tokens.gap(at.checked_sub(1)?).is_empty() {
        at -= 1;
    }
    let day = tokens.digits(at).filter(|_| tokens.folded(at).len() <= 2)?;
    let is_part = tokens.before(at).ends_with(['.', ',', '/', '-'])
        || joint < tokens.len() && tokens.gap(joint - 1).trim_start_matches('.').trim() != "" && !is_dash;
    let first = last.date(order)?;
    let date = first.with_day(day).filter(|date| *date <= first && !is_part)?;
    let token = tokens.tokens.get(at)?;
    Some((from + token.start..from + tokens.tokens.get(joint - 1)?.end, date))
}

/// The token at which the words that join the two days begin (the number of tokens for a dash), and whether it is a
/// dash.
fn joint(tokens: &Tokens<'_>) -> Option<(usize, bool)> {
    static RANGES: LazyLock<PhraseTable<()>> = LazyLock::new(|| {
        let locales = Language::all().filter_map(Language::locale);
        let ranges = |locale: &'static Locale| Words::iter(locale.range).map(|phrase| (phrase, ()));
        locales.flat_map(ranges).collect()
    });
    let end = tokens.len();
    let tail = tokens.gap(end.checked_sub(1)?).trim();
    if matches!(tail, "-" | "–" | "−" | ".-" | ".–" | ". -" | ". –") {
        return Some((end, true));
    }
    let at = (end.saturating_sub(3)..end).find(|at| RANGES.length_at(tokens, *at) == end - at)?;
    tail.is_empty().then_some((at, false))
}

fn is_suffix(folded: &str) -> bool {
    static SUFFIXES: LazyLock<Everywhere> =
        LazyLock::new(|| Everywhere::of(|locale| locale.ordinal_suffixes));
    SUFFIXES.has(&fold_word(folded))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::date::scan;

    #[test]
    fn the_first_day_of_a_period_takes_month_and_year_of_the_last() {
        for (text, first, said) in [
            ("1er au 31 juillet 2015", "2015-07-01", "1er"),
            ("vom 3. bis 14. Mai 2026", "2026-05-03", "3"),
            ("from 3 to 14 May 2026", "2026-05-03", "3"),
            ("3–14 May 2026", "2026-05-03", "3"),
            ("od 3 do 14 maja 2026", "2026-05-03", "3"),
            ("3 t/m 14 mei 2026", "2026-05-03", "3"),
            ("3 to 14/05/2026", "2026-05-03", "3"),
        ] {
            let mut read = None;
            scan(text, 0..text.len(), |date| read = period_start(text, &date, DateOrder::DayFirst));
            let read = read.map(|(range, date)| (text[range].to_owned(), date.to_string()));
            assert_eq!(read, Some((said.to_owned(), first.to_owned())), "{text}");
        }
        for text in [
            "14 May 2026",
            "20 to 14 May 2026",
            "3 - 14/05/2026",
            "room 3, 14 May 2026",
            "1.3 to 14 May 2026",
        ] {
            let mut read = None;
            scan(text, 0..text.len(), |date| read = period_start(text, &date, DateOrder::DayFirst));
            assert_eq!(read, None, "{text}");
        }
    }
}
