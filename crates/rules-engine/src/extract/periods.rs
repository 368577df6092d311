//! Periods: which of two dates is the start and which is the end.

use forms_core::labels::{Concepts, Line, Word, fit, left_label, words};
use language::fold::fold_word;
use language::vocabulary::{is_article, is_conjunction, is_range_word};

use super::dates::DateSpan;
use super::text::Text;

/// The start or the end of a period.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum PeriodEnd {
    First,
    Last,
}

/// Which end of a period the date at `start` is, and where the period begins.
pub(crate) fn find_period_end(line: &Line, dates: &[DateSpan], start: usize) -> Option<(PeriodEnd, usize)> {
    let at = dates.iter().position(|date| date.start == start)?;
    let own = dates.get(at)?;
    let joined = |before: &DateSpan, after: &DateSpan| {
        is_joint(line.slice(before.end, after.start).trim()) && before.date <= after.date
    };
    if dates.get(at + 1).is_some_and(|next| joined(own, next)) {
        return Some((PeriodEnd::First, own.start));
    }
    let before = dates.get(at.checked_sub(1)?)?;
    joined(before, own).then_some((PeriodEnd::Last, before.start))
}

/// Whether a text joins the two dates of a period: a dash, or a word for a range or an addition, perhaps with an article.
fn is_joint(between: &str) -> bool {
    let joins = |text: &str| {
        let folded = fold_word(text);
        is_range_word(&folded) || is_conjunction(&folded)
    };
    let with_article = || {
        between.rsplit_once(' ').is_some_and(|(word, article)| is_article(&fold_word(article)) && joins(word))
    };
    matches!(between, "-" | "–" | "—" | "−") || joins(between) || with_article()
}

/// How well a date of a period matches a field that asks for a start or an end.
pub(crate) fn period_fit(text: &Text, field: &Concepts, line: usize, end: PeriodEnd, begin: usize) -> f32 {
    let asked = match end {
        PeriodEnd::First => "start",
        PeriodEnd::Last => "end",
    };
    if !field.qualifiers().any(|word| word == asked) {
        return 0.0;
    }
    let Some(own) = text.lines.get(line) else { return 0.0 };
    let mut label: Vec<Word> = left_label(own, begin).map(words).unwrap_or_default();
    label.retain(|word| !matches!(word.as_ref(), "from" | "period" | "start" | "end"));
    // The subject of the period matters only if the field names it.
    label.truncate(2);
    label.push(asked.into());
    label.push("date".into());
    let plain: Vec<Word> = vec![asked.into(), "date".into(), "period".into()];
    // A fifth off: the period may be of something else. Chosen by hand; no measurement is recorded.
    fit(field, &label).max(0.8 * fit(field, &plain))
}
